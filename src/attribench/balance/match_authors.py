"""Step: match authors across groups by fame, in a share of the randomized runs."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.balance.matching import Method, Unmatched, number_of_runs, prepare
from attribench.balance.quote_shelves import Positions
from attribench.step import Ticker, run
from attribench.tables import read, write
from attribench.tables.balance import CANDIDATES, MATCHINGS, RUN_MATCHINGS


def smallest_group(candidates: pd.DataFrame, groups: Sequence[str]) -> str:
    """Return the group with the fewest authors; among equals, the first in `groups`."""
    sizes = candidates["group"].value_counts()
    return min(groups, key=lambda group: sizes[group])


def run_generator(seed: int, dataset: str, number: int) -> np.random.Generator:
    """Return the random generator of a run, the same whichever job the run falls to."""
    return np.random.default_rng([seed, number, *dataset.encode()])


def describe(matchings: Positions, tables: Mapping[str, pd.DataFrame], reference: str) -> pd.DataFrame:
    """Return the table MATCHINGS of one run; the arguments are those of `describe_runs`."""
    return describe_runs({0: matchings}, tables, reference)[MATCHINGS.names]


def describe_runs(runs: Mapping[int, Positions], tables: Mapping[str, pd.DataFrame], reference: str) -> pd.DataFrame:
    """Return the table RUN_MATCHINGS, by run, matching and group.

    Args:
        runs: for each run, the matchings as row positions in `tables`, a column per group.
        tables: the table CANDIDATES of each group, in the order of the columns.
        reference: the reference group.
    """
    if not runs:
        empty: pd.DataFrame = RUN_MATCHINGS.schema.empty_table().to_pandas()
        return empty
    found = np.concatenate(list(runs.values()))
    sizes = [len(matchings) for matchings in runs.values()]
    run_of = np.repeat(list(runs), sizes)
    match_id = np.concatenate([np.arange(size) for size in sizes])
    parts = [
        table.iloc[found[:, column]].assign(run=run_of, match_id=match_id, is_reference=group == reference)
        for column, (group, table) in enumerate(tables.items())
    ]
    by_matching = np.arange(found.size).reshape(len(parts), len(found)).T.ravel()
    described = pd.concat(parts, ignore_index=True).iloc[by_matching].reset_index(drop=True)
    described["to_sample"] = described["n_quotes"].to_numpy().reshape(found.shape).min(axis=1).repeat(len(parts))
    return described[RUN_MATCHINGS.names]


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
    own = range(number - 1, todo, parts)
    ticker = Ticker(f"Matching the authors of {dataset}, part {part}")
    found: dict[int, Positions] = {}
    for current in own:
        found[current] = match(run_generator(seed, dataset, current))
        ticker.tick(f"{len(found)} of {len(own)} runs")
    write(describe_runs(found, tables, reference), matchings, RUN_MATCHINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
