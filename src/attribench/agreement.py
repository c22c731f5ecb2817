"""How far two who judge the same things agree: a share with its interval, and Cohen's kappa."""

import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

FEW = 30
"""Below this number the interval of kappa, which rests on a normal approximation, gets a note."""


def wilson(count: int, n: int) -> tuple[float | None, float | None]:
    """Return the ends of Wilson's (1927) 95 % interval of the share `count` of `n`; nothing of none."""
    return proportion_confint(count, n, method="wilson") if n else (None, None)


def kappa(first: pd.Series, second: pd.Series, of: str) -> dict[str, float | str | None]:
    """Return `kappa`, `ci_low`, `ci_high` (95 %) and `note` for what two say of the same things, in the same order.

    The variance of kappa is the asymptotic one of Fleiss, Cohen and Everitt (1969), as statsmodels has it; the
    interval is cut off at -1 and 1. Where there is no kappa, or no interval, it is None and the note says why.

    Args:
        first: what the one says of each.
        second: what the other says of each.
        of: what they judge, in the singular, for the note.
    """
    nothing: dict[str, float | str | None] = {"kappa": None, "ci_low": None, "ci_high": None}
    if first.empty:
        return nothing | {"note": f"no {of} has an answer from both"}
    categories = sorted({*first, *second})
    if len(categories) == 1:
        return nothing | {"note": f"not defined: both say {categories[0]} about every {of}"}
    counts = pd.crosstab(first.to_numpy(), second.to_numpy())
    counts = counts.reindex(index=categories, columns=categories, fill_value=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # its largest possible kappa, which we do not use
        found = cohens_kappa(counts.to_numpy())
    few = f"rests on {len(first)} {of}s" if len(first) < FEW else None
    if not found.var_kappa > 1e-12:
        none = "no interval: the answers do not vary enough"
        return nothing | {"kappa": float(found.kappa), "note": "; ".join(filter(None, [few, none]))}
    return {
        "kappa": float(found.kappa),
        "ci_low": max(-1.0, float(found.kappa_low)),
        "ci_high": min(1.0, float(found.kappa_upp)),
        "note": few,
    }
