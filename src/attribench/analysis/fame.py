"""Fame and outcome: means by bin of fame (Berman et al. 2026, Figure 8), and the rank correlation."""

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from attribench.analysis.means import LEVEL, describe_mean, has_variance
from attribench.analysis.quote_values import COUNTS


def bin_fame(cell: pd.DataFrame, width: float) -> list[dict[str, Any]]:
    """Return the rows of the table `fame bins` for one condition, from the least famous bin on.

    Args:
        cell: one row per quote: `author_code`, `log10_hits`, `value` (missing where no answer was scored), and
            those of COUNTS.
        width: width of a bin, in log10 hits; bins begin at its multiples.
    """
    # A fame of 4.3 is in the bin from 4.3 on, although 4.3 / 0.1 is 42.99999999999999.
    number = np.floor(np.round(cell["log10_hits"].to_numpy("float64") / width, 9)).astype("int64")
    rows = []
    for place, part in cell.groupby(number, sort=True):
        found = describe_mean(part["value"].to_numpy("float64"))
        edges = {"bin_low": round(int(place) * width, 9), "bin_high": round((int(place) + 1) * width, 9)}  # type: ignore[call-overload]
        n_authors = part.loc[part["value"].notna(), "author_code"].nunique()
        rows.append({**edges, "n_authors": n_authors, **{name: int(part[name].sum()) for name in COUNTS}, **found})
    return rows


def correlate_fame(cell: pd.DataFrame) -> dict[str, Any]:
    """Return the fields of the table `fame correlation`: Spearman's rank correlation over authors.

    The interval is that of Bonett and Wright (2000): Fisher's z with the variance (1 + r²/2) / (n - 3).

    Args:
        cell: one row per quote: `author_code`, `log10_hits`, `value`.
    """
    scored = cell[cell["value"].notna()]
    by_author = scored.groupby("author_code", sort=False)[["log10_hits", "value"]].mean()
    n = len(by_author)
    found: dict[str, Any] = {"n_authors": n, "rank_correlation": None, "ci_low": None, "ci_high": None}
    found |= {"p_value": None, "note": None}
    if n < 4:
        return {**found, "note": f"only {n} authors with a scored answer"}
    constant = [name for name in by_author if not has_variance(by_author[name].to_numpy())]
    if constant:
        return {**found, "note": f"no variance in {'fame' if 'log10_hits' in constant else 'the outcome'}"}
    test = stats.spearmanr(by_author["log10_hits"], by_author["value"])
    rho = float(test.statistic)
    found |= {"rank_correlation": rho, "p_value": float(test.pvalue)}
    if abs(rho) > 1 - 1e-12:
        return {**found, "note": "all authors in order: no interval"}
    half = float(stats.norm.ppf((1 + LEVEL) / 2)) * np.sqrt((1 + rho**2 / 2) / (n - 3))
    low, high = np.tanh([np.arctanh(rho) - half, np.arctanh(rho) + half])
    return found | {"ci_low": float(low), "ci_high": float(high)}
