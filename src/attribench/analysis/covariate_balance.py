"""Whether the quotes of the groups are alike: standardised mean differences before and after matching."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

LINE = 0.1
"""Absolute standardised difference above which groups count as different (Austin 2011)."""

_PLAIN = ("words", "characters", "reading_ease", "names_author", "names_work", "elsewhere", "birth_year", "log10_hits")


def measure_balance(quotes: pd.DataFrame, groups: Sequence[str], reference: str) -> Iterator[dict[str, Any]]:
    """Yield a row of the table `covariates` for each covariate, level and group, without `dataset` and `matching`.

    Args:
        quotes: rows of the table COVARIATES_OF_QUOTES.
        groups: the groups, in order.
        reference: the reference group.
    """
    columns = {(name, ""): quotes[name].astype("float64") for name in _PLAIN}
    topic = quotes["topic"]
    for level in sorted(topic.dropna().unique(), key=lambda label: int(str(label).split(":")[0])):
        columns["topic", level] = topic.eq(level).astype("float64").where(topic.notna())
    if topic.isna().all():
        columns["topic", ""] = pd.Series(np.nan, index=quotes.index)
    for (covariate, level), values in columns.items():
        parts = {group: values[quotes["group"] == group] for group in groups}
        known = {group: part.dropna() for group, part in parts.items()}
        distances = {g: {h: standardised_difference(known[g], known[h]) for h in groups if h != g} for g in groups}
        for group in groups:
            sizes = [abs(distance) for distance in distances[group].values() if distance is not None]
            largest = max(sizes, default=None)
            n = len(known[group])
            yield {
                "covariate": covariate, "level": level, "group": group,
                "n_quotes": n, "n_unknown": len(parts[group]) - n,
                "mean": known[group].mean() if n else None, "sd": known[group].std() if n > 1 else None,
                "smd": distances[group].get(reference), "largest_smd": largest,
                "is_over_line": largest is not None and largest > LINE,
                "note": _note(covariate, known, group, distances[group].get(reference, 0.0)),
            }  # fmt: skip


def standardised_difference(values: pd.Series, reference: pd.Series) -> float | None:
    """Return the mean of `values` less that of `reference`, in standard deviations.

    The standard deviation is the root of the mean of both variances (Austin 2011, Multivariate
    Behavioral Research 46:399). Missing where there are fewer than two values, or where it is 0
    and the means differ.
    """
    if min(len(values), len(reference)) < 2:
        return None
    difference = float(values.mean() - reference.mean())
    if difference == 0:
        return 0.0
    deviation = float(np.sqrt((values.var() + reference.var()) / 2))
    return difference / deviation if deviation > 0 else None


def _note(covariate: str, known: dict[str, pd.Series], group: str, smd: float | None) -> str | None:
    if known[group].empty and covariate == "topic":
        return "an embedding model is asked for the quotes of data sets alone: only they have topics"
    if known[group].empty:
        return "known of no quote"
    if len(known[group]) == 1:
        return "one quote"
    return "undefined (no variance, or known of fewer than two quotes)" if smd is None else None
