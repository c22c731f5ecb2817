"""The consensus of two models: a label is what both say, independently (Berman et al. 2026, Section 4.2.1)."""

from collections.abc import Iterator

import pandas as pd

from attribench.demographics.multiple_choice import ATTRIBUTES, OTHER


def compare(answers: pd.DataFrame) -> pd.DataFrame:
    """Compare the last answers of the two models about each author.

    Args:
        answers: the table LABELLER_ANSWERS, of two labellers.

    Returns:
        One row per author and attribute: `author_id`, `attribute`, `label` (what both say, None
        without a consensus), `outcome` (kept, other, differ or no_answer), `reason` (why there is no
        label, else "") and a column for each labeller with its own label.

    Raises:
        ValueError: there are not two labellers.
    """
    labellers = list(answers["labeller"].unique())
    if len(labellers) != 2:
        raise ValueError(f"a consensus is that of two models, but the answers are those of {labellers}")
    last = answers.sort_values("request", kind="stable").drop_duplicates(
        ["author_id", "attribute", "labeller"], keep="last"
    )
    rows = ["author_id", "attribute"]
    given = last.pivot(index=rows, columns="labeller", values="label")[labellers].astype(object)
    given = given.where(given.notna(), None)
    cause = last.pivot(index=rows, columns="labeller", values="cause")[labellers]
    status = last.pivot(index=rows, columns="labeller", values="status")[labellers]
    outcomes = [_outcome(*pair) for pair in given.itertuples(index=False)]
    causes = cause.where(status == "failed", "no single letter").where(status.notna(), "not asked")
    given["label"] = given[labellers[0]].where(pd.Series(outcomes, index=given.index) == "kept", None)
    given["outcome"] = outcomes
    given["reason"] = [
        _reason(outcome, dict(zip(labellers, said, strict=True)), dict(zip(labellers, why, strict=True)))
        for outcome, said, why in zip(
            outcomes, given[labellers].itertuples(index=False), causes.itertuples(index=False), strict=True
        )
    ]
    given.columns.name = None
    return given.reset_index()[[*rows, "label", "outcome", "reason", *labellers]]


def ask_consensus(authors: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Answer from the consensus of the two models.

    Args:
        authors: one row per author, with `author_id`.
        table: the table LABELLER_ANSWERS.

    Returns:
        One row per author, in order: `race` and `gender` (None where there is no consensus, or where
        the models were not asked because an earlier source knows) and `reason` (why one of those
        that were asked for is None, else "").
    """
    found = pd.DataFrame(index=pd.Index(authors["author_id"]))
    compared = compare(table) if len(table) else None
    reasons = []
    for attribute in ATTRIBUTES:
        if compared is None:
            found[attribute] = None
            continue
        part = compared[compared["attribute"] == attribute].set_index("author_id")
        found[attribute] = part["label"].reindex(found.index).astype(object)
        reasons.append(part["reason"].reindex(found.index))
    found["reason"] = [
        "not asked"
        if all(pd.isna(reason) for reason in row)
        else ", ".join(f"{name} {reason}" for name, reason in zip(ATTRIBUTES, row, strict=True) if _says(reason))
        for row in (zip(*reasons, strict=True) if reasons else [()] * len(found))
    ]
    found = found.reset_index(drop=True)
    return found.where(found.notna(), None)


def _says(reason: object) -> bool:
    return isinstance(reason, str) and reason != ""


def _outcome(first: str | None, second: str | None) -> str:
    if OTHER in (first, second):
        return "other"
    if first is None or second is None:
        return "no_answer"
    return "kept" if first == second else "differ"


def _reason(outcome: str, said: dict[str, str | None], why: dict[str, str]) -> str:
    if outcome == "kept":
        return ""
    if outcome == "differ":
        return "disputed (" + ", ".join(f"{name}: {label}" for name, label in said.items()) + ")"
    if outcome == "other":
        return f"in no category ({' and '.join(_naming(said, OTHER))}: other)"
    return "unanswered (" + ", ".join(f"{name}: {why[name]}" for name in _naming(said, None)) + ")"


def _naming(said: dict[str, str | None], label: str | None) -> Iterator[str]:
    return (name for name, given in said.items() if given == label)
