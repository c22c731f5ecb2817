"""Whether a surname, a single word or ordinary words are a person's name where they stand."""

import re

from attribench.evaluation import names
from attribench.evaluation.authoring import AUTHORING, WORK_OF
from attribench.evaluation.governing import governing
from attribench.evaluation.names import Word
from attribench.evaluation.personal import ODD, PERSONAL, PLACE_PREFIXES, looks_personal
from attribench.evaluation.signs import ACTS, APPOSED, CALLED, GUESSED, LIVES, SIGNED, speaks
from attribench.evaluation.variants import FAMILY_FIRST, Identity
from attribench.evaluation.words import Kind, kinds
from attribench.text import fold

# Roe, in *A Work*; Roe (1951)
_WORK_NEXT = re.compile(r"['\"*_]*(?:, (?:in )?(?:[*_\"]|(?:16|17|18|19|20)\d\d\b)| \((?:16|17|18|19|20)\d\d\))")
_THE = re.compile(
    r"\s*,?\s*the\b(?!\s+[A-Z]\w+\W*$)(?!(?:\s+[\w'-]+){0,2}\s+(?:author|poet|writer|novelist|philosopher|singer|speaker)\b)"
)
_ROLE_AND = re.compile(r"\b([A-Z]\w+) (?:and|&) $")
_AND = re.compile(r"\s*'s?\s+(?:or|and|nor)\b")
_BY = re.compile(r"\b(?:by|attributed to|author is|credited to) [*_]*$")
_WORK_AFTER = re.compile(
    r"^['*\"_)]*s?\s+(?:quote|quotation|poem|line|speech|essay|novel|lyric|song|saying|book|story|sonnet)\b"
)


def without_article(text: str, part: list[Word], stop: int) -> bool:
    """Tell whether no article makes a name of a group or a work: The Brothers Karamazov, but the Dalai Lama."""
    if text[max(0, part[0].start - 4) : part[0].start].lower() != "the ":
        return True
    known = kinds(" ".join(names.keys_of(part))) & Kind.SINGLE or part[0].kind & Kind.HONORIFIC
    return bool(known or _WORK_AFTER.match(text[stop:]))


def called_by_words(text: str, part: list[Word], *, is_name: bool = False) -> bool:
    """Tell whether ordinary words in capitals are used as a name: by Meek Mill; `is_name`: they are known to be one."""
    if not all(w.raw[1:].islower() or len(w.raw) == 1 for w in part) and (
        text.isupper() or not all(w.raw.isupper() for w in part)
    ):
        return False
    before = text[max(0, part[0].start - 30) : part[0].start]
    if re.search(r"\b(?:[Tt]he|[Aa]n?) $", before):
        return False
    role = _ROLE_AND.search(before)
    if role and kinds(fold(role.group(1))) & Kind.ROLE:
        return False  # a Philosopher and Public Thinker
    after = text[part[-1].end :]
    if (
        part[0].key not in PLACE_PREFIXES
        and not after.strip(" .*_\"'")
        and not before.strip(" *_\"'-—–")
        and (is_name or not part[-1].kind)
    ):
        return True  # nothing else stands in the answer, and the last word is no ordinary one
    return bool(CALLED.search(before) or SIGNED.search(before) or speaks(after))


def surname_counts(text: str, part: list[Word], who: Identity, opens: bool, cut: bool = False) -> bool:
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


def single_counts(text: str, word: Word, opens: bool) -> bool:
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
    if opens and word.kind & Kind.FAMILY and not word.kind & Kind.CHARACTER and _WORK_NEXT.match(after):
        return True
    if AUTHORING.match(after) and not _THE.match(after):
        return True
    if word.kind & PERSONAL == Kind.GIVEN and re.match(r"'s [A-Z][a-z]", after):
        return False  # a title: Sophie's Choice
    if re.match(r"\s*'s?\b", after):
        return (not _AND.match(after) and bool(word.kind & PERSONAL)) or bool(WORK_OF.match(after))
    found, _ = governing(before)
    if found[-1:] == [","] and kinds("".join(found[-2:-1])) & Kind.ROLE:
        return after.startswith(",")  # the speaker, Roe, says so
    return (
        bool(found)
        and bool(kinds(found[-1]) & Kind.ROLE)
        and found[-1] not in ("title", "work", "book", "name", "by", "quote", "source")
    )
