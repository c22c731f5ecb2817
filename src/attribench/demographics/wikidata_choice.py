"""Which item is the author: humans only, and of several with one name the right one or none.

Berman et al. 2026 (App. A.4.1) take the first of three candidates that has race and gender on
record, which can give an author the race of a namesake. Here a namesake must be ruled out by
dates, occupation or the number of sitelinks; where that fails, the author stays ambiguous.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from attribench.demographics.wikidata_items import BORN, DIED, Item, year
from attribench.demographics.wikidata_kinds import is_group, is_person, is_quoted, is_silent
from attribench.text import normal_form

CANDIDATES = 3
"""Humans of one name that are compared (App. A.4.1)."""
LATEST_BIRTH = 2008
"""Nobody born later is quoted: the corpus was collected in 2018."""
RATIO = 5
"""So many times the sitelinks of the next one make a candidate the one that is meant."""
RIVAL_RATIO = 10
"""The same, where something that is no person outdoes a human of its name."""
FEWEST_SITELINKS = 5
"""Below this, numbers of sitelinks say nothing."""


@dataclass(frozen=True)
class Choice:
    """What became of the candidates: `item` is the author's where the status is found, else None.

    The status is found, not_found, not_a_person, group, missing or ambiguous; `considered` holds
    the ids that were compared.
    """

    status: str
    item: Item | None = None
    reason: str = ""
    considered: list[str] = field(default_factory=list)


def hits_of_name(name: str, hits: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the ids of the hits that have the whole of `name` as label or alias, best first.

    The search is one for beginnings: John Smith also finds John Smithson.
    """
    wanted = normal_form(name)
    found = [hit["id"] for hit in hits if "id" in hit and wanted in map(normal_form, _names(hit))]
    return list(dict.fromkeys(found))


def choose(items: Sequence[Item]) -> Choice:
    """Return which of the items, best hit first, is the author."""
    present = list({item.qid: item for item in reversed(items) if not item.missing}.values())[::-1]
    humans = [item for item in present if is_person(item)][:CANDIDATES]
    others = [item for item in present if not is_person(item) and not is_silent(item)]
    rival = max(others, key=lambda item: item.sitelinks, default=None)
    considered = [item.qid for item in humans] + [item.qid for item in others]
    if rival is not None and _outdoes(rival, humans):
        status, what = ("group", "a group") if is_group(rival) else ("not_a_person", "no human being")
        return Choice(status, None, f"{rival.qid} of this name is {what}", considered)
    if not humans:
        if items and not present:
            gone = ", ".join(item.qid for item in items)
            return Choice("missing", None, f"{gone} was found by the search, but is gone", considered)
        return Choice("not_found", None, "no person of this name", considered)
    possible = [item for item in _without_doubles(humans) if not _born_too_late(item)]
    if not possible:
        return Choice("not_found", None, f"everybody of this name was born after {LATEST_BIRTH}", considered)
    chosen, how = _most_likely(possible)
    if chosen is None:
        ids = ", ".join(item.qid for item in possible)
        return Choice(
            "ambiguous", None, f"{len(possible)} persons of this name, none of them likelier ({ids})", considered
        )
    return Choice("found", chosen, how, considered)


def _most_likely(people: Sequence[Item]) -> tuple[Item | None, str]:
    if len(people) == 1:
        return people[0], ""
    first, second, *_ = sorted(people, key=lambda item: item.sitelinks, reverse=True)
    quoted = [item for item in people if is_quoted(item)]
    if _leads(first, second.sitelinks, RATIO) and (first in quoted or not quoted):
        return first, "by sitelinks"
    if len(quoted) == 1 and not _leads(first, quoted[0].sitelinks, RATIO):
        return quoted[0], "by occupation"
    return None, ""


def _leads(item: Item, others: int, ratio: int) -> bool:
    return item.sitelinks >= max(FEWEST_SITELINKS, ratio * others)


def _outdoes(rival: Item, humans: Sequence[Item]) -> bool:
    return not humans or _leads(rival, max(1, *(item.sitelinks for item in humans)), RIVAL_RATIO)


def _born_too_late(item: Item) -> bool:
    years = [year(date) for date in item.values(BORN)]
    return bool(years) and min(years) > LATEST_BIRTH


def _without_doubles(people: Sequence[Item]) -> list[Item]:
    """Return the people with those run together who were born, or died, on the same day: one of them is a stub."""
    kept: list[Item] = []
    for person in people:
        double = next((other for other in kept if _is_double(other, person)), None)
        if double is None:
            kept.append(person)
        else:
            fuller, stub = sorted([double, person], key=lambda item: item.sitelinks, reverse=True)
            kept[kept.index(double)] = replace(
                fuller,
                statements={**stub.statements, **fuller.statements},
                aliases=list(dict.fromkeys([*fuller.aliases, *stub.aliases])),
            )
    return kept


def _is_double(one: Item, other: Item) -> bool:
    """Return whether one day, of birth or of death, is the same, and the other not another one."""
    days = [(_day(one, event), _day(other, event)) for event in (BORN, DIED)]
    known = [(a, b) for a, b in days if a and b]
    return bool(known) and all(a == b for a, b in known)


def _day(item: Item, event: str) -> str | None:
    """Return the day of birth or death, if there is one and it is known to the day."""
    dates = item.values(event)
    day = dates[0][: dates[0].find("T")] if len(dates) == 1 and "T" in dates[0] else None
    return None if day is None or day.endswith(("-01-01", "-00-00", "-00")) else day


def _names(hit: Mapping[str, Any]) -> list[str]:
    match = hit.get("match") or {}
    given = [match.get("text"), hit.get("label"), *(hit.get("aliases") or [])]
    return [name for name in given if name]
