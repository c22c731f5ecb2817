"""Differences between groups with standard errors clustered by author.

Quotes by one author are known, or not known, together. Each group's mean is an ordinary
least squares fit on a constant, with the cluster-robust variance of Liang and Zeger (1986) and
the correction for few clusters that statsmodels makes; no author is in two groups, so that
the variances of two groups add up. The degrees of freedom are those of Welch and Satterthwaite
with authors in the place of quotes. With one quote by each author all of it is Welch's t-test.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import statsmodels.api as sm
from scipy import stats

from attribench.analysis.means import LEVEL, Values

Codes = npt.NDArray[np.int64]


def mean_and_variance(values: Values, authors: Codes) -> tuple[float, float, int]:
    """Return the mean of one value per quote, its variance clustered by author, and the number of authors.

    The variance is not a number with fewer than two authors.
    """
    n = len(np.unique(authors))
    mean = float(values.mean()) if len(values) else float("nan")
    if n < 2:
        return mean, float("nan"), n
    fit = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": authors})
    return mean, float(fit.cov_params()[0, 0]), n


def compare_clustered(groups: Mapping[str, tuple[float, float, int]], group: str, other: str) -> dict[str, Any]:
    """Return the fields of the table `pairwise` from `authors_group` to `note_clustered`, but for the corrected p.

    Args:
        groups: for each group, what `mean_and_variance` returns.
        group: the group from whose mean the other's is taken.
        other: the other group.
    """
    (mean, variance, authors), (other_mean, other_variance, other_authors) = groups[group], groups[other]
    found: dict[str, Any] = {
        "authors_group": authors, "authors_other": other_authors, "se_clustered": None,
        "clustered_low": None, "clustered_high": None, "p_clustered": None, "note_clustered": None,
    }  # fmt: skip
    sizes = {group: authors, other: other_authors}
    for size, what in ((0, "no scored answer"), (1, "one author")):
        lacking = [name for name, n in sizes.items() if n == size]
        if lacking:
            return {**found, "note_clustered": f"{what} in {' and '.join(lacking)}"}
    # Rounding leaves a variance of about 1e-33 where all values are equal.
    constant = [name for name, v in ((group, variance), (other, other_variance)) if v < 1e-24]
    if len(constant) == 2:
        return {**found, "note_clustered": "no variance"}
    difference, error = mean - other_mean, float(np.sqrt(variance + other_variance))
    df = (variance + other_variance) ** 2 / (variance**2 / (authors - 1) + other_variance**2 / (other_authors - 1))
    half = float(stats.t.ppf((1 + LEVEL) / 2, df)) * error
    return {
        **found,
        "se_clustered": error,
        "clustered_low": difference - half,
        "clustered_high": difference + half,
        "p_clustered": float(2 * stats.t.sf(abs(difference) / error, df)),
        "note_clustered": f"no variance in {constant[0]}" if constant else None,
    }
