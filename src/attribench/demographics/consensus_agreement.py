"""How far two models agree about race and gender: Cohen's kappa, and what becomes of their answers."""

import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa

from attribench.demographics.consensus import compare
from attribench.demographics.multiple_choice import ATTRIBUTES
from attribench.tables.demographics import AGREEMENT

FEW = 30
"""Below this number of authors the interval, which rests on a normal approximation, gets a note."""


def measure_agreement(answers: pd.DataFrame, labellers: tuple[str, str]) -> pd.DataFrame:
    """Return the table AGREEMENT.

    Kappa is computed over the authors about whom both models answered with one letter. Its variance
    is the asymptotic one of Fleiss, Cohen and Everitt (1969), as statsmodels has it; the interval
    is cut off at -1 and 1.

    Args:
        answers: the table LABELLER_ANSWERS; it may be empty.
        labellers: the two models.
    """
    compared = compare(answers) if len(answers) else pd.DataFrame(columns=["attribute", "outcome", *labellers])
    rows = []
    for attribute in ATTRIBUTES:
        part = compared[compared["attribute"] == attribute]
        both = part[part[list(labellers)].notna().all(axis="columns")]
        outcomes = part["outcome"].value_counts()
        rows.append(
            {
                "attribute": attribute,
                "labeller_1": labellers[0],
                "labeller_2": labellers[1],
                "n_asked": len(part),
                **{f"n_{name}": int(outcomes.get(name, 0)) for name in ("kept", "other", "differ", "no_answer")},
                "agreement": float((both[labellers[0]] == both[labellers[1]]).mean()) if len(both) else None,
                **_kappa(both[labellers[0]], both[labellers[1]]),
            }
        )
    return pd.DataFrame(rows)[AGREEMENT.names]


def _kappa(first: pd.Series, second: pd.Series) -> dict[str, float | str | None]:
    """Return `kappa`, `ci_low`, `ci_high` and `note` for two labels of the same authors."""
    nothing: dict[str, float | str | None] = {"kappa": None, "ci_low": None, "ci_high": None}
    if first.empty:
        return nothing | {"note": "no author has an answer from both"}
    categories = sorted({*first, *second})
    if len(categories) == 1:
        return nothing | {"note": f"not defined: both say {categories[0]} about everyone"}
    counts = pd.crosstab(first, second).reindex(index=categories, columns=categories, fill_value=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # its largest possible kappa, which we do not use
        found = cohens_kappa(counts.to_numpy())
    few = f"rests on {len(first)} authors" if len(first) < FEW else None
    if not found.var_kappa > 1e-12:
        none = "no interval: the answers do not vary enough"
        return nothing | {"kappa": float(found.kappa), "note": "; ".join(filter(None, [few, none]))}
    return {
        "kappa": float(found.kappa),
        "ci_low": max(-1.0, float(found.kappa_low)),
        "ci_high": min(1.0, float(found.kappa_upp)),
        "note": few,
    }
