"""Several sources asked in order: the first that knows a value decides, and is recorded."""

from collections.abc import Mapping

import pandas as pd


def first_answer(answers: Mapping[str, pd.DataFrame], attribute: str) -> tuple[pd.Series, pd.Series]:
    """Return the first known value of `attribute` in each row, and the source that gave it.

    Args:
        answers: for each source, in order, a table with one row per author, all in the same
            order and with the same index; a value that a source does not know is missing.
        attribute: a column of these tables.
    """
    values = pd.DataFrame({name: answer[attribute] for name, answer in answers.items()})
    known = values.notna()
    source = known.idxmax(axis="columns").where(known.any(axis="columns"), None)
    return values.bfill(axis="columns").iloc[:, 0], source


def why_missing(answers: Mapping[str, pd.DataFrame], missing: pd.Series) -> pd.Series:
    """Return what each source says (its column `reason`) where `missing` is true, else ""."""
    said = pd.DataFrame({name: f"{name}: " + answer["reason"] for name, answer in answers.items()})
    spoken = pd.DataFrame({name: answer["reason"] != "" for name, answer in answers.items()})
    joined = said.where(spoken).apply(lambda row: "; ".join(row.dropna()), axis="columns")
    return joined.where(missing, "")
