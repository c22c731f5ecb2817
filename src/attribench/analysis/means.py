"""The mean of quote values, with its confidence interval."""

from typing import Any

import numpy as np
import numpy.typing as npt
from statsmodels.stats.weightstats import DescrStatsW

Values = npt.NDArray[np.float64]

LEVEL = 0.95


def describe_mean(values: Values) -> dict[str, Any]:
    """Return `n_quotes`, `mean`, `ci_low`, `ci_high` and `note` of one value per quote.

    The interval is the normal one, mean ± z · sd / √n with the sample's standard deviation
    (n - 1), cut off at 0 and 1. Missing values are left out and do not count in `n_quotes`.
    With fewer than two quotes, or when all values are equal, there is no interval and `note`
    says why: an interval of no width would claim certainty.
    """
    used = values[~np.isnan(values)]
    found: dict[str, Any] = {"n_quotes": len(used), "mean": None, "ci_low": None, "ci_high": None, "note": None}
    if len(used) == 0:
        return {**found, "note": "no scored answer"}
    found["mean"] = float(used.mean())
    if len(used) == 1:
        return {**found, "note": "one quote"}
    if not has_variance(used):
        return {**found, "note": "no variance"}
    low, high = DescrStatsW(used).zconfint_mean(alpha=1 - LEVEL)
    return {**found, "ci_low": max(float(low), 0.0), "ci_high": min(float(high), 1.0)}


def has_variance(values: Values) -> bool:
    """Return whether `values` are not all equal."""
    return bool(np.ptp(values) > 0)
