"""How small a gap this design could have found."""

import numpy as np
import pandas as pd
from scipy import stats

from attribench.analysis.stars import SIGNIFICANCE
from attribench.tables.analysis import POWER

POWER_WANTED = 0.8


def smallest_gap(error: pd.Series, alpha: pd.Series | float = SIGNIFICANCE) -> pd.Series:
    """Return the true difference that a two-sided test finds in 80 % of samples: (z₁₋α/₂ + z₀.₈) · error."""
    critical = stats.norm.isf(np.asarray(alpha) / 2) + stats.norm.ppf(POWER_WANTED)
    return error * critical


def measure_power(pairs: pd.DataFrame, metrics: list[str]) -> pd.DataFrame:
    """Return the table POWER, worked out from the errors that were found.

    Args:
        pairs: rows of the table `pairwise`, with `se`, the plain standard error, and `family`.
        metrics: the metrics that get a row in every data set, in order.
    """
    pairs = pairs.assign(tests=pairs.groupby("family")["p_clustered"].transform("count"))
    rows = []
    for dataset in dict.fromkeys(pairs["dataset"]):
        for metric in metrics:
            rows.append(_row(dataset, metric, pairs[(pairs["dataset"] == dataset) & (pairs["metric"] == metric)]))
    return pd.DataFrame(rows, columns=POWER.names)


def _row(dataset: str, metric: str, pairs: pd.DataFrame) -> dict[str, object]:
    known = pairs[pairs["se_clustered"].astype("float64") > 0]
    row: dict[str, object] = {"dataset": dataset, "metric": metric, "n_comparisons": len(known)}
    if known.empty:
        return {**row, "note": "no comparison with a standard error" if len(pairs) else "not measured"}
    error, plain = known["se_clustered"].astype("float64"), known["se"].astype("float64")
    gap = smallest_gap(error)
    corrected = smallest_gap(error, SIGNIFICANCE / known["tests"].clip(lower=1))
    return row | {
        "quotes_per_group": float(known[["n_group", "n_other"]].min(axis="columns").median()),
        "authors_per_group": float(known[["authors_group", "authors_other"]].min(axis="columns").median()),
        "design_effect": float(((error / plain) ** 2).median()),
        "smallest_gap": float(gap.median()),
        "smallest_gap_best": float(gap.min()),
        "smallest_gap_worst": float(gap.max()),
        "smallest_gap_corrected": float(corrected.median()),
        "note": None,
    }
