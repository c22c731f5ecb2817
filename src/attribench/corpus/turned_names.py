"""Commas that belong to a name: the surname first (``Lewis, C. S.``), a rank behind (``George, Lord Halifax``)."""

import re

from attribench.corpus import individuals
from attribench.corpus.word_lists import folded, words

_RANK = r"(?:Duke|Duchess|Earl|Marquis|Marquess|Marquise|Viscount|Baron|Baroness|Count|Countess|Comte)"
_PLACE = r"(?P<place>[A-Z][\w.-]*(?:['’](?!s\b)\w+)?(?:\s+[A-Z][\w.-]*)?)"
_AFTER_ONE_WORD = re.compile(rf"(?:{_RANK}|Lord|Lady|Prince|Princess)\s+(?:of\s+)?{_PLACE}")
_AFTER_MORE = re.compile(rf"(?P<number>\d+(?:st|nd|rd|th)\s+)?{_RANK}\s+(?:(?:of|de)\s+)?{_PLACE}")
_INITIALS = re.compile(r"(?:[A-Z]\.\s?){1,4}")
_GIVEN = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)?)(?:\s[A-Z]\.?)?(?P<particle>\s(?:de|del|da|di|du|van|von))?")


def is_rank(head: str, rest: str) -> bool:
    """Return whether what follows the comma is a rank of nobility, not the title of a work.

    After two names or more only a rank that is numbered, or goes with a place that is no ordinary
    word, is one: ``Elizabeth Hoyt, Duke of Midnight`` is a novel.
    """
    if " " not in head:
        return _AFTER_ONE_WORD.fullmatch(rest) is not None
    rank = _AFTER_MORE.fullmatch(rest)
    return rank is not None and (
        rank["number"] is not None
        or (" of " in rest and not any(folded(p) in words("all_common_words") for p in rank["place"].split()))
    )


def is_turned(last: str, first: str, *, has_work: bool = False) -> bool:
    """Return whether ``last, first`` is a name with the surname first rather than a name and a title.

    Initials are no title. A given name can be one (``Gore Vidal, Julian``), so that `last` must be no
    name by itself: one word, or words that begin with a particle or a frequent first half of Iberian
    surnames. `has_work` says that more follows after another comma.
    """
    parts = last.split()
    if not last[:1].isalpha() or not all(re.sub(r"[-'’]", "", part).isalpha() for part in parts):
        return False
    if individuals.not_an_individual(last) is not None or folded(last) in words("single_names"):
        return False
    if len(parts) > 1 and not _is_surname(parts):
        return False
    if _INITIALS.fullmatch(first):
        return True
    given = _GIVEN.fullmatch(first)
    if given is None or folded(given[1]) not in words("given_names"):
        return False
    is_plain = len(parts) > 1 or last.isalpha() or given["particle"] is not None
    return is_plain and (not has_work or folded(last) in words("surnames"))


def _is_surname(parts: list[str]) -> bool:
    *first, _ = [folded(part) for part in parts]
    return all(part in words("particles") for part in first) or (
        len(first) == 1 and first[0] in words("iberian_surnames")
    )
