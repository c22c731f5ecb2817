"""Accuracy and suppression of each model by group, one data set a table."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from attribench.report import labels
from attribench.report.accuracy_table import UNANSWERED, in_order, name_of
from attribench.report.text_table import TextTable, number, percent
from attribench.tables.analysis import BETTER, OVERALL


def group_table(
    overall: pd.DataFrame,
    subgroups: pd.DataFrame,
    dataset: str,
    groups: Sequence[str],
    order: tuple[Sequence[str], Sequence[str]],
    unanswered: str,
) -> TextTable:
    """Return means in percent, a row for each model and condition, a column for each group.

    Args:
        overall: the table OVERALL.
        subgroups: the table SUBGROUPS.
        dataset: the data set.
        groups: its groups, in order.
        order: prompts and slugs of models, in order.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    places: dict[str, list[Any]] = {
        "metric": list(BETTER), "prompt": list(order[0]), "evidence": [False, True], "model": list(order[1])
    }  # fmt: skip
    own = in_order(overall[overall["dataset"] == dataset], places)
    cells = {tuple(row[key] for key in (*OVERALL.key, "group")): row for row in subgroups.to_dict("records")}
    rows, bold = [], set()
    for i, total in enumerate(own.to_dict("records")):
        rows.append([
            labels.METRICS[total["metric"]], total["prompt"], "yes" if total["evidence"] else "no", name_of(total),
            percent(total["mean"]),
        ])  # fmt: skip
        lacking = []
        for j, group in enumerate(groups, start=len(rows[-1])):
            cell = cells.get((*(total[key] for key in OVERALL.key), group), {})
            rows[i].append(percent(cell.get("mean")) + ("*" if cell.get("is_star") else ""))
            lacking.append(f"{int(cell.get('n_unanswered', 0) + cell.get('n_missing', 0)):,}")
            if cell.get("is_best"):
                bold.add((i, j))
        rows[i] += [number(total["n_quotes"], 0), " / ".join(lacking) if set(lacking) != {"0"} else "0"]
    legend = [
        "Percent, mean over quotes.", labels.BEST, labels.STAR, UNANSWERED[unanswered],
        "The last column counts, for each group in order, the answers without text and those that could not be had.",
        *labels.subset(own),
    ]  # fmt: skip
    header = ["Metric", "Prompt", "Evidence", "Model", "All", *groups, "Quotes", "Not scored"]
    return TextTable(f"Accuracy and suppression by group: {dataset}", header, rows, " ".join(legend), bold=bold)
