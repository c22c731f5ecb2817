"""The paired test that the matched design allows: authors of one matching against each other."""

from typing import Any

import numpy as np
import numpy.typing as npt
from statsmodels.stats.weightstats import DescrStatsW

from attribench.analysis.means import LEVEL, Values, has_variance

Codes = npt.NDArray[np.int64]


def matching_means(values: Values, matchings: Codes, n: int) -> Values:
    """Return the mean of the values in each of `n` matchings, missing where there is none."""
    counts = np.bincount(matchings, minlength=n)
    sums = np.bincount(matchings, weights=values, minlength=n)
    means: Values = np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)
    return means


def compare_paired(means: Values, other: Values) -> dict[str, Any]:
    """Return the fields of the table `pairwise` from `n_pairs` to `note_paired`, but for the corrected p.

    Args:
        means: the mean of the one group in each matching; missing values are left out.
        other: that of the other group in the same matchings.

    Each matching counts once, whatever the number of its quotes.
    """
    differences = means - other
    differences = differences[~np.isnan(differences)]
    found: dict[str, Any] = {
        "n_pairs": len(differences), "paired_difference": None, "paired_low": None, "paired_high": None,
        "p_paired": None, "note_paired": None,
    }  # fmt: skip
    if len(differences) == 0:
        return {**found, "note_paired": "no matching with both groups"}
    found["paired_difference"] = float(differences.mean())
    if len(differences) == 1:
        return {**found, "note_paired": "one matching"}
    if not has_variance(differences):
        return {**found, "note_paired": "no variance"}
    described = DescrStatsW(differences)
    low, high = described.tconfint_mean(alpha=1 - LEVEL)
    return found | {"paired_low": float(low), "paired_high": float(high), "p_paired": float(described.ttest_mean()[1])}
