"""How far two models agree about race and gender: Cohen's kappa, and what becomes of their answers."""

import pandas as pd

from attribench.agreement import kappa
from attribench.demographics.consensus import compare
from attribench.demographics.multiple_choice import ATTRIBUTES
from attribench.tables.demographics import AGREEMENT


def measure_agreement(answers: pd.DataFrame, labellers: tuple[str, str]) -> pd.DataFrame:
    """Return the table AGREEMENT.

    Kappa is computed over the authors about whom both models answered with one letter.

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
                **kappa(both[labellers[0]], both[labellers[1]], "author"),
            }
        )
    return pd.DataFrame(rows)[AGREEMENT.names]
