"""A person whom a verb acts on, and who is no source: "The pamphlet provoked Jane Roe", "to defend Jane Roe"."""

import re

from attribench.evaluation.governing import PREPOSITIONS
from attribench.evaluation.words import group

_MADE_TO = frozenset(["has", "had", "have", "lets", "let", "makes", "made"])
_BARE_VERB = re.compile(r"\s+(?!as\b|to\b|in\b|for\b|famous\b|known\b|written\b)[a-z]+\b")
_TO_DO = re.compile(r"\s+to\s+[a-z]")
_WORKS = group("works_as_subject")
_NAMING = group("naming")
_DETERMINERS = group("determiners")
_BEFORE_ADJECTIVES = group("before_adjectives") | PREPOSITIONS
_PARTICIPLES = group("participles")
_TO_NAME = frozenset(
    ["be", "quote", "paraphrase", "cite", "say", "credit", "name", "choose", "guess", "suspect", "suggest", "identify"]
)
_AUTHORING = tuple(group("authoring"))


def is_object(found: list[str], i: int, after: str) -> bool:
    """Tell whether the word that governs is what a work does to a person: "The pamphlet provoked Jane Roe"."""
    word = found[i]
    if word in _MADE_TO and _BARE_VERB.match(after):
        return True  # The author has Jane Roe say it
    if word.endswith("ing") and _TO_DO.match(after):
        return True  # urging Jane Roe to act
    if word in _NAMING or i < 1 or found[i - 1] in _DETERMINERS:
        return False
    if found[i - 1] == "to" and word.isalpha() and word not in _DETERMINERS:
        return word not in _TO_NAME  # written to defend Jane Roe
    if (word.endswith("ed") and len(word) > 4) or word in _PARTICIPLES:
        return not word.startswith(_AUTHORING) and found[i - 1] not in _BEFORE_ADJECTIVES
    return word.endswith("s") and (found[i - 1] == "it" or (found[i - 1] in _WORKS and found[i - 2 : i - 1] != ["by"]))
