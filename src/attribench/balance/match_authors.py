"""Step: match authors across groups by fame, in a share of the randomized runs."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.balance.matching import Method, Unmatched, number_of_runs, prepare
from attribench.balance.quote_shelves import Positions
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import CANDIDATES, RUN_MATCHINGS


def smallest_group(candidates: pd.DataFrame, groups: Sequence[str]) -> str:
    """Return the group with the fewest authors; among equals, the first in `groups`."""
    sizes = candidates["group"].value_counts()
    return min(groups, key=lambda group: sizes[group])


def run_generator(seed: int, dataset: str, number: int) -> np.random.Generator:
    """Return the random generator of a run, the same whichever job the run falls to."""
    return np.random.default_rng([seed, number, *dataset.encode()])


def describe(matchings: Positions, tables: dict[str, pd.DataFrame], reference: str) -> pd.DataFrame:
    """Return the table MATCHINGS for row positions in `tables`, one table per group."""
    parts = []
    for column, (group, table) in enumerate(tables.items()):
        part = table.iloc[matchings[:, column]].reset_index(drop=True)
        part = part.assign(match_id=np.arange(len(part)), group=group, is_reference=group == reference)
        parts.append(part)
    described = pd.concat(parts, ignore_index=True)
    described["to_sample"] = described.groupby("match_id")["n_quotes"].transform("min")
    return described.sort_values(["match_id"], kind="stable", ignore_index=True)


def main(
    *,
    candidates: Path,
    dataset: str,
    groups: Sequence[str],
    reference: str | None,
    part: str,
    runs: int,
    threshold: float,
    unmatched: Unmatched,
    seed: int,
    matchings: Path,
    method: Method = "algorithm_1",
) -> None:
    """Carry out the runs of `part` ("2-of-4": every fourth run from the second) and write them.

    A part to which no run falls is an empty table.
    """
    todo = number_of_runs(method, runs)
    if todo < runs:
        logging.info("Method %s is not randomized: %d run in place of %d.", method, todo, runs)
    table = read(candidates, CANDIDATES)
    reference = reference or smallest_group(table, groups)
    order = [reference, *(group for group in groups if group != reference)]
    tables = {group: table[table["group"] == group].reset_index(drop=True) for group in order}
    comparisons = {group: tables[group] for group in order[1:]}
    number, parts = (int(n) for n in part.split("-of-"))
    match = prepare(tables[reference], comparisons, method=method, threshold=threshold, unmatched=unmatched)
    found = []
    for current in range(number - 1, todo, parts):
        matched = match(run_generator(seed, dataset, current))
        found.append(describe(matched, tables, reference).assign(run=current))
    together = pd.concat(found, ignore_index=True) if found else RUN_MATCHINGS.schema.empty_table().to_pandas()
    write(together[RUN_MATCHINGS.names], matchings, RUN_MATCHINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
