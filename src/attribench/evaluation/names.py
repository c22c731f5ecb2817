"""Open-world names: runs of capitalised words that look like a person's name, whoever it is."""

import re
import sys
from functools import cache, lru_cache
from typing import NamedTuple

from attribench.evaluation.personal import ODD, PERSONAL
from attribench.evaluation.variants import PARTICLES
from attribench.evaluation.words import Kind, group, kinds, listed
from attribench.text import fold

_UPPER = "".join(
    c for c in map(chr, [*range(0x41, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000)]) if c.isupper()
)
_LINK = "|".join(sorted(PARTICLES - {"y", "e", "o", "as", "i", "st"}, key=len, reverse=True))
# The look-behinds come after the first letter, so that the search can leap from capital to capital.
# The commonest words that open a sentence are left out at once.
_WORD = re.compile(
    rf"[{_UPPER}](?<![^\W_].)(?<!T(?=he [a-z]|his [a-z]))(?<!I(?=[tn] [a-z]))(?<!A(?=n? [a-z]))"
    rf"(?:(?<![^\W_]'.)|(?<=\b[dlDL]'.))[^\W_]*(?:[\u0300-\u036f][^\W_]*)*"
    rf"(?:'(?!s\b|S\b)[^\W_]+)*"
    rf"(?:-(?=[^\W{_UPPER}\d])(?!(?:{_LINK}|i|era|led|esque|like|style|born|based)\b)\w+(?:'(?!s\b)\w+)*)?"
)
_JOIN = re.compile(
    rf" *\.? *|-| (?:de|di|da|la|le|van|von|du)[{_UPPER}][^\W_]+ |"
    rf"\.?(?: +(?:{_LINK}|no|of|the))+(?: +|-)|-(?:{_LINK}|i|y|e)-"
)
_SUFFIX = re.compile(r",? +(?:fils|père|pere|Jr|Sr|II|III|IV)\b\.?")
_ABBREVIATED = frozenset(
    ["wm", "chas", "geo", "thos", "jas", "md", "edw", "jos", "robt", "jno", "danl", "saml", "benj", "alex", "fr"]
)
_NICKNAME = re.compile(rf"(?<=\w|\.) [\"'(]([{_UPPER}]\w*'?(?: [{_UPPER}]\w+)?)[\"')] (?=[{_UPPER}])")
_THE = re.compile("^The ")
# Function words that may end a name after a given name; the others never do.
_NEVER_LAST = group("never_last")
# Function words of one language that are a syllable of names in another.
_SYLLABLES = frozenset(["un", "se", "es", "an", "der", "die", "so", "do", "il", "lo", "ho", "le", "la"])
_FOREIGN = frozenset(["les", "an", "lo", "der", "die", "un", "il"])
_LEADING = group("leading_particles")


class Word(NamedTuple):
    """A capitalised word: its place, folded form, `Kind` flags, text, and the gap before it."""

    start: int
    end: int
    key: str
    kind: int
    raw: str
    gap: str


@lru_cache(maxsize=131072)
def _key(raw: str) -> tuple[str, int]:
    key = sys.intern(fold(raw))
    if "'" in raw and (raw.lower().endswith("n't") or kinds(fold(raw.split("'")[0])) & Kind.FUNCTION):
        return key, Kind.FUNCTION  # I'm, They've, Don't
    kind = kinds(key)
    return key, kind | Kind.PEOPLE if kind & Kind.ACRONYM and raw.isupper() else kind


def runs(text: str) -> list[list[Word]]:
    """Return the runs of capitalised words of `text`, joined over particles, hyphens and the dots of initials."""
    if '"' in text or "'" in text or "(" in text:
        text = _NICKNAME.sub(lambda m: f"  {_THE.sub('    ', m.group(1))}  ", text)
    found: list[list[Word]] = []
    end = -9
    for match in _WORD.finditer(text):
        start, raw = match.start(), match.group()
        elided = start > 1 and text[start - 1] == "'" and text[start - 2] in "dlDL"
        if elided and (text[start - 2].isupper() or not kinds(fold(raw)) & Kind.GIVEN):  # French d'Albert Camus
            start, raw = start - 2, text[start - 2 : match.end()]  # d'Alembert
        before, end = end, match.end()
        gap = text[before:start] if before >= 0 and start - before < 16 else ""
        word = Word(start, end, *_key(raw), raw, gap)
        if gap and (gap == " " or _joined(gap, found[-1][-1], word)):
            found[-1].append(word)
        else:
            found.append([word])
    return found


def _joined(gap: str, before: Word, word: Word) -> bool:
    if gap in (" ", "-", "  "):
        return True
    if gap in (", ", ",") and word.key in ("jr", "sr", "ii", "iii"):
        return True
    if not _JOIN.fullmatch(gap) or (not gap.strip(" ") and len(gap) > 7):
        return False
    if "." in gap and before.key in ("jr", "sr"):
        return bool(word.kind & Kind.INSTITUTION)
    if "." in gap:
        return (
            len(before.key) == 1
            or bool(before.kind & Kind.HONORIFIC)
            or before.key in _ABBREVIATED
            or (len(before.raw) <= 3 and before.raw.isupper())
        )
    if " of " in gap or " the " in gap:
        alone = before.kind & (Kind.GIVEN | Kind.SINGLE | Kind.HONORIFIC) and not before.kind & Kind.FUNCTION
        return gap in (" of ", " the ") and bool(alone) and not before.kind & (Kind.INSTITUTION | Kind.PLACE)
    return True


def parts(run: list[Word], starts: bool) -> list[list[Word]]:
    """Return `run` cut at words that cannot belong to a name: function words, roles, peoples.

    `starts` tells that the run opens a sentence, where any word has a capital.
    """
    found: list[list[Word]] = [[]]
    skip = -1
    for i, word in enumerate(run):
        kind, part = word.kind, found[-1]
        if i == skip:
            continue
        if not i and starts and len(run) > 2 and word.key.endswith(("ly", "ing")) and word.kind == Kind.COMMON:
            continue  # Hardly Jane Roe; Starring Jane Roe
        if len(run) > 2 and i + 1 < len(run) and kinds(f"{word.key} {run[i + 1].key}") & (Kind.PLACE | Kind.PEOPLE):
            found.append([])
            skip = i + 1
            continue
        if not kind & (Kind.FUNCTION | Kind.ROLE | Kind.PEOPLE):
            part.append(word)
            continue
        name_like = kind & PERSONAL
        if kind & Kind.FUNCTION:
            after = run[i + 1].gap if i + 1 < len(run) else ""
            hyphened = after == "-" or (bool(part) and word.gap == "-")
            initial = len(word.key) == 1 and (bool(part) or after.startswith("."))
            syllable = (bool(after) and word.key in _LEADING) or (bool(part) and word.key in _SYLLABLES | PARTICLES)
            follows = bool(after) and bool(run[i + 1].kind & Kind.FAMILY)
            follows = follows and (not run[i + 1].kind & ODD or word.key in _FOREIGN)
            keep = bool(name_like and (part or not starts or follows)) or hyphened or initial or syllable
            if not keep and len(part) == 1 and not after and word.key not in _NEVER_LAST:
                keep = bool(part[0].kind & Kind.GIVEN) and not part[0].kind & ODD and not part[0].raw.isupper()
        elif kind & Kind.ROLE:
            keep = bool(part) and bool(name_like) and bool(part[-1].kind & PERSONAL or len(part[-1].key) == 1)
            if not keep and len(part) == 1 and i + 1 == len(run):
                keep = bool(part[0].kind & Kind.GIVEN) and not part[0].kind & (ODD | Kind.SINGLE)
        else:
            keep = bool(part) or bool(name_like) or i + 1 == len(run)
        if keep:
            part.append(word)
        else:
            found.append([])
    return [part for part in found if part]


def keys_of(part: list[Word]) -> tuple[str, ...]:
    """Return the folded words of `part`; a hyphenated word gives several."""
    return tuple(k for w in part for k in w.key.split())


@cache
def _stage() -> re.Pattern[str]:
    forms = sorted(
        (r"\W{1,2}".join(map(re.escape, name.split())) for name in listed(Kind.STAGE)), key=len, reverse=True
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


@cache
def _stage_beginnings() -> tuple[str, ...]:
    """Return texts in lower case of which one stands in every text that holds such a name."""
    names = [name.removeprefix("the ").removeprefix("ol ").split() for name in listed(Kind.STAGE)]
    return tuple({words[0] if len(words[0]) > 1 else ".".join(words[:2]) for words in names})


def stage_names(text: str) -> list[tuple[int, int]]:
    """Return where names stand that are written with digits or without capitals (``stage_names.txt``)."""
    low = text.lower()
    if any(beginning in low for beginning in _stage_beginnings()):
        return [m.span() for m in _stage().finditer(text)]
    return []


def suffix_end(text: str, end: int) -> int:
    """Return the end of a name that ends at `end`, with a suffix such as ``fils`` that follows it."""
    match = _SUFFIX.match(text, end)
    return match.end() if match else end
