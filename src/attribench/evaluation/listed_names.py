"""Listed names that no run of capitalised words shows: in lower case, with digits, in another script."""

import re
from functools import cache, lru_cache

from attribench.evaluation import names
from attribench.evaluation.candidates import Candidate, opens_sentence
from attribench.evaluation.personal import ODD, PERSONAL
from attribench.evaluation.scripts import caseless_name
from attribench.evaluation.signs import speaks
from attribench.evaluation.variants import Identity
from attribench.evaluation.words import Kind, kinds, listed
from attribench.text import fold

_MOST = 20
"""So many places of one name are looked at; an answer that repeats it more often adds nothing."""
_LOWER_WORD = r"[a-z][a-z'-]{2,}"
_LOWER = re.compile(
    r"(?:\b(?:[Bb]y|[Aa]ttributed to|credited to|author is|poet|author|writer|philosopher|in which|[Ii]t's) |[-—–] |: "
    rf"|^)[*_]* *({_LOWER_WORD}) ({_LOWER_WORD})\b(?!-)"
)
_PAIR = re.compile(rf"\b({_LOWER_WORD}) ({_LOWER_WORD})\b(?=['* ])")
_PLAIN_WORD = re.compile("[a-z]{3,}")
_CUE = re.compile(r"(?:\b(?:by|to|is|it's)|[-—–:]) [*_ ]*$", re.IGNORECASE)


def listed_names(text: str, who: Identity, taken: list[Candidate]) -> list[Candidate]:
    """Return where a listed name stands that is not a run of capitalised words: lower case, another script."""
    if text.isascii():
        plain = text.lower().replace("'", "")
        if not any(hint in plain for hint in who.hints):
            return []
    low = re.sub(r"'s\b", " s", text) if "'s" in text else text
    folded = f" {fold(low)} "
    found: list[Candidate] = []
    for variant in who.texts:
        exact = f" {variant} " in folded
        if not exact and (variant.isascii() or len(variant) < 2 or variant not in folded):
            continue
        for start, end in _places(low, variant)[:_MOST]:
            overlaps = any(
                s < end and start < e and not (start <= s and e <= end) for s, e, _, _ in taken
            ) or _in_longer(low, start, end)
            raw = text[start:end]
            weak = (
                " " not in variant
                and raw.islower()
                and (kinds(variant) & ODD or len(variant) < 5)
                and len(text.split()) > 2
                and not _CUE.search(text[max(0, start - 8) : start])
            )
            if (
                not overlaps
                and not weak
                and not (
                    raw[:1].isupper()
                    and " " not in variant
                    and kinds(variant) & ODD
                    and opens_sentence(text, start)
                    and len(text.split()) > 2
                )
            ):
                found.append((start, end, "listed name", ""))
    return found


def _in_longer(text: str, start: int, end: int) -> bool:
    """Tell whether capitalised words run on before or after the name, so that it is part of another name."""
    for run in names.runs(text):
        if run[0].start < end and start < run[-1].end:
            outside = [w for w in run if w.end <= start or w.start >= end]
            return any(not w.kind & (Kind.FUNCTION | Kind.ROLE | Kind.HONORIFIC | Kind.PEOPLE) for w in outside)
    return False


def _places(text: str, variant: str) -> list[tuple[int, int]]:
    """Return where the folded name `variant` stands in `text`."""
    if text.isascii() and variant.isascii():
        return _ascii_places(text.lower(), variant.replace(" ", ""))
    letters: list[tuple[str, int]] = []
    for i, char in enumerate(text):
        if char in "'’‘ʼʻʹ`´′":
            continue
        piece = _folded(char) if char != " " else ""
        if not piece and char.isprintable() and not char.isspace() and _is_mark(char):
            continue
        letters.extend((c, i) for c in piece or " ")
    wanted = [*variant.replace(" ", "")]
    kept = [(c, i) for c, i in letters if c != " "]
    line = "".join(c for c, _ in kept)
    found = []
    at = line.find("".join(wanted))
    while at >= 0:
        start, end = kept[at][1], kept[at + len(wanted) - 1][1] + 1
        while end < len(text) and _is_mark(text[end]):
            end += 1
        edge = not variant.isascii() or not (
            (start and text[start - 1].isalnum()) or (end < len(text) and text[end].isalnum())
        )
        if edge:
            found.append((start, end))
        at = line.find("".join(wanted), at + 1)
    return found


def _ascii_places(low: str, letters: str) -> list[tuple[int, int]]:
    """Return where `letters` stand as whole words of `low`, whatever marks and blanks are between them.

    A pattern would do it too, but making one for each author takes longer than all its searches.
    """
    at = [i for i, char in enumerate(low) if char.isalnum()]
    line = "".join([low[i] for i in at])
    found = []
    first = line.find(letters)
    while first >= 0:
        start, end = at[first], at[first + len(letters) - 1] + 1
        is_whole = not (start and low[start - 1].isalnum()) and not low[end : end + 1].isalnum()
        if is_whole:
            found.append((start, end))
        first = line.find(letters, first + (len(letters) if is_whole else 1))
    return found


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    return fold(char)


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    return fold(char) == "" and not char.isascii() and not char.isspace() and fold("a" + char) == "a"


@cache
def _only_personal() -> frozenset[str]:
    """Return the words that are parts of names and nothing else."""
    return frozenset(w for kind in (Kind.GIVEN, Kind.FAMILY) for w in listed(kind) if not kinds(w) & ~PERSONAL)


def unlisted_names(text: str) -> list[Candidate]:
    """Return a name in a script without capitals, or in lower case after "by", that no list holds."""
    if not text.isascii():
        place = caseless_name(text)
        if place:
            return [(*place, "", "")]
    for match in _LOWER.finditer(text):
        if not any(
            (kinds(fold(w)) & ODD and not kinds(fold(w)) & PERSONAL) or kinds(fold(w)) & Kind.FUNCTION
            for w in match.groups()
        ):
            return [(match.start(1), match.end(2), "", "")]
    if _only_personal().isdisjoint(_PLAIN_WORD.findall(text)):
        return []
    for match in _PAIR.finditer(text):
        both = kinds(match[1])
        if both & ~PERSONAL:
            continue
        both |= kinds(match[2])
        if both & PERSONAL and not both & ~PERSONAL and speaks(text[match.end() :]):
            return [(match.start(1), match.end(2), "", "")]
    return []
