"""Whether words that stand together look like a person's name, by what each of them may be."""

from functools import lru_cache

from attribench.evaluation.variants import PARTICLES
from attribench.evaluation.words import Kind, group, kinds

ODD = Kind.COMMON | Kind.PEOPLE | Kind.PLACE | Kind.INSTITUTION | Kind.ROLE | Kind.FUNCTION
PERSONAL = Kind.GIVEN | Kind.FAMILY
_ARTICLES = frozenset(["la", "le", "el", "del", "der", "den"])
# Words for places and bodies that are common surnames too.
_SURNAMES = group("surname_or_place")
_DOCTRINES = ("ism", "isms", "ology", "ness")
PLACE_PREFIXES = group("place_prefixes")


def significant(keys: tuple[str, ...]) -> list[str]:
    """Return `keys` without particles, save one that stands last (Du Fu) or is a given name (Ben, Al)."""
    end = len(keys) - 1
    return [
        k
        for i, k in enumerate(keys)
        if k not in PARTICLES or i == end or (i == 0 and k not in _ARTICLES and (len(k) == 1 or kinds(k) & PERSONAL))
    ]


@lru_cache(maxsize=65536)
def looks_personal(keys: tuple[str, ...], hyphened: bool = False) -> bool:
    """Tell whether the folded words `keys`, titles included, look like a person's name.

    `hyphened` tells that a hyphen joins some of them, as in Kyung-sook.
    """
    text = " ".join(keys)
    whole = kinds(text)
    if whole & Kind.SINGLE:
        return True
    if whole & (Kind.PLACE | Kind.WORK | Kind.PEOPLE):
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
        odd = flags[0] & ODD and not (start and flags[0] & PERSONAL)
        return not odd and not plain[0].isdigit()
    pair = " ".join(plain[-2:])
    if kinds(pair) & (Kind.PLACE | Kind.PEOPLE) or kinds(" ".join(plain[:2])) & (Kind.PLACE | Kind.PEOPLE):
        return False
    if hyphened and all(not f & ODD or f & Kind.COMMON for f in flags):
        family_first = len(plain) == 3 and flags[0] & PERSONAL and not flags[1] & Kind.COMMON
        if flags[-1] & Kind.FAMILY or family_first:
            return True  # Kyung-sook Shin, Ban Ki-moon
    return _open(plain, flags, bool(start))


def _open(plain: list[str], flags: list[int], titled: bool) -> bool:
    """Weigh the words of a name of two words or more; `titled` after an honorific."""
    first, last = flags[0], flags[-1]
    given_first = bool(first & (Kind.GIVEN | Kind.SINGLE)) or len(plain[0]) == 1
    family_last = bool(last & PERSONAL)
    if plain[0] in PLACE_PREFIXES and not titled and not first & Kind.GIVEN:
        return False
    clear = given_first and not first & (Kind.FAMILY | Kind.COMMON | Kind.PLACE | Kind.SINGLE)
    if any(f & Kind.INSTITUTION and not f & Kind.FAMILY for f in flags[1:-1]) and (not given_first or last & ODD):
        return False
    if not given_first and any(f & Kind.PEOPLE and not f & PERSONAL for f in flags[1:-1]):
        return False
    if plain[-1].endswith(_DOCTRINES) and not last & PERSONAL:
        return False
    if plain[0] in ("o", "os") and len(plain) == 2 and not last & PERSONAL:
        return False  # a title in Portuguese
    if last & Kind.INSTITUTION:
        if not last & Kind.FAMILY:
            return False
        if any(f & Kind.COMMON and not f & PERSONAL for f in flags[1:-1]):
            return False
        return clear or (given_first and not first & (Kind.PLACE | Kind.SINGLE) and plain[-1] in _SURNAMES)
    if given_first and len(plain[-1]) == 1:
        return True
    if all(f & ODD or len(k) == 1 for k, f in zip(plain, flags, strict=True)):
        strange = bool(first & (Kind.PLACE | Kind.INSTITUTION | Kind.FUNCTION)) and not titled
        strange = strange or bool(first & Kind.PEOPLE and last & Kind.PEOPLE)
        return given_first and family_last and not strange
    if first & (Kind.PEOPLE | Kind.PLACE | Kind.INSTITUTION | Kind.FUNCTION) and not first & Kind.GIVEN:
        return not last & ODD and not first & (Kind.PEOPLE | Kind.PLACE) and plain[0] not in PLACE_PREFIXES
    if last & ODD and not family_last:
        strange = any(not f for f in flags[1:-1])
        return titled or (given_first and (strange or not first & ODD) and not last & (Kind.INSTITUTION | Kind.PLACE))
    if first & Kind.COMMON and not given_first:
        return not last & ODD and bool(first & Kind.FAMILY or last & PERSONAL)
    return True
