"""The mean of quote values, with its confidence intervals."""

from typing import Any

import numpy as np
import numpy.typing as npt
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

Values = npt.NDArray[np.float64]

LEVEL = 0.95


def describe_mean(values: Values) -> dict[str, Any]:
    """Return `n_quotes`, `mean`, `ci_low`, `ci_high`, `wilson_low`, `wilson_high` and `note` of one value per quote.

    The first interval is the normal one, mean ± z · sd / √n with the sample's standard deviation
    (n - 1), cut off at 0 and 1. With fewer than two quotes, or when all values are equal, there
    is none and `note` says why: an interval of no width would claim certainty. The second is
    Wilson's (1927) for n·mean successes in n quotes; it exists wherever there is a quote, and
    is wide rather than narrow where quotes have values between 0 and 1. Missing values are left
    out and do not count in `n_quotes`.
    """
    used = values[~np.isnan(values)]
    found: dict[str, Any] = {"n_quotes": len(used), "mean": None, "ci_low": None, "ci_high": None}
    found |= {"wilson_low": None, "wilson_high": None, "note": None}
    if len(used) == 0:
        return {**found, "note": "no scored answer"}
    found["mean"] = float(used.mean())
    low, high = proportion_confint(used.sum(), len(used), alpha=1 - LEVEL, method="wilson")
    found |= {"wilson_low": max(float(low), 0.0), "wilson_high": min(float(high), 1.0)}
    if len(used) == 1:
        return {**found, "note": "one quote"}
    if not has_variance(used):
        return {**found, "note": "no variance"}
    low, high = DescrStatsW(used).zconfint_mean(alpha=1 - LEVEL)
    return {**found, "ci_low": max(float(low), 0.0), "ci_high": min(float(high), 1.0)}


def has_variance(values: Values) -> bool:
    """Return whether `values` are not all equal."""
    return bool(np.ptp(values) > 0)
