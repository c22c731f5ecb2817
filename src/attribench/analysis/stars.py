"""Correcting for many comparisons, and the stars: both worked out here and nowhere else."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

SIGNIFICANCE = 0.05

CONDITION = ["dataset", "model", "metric", "prompt", "evidence"]
FAMILIES = {
    "condition": CONDITION,
    "model": ["dataset", "model"],
    "metric": ["dataset", "metric"],
    "all": [],
}
"""What the tests of one family share, by the name of the family in the configuration."""

# The test behind each kind of star: the p-values, and the note that says why one cannot be trusted.
_TESTS = {
    "is_star": ("p_value", "note"),
    "is_star_holm": ("p_holm", "note"),
    "is_star_clustered": ("p_clustered", "note_clustered"),
    "is_star_clustered_holm": ("p_clustered_holm", "note_clustered"),
}
_CORRECTED = {"p_value": "p_holm", "p_clustered": "p_clustered_holm", "p_paired": "p_paired_holm"}


def correct(pairs: pd.DataFrame, family: str) -> pd.DataFrame:
    """Return `pairs` with a column `family` and with p-values corrected by Holm (1979) within each family.

    A p-value that is missing is no test and does not count in its family.

    Args:
        pairs: rows of the table `pairwise` without the corrected columns.
        family: a key of FAMILIES.
    """
    shared = FAMILIES[family]
    label = pairs[shared].astype(str).agg(", ".join, axis="columns") if shared and len(pairs) else "all"
    pairs = pairs.assign(family=label).reset_index(drop=True)
    for raw, corrected in _CORRECTED.items():
        values = pairs[raw].astype("float64")
        pairs[corrected] = values.dropna().groupby(pairs["family"]).transform(_holm)
    return pairs


def _holm(p_values: pd.Series) -> pd.Series:
    """Return what statsmodels' `multipletests` does, which collects garbage first, and there are many families."""
    ranked = p_values.sort_values()
    steps = (ranked * np.arange(len(ranked), 0, -1)).cummax().clip(upper=1.0)
    return steps.reindex(p_values.index)


def add_stars(subgroups: pd.DataFrame, pairs: pd.DataFrame, keys: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Return `subgroups` with the columns of stars: at an only best group that differs from every other one.

    A comparison with a note is never significant: its test is missing or degenerate.

    Args:
        subgroups: rows of the table `subgroups` with `is_best`.
        pairs: rows of the table `pairwise`, every pair of groups of each condition.
        keys: the columns that name a condition.
    """
    keys = list(keys)
    alone = subgroups.groupby(keys, sort=False)["is_best"].transform("sum") == 1
    places = pd.MultiIndex.from_frame(subgroups[[*keys, "group"]])
    for star, (p_value, note) in _TESTS.items():
        significant = (pairs[p_value].astype("float64") < SIGNIFICANCE) & pairs[note].isna()
        sides = pd.concat(
            [
                pairs[[*keys, side]].rename(columns={side: "group"}).assign(significant=significant)
                for side in ("group", "other")
            ]
        )
        from_all = sides.groupby([*keys, "group"])["significant"].all()
        differs = pd.Series(from_all.reindex(places).fillna(False).to_numpy(bool), index=subgroups.index)
        subgroups[star] = subgroups["is_best"] & alone & differs
    return subgroups
