"""Race and gender from the items that Wikidata names, by their ids and never by their labels.

A label can be vandalised, can be shared by two items ("Caucasian": people of the Caucasus, and the
word for white), and says nothing safe ("female organism"). So the map of ethnic groups is a file of
ids, with the labels they had when they were read, so that a person can see what was meant.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from attribench.demographics.wikidata_items import ETHNIC_GROUP, GENDER, Item, is_qid
from attribench.errors import InputError
from attribench.text import normal_form

SHIPPED = Path(__file__).resolve().parents[3] / "resources" / "ethnic_groups.csv"
COLUMNS = ["qid", "label", "category", "source"]
RACES = ("black", "white", "asian", "latino", "middle eastern", "indigenous")
MULTIPLE, UNDECIDED, NEVER = "multiple", "undecided", "never"
CATEGORIES = (*RACES, MULTIPLE, UNDECIDED, NEVER)

GENDERS = {
    "Q6581097": "male",
    "Q6581072": "female",
    "Q2449503": "male",  # trans man
    "Q1052281": "female",  # trans woman
    "Q15145778": "male",  # cisgender male
    "Q15145779": "female",  # cisgender female
    "Q48270": "other",  # non-binary
    "Q1097630": "other",  # intersex
    "Q18116794": "other",  # genderfluid
    "Q505371": "other",  # agender
    "Q12964198": "other",  # genderqueer
    "Q301702": "other",  # two-spirit
}


@dataclass(frozen=True)
class Label:
    """A label, or None and why. `several`: the record names several that exclude each other."""

    value: str | None
    qids: list[str]
    reason: str = ""
    several: bool = False


@dataclass(frozen=True)
class EthnicGroups:
    """The map of ethnic groups: category and pinned label by QID."""

    categories: Mapping[str, str]
    labels: Mapping[str, str]


def read_ethnic_groups(path: Path) -> EthnicGroups:
    """Read the map of ethnic groups.

    Raises:
        InputError: there is no such file, a column is missing, an id is none or stands twice, or
            a category is unknown.
    """
    if not path.is_file():
        raise InputError(f"The map of ethnic groups was expected at {path}, but there is no such file.")
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if missing := [name for name in COLUMNS if name not in (reader.fieldnames or [])]:
            raise InputError(f"{path} lacks the columns {', '.join(missing)}; a map has {', '.join(COLUMNS)}.")
        rows = list(reader)
    categories: dict[str, str] = {}
    for number, row in enumerate(rows, start=2):
        qid, category = (row["qid"] or "").strip(), (row["category"] or "").strip().lower()
        if not is_qid(qid):
            raise InputError(f"{path}, row {number}: '{qid}' is no id of Wikidata, such as Q49085.")
        if qid in categories:
            raise InputError(f"{path}, row {number}: {qid} stands there twice. Keep one of the rows.")
        if category not in CATEGORIES:
            raise InputError(f"{path}, row {number}: '{category}' is none of {', '.join(CATEGORIES)}.")
        categories[qid] = category
    return EthnicGroups(categories, {row["qid"].strip(): (row["label"] or "").strip() for row in rows})


def differences(own: EthnicGroups, shipped: EthnicGroups) -> list[str]:
    """Return a sentence for each id that a map of one's own describes otherwise than the shipped map."""
    said = []
    for qid in own.categories.keys() & shipped.categories.keys():
        pinned, category = shipped.labels[qid], shipped.categories[qid]
        if normal_form(own.labels[qid]) != normal_form(pinned) or own.categories[qid] != category:
            said.append(
                f"{qid} is {own.labels[qid] or 'without a label'} ({own.categories[qid]}) in your map of ethnic "
                f"groups, but {pinned or 'without a label'} ({category}) in the one that comes with the workflow."
            )
    return sorted(said, key=lambda sentence: int(re.findall(r"\d+", sentence)[0]))


def relabelled(groups: EthnicGroups, served: Mapping[str, Item]) -> list[str]:
    """Return the ids whose name on Wikidata is no longer the pinned one; that name is shown to nobody."""
    return [
        qid
        for qid, item in served.items()
        if groups.labels.get(qid) and item.name and normal_form(item.name) != normal_form(groups.labels[qid])
    ]


def race_of(item: Item, groups: EthnicGroups, merged: Mapping[str, str] | None = None) -> Label:
    """Return the race that the ethnic groups of an item stand for.

    Citizenship, birthplace and name are never looked at. What the map leaves undecided, never maps
    or does not know decides nothing.

    Args:
        item: a human.
        groups: the map of ethnic groups.
        merged: for an ethnic group that was merged into another since, the other's id.
    """
    qids = item.values(ETHNIC_GROUP)
    found = {qid: _category(qid, groups, merged or {}) for qid in qids}
    races = sorted({category for category in found.values() if category in (*RACES, MULTIPLE)})
    if len(races) > 1 or races == [MULTIPLE]:
        return Label(None, qids, f"ethnic groups of several categories ({_listed(found)})", several=True)
    if races:
        return Label(races[0], qids)
    if found:
        return Label(None, qids, f"ethnic groups without a category ({_listed(found)})")
    return Label(None, qids, _none_recorded(item, ETHNIC_GROUP, "ethnic group"))


def gender_of(item: Item) -> Label:
    """Return the gender on record: male, female or other."""
    qids = item.values(GENDER)
    if strange := [qid for qid in qids if qid not in GENDERS]:
        return Label(None, qids, f"{', '.join(strange)} is no gender of a person (an error in the record?)")
    genders = sorted({GENDERS[qid] for qid in qids})
    if len(genders) > 1:
        return Label(None, qids, f"several genders ({', '.join(genders)})", several=True)
    if genders:
        return Label(genders[0], qids)
    return Label(None, qids, _none_recorded(item, GENDER, "gender"))


def _category(qid: str, groups: EthnicGroups, merged: Mapping[str, str]) -> str:
    if qid in groups.categories:
        return groups.categories[qid]
    return groups.categories.get(merged.get(qid, ""), "not in the map")


def _listed(found: Mapping[str, str]) -> str:
    return ", ".join(f"{qid}: {category}" for qid, category in found.items())


def _none_recorded(item: Item, name: str, what: str) -> str:
    if item.has_unknown(name):
        return f"{what} recorded as unknown"
    return f"recorded as having no {what}" if item.has_none(name) else f"no {what} on record"


def ethnic_groups_of(items: Iterable[Item]) -> list[str]:
    """Return the ids of all ethnic groups of `items`, each once, in order of number."""
    return sorted({qid for item in items for qid in item.values(ETHNIC_GROUP)}, key=lambda qid: int(qid[1:]))
