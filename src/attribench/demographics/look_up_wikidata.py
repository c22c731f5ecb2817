"""Step: look up every author in Wikidata, and record whom it was taken for, or why for nobody.

One search per name, one query per 50 items (Berman et al. 2026, App. A.4.1). What Wikidata says
is kept in the ledger; the labels follow from it and from the map of ethnic groups alone.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.demographics.wikidata_categories import (
    SHIPPED,
    EthnicGroups,
    differences,
    ethnic_groups_of,
    gender_of,
    race_of,
    read_ethnic_groups,
    relabelled,
)
from attribench.demographics.wikidata_choice import Choice, choose
from attribench.demographics.wikidata_items import birth_year
from attribench.demographics.wikidata_ledger import PORTION, Found, Service, WikidataLedger
from attribench.errors import MissingAnswersError, list_causes
from attribench.ledger.store import Store
from attribench.step import run, screen
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import WIKIDATA

MOST_ALIASES = 3
"""So many other spellings of a name are searched for where the name itself finds nobody."""


def main(
    *,
    authors: Path,
    ethnic_groups: Path,
    contact: str | None,
    api: str,
    sparql: str,
    timeout: float,
    concurrency: int,
    attempts: int,
    max_missing: float,
    store: str,
    wikidata: Path,
) -> None:
    """Look up the authors of `authors` and write WIKIDATA to `wikidata`.

    Raises:
        ConfigError: no contact is given.
        MissingAnswersError: more than the share `max_missing` of the authors could not be asked about.
    """
    groups = read_ethnic_groups(ethnic_groups)
    for sentence in differences(groups, read_ethnic_groups(SHIPPED)):
        print(f"Warning: {sentence}", file=screen(), flush=True)
    table = read(authors, AUTHORS)
    service = Service(contact, api, sparql, timeout, concurrency, attempts)
    with Store(Path(store)) as ledger:
        looked_up, merged = asyncio.run(_ask(table, service, ledger, groups))
    labelled = tabulate(table, looked_up, groups, merged)
    require_enough(labelled, max_missing)
    print(summary(labelled), flush=True)
    write(labelled, wikidata, WIKIDATA)


def tabulate(
    authors: pd.DataFrame, looked_up: Mapping[str, tuple[Choice, str]], groups: EthnicGroups, merged: Mapping[str, str]
) -> pd.DataFrame:
    """Return the table WIKIDATA.

    Args:
        authors: the table AUTHORS.
        looked_up: for each `author_id`, what became of the candidates, and when they were asked for.
        groups: the map of ethnic groups.
        merged: for an ethnic group that was merged into another since, the other's id.
    """
    rows = [
        {"author_id": author_id, "author": author, **_row(choice, author, asked_at, groups, merged)}
        for author_id, author in zip(authors["author_id"], authors["author"], strict=True)
        for choice, asked_at in [looked_up[author_id]]
    ]
    table = pd.DataFrame(rows, columns=WIKIDATA.names)
    return table.astype({"birth_year": "Int64", "sitelinks": "Int64"})


def require_enough(table: pd.DataFrame, max_missing: float) -> None:
    """Raise MissingAnswersError when too many authors could not be asked about, with their number by cause."""
    failed = table[table["status"] == "failed"]
    if len(failed) > max_missing * len(table):
        raise MissingAnswersError(
            f"Wikidata could not be asked about {len(failed)} of {len(table)} authors "
            f"({list_causes(failed['reason'])}). "
            "What it said about the others is kept: start the same command again to ask for what is missing, "
            "or set 'demographics.wikidata.max_missing' to go on without them."
        )


def summary(table: pd.DataFrame) -> str:
    """Return how many authors have which status, and how many have a race and a gender."""
    counts = ", ".join(f"{count} {status}" for status, count in sorted(Counter(table["status"]).items()))
    labelled = table[["race", "gender"]].notna()
    return (
        f"Wikidata: {len(table)} authors, {counts}; race known of {labelled['race'].sum()}, "
        f"gender of {labelled['gender'].sum()}, both of {labelled.all(axis='columns').sum()}."
    )


async def _ask(
    authors: pd.DataFrame, service: Service, store: Store, groups: EthnicGroups
) -> tuple[dict[str, tuple[Choice, str]], dict[str, str]]:
    """Return what became of each author, and the ethnic groups that were merged into others."""
    spellings = {
        author_id: [author, *list(aliases)[:MOST_ALIASES]]
        for author_id, author, aliases in authors[["author_id", "author", "aliases"]].itertuples(index=False)
    }
    async with WikidataLedger(service, store) as wikidata:
        names = await wikidata.search((forms[0] for forms in spellings.values()), "Wikidata, names")
        others = [form for forms in spellings.values() if _finds_nobody(forms[0], names) for form in forms[1:]]
        spelt = await wikidata.search(others, "Wikidata, other spellings")
        names = Found(names.answers | spelt.answers, names.failed | spelt.failed, names.asked_at | spelt.asked_at)
        hits = {author_id: _hits(forms, names) for author_id, forms in spellings.items()}
        looked_up: dict[str, tuple[Choice, str]] = {}
        for start in range(0, len(hits), PORTION):  # the items of all candidates at once could fill the memory
            portion = list(hits)[start : start + PORTION]
            what = f"Wikidata, items of authors {start + 1} to {start + len(portion)} of {len(hits)}"
            items = await wikidata.items((qid for author_id in portion for qid in hits[author_id]), what)
            looked_up |= {
                author_id: _look_up(spellings[author_id], hits[author_id], names, items) for author_id in portion
            }
        people = [choice.item for choice, _ in looked_up.values() if choice.item is not None]
        named = await wikidata.items(ethnic_groups_of(people), "Wikidata, ethnic groups")
    if changed := relabelled(groups, named.answers):
        print(
            f"{len(changed)} ethnic groups have another name on Wikidata than in the map, "
            f"which goes by their ids: {', '.join(changed)}",
            flush=True,
        )
    return looked_up, {qid: item.qid for qid, item in named.answers.items() if item.qid != qid}


def _finds_nobody(name: str, names: Found) -> bool:
    return name in names.answers and not names.answers[name]


def _hits(forms: Sequence[str], names: Found) -> list[str]:
    """Return the ids that the first spelling with any finds; none while the name itself is not asked for."""
    if forms[0] in names.failed:
        return []
    return next((names.answers[form] for form in forms if names.answers.get(form)), [])


def _look_up(forms: Sequence[str], hits: Sequence[str], names: Found, items: Found) -> tuple[Choice, str]:
    """Return what became of one author, and when the candidates were asked for."""
    tried = forms if _finds_nobody(forms[0], names) else forms[:1]
    causes = [names.failed[form] for form in tried if form in names.failed] if not hits else []
    causes += [items.failed[qid] for qid in hits if qid in items.failed]
    if causes:
        return Choice("failed", None, causes[0], list(hits)), ""
    choice = choose([items.answers[qid] for qid in hits])
    times = [items.asked_at.get(qid, "") for qid in hits] + [names.asked_at.get(form, "") for form in tried]
    return choice, max(times)


def _row(choice: Choice, author: str, asked_at: str, groups: EthnicGroups, merged: Mapping[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "status": choice.status,
        "qid": None,
        "race": None,
        "gender": None,
        "race_qids": [],
        "gender_qids": [],
        "aliases": [],
        "birth_year": None,
        "sitelinks": None,
        "considered": choice.considered,
        "chosen_by": "",
        "asked_at": asked_at or None,
        "reason": choice.reason,
    }
    if choice.item is None:
        return row
    race, gender = race_of(choice.item, groups, merged), gender_of(choice.item)
    names = [choice.item.name, *choice.item.aliases]
    return row | {
        "status": "multiple" if race.several or gender.several else "found",
        "qid": choice.item.qid,
        "race": race.value,
        "gender": gender.value,
        "race_qids": race.qids,
        "gender_qids": gender.qids,
        "aliases": [name for name in dict.fromkeys(names) if name and name != author],
        "birth_year": birth_year(choice.item),
        "sitelinks": choice.item.sitelinks,
        "chosen_by": choice.reason,
        "reason": "; ".join(part for part in (race.reason, gender.reason) if part),
    }


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
