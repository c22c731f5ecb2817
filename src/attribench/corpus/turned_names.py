"""Commas that belong to a name: the surname first (``Lewis, C. S.``), a rank behind (``George, Lord Halifax``)."""

import re

from attribench.corpus import individuals
from attribench.corpus.word_lists import folded, words

_RANK = r"(?:Lord|Lady|Duke|Duchess|Earl|Marquis|Marquess|Marquise|Viscount|Baron|Baroness|Count|Countess|Comte|Prince|Princess)"
_PLACE = r"[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*)?"
_AFTER_ONE_WORD = re.compile(rf"{_RANK}\s+(?:of\s+)?{_PLACE}")
_AFTER_MORE = re.compile(rf"(?:\d+(?:st|nd|rd|th)\s+)?{_RANK}\s+(?:of|de)\s+{_PLACE}|\d+(?:st|nd|rd|th)\s+{_RANK}\s+{_PLACE}")
_INITIALS = re.compile(r"(?:[A-Z]\.\s?){1,4}")
_GIVEN = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)?)(?:\s[A-Z]\.?)?(?:\s(?:de|del|da|di|du|van|von))?")


def is_rank(head: str, rest: str) -> bool:
    """Return whether what follows the comma is a rank of nobility, not the title of a work.

    After two names or more only a rank with a place is one: ``Joseph Conrad, Lord Jim`` is a work.
    """
    pattern = _AFTER_MORE if " " in head else _AFTER_ONE_WORD
    return pattern.fullmatch(rest) is not None


def is_turned(last: str, first: str) -> bool:
    """Return whether ``last, first`` is a name with the surname first rather than a name and a title.

    Initials are no title. A given name can be one (``Nabokov, Lolita``), so that `last` must be no
    name by itself; of two words it must be a surname in both, or in the second after a particle.
    """
    parts = last.split()
    if not last[:1].isalpha() or not all(re.sub(r"[-'’]", "", part).isalpha() for part in parts):
        return False
    if individuals.not_an_individual(last) is not None or folded(last) in words("single_names"):
        return False
    if len(parts) > 1 and not _is_double(parts):
        return False
    if _INITIALS.fullmatch(first):
        return True
    given = _GIVEN.fullmatch(first)
    return given is not None and folded(given.group(1)) in words("given_names")


def _is_double(parts: list[str]) -> bool:
    first, *others = [folded(part) for part in parts]
    if not others or any(part not in words("surnames") for part in others):
        return False
    is_particle = first in words("particles") and all(part in words("particles") for part in (first, *others[:-1]))
    is_surname = len(parts) == 2 and first in words("surnames") and first not in words("all_given_names")
    return is_particle or is_surname
