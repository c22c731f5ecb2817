"""The accuracy of each model in each condition."""

from typing import Any

import pandas as pd

from attribench.report import labels
from attribench.report.text_table import TextTable, interval, number, percent, text_of

UNANSWERED = {
    "exclude": "Answers without text are left out of the figures.",
    "none": "Answers without text count as naming nobody.",
}
_COLUMNS = (
    "Model", "Data set", "Prompt", "Evidence", "Accuracy, %", "95 % CI", "Of all asked, %", "Quotes", "Without text",
    "Missing", "Note",
)  # fmt: skip


def accuracy_rows(overall: pd.DataFrame, models: list[str], datasets: list[str], prompts: list[str]) -> pd.DataFrame:
    """Return the rows about accuracy, by model, data set, prompt and evidence in the given order."""
    places: dict[str, list[Any]] = {
        "model": models,
        "dataset": datasets,
        "prompt": prompts,
        "evidence": [False, True],
    }
    return in_order(overall[overall["metric"] == "accuracy"], places)


def in_order(rows: pd.DataFrame, places: dict[str, list[Any]]) -> pd.DataFrame:
    """Return `rows` sorted by the given order of the values of each column, the first column first."""
    keys = [rows[name].map({value: i for i, value in enumerate(order)}) for name, order in places.items()]
    order = pd.concat(keys, axis="columns").sort_values(list(places), kind="stable").index
    return rows.loc[order].reset_index(drop=True)


def accuracy_table(rows: pd.DataFrame, unanswered: str) -> TextTable:
    """Return `rows` of the table OVERALL as they are read; `unanswered` is `exclude` or `none`."""
    texts = [
        [
            name_of(row),
            row["dataset"],
            row["prompt"],
            "yes" if row["evidence"] else "no",
            percent(row["mean"]),
            interval(row["ci_low"], row["ci_high"]),
            percent(row["mean_asked"]),
            *(number(row[name], 0) for name in ("n_quotes", "n_unanswered", "n_missing")),
            text_of(row["note"]),
        ]
        for row in rows.to_dict("records")
    ]
    legend = [
        "Accuracy is the mean over quotes; a quote's value is the share of its generations that name the true author.",
        UNANSWERED[unanswered],
        "Of all asked: answers that name the true author, of all that were asked for, also those that are not there.",
        "Missing answers could not be had and are never scored.",
        *labels.subset(rows),
    ]
    return TextTable("Attribution accuracy", _COLUMNS, texts, " ".join(legend))


def name_of(row: dict[Any, Any]) -> str:
    """Return how the model of a row of OVERALL is called: with † where it was asked about a part of the quotes."""
    return f"{row['model']} {labels.DAGGER}" if row["is_subset"] else str(row["model"])
