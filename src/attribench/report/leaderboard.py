"""The first thing that a reader sees: each model on each data set, with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from attribench.report import labels
from attribench.report.beside_paper import paper_text
from attribench.report.text_table import interval, percent

_SUPPRESSION = {"s_omit": False, "s_evid": True}  # each with whether there is evidence


@dataclass(frozen=True)
class Cell:
    """What stands in a column: shares in percent; missing values are None."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    text: str = ""
    interval: str = ""
    note: str = ""
    """Small words under the number: the paper's figure, or the two groups of a gap."""


@dataclass(frozen=True)
class Line:
    """A model on a data set."""

    model: str
    name: str
    dataset: str
    cells: Sequence[Cell]
    n_quotes: int
    n_unanswered: int
    n_missing: int


def columns(prompts: Sequence[str], evidence: Sequence[bool]) -> list[tuple[str, str, str, bool]]:
    """Return heading, metric, prompt and evidence of each column of shares that the run can fill."""
    found = [(f"Accuracy, {prompt}", "accuracy", prompt, False) for prompt in prompts if False in evidence]
    if not found:
        found = [(f"Accuracy, {prompt} + evidence", "accuracy", prompt, True) for prompt in prompts]
    found += [
        (labels.METRICS[metric].capitalize(), metric, "indirect", is_with) for metric, is_with in _SUPPRESSION.items()
    ]
    return [column for column in found if column[1] == "accuracy" or column[3] in evidence]


def leaderboard(
    tables: tuple[pd.DataFrame, pd.DataFrame],
    beside_paper: pd.DataFrame,
    shown: Sequence[tuple[str, str, str, bool]],
    datasets: Sequence[str],
    models: Sequence[str],
) -> list[Line]:
    """Return a line for each model and data set, the most accurate first in each data set.

    Args:
        tables: OVERALL and DISPARITY.
        beside_paper: the table BESIDE_PAPER.
        shown: the columns of shares; the second cell of a line holds the gap of the first of them.
        datasets: the data sets, in order.
        models: slugs of the models, in order.
    """
    overall, disparity = tables
    names = labels.model_names(overall, list(models))
    papers = {
        (row["dataset"], row["model"], row["metric"], row["prompt"], row["evidence"]): f"paper: {paper_text(row)}"
        for row in beside_paper[beside_paper["group"] == ""].to_dict("records")
    }
    gaps = disparity[disparity["measure"] == "gap"]
    means, differences = (
        {tuple(row[key] for key in ("dataset", "model", "metric", "prompt", "evidence")): row for row in rows}
        for rows in (overall.to_dict("records"), gaps.to_dict("records"))
    )
    lines = []
    for dataset in datasets:
        own = []
        for model in models:
            keys = [(dataset, model, *column[1:]) for column in shown]
            cells = [_cell(means.get(key), papers.get(key, "")) for key in keys]
            gap = differences.get(keys[0])
            groups = labels.gap_words(gap) if gap else ""
            cells.insert(1, _cell({**gap, "mean": gap["value"]} if gap else None, groups))
            answers = overall[(overall["dataset"] == dataset) & (overall["model"] == model)]
            conditions = answers.drop_duplicates(["prompt", "evidence"])
            counts = [int(conditions[name].sum()) for name in ("n_unanswered", "n_missing")]
            n_quotes = int(conditions["n_quotes"].max()) if len(conditions) else 0
            own.append(Line(model, names[model], dataset, cells, n_quotes, *counts))
        lines += sorted(own, key=lambda line: -(line.cells[0].value or 0.0))
    return lines


def _cell(row: Mapping[Any, Any] | None, note: str) -> Cell:
    if row is None or pd.isna(row["mean"]):
        return Cell(text="–", note=str(row["note"]) if row and isinstance(row.get("note"), str) else "")
    ends = [None if pd.isna(row[end]) else 100 * float(row[end]) for end in ("ci_low", "ci_high")]
    return Cell(
        value=100 * float(row["mean"]),
        low=ends[0],
        high=ends[1],
        text=percent(row["mean"]),
        interval=interval(row["ci_low"], row["ci_high"]),
        note=note,
    )
