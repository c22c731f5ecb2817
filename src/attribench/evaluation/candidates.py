"""Candidates for the names in an answer: where they stand and whether they are the true author's."""

import re
from typing import NamedTuple

from attribench.evaluation import names
from attribench.evaluation.known import NOBODY_KNOWN, Known, written_names
from attribench.evaluation.names import Word
from attribench.evaluation.personal import ODD, PERSONAL, PLACE_PREFIXES, looks_personal, significant
from attribench.evaluation.roles import AUTHORING, WORK_OF, governing
from attribench.evaluation.signs import ACTS, APPOSED, CALLED, GUESSED, LIVES, SIGNED, speaks
from attribench.evaluation.variants import FAMILY_FIRST, PARTICLES, Identity
from attribench.evaluation.words import Kind, kinds
from attribench.text import fold

# A single word of these kinds alone is never a name, whatever stands around it.
_IDLE = Kind.FUNCTION | Kind.ROLE | Kind.PEOPLE | Kind.INSTITUTION | Kind.PLACE
Candidate = tuple[int, int, str, str]
"""Start, end, the rule by which it names the author (empty: somebody else), why it cannot count (empty: it may)."""

_BY = re.compile(r"\b(?:by|attributed to|author is|credited to) [*_]*$")
_PARTICLES_BEFORE = re.compile(rf"\b(?:(?:{'|'.join(sorted(PARTICLES))})[ -]){{1,2}}$")
_LOWER_SURNAME = re.compile(r" (?![a-z]+(?:s|ed|ing|ly)\b)[a-z]{4,}\b")
_WORK_AFTER = re.compile(
    r"^['*\"_)]*s?\s+(?:quote|quotation|poem|line|speech|essay|novel|lyric|song|saying|book|story|sonnet)\b"
)
_FIELDS = re.compile(
    r"(?:first|given)\s*name\W{1,8}(\w[\w' -]*?)\W*\n.*?(?:sur|last\s*|family\s*)name\W{1,8}(\w[\w' -]*)",
    re.IGNORECASE | re.DOTALL,
)
_INVERTED = re.compile(r"(?:^|(?<=[\n:•*-])|(?<=[\n:•*-] ))\s*$")


def candidates(text: str, who: Identity, known: Known = NOBODY_KNOWN) -> list[Candidate]:
    """Return the candidates among the capitalised words of `text`, a result of `spans.plain`.

    `known` are names of persons: those of the authors of the data set.
    """
    found: list[Candidate] = []
    all_runs = names.runs(text)
    skip = -1
    for n, run in enumerate(all_runs):
        if n == skip or (len(run) == 1 and run[0].kind & _IDLE and run[0].key not in who.hints and (run[0].key,) not in known.words):
            continue
        starts = opens_sentence(text, run[0].start)
        inverted = _inverted(text, run, all_runs[n + 1], who) if n + 1 < len(all_runs) else None
        if inverted:
            found.append(inverted)
            skip = n + 1
            continue
        found.extend(_from_run(text, run, who, known, starts))
    for start, end in [*names.stage_names(text), *written_names(text, known)]:
        if not any(s < end and start < e for s, e, _, _ in found):
            found.append(
                (start, end, who.match(names.keys_of([Word(start, end, fold(text[start:end]), 0, "", "")])) or "", "")
            )
    fields = _FIELDS.search(text) if "ame" in text and "\n" in text else None
    if fields:
        rule = who.match(tuple(fold(f"{fields.group(1)} {fields.group(2)}").split()))
        found = [c for c in found if not fields.start() <= c[0] < fields.end()]
        found.append((fields.start(1), fields.end(2), rule or "", ""))
    return found


def opens_sentence(text: str, start: int) -> bool:
    """Tell whether a word at `start` opens a sentence, a line or a list item."""
    left = text[max(0, start - 6) : start].rstrip(" \"'*_([#")
    return not left or left[-1] in ".!?:\n-—–•>"


def _inverted(text: str, run: list[Word], after: list[Word], who: Identity) -> Candidate | None:
    """Return a name of the form ``Family, Given`` at the start of a line."""
    if text[run[-1].end : after[0].start] != ", " or text.startswith("'s", after[-1].end):
        return None
    keys = names.keys_of([*after, *run])
    start = run[0].start
    low = _PARTICLES_BEFORE.search(text[max(0, start - 9) : start])
    rule = who.match(keys)
    if not rule and low:
        rule = who.match((*names.keys_of(after), *low.group().split(), *names.keys_of(run)))
    if rule and rule != "surname":
        return start, after[-1].end, "inverted", ""
    if (
        len(run) == 1
        and _INVERTED.search(text[max(0, start - 12) : start])
        and len(after) <= 2
        and not text[after[-1].end :].strip(' .*"\n')
        and not who.match(names.keys_of(run))
    ):
        first, last = after[0].kind, run[0].kind
        if first & Kind.GIVEN and last & Kind.FAMILY and not (first | last) & (Kind.PLACE | Kind.COMMON):
            return start, after[-1].end, "", ""
    return None


class _Part(NamedTuple):
    """What can be told of a part of a run without its surroundings; `first` and `stop` are places in the run."""

    first: int
    stop: int
    keys: tuple[str, ...]
    is_personal: bool
    is_single: bool
    is_ordinary: bool
    character: str


def _parsed(run: list[Word], starts: bool) -> tuple[tuple[str, ...], list[_Part]]:
    """Return the folded words of `run` and its parts; the same words are parsed once."""
    shape = (starts, *[(word.raw, word.gap) for word in run])
    found = _PARSED.get(shape)
    if found is None:
        if len(_PARSED) > _MOST_PARSED:
            _PARSED.clear()
        at = {word.start: i for i, word in enumerate(run)}
        parts = [_part(part, at[part[0].start]) for part in names.parts(run, starts)]
        found = _PARSED[shape] = names.keys_of(run), parts
    return found


_PARSED: dict[tuple[object, ...], tuple[tuple[str, ...], list[_Part]]] = {}
_MOST_PARSED = 100_000


def _part(part: list[Word], first: int) -> _Part:
    keys = names.keys_of(part)
    low = " ".join(keys)
    is_character, is_the_character = (kinds(text) & Kind.CHARACTER for text in (low, f"the {low}"))
    return _Part(
        first,
        first + len(part),
        keys,
        looks_personal(keys, any(w.gap == "-" for w in part[1:])) or _of_a_place(part),
        len(significant(keys)) == 1,
        1 < len(part) < 4
        and not kinds(low) & Kind.WORK
        and all(w.kind & ODD in (0, Kind.COMMON) for w in part[1:])
        and (part[0].kind & ODD in (0, Kind.COMMON) or part[0].kind & (ODD | Kind.GIVEN) == Kind.PLACE | Kind.GIVEN),
        "yes" if is_character else "the" if is_the_character else "",
    )


def _from_run(text: str, run: list[Word], who: Identity, known: Known, starts: bool) -> list[Candidate]:
    end = names.suffix_end(text, run[-1].end)
    tail = tuple(fold(text[run[-1].end : end]).split()) if end > run[-1].end else ()
    keys, parsed = _parsed(run, starts)
    keys += tail
    rule = who.match(keys)
    if rule and (rule != "surname" or _surname_counts(text, run, who, starts)):
        return [(run[0].start, end, rule, "")]
    if keys in known.words and (len(keys) > 1 or not run[0].kind & ODD or _called_by_words(text, run, is_name=True)):
        return [(run[0].start, end, "", "")]
    if len(keys) > 1 and kinds(" ".join(keys)) & Kind.SINGLE:
        return [(run[0].start, end, "", "")]
    found: list[Candidate] = []
    for one in parsed:
        part = run[one.first : one.stop]
        last = one.stop == len(run)
        if last and tail:
            one = _part(part, one.first)._replace(keys=one.keys + tail)
            one = one._replace(is_personal=looks_personal(one.keys), is_single=len(significant(one.keys)) == 1)
        start, stop = part[0].start, end if last else part[-1].end
        opens = starts and one.first == 0
        rule = _author_rule(text, one, part, who, within=not opens and one.first == 0, last=last)
        if rule == "surname" and not _surname_counts(text, part, who, opens, len(run) > len(part)):
            rule = None
            if len(one.keys) == 1:
                continue
        if rule:
            found.append((start, stop, rule, ""))
        elif one.keys in known.words and (len(one.keys) > 1 or not part[0].kind & ODD):
            found.append((start, stop, "", ""))
        elif one.character == "yes" or (one.character and text[max(0, start - 4) : start].lower() == "the "):
            found.append((start, stop, "", "fictional"))
        elif one.is_personal:
            lower = _lower_surname(text, part, stop) if len(part) == 1 and last else stop
            alone = one.is_single and lower == stop
            if (not alone or _single_counts(text, part[-1], opens)) and _without_article(text, part, lower):
                found.append((start, lower, "", ""))
        elif one.is_ordinary and _called_by_words(text, part):
            found.append((start, stop, "", ""))
    return found


def _author_rule(text: str, one: _Part, part: list[Word], who: Identity, *, within: bool, last: bool) -> str | None:
    """Return the rule by which a part names the author; `within`: it does not open the sentence."""
    rule = who.match(one.keys)
    if not rule and last and len(one.keys) > 2 and "-" in (part[-1].gap, *part[-1].raw[1:-1]):
        rule = who.match(one.keys[:-1])  # a name with one more surname: Ida B. Wells-Barnett
        rule = rule if rule in ("name", "initials", "middle name") else None
    return rule or (_with_particle(text, part[0].start, one.keys, who) if within else None)


def _of_a_place(part: list[Word]) -> bool:
    """Tell whether `part` is a given or single name with the place it is told apart by: Catherine of Siena."""
    first, rest = part[0], part[1:]
    named = first.kind & (Kind.GIVEN | Kind.SINGLE) and not first.kind & (ODD | Kind.HONORIFIC)
    return bool(named) and len(rest) == 1 and rest[0].gap == " of " and not rest[0].kind & Kind.INSTITUTION


def _without_article(text: str, part: list[Word], stop: int) -> bool:
    """Tell whether no article makes a name of a group or a work: The Brothers Karamazov, but the Dalai Lama."""
    if text[max(0, part[0].start - 4) : part[0].start].lower() != "the ":
        return True
    known = kinds(" ".join(names.keys_of(part))) & Kind.SINGLE or part[0].kind & Kind.HONORIFIC
    return bool(known or _WORK_AFTER.match(text[stop:]))


def _called_by_words(text: str, part: list[Word], *, is_name: bool = False) -> bool:
    """Tell whether ordinary words in capitals are used as a name: by Meek Mill; `is_name`: they are known to be one."""
    if not all(w.raw[1:].islower() or len(w.raw) == 1 for w in part) and (
        text.isupper() or not all(w.raw.isupper() for w in part)
    ):
        return False
    before = text[max(0, part[0].start - 30) : part[0].start]
    if re.search(r"\b(?:[Tt]he|[Aa]n?) $", before):
        return False
    after = text[part[-1].end :]
    if (
        part[0].key not in PLACE_PREFIXES
        and not after.strip(" .*_\"'")
        and not before.strip(" *_\"'-—–")
        and (is_name or not part[-1].kind)
    ):
        return True  # nothing else stands in the answer, and the last word is no ordinary one
    return bool(CALLED.search(before) or SIGNED.search(before) or speaks(after))


def _lower_surname(text: str, part: list[Word], stop: int) -> int:
    """Return the end of a given name with a surname in lower case after it (an unlisted word), or `stop`."""
    match = _LOWER_SURNAME.match(text, stop)
    known = part[0].kind & Kind.GIVEN and not part[0].kind & ODD
    return match.end() if known and match and not kinds(fold(match.group())) & ~PERSONAL else stop


def _with_particle(text: str, start: int, keys: tuple[str, ...], who: Identity) -> str | None:
    low = _PARTICLES_BEFORE.search(text[max(0, start - 9) : start])
    return who.match((*fold(low.group()).split(), *keys)) if low else None


def _surname_counts(text: str, part: list[Word], who: Identity, opens: bool, cut: bool = False) -> bool:
    """Tell whether a surname alone plainly means the author: no other bearer, no ordinary word."""
    word = part[-1]
    if re.search(r"\b[Tt]he\s+$", text[max(0, part[0].start - 5) : part[0].start]) and re.match(
        r" [a-z]", text[word.end :]
    ):
        return bool(_WORK_AFTER.match(text[word.end :])) or part[0].kind & Kind.HONORIFIC > 0
    if len(part) > 1 and part[0].kind & Kind.HONORIFIC:
        return True
    odd = word.kind & (Kind.COMMON | Kind.PLACE | Kind.PEOPLE | Kind.INSTITUTION | Kind.FUNCTION | Kind.ROLE)
    if not odd or (len(part) > 1 and not opens):
        return not _other_bearer(text, word.key, who)
    if cut and opens:
        return False
    before, after = text[max(0, word.start - 40) : word.start], text[word.end : word.end + 60]
    only_word = not odd & ~Kind.COMMON and not opens
    if not (
        CALLED.search(before)
        or AUTHORING.match(after)
        or LIVES.match(after)
        or (only_word and ACTS.match(after))
        or re.match(r"\s*'s?\b", after)
        or not (text[: word.start] + text[word.end :]).strip(" .*\"'\n-—")
    ):
        return False
    return not re.search(r"\b[Tt]he\s+$", before) and not _other_bearer(text, word.key, who)


def _other_bearer(text: str, key: str, who: Identity) -> bool:
    """Tell whether the answer names another person of this surname in full."""
    for run in names.runs(text):
        keys = names.keys_of(run)
        if (
            len(keys) > 1
            and (keys[-1] == key or (keys[0] == key and key in FAMILY_FIRST))
            and not run[0].kind & (Kind.FUNCTION | Kind.HONORIFIC)
            and looks_personal(keys)
            and not who.match(keys)
        ):
            return True
    return False


def _single_counts(text: str, word: Word, opens: bool) -> bool:
    """Tell whether one capitalised word that is no listed word is used as a person's name."""
    if word.kind & Kind.SINGLE:
        return True
    if len(word.key) < 2:
        return False
    if word.kind & ODD:
        stage = word.kind & ODD == Kind.COMMON and word.raw[1:].islower() and not opens
        near = text[max(0, word.start - 200) : word.start]
        return bool(stage and (_BY.search(near[-30:]) or APPOSED.search(near)))
    before, after = text[max(0, word.start - 200) : word.start], text[word.end : word.end + 60]
    lead = before.strip(" \"'*_-—.:").split()
    alone = not after.strip(" \"'*_.?!") and all(kinds(fold(w)) & Kind.FUNCTION for w in lead)
    if CALLED.search(before) or SIGNED.search(before[-60:]) or APPOSED.search(before) or GUESSED.match(after):
        return True
    if alone:
        return bool(word.kind & PERSONAL) and not word.kind & Kind.WORK
    if AUTHORING.match(after) and not after.lstrip().startswith("the"):
        return True
    if word.kind & PERSONAL == Kind.GIVEN and re.match(r"'s [A-Z][a-z]", after):
        return False  # a title: Sophie's Choice
    if re.match(r"\s*'s?\b", after):
        return bool(word.kind & PERSONAL) or bool(WORK_OF.match(after))
    found, _ = governing(before)
    if found[-1:] == [","] and kinds("".join(found[-2:-1])) & Kind.ROLE:
        return after.startswith(",")  # the speaker, Roe, says so
    return (
        bool(found)
        and bool(kinds(found[-1]) & Kind.ROLE)
        and found[-1] not in ("title", "work", "book", "name", "by", "quote", "source")
    )
