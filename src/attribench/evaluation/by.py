"""What a person named after "by" did: wrote or said the words, or something else (translated, founded)."""

from collections.abc import Sequence

from attribench.evaluation.denial import BARRIERS
from attribench.evaluation.words import group

_BY_NOT = group("before_by_no_author")
_BY_YES = group("before_by_author")
_PARTICIPLES = group("participles")
_OF_AUTHORS = group("participles_of_authors")
_COINED = frozenset(["concept", "term", "idea", "phrase", "notion", "word", "expression"])
_AUTHORING = tuple(group("authoring"))
_ADDED = frozenset(
    ["music", "foreword", "preface", "introduction", "illustrations", "photograph", "translation", "painting"]
)
_OFTEN = frozenset(["often", "frequently", "sometimes", "later", "famously", "widely", "also", "was", "been"])


def done_by(near: Sequence[str], is_author: bool) -> bool:
    """Tell whether the words `near`, up to "by", are about something else than writing or saying the words."""
    if near[-1:] in (["is"], ["was"], ["are"]) and near[-2:-1] and near[-2] in _BY_NOT | _ADDED:
        return True  # the English version is by Jane Roe
    if near[-1:] == ["approvingly"]:
        near = near[:-1]
    if near[-1:] in (["quoted"], ["cited"]) and near[-2:-1] and near[-2] in _OFTEN:
        return True  # a proverb, often quoted by Jane Roe
    if near[-1:] == [","] and "," in near[:-1]:
        near = near[: -2 - near[-2::-1].index(",")]  # written down, and altered, by Jane Roe
    for n, word in enumerate(reversed(near), start=1):
        if n == 1 and _is_authors(near):
            return False
        if word in _BY_NOT:
            return near[-n - 1 : -n] != ["as"]
        if word in _BY_YES or (word in BARRIERS and word != "-"):
            return False
        if n == 1 and not is_author and _other_deed(near):
            return True
    return False


def _is_authors(near: Sequence[str]) -> bool:
    """Tell whether the words before "by" are an author's although the last is not: written and directed."""
    joined = near[-2:-1] == ["and"] and near[-3:-2] != [] and near[-3] in ("written", "composed", "penned", "conceived")
    return joined or near[-2:] == ["first", "recorded"] or (near[-1] == "introduced" and bool(_COINED & set(near)))


def _other_deed(near: Sequence[str]) -> bool:
    """Tell whether a participle that no author earns stands right before "by": founded, set up, brought down."""
    word = near[-1]
    if word in ("up", "out", "down", "off", "forward", "together") and len(near) > 1:
        word = near[-2]
    if near[-2:-1] == ["as"] or word in _OF_AUTHORS or word.startswith(_AUTHORING):
        return False
    return word.rpartition("-")[2] in _PARTICIPLES or (word.endswith("ed") and len(word) > 4)
