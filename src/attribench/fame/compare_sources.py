"""Step: how well two sources of fame agree, over all authors and in each group of a data set.

Agreement is Spearman's rank correlation, since matching needs the order of authors before
anything else, and sources count different things.
"""

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.errors import InputError
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.demographics import LABELS
from attribench.tables.fame import FAME_BY_SOURCE, FAME_COMPARISON, FAME_PAIRS

ALL = "all"
_FEWEST = 4  # authors below which there is no interval
_Z = 1.959964  # of a 95 % interval


def main(
    *,
    fame_by_source: Path,
    labels: Path,
    one: str,
    other: str,
    groups: Mapping[str, Mapping[str, str]],
    pairs: Path,
    comparison: Path,
) -> None:
    """Compare the sources `one` and `other`; write FAME_PAIRS and FAME_COMPARISON.

    Args:
        fame_by_source: FAME_BY_SOURCE.
        labels: LABELS.
        one: a source.
        other: another source.
        groups: the groups of a data set, each with the labels it asks for.
        pairs: where FAME_PAIRS goes.
        comparison: where FAME_COMPARISON goes.
    """
    table = side_by_side(read(fame_by_source, FAME_BY_SOURCE), one, other)
    table["group"] = assign_groups(table["author_id"], read(labels, LABELS), groups)
    write(table.dropna(subset=["one", "other"])[FAME_PAIRS.names], pairs, FAME_PAIRS)
    write(compare(table, one, other, list(groups)), comparison, FAME_COMPARISON)


def side_by_side(fame: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    """Return `author_id`, and the fame of each author by the sources `one` and `other`, as columns of these names.

    Raises:
        InputError: `fame` (the table FAME_BY_SOURCE) does not have both, or they are the same.
    """
    sources = list(fame["fame_source"].unique())
    if one == other or not {one, other} <= set(sources):
        raise InputError(
            f"The sources '{one}' and '{other}' of fame cannot be compared: there are figures by "
            f"{', '.join(sources) or 'none'}. Name two different sources in 'fame.compare'."
        )
    wide = fame.pivot(index="author_id", columns="fame_source", values="log10_hits")
    return pd.DataFrame({"one": wide[one], "other": wide[other]}).rename_axis("author_id").reset_index()


def assign_groups(ids: pd.Series, labels: pd.DataFrame, groups: Mapping[str, Mapping[str, str]]) -> pd.Series:
    """Return the group of each author, None for those outside all groups."""
    known = ids.to_frame().merge(labels, on="author_id", how="left", validate="one_to_one")
    found = pd.Series(None, index=ids.index, dtype=object)
    for group, wanted in groups.items():
        is_in = np.logical_and.reduce([(known[label] == value).to_numpy(bool) for label, value in wanted.items()])
        found[is_in] = group
    return found


def compare(table: pd.DataFrame, one: str, other: str, groups: list[str]) -> pd.DataFrame:
    """Return the table FAME_COMPARISON from the columns `one`, `other` and `group`: all authors, then each group."""
    parts = {ALL: table} | {group: table[table["group"] == group] for group in groups}
    rows = [{"group": group, "one": one, "other": other, **_agreement(part)} for group, part in parts.items()]
    return pd.DataFrame(rows)[FAME_COMPARISON.names]


def _agreement(part: pd.DataFrame) -> dict[str, float | str | None]:
    has_one, has_other = part["one"].notna(), part["other"].notna()
    both = part[has_one & has_other]
    counts = {
        "n_both": len(both),
        "n_only_one": int((has_one & ~has_other).sum()),
        "n_only_other": int((has_other & ~has_one).sum()),
    }
    rho, note = rank_correlation(both["one"], both["other"])
    low, high = interval(rho, len(both)) if rho is not None else (None, None)
    return {**counts, "rank_correlation": rho, "ci_low": low, "ci_high": high, "note": note}


def rank_correlation(one: pd.Series, other: pd.Series) -> tuple[float | None, str]:
    """Return Spearman's rank correlation, or None and why there is none."""
    if len(one) < 2:
        return None, "fewer than two authors known to both"
    if one.nunique() == 1 or other.nunique() == 1:
        return None, "a source has the same figure for all"
    rho = float(np.corrcoef(one.rank(), other.rank())[0, 1])
    return min(1.0, max(-1.0, rho)), ""


def interval(rho: float, n: int) -> tuple[float | None, float | None]:
    """Return the 95 % confidence interval of a rank correlation over `n` authors.

    Fisher's z with the standard error √((1 + ρ²/2) / (n − 3)) of Bonett and Wright (2000),
    Psychometrika 65, 23-28; None where n is below 4 or the ranks are the same.
    """
    if n < _FEWEST or abs(rho) > 1 - 1e-12:
        return None, None
    half = _Z * math.sqrt((1 + rho**2 / 2) / (n - 3))
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
