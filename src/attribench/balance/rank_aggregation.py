"""The choice among randomized runs: rank aggregation over five criteria.

Berman et al. 2026, Section 4.2.2: each run is ranked by authors per group, quotes per group,
mean fame, fame range and RMS error; the smallest unweighted sum of the five ranks is selected.
Ties have average ranks; a tie in the sum goes to the run that is better in the criteria in
this order, then to the run with the smaller number, as in the published code.
"""

from math import fsum

import numpy as np
import pandas as pd

from attribench.tables.balance import CRITERIA, RUNS

# Whether a smaller value of the criterion is better.
SMALLER_IS_BETTER = {
    "authors_per_group": False,
    "quotes_per_group": False,
    "mean_log10_hits": False,
    "range_log10_hits": True,
    "rms_log10_hits": True,
}


def measure_runs(matchings: pd.DataFrame, runs: int) -> pd.DataFrame:
    """Return the five criteria of each run.

    Args:
        matchings: the table RUN_MATCHINGS, all runs together.
        runs: how many runs there were; one without any matching has no row in `matchings`.

    Returns:
        One row per run in order; the fame criteria of a run without a matching are missing.
    """
    fame = _mean(matchings, ["run", "group"], "log10_hits").unstack("group")
    by_run = matchings.groupby("run")
    reference = matchings[matchings["is_reference"]]
    pairs = matchings[~matchings["is_reference"]].merge(
        reference[["run", "match_id", "log10_hits"]],
        on=["run", "match_id"],
        suffixes=("", "_reference"),
        validate="many_to_one",
    )
    pairs["squared"] = (pairs["log10_hits"] - pairs["log10_hits_reference"]) ** 2
    measured = pd.DataFrame(
        {
            "authors_per_group": by_run["match_id"].nunique(),
            "quotes_per_group": reference.groupby("run")["to_sample"].sum(),
            "mean_log10_hits": _mean(matchings, ["run"], "log10_hits"),
            "range_log10_hits": fame.max(axis="columns") - fame.min(axis="columns"),
            "rms_log10_hits": np.sqrt(_mean(pairs, ["run"], "squared")),
        }
    ).reindex(pd.RangeIndex(runs, name="run"))
    counts = ["authors_per_group", "quotes_per_group"]
    measured[counts] = measured[counts].fillna(0).astype("int64")
    return measured.reset_index()


def _mean(table: pd.DataFrame, by: list[str], column: str) -> "pd.Series[float]":
    """Return the mean of `column` by group, the same to the last digit in whatever order the rows come.

    Otherwise a rank could hang on a rounding error, and with it the choice of a run.
    """
    groups = table.groupby(by)[column]
    return groups.agg(fsum) / groups.size()


def rank_runs(measured: pd.DataFrame) -> pd.DataFrame:
    """Return the table RUNS: the criteria with their ranks, the rank sum and the selected run."""
    ranked = measured.copy()
    criteria = [c.name for c in CRITERIA]
    for name in criteria:
        ranked[f"rank_{name}"] = ranked[name].rank(
            method="average", ascending=SMALLER_IS_BETTER[name], na_option="bottom"
        )
    ranked["rank_sum"] = ranked[[f"rank_{name}" for name in criteria]].sum(axis="columns")
    best = ranked.sort_values(["rank_sum", *(f"rank_{name}" for name in criteria), "run"], kind="stable").iloc[0]
    ranked["selected"] = ranked["run"] == best["run"]
    return ranked[RUNS.names]
