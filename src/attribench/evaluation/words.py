"""The word lists of the name recogniser: plain text files in ``resources/words``, read once.

Each file holds one entry a line; where the entries come from, and under which licence, stands in
the README beside them. A single word is looked up as the sum of its `Kind` flags, phrases by `listed`.
"""

from functools import cache, lru_cache
from pathlib import Path

from attribench.text import fold

FOLDER = Path(__file__).parents[3] / "resources" / "words"


class Kind:
    """What a word may be, as flags to be added; plain numbers, since they are looked at for each word."""

    GIVEN = 1
    FAMILY = 2
    COMMON = 4
    PLACE = 8
    PEOPLE = 16
    INSTITUTION = 32
    ROLE = 64
    HONORIFIC = 128
    FUNCTION = 256
    SINGLE = 512
    CHARACTER = 1024
    STAGE = 2048
    WORK = 4096
    ACRONYM = 8192


_FILES = {
    Kind.GIVEN: ["given_names"],
    Kind.FAMILY: ["family_names"],
    Kind.COMMON: ["common_words"],
    Kind.PLACE: ["places", "places_more"],
    Kind.PEOPLE: ["peoples"],
    Kind.INSTITUTION: ["institutions"],
    Kind.ROLE: ["roles"],
    Kind.HONORIFIC: ["honorifics"],
    Kind.FUNCTION: ["function_words"],
    Kind.SINGLE: ["single_names"],
    Kind.CHARACTER: ["characters"],
    Kind.STAGE: ["stage_names"],
    Kind.WORK: ["works"],
    Kind.ACRONYM: ["acronyms"],
}


# Endings of ordinary words that no list holds in full: Garveyism, Africanists.
_FOLLOWERS = tuple(f"{stem}ist{plural}" for stem in ("an", "al", "on", "ar", "ic", "iv") for plural in ("", "s"))
_ABSTRACT = ("ism", "isms", "ology", "ness")


@cache
def listed(kind: int) -> frozenset[str]:
    """Return the folded entries, words and phrases, of the lists of one `kind`."""
    lines = (ln for name in _FILES[kind] for ln in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())
    return frozenset(entry for entry in map(fold, lines) if entry)


@cache
def _kinds() -> dict[str, int]:
    found: dict[str, int] = {}
    for kind in _FILES:
        for entry in listed(kind):
            found[entry] = found.get(entry, 0) | kind
    return found


@lru_cache(maxsize=1 << 18)
def kinds(entry: str) -> int:
    """Return the `Kind` flags of a folded word or phrase as one number; 0 where no list holds it."""
    found = _kinds().get(entry, 0)
    if not found and entry.endswith(_ABSTRACT):
        return Kind.COMMON
    if not found and len(entry) > 7 and entry.endswith(_FOLLOWERS):
        return Kind.COMMON | Kind.PEOPLE
    return found


@cache
def group(name: str) -> frozenset[str]:
    """Return the words or phrases of a sentence rule, as written in ``sentence/<name>.txt``."""
    path = FOLDER / "sentence" / f"{name}.txt"
    return frozenset(path.read_text(encoding="utf-8").splitlines())


def alternatives(name: str) -> str:
    """Return the phrases of the group `name` as alternatives of a pattern, the longest first."""
    return "|".join(sorted(group(name), key=lambda phrase: (-len(phrase), phrase)))
