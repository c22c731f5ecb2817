"""What of a gap survives when quotes are made comparable: logistic models of each outcome.

A quote's value is a share, so the model is a fractional logit (Papke and Wooldridge 1996): the
likelihood of a logistic regression, with standard errors that do not rely on it, here
clustered by author. Coefficients of models with more covariates are not comparable with those
of models with fewer, even where nothing is confounded; the mean change of the predicted share is
(Mood 2010), and stands beside them.
"""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from scipy.special import expit
from statsmodels.tools.sm_exceptions import ConvergenceWarning, HessianInversionWarning, PerfectSeparationWarning

from attribench.analysis.means import LEVEL, has_variance
from attribench.tables.analysis import ADJUSTMENTS

Matrix = npt.NDArray[np.float64]

EVENTS_PER_PARAMETER = 5
"""Fewest events, and fewest non-events, for each parameter (Vittinghoff and McCulloch 2007)."""

_UNSOUND = (ConvergenceWarning, HessianInversionWarning, PerfectSeparationWarning, RuntimeWarning)


def covariate_matrix(quotes: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the columns that each of ADJUSTMENTS adds to the groups, indexed by `quote_id`.

    Length and reading ease and fame are in standard deviations, repeats in the corpus as
    log(1 + rows); a title or a topic that is not known is a level of its own. The number of
    characters (nearly the number of words) and the year of birth (known of few) stay out.

    Args:
        quotes: rows of the table COVARIATES_OF_QUOTES of one data set.
    """
    table = quotes.set_index("quote_id")
    columns = {
        "words": table["words"],
        "reading_ease": table["reading_ease"],
        "names_author": table["names_author"],
        "names_work": table["names_work"].eq(True),
        "work_unknown": table["names_work"].isna(),
        "elsewhere": table["elsewhere"].astype("float64").fillna(0.0).map(np.log1p),
        **{f"topic {topic}": table["topic"].eq(topic) for topic in sorted(table["topic"].dropna().unique())[1:]},
    }
    text = pd.DataFrame({name: column.astype("float64") for name, column in columns.items()})
    text = text.fillna(text.mean())
    with_fame = text.assign(log10_hits=table["log10_hits"].astype("float64"))
    return {"none": text[[]], "quotes": text, "quotes and fame": with_fame}


def adjust(
    cell: pd.DataFrame, covariates: dict[str, pd.DataFrame], groups: Sequence[str], reference: str
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table `adjusted` for one condition, without the columns of the condition.

    Args:
        cell: one row per quote: `quote_id`, `group`, `author_code`, `value`.
        covariates: the result of `covariate_matrix`.
        groups: the groups, in order.
        reference: the group that the others are compared with.
    """
    scored = cell[cell["value"].notna()]
    value = scored["value"].to_numpy("float64")
    constant = [g for g in groups if not (part := value[(scored["group"] == g).to_numpy()]).size or np.ptp(part) == 0]
    others = [group for group in groups if group != reference]
    rows = scored[~scored["group"].isin(constant)]
    fitted = [group for group in others if group not in constant]
    for adjustment in ADJUSTMENTS:
        note: str | None = None
        found: dict[str, dict[str, float]] = {}
        if reference in constant:
            note = f"no variance in {reference}"
        elif fitted:
            note, found = _fit(rows, covariates[adjustment], fitted)
        for group in others:
            yield {
                "adjustment": adjustment, "group": group, "reference": reference,
                "n_quotes": len(rows), "n_authors": rows["author_code"].nunique(),
                "note": note or (f"no variance in {group}" if group in constant else None),
                **found.get(group, {}),
            }  # fmt: skip


def _fit(
    rows: pd.DataFrame, covariates: pd.DataFrame, groups: list[str]
) -> tuple[str | None, dict[str, dict[str, float]]]:
    value = rows["value"].to_numpy("float64")
    dummies = np.stack([(rows["group"] == group).to_numpy("float64") for group in groups], axis=1)
    added = _usable(covariates.reindex(rows["quote_id"]).to_numpy("float64"))
    design = np.column_stack([np.ones(len(rows)), dummies, added])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return "covariates cannot be told apart", {}
    events = min(value.sum(), (1 - value).sum())
    if added.shape[1] and events < EVENTS_PER_PARAMETER * design.shape[1]:
        return f"{events:.0f} events are too few for {design.shape[1]} parameters", {}
    authors = pd.factorize(rows["author_code"])[0]
    n_authors = len(np.unique(authors))
    if n_authors <= design.shape[1]:
        return f"{n_authors} authors are too few for {design.shape[1]} parameters", {}
    try:
        with warnings.catch_warnings():
            for unsound in _UNSOUND:
                warnings.simplefilter("error", unsound)
            fit = sm.Logit(value, design).fit(disp=0, method="newton", cov_type="cluster", cov_kwds={"groups": authors})
    except (*_UNSOUND, np.linalg.LinAlgError):
        return "the model cannot be fitted (a covariate decides the outcome)", {}
    return None, {group: _effect(fit, design, place, len(groups)) for place, group in enumerate(groups, 1)}


def _usable(columns: Matrix) -> Matrix:
    """Return the columns that vary, in standard deviations from their means."""
    columns = columns[:, [has_variance(column) for column in columns.T]] if columns.size else columns
    return (columns - columns.mean(axis=0)) / columns.std(axis=0) if columns.size else columns


def _effect(fit: Any, design: Matrix, place: int, n_groups: int) -> dict[str, float]:
    """Return the coefficient in column `place`, and the mean change of the prediction, with intervals.

    The error of the change is that of the delta method. Columns 1 to `n_groups` are the groups.
    """
    covariance, z = fit.cov_params(), float(stats.norm.ppf((1 + LEVEL) / 2))
    base, moved = design.copy(), design.copy()
    base[:, 1 : n_groups + 1] = moved[:, 1 : n_groups + 1] = 0.0
    moved[:, place] = 1.0
    low, high = expit(base @ fit.params), expit(moved @ fit.params)
    gradient = ((high * (1 - high))[:, None] * moved - (low * (1 - low))[:, None] * base).mean(axis=0)
    difference, error = float((high - low).mean()), float(np.sqrt(gradient @ covariance @ gradient))
    odds, odds_error = float(fit.params[place]), float(np.sqrt(covariance[place, place]))
    return {
        "log_odds": odds, "log_odds_low": odds - z * odds_error, "log_odds_high": odds + z * odds_error,
        "p_value": float(2 * stats.norm.sf(abs(odds) / odds_error)),
        "difference": difference, "ci_low": difference - z * error, "ci_high": difference + z * error,
    }  # fmt: skip
