"""Candidates for the names in an answer: where they stand and whether they are the true author's."""

import re
from typing import NamedTuple

from attribench.evaluation import names
from attribench.evaluation.alone import called_by_words, single_counts, surname_counts, without_article
from attribench.evaluation.known import NOBODY_KNOWN, Known, written_names
from attribench.evaluation.names import Word
from attribench.evaluation.personal import ODD, PERSONAL, looks_personal, significant
from attribench.evaluation.variants import PARTICLES, Identity
from attribench.evaluation.words import Kind, group, kinds
from attribench.text import fold

# A single word of these kinds alone is never a name, whatever stands around it.
_IDLE = Kind.FUNCTION | Kind.ROLE | Kind.PEOPLE | Kind.INSTITUTION | Kind.PLACE
_HONORIFICS_AFTER = group("honorifics_after")
Candidate = tuple[int, int, str, str]
"""Start, end, the rule by which it names the author (empty: somebody else), why it cannot count (empty: it may)."""
_PARTICLES_BEFORE = re.compile(rf"\b(?:(?:{'|'.join(sorted(PARTICLES))})[ -]){{1,2}}$")
_LOWER_SURNAME = re.compile(r" (?![a-z]+(?:s|ed|ing|ly)\b)[a-z]{4,}\b")
_FIELDS = re.compile(
    r"\b(?:first|given)(?:\s*name)?\W{1,8}(\w[\w' -]*?)\W*\n.*?"
    r"\b(?:surname|(?:last|family)(?:\s*name)?)\W{1,8}(\w[\w' -]*)",
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
        is_idle = len(run) == 1 and run[0].kind & _IDLE and run[0].key not in who.hints
        if n == skip or (is_idle and (run[0].key,) not in known.words):
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
    fields = _FIELDS.search(text) if "\n" in text and ("ame" in text or "iven" in text) else None
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
    written = fold(part[0].raw + "".join(f"{w.gap}{w.raw}" for w in part[1:]))  # with "of" and "the" between
    is_thing = written != low and bool(kinds(written) & (Kind.WORK | Kind.PLACE | Kind.PEOPLE))
    is_character, is_the_character = (kinds(text) & Kind.CHARACTER for text in (low, f"the {low}"))
    return _Part(
        first,
        first + len(part),
        keys,
        not is_thing and (looks_personal(keys, any(w.gap == "-" for w in part[1:])) or _of_a_place(part)),
        len(significant(keys)) == 1,
        1 < len(part) < 4
        and not kinds(low) & (Kind.WORK | Kind.PLACE | Kind.PEOPLE)
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
    opened = starts and run[0].kind & Kind.FUNCTION and rule == "middle name"  # Not Jane Roe
    if rule and not opened and (rule != "surname" or surname_counts(text, run, who, starts)):
        return [(run[0].start, end, rule, "")]
    if not rule and len(run) > 2 and run[-1].gap == " of ":
        rule = who.match(names.keys_of(run[:-1]))  # Professor Jane Roe of Harvard
        if rule and (rule != "surname" or (run[0].kind & Kind.HONORIFIC and run[-1].kind & Kind.PLACE)):
            return [(run[0].start, run[-2].end, rule, "")]
    if keys in known.words and (len(keys) > 1 or not run[0].kind & ODD or called_by_words(text, run, is_name=True)):
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
        if rule == "surname" and not surname_counts(text, part, who, opens, len(run) > len(part)):
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
            if (not alone or single_counts(text, part[-1], opens)) and without_article(text, part, lower):
                found.append((start, lower, "", ""))
        elif one.is_ordinary and called_by_words(text, part):
            found.append((start, stop, "", ""))
    return found


def _author_rule(text: str, one: _Part, part: list[Word], who: Identity, *, within: bool, last: bool) -> str | None:
    """Return the rule by which a part names the author; `within`: it does not open the sentence."""
    rule = who.match(one.keys)
    if not rule and last and len(one.keys) > 2 and "-" in (part[-1].gap, *part[-1].raw[1:-1]):
        rule = who.match(one.keys[:-1])  # a name with one more surname: Ida B. Wells-Barnett
        rule = rule if rule in ("name", "initials", "middle name") else None
    if not rule and last and len(one.keys) > 1 and one.keys[-1] in _HONORIFICS_AFTER:
        rule = who.match(one.keys[:-1])
    return rule or (_with_particle(text, part[0].start, one.keys, who) if within else None)


def _of_a_place(part: list[Word]) -> bool:
    """Tell whether `part` is a given or single name with the place it is told apart by: Catherine of Siena."""
    first, rest = part[0], part[1:]
    named = first.kind & (Kind.GIVEN | Kind.SINGLE) and not first.kind & (ODD | Kind.HONORIFIC)
    return bool(named) and len(rest) == 1 and rest[0].gap == " of " and not rest[0].kind & Kind.INSTITUTION


def _lower_surname(text: str, part: list[Word], stop: int) -> int:
    """Return the end of a given name with a surname in lower case after it (an unlisted word), or `stop`."""
    match = _LOWER_SURNAME.match(text, stop)
    known = part[0].kind & Kind.GIVEN and not part[0].kind & ODD
    return match.end() if known and match and not kinds(fold(match.group())) & ~PERSONAL else stop


def _with_particle(text: str, start: int, keys: tuple[str, ...], who: Identity) -> str | None:
    low = _PARTICLES_BEFORE.search(text[max(0, start - 9) : start])
    return who.match((*fold(low.group()).split(), *keys)) if low else None
