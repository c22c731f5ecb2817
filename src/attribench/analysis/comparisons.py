"""Which group is best, and does it differ from the others by more than chance?

The test is the one of Berman et al. 2026, section 5.1: a t-test on the difference between two
groups' means, here Welch's, which does not suppose equal variances. Its unit is the quote.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from attribench.analysis.means import LEVEL, Values, has_variance

# Means that differ by no more than rounding are tied.
_ROUNDING = 1e-12


def best_groups(means: Mapping[str, float | None], sign: int) -> list[str]:
    """Return the groups with the best mean: the highest for a `sign` of 1, the lowest for -1.

    Groups that are tied for it are all best. Where all groups have the same mean, or only one
    has any, there is no best group.
    """
    known = {group: sign * mean for group, mean in means.items() if mean is not None}
    if not known:
        return []
    top = max(known.values())
    best = [group for group, mean in known.items() if top - mean <= _ROUNDING]
    return best if len(best) < len(known) else []


def compare_groups(values: Mapping[str, Values], sign: int) -> list[dict[str, Any]]:
    """Return a comparison of every pair of groups, the better of the two as `group`.

    Args:
        values: one value per quote for each group; missing values are left out.
        sign: 1 where a higher mean is better, -1 where a lower one is.

    Returns:
        For each pair, `group`, `other`, and what `compare_means` says of them. Groups that
        are tied stay in the order of `values`, and a group without values comes second.
    """
    used = {group: found[~np.isnan(found)] for group, found in values.items()}
    rank = {group: sign * found.mean() if len(found) else -np.inf for group, found in used.items()}
    pairs = []
    for first, second in combinations(used, 2):
        swap = rank[second] - rank[first] > _ROUNDING
        group, other = (second, first) if swap else (first, second)
        pairs.append({"group": group, "other": other, **compare_means(used[group], used[other], (group, other))})
    return pairs


def compare_means(first: Values, second: Values, names: tuple[str, str]) -> dict[str, Any]:
    """Return Welch's t-test of `first` against `second`, with the difference and its interval.

    The fields are those of the table `pairwise` from `n_group` to `p_value`, `note`, and `se`,
    the standard error. Where the test cannot be made, or rests on a group in which all values
    are equal, `note` says so.
    """
    found: dict[str, Any] = {
        "n_group": len(first), "n_other": len(second), "difference": None, "ci_low": None, "ci_high": None,
        "t": None, "df": None, "p_value": None, "note": None, "se": None,
    }  # fmt: skip
    sizes = dict(zip(names, (len(first), len(second)), strict=True))
    empty = [name for name, size in sizes.items() if size == 0]
    if empty:
        return {**found, "note": f"no scored answer in {' and '.join(empty)}"}
    found["difference"] = float(first.mean() - second.mean())
    single = [name for name, size in sizes.items() if size == 1]
    if single:
        return {**found, "note": f"one quote in {' and '.join(single)}"}
    constant = [name for name, v in zip(names, (first, second), strict=True) if not has_variance(v)]
    if len(constant) == 2:
        equal = abs(found["difference"]) <= _ROUNDING
        return {**found, "note": "undefined (no variance)" if equal else "degenerate (no variance)"}
    both = CompareMeans(DescrStatsW(first), DescrStatsW(second))
    t, p_value, df = both.ttest_ind(usevar="unequal")
    low, high = both.tconfint_diff(alpha=1 - LEVEL, usevar="unequal")
    found |= {"ci_low": float(low), "ci_high": float(high), "se": float(both.std_meandiff_separatevar)}
    found |= {"t": float(t), "df": float(df), "p_value": float(p_value)}
    return {**found, "note": f"no variance in {constant[0]}" if constant else None}
