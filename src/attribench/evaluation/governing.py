"""The word that governs a name: in "an elegy for the late poet Jane Roe" it is "for"."""

import re
from functools import lru_cache

from attribench.evaluation.denial import WORDS
from attribench.evaluation.words import Kind, group, kinds

RELATIONS = group("relations")
OF_THE_TRADE = group("relations_of_the_trade")
TITLE_NOUNS = group("work_nouns")
PREPOSITIONS = frozenset(
    [*["by", "of", "from", "to", "with", "in", "on", "at", "for", "about", "under", "against"], *",;:()—–"]
)
_PASSED = group("passed_over")
# Occupations that no list holds in full: bullfighter, clockmaker.
_IS_A_PERSON = re.compile(
    r"[a-z]{3,}(?:fighter|maker|player|keeper|writer|worker|leader|builder|dancer|owner|driver|dealer|hunter|rider|teller|smith"
    r"|ician|ologist|woman|man)"
)
_STOPS = TITLE_NOUNS | RELATIONS | {"by", "book", "title", "name", "work", "source", "last", "u", "i"}


@lru_cache(maxsize=1024)
def _last_words(before: str) -> list[str]:
    return WORDS.findall(before.lower())


def governing(before: str) -> tuple[list[str], int]:
    """Return the last words of `before`, in lower case, and the index of the one that governs what follows."""
    found = _last_words(before[-110:])
    i = len(found) - 1
    while i >= 0 and (
        found[i] in _PASSED
        or _joins_roles(found, i)
        or (_IS_A_PERSON.fullmatch(found[i]) and found[i] not in _STOPS)
        or (found[i] == "general" and found[i - 1 : i] != ["in"])
        or (kinds(found[i].replace("'", "")) & (Kind.ROLE | Kind.PEOPLE | Kind.HONORIFIC) and found[i] not in _STOPS)
    ):
        i -= 1
    return found, i


def _joins_roles(found: list[str], i: int) -> bool:
    """Tell whether the word is "and" or a comma between two roles of one person, or a trade among them."""
    if found[i] in ("and", ","):
        return 0 < i < len(found) - 1 and _is_role(found[i - 1]) and _is_role(found[i + 1])
    if found[i] not in OF_THE_TRADE:
        return False
    after = found[i + 1 : i + 3]
    return (i > 1 and found[i - 1] == "and" and _is_role(found[i - 2])) or (
        after[:1] == [","] and len(after) > 1 and _is_role(after[1])
    )


def _is_role(word: str) -> bool:
    return bool(kinds(word) & Kind.ROLE)
