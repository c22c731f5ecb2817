"""Step: rank all runs by the five criteria and keep the best."""

from pathlib import Path

import pandas as pd

from attribench.balance.matching import Method, number_of_runs
from attribench.balance.rank_aggregation import measure_runs, rank_runs
from attribench.errors import MatchingError
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import MATCHINGS, RUN_MATCHINGS, RUNS


def main(
    *,
    parts: list[Path],
    dataset: str,
    runs: int,
    run_table: Path,
    matchings: Path,
    method: Method = "algorithm_1",
) -> None:
    """Rank the runs in `parts`; write RUNS to `run_table` and the best run to `matchings`."""
    runs = number_of_runs(method, runs)
    everything = pd.concat([read(part, RUN_MATCHINGS) for part in parts], ignore_index=True)
    if everything.empty:
        raise MatchingError(
            f"In none of the {runs} runs of '{dataset}' could a reference author be matched in every group, "
            "so no group has an author left. Widen 'balance.threshold', set 'balance.unmatched: any_bin', "
            "lower 'balance.min_log10_hits', or take groups with more authors of like fame."
        )
    ranked = rank_runs(measure_runs(everything, runs))
    selected = ranked.loc[ranked["selected"], "run"].item()
    write(ranked, run_table, RUNS)
    write(everything.loc[everything["run"] == selected, MATCHINGS.names], matchings, MATCHINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
