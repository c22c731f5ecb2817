"""Open-world names: runs of capitalised words that look like a person's name, whoever it is."""

import re
import sys
from functools import cache, lru_cache
from typing import NamedTuple

from attribench.evaluation.variants import PARTICLES
from attribench.evaluation.words import Kind, kinds, listed
from attribench.text import fold

_UPPER = "".join(c for c in map(chr, [*range(0x41, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000)]) if c.isupper())
_LINK = "|".join(sorted(PARTICLES - {"y", "e", "o", "as", "i", "st"}, key=len, reverse=True))
_WORD = re.compile(rf"(?<![^\W_])(?<![^\W_]')(?:[dDlLO]'(?=[{_UPPER}]))?[{_UPPER}](?:[^\W_]|[\u0300-\u036f])*(?:'(?!s\b|S\b)[^\W_]+)*(?:-(?=[^\W{_UPPER}\d])(?!(?:{_LINK}|i|era|led|esque|like|style|born|based)\b)\w+(?:'(?!s\b)\w+)*)?")
_JOIN = re.compile(rf" *\.? *|-|(?: +(?:{_LINK}|no|of|the))+(?: +|-)|-(?:{_LINK}|i|y|e)-")
_SUFFIX = re.compile(r",? +(?:fils|père|pere|Jr|Sr|II|III|IV)\b\.?")
ODD = Kind.COMMON | Kind.PEOPLE | Kind.PLACE | Kind.INSTITUTION | Kind.ROLE | Kind.FUNCTION
_ABBREVIATED = frozenset("wm chas geo thos jas md edw jos robt jno danl saml benj alex fr".split())
_NICKNAME = re.compile(rf"(?<=\w|\.) [\"'(]([{_UPPER}]\w*'?(?: [{_UPPER}]\w+)?)[\"')] (?=[{_UPPER}])")
# Function words that may end a name after a given name; the others never do.
_NEVER_LAST = frozenset("the of and in by is was said wrote a an to from with for on at or but not no as are has his her act".split())
# Function words of one language that are a syllable of names in another.
_SYLLABLES = frozenset("un se es an der die so do il lo ho le la".split())
_ARTICLES = frozenset("la le el de du di da del della der den".split())
_LEADING = frozenset("la le el de du di da del della van von der den ten ter al ibn bin abu af".split())
_PERSONAL = Kind.GIVEN | Kind.FAMILY


class Word(NamedTuple):
    """One capitalised word: where it stands, its folded form, its `Kind` flags, and what joins it to the word before."""

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
        text = _NICKNAME.sub(lambda m: f"  {m.group(1)}  ", text)
    found: list[list[Word]] = []
    end = -9
    for match in _WORD.finditer(text):
        start, raw = match.start(), match.group()
        gap = text[end:start] if end >= 0 and start - end < 16 else ""
        word = Word(start, match.end(), *_key(raw), raw, gap)
        if gap and _joined(gap, found[-1][-1], word):
            found[-1].append(word)
        else:
            found.append([word])
        end = match.end()
    return found


def _joined(gap: str, before: Word, word: Word) -> bool:
    if gap in (" ", "-", "  "):
        return True
    if gap in (", ", ",") and word.key in ("jr", "sr", "ii", "iii"):
        return True
    if not _JOIN.fullmatch(gap) or (not gap.strip(" ") and len(gap) > 5):
        return False
    if "." in gap and before.key in ("jr", "sr"):
        return bool(word.kind & Kind.INSTITUTION)
    if "." in gap:
        return len(before.key) == 1 or bool(before.kind & Kind.HONORIFIC) or before.key in _ABBREVIATED or (len(before.raw) <= 3 and before.raw.isupper())
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
        if len(run) > 2 and i + 1 < len(run) and kinds(f"{word.key} {run[i + 1].key}") & (Kind.PLACE | Kind.PEOPLE):
            found.append([])
            skip = i + 1
            continue
        if not kind & (Kind.FUNCTION | Kind.ROLE | Kind.PEOPLE):
            part.append(word)
            continue
        name_like = kind & _PERSONAL
        if kind & Kind.FUNCTION:
            after = run[i + 1].gap if i + 1 < len(run) else ""
            hyphened = after == "-" or (bool(part) and word.gap == "-")
            initial = len(word.key) == 1 and (bool(part) or after.startswith("."))
            syllable = (bool(after) and word.key in _LEADING) or (bool(part) and word.key in _SYLLABLES | PARTICLES)
            follows = bool(after) and bool(run[i + 1].kind & Kind.FAMILY) and not run[i + 1].kind & ODD
            keep = bool(name_like and (part or not starts or follows)) or hyphened or initial or syllable
            if not keep and len(part) == 1 and not after and word.key not in _NEVER_LAST:
                keep = bool(part[0].kind & Kind.GIVEN) and not part[0].kind & ODD and not part[0].raw.isupper()
        elif kind & Kind.ROLE:
            keep = bool(part) and bool(name_like) and bool(part[-1].kind & _PERSONAL or len(part[-1].key) == 1)
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


def significant(keys: tuple[str, ...]) -> list[str]:
    """Return `keys` without particles, save one that stands last (Du Fu) or is a given name (Ben, Al)."""
    end = len(keys) - 1
    return [k for i, k in enumerate(keys) if k not in PARTICLES or i == end or (i == 0 and k not in _ARTICLES and kinds(k) & Kind.GIVEN)]


@lru_cache(maxsize=65536)
def looks_personal(keys: tuple[str, ...], hyphened: bool = False) -> bool:
    """Tell whether the folded words `keys`, titles included, look like a person's name; `hyphened` if a hyphen joins some."""
    text = " ".join(keys)
    whole = kinds(text)
    if whole & Kind.SINGLE:
        return True
    if whole & (Kind.PLACE | Kind.WORK):
        return False
    start = 0
    while start < len(keys) - 1 and kinds(keys[start]) & Kind.HONORIFIC:
        start += 1
    if start and kinds(" ".join(keys[start:])) & Kind.PLACE and keys[0] in ("san", "santa", "st", "saint", "sao"):
        return False
    plain = significant(keys[start:])
    if not plain or not any(len(k) > 1 for k in plain):
        return False
    flags = [kinds(k) if len(k) > 1 else 0 for k in plain]
    if len(plain) == 1:
        odd = flags[0] & ODD and not (start and flags[0] & _PERSONAL)
        return not odd and not plain[0].isdigit()
    pair = " ".join(plain[-2:])
    if kinds(pair) & (Kind.PLACE | Kind.PEOPLE) or kinds(" ".join(plain[:2])) & (Kind.PLACE | Kind.PEOPLE):
        return False
    if hyphened and flags[-1] & Kind.FAMILY and all(not f & ODD or f & Kind.COMMON for f in flags):
        return True
    return _open(plain, flags, bool(start))


def _open(plain: list[str], flags: list[int], titled: bool) -> bool:
    """Weigh the words of a name of two words or more; `titled` after an honorific."""
    first, last = flags[0], flags[-1]
    given_first = bool(first & (Kind.GIVEN | Kind.SINGLE)) or len(plain[0]) == 1
    family_last = bool(last & _PERSONAL)
    clear = given_first and not first & (Kind.FAMILY | Kind.COMMON | Kind.PLACE | Kind.SINGLE)
    if any(f & Kind.INSTITUTION and not f & Kind.FAMILY for f in flags[1:-1]) and (not given_first or last & ODD):
        return False
    if last & Kind.INSTITUTION:
        if not last & Kind.FAMILY:
            return False
        return clear or (given_first and not first & (Kind.PLACE | Kind.SINGLE) and plain[-1] in _SURNAMES)
    if given_first and len(plain[-1]) == 1:
        return True
    if all(f & ODD or len(k) == 1 for k, f in zip(plain, flags, strict=True)):
        strange = first & (Kind.PLACE | Kind.INSTITUTION | Kind.FUNCTION) and not titled
        strange = strange or (first & Kind.PEOPLE and last & Kind.PEOPLE)
        return given_first and family_last and not strange
    if first & (Kind.PEOPLE | Kind.PLACE | Kind.INSTITUTION | Kind.FUNCTION) and not first & Kind.GIVEN:
        return not last & ODD and not first & (Kind.PEOPLE | Kind.PLACE) and plain[0] not in _LEADING_PLACE
    if last & ODD and not family_last:
        strange = any(not f for f in flags[1:-1])
        return titled or (given_first and (strange or not first & ODD) and not last & (Kind.INSTITUTION | Kind.PLACE | Kind.ROLE))
    if first & Kind.COMMON and not given_first:
        return not last & ODD and bool(first & Kind.FAMILY or last & _PERSONAL)
    return True


# Words for places and bodies that are common surnames too.
_SURNAMES = frozenset("hall hill hills park woods rivers banks church day march young wells lake bridges street house war law school".split())
_LEADING_PLACE = frozenset("lake mount mt fort camp port cape hotel university college order river bay isle villa chateau radio club saint".split())


@cache
def _stage() -> re.Pattern[str]:
    forms = sorted((r"\W{1,2}".join(map(re.escape, name.split())) for name in listed(Kind.STAGE)), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


@cache
def _stage_beginnings() -> tuple[str, ...]:
    return tuple({name.split()[0] if len(name.split()[0]) > 1 else ".".join(name.split()[:2]) for name in listed(Kind.STAGE)})


def stage_names(text: str) -> list[tuple[int, int]]:
    """Return where names stand that are written with digits or without capitals (``stage_names.txt``)."""
    low = text.lower()
    for beginning in _stage_beginnings():
        if beginning in low:
            return [m.span() for m in _stage().finditer(text)]
    return []


def suffix_end(text: str, end: int) -> int:
    """Return the end of a name that ends at `end`, with a suffix such as ``fils`` that follows it."""
    match = _SUFFIX.match(text, end)
    return match.end() if match else end
