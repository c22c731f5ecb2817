"""One model at a glance: groups × conditions, for each data set."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from attribench.report import labels
from attribench.report.heatmap import make_cells, with_gain
from attribench.report.panels import Panel, draw_panels
from attribench.tables.condition import CONDITION_KEY

_SUPPRESSION = {"s_omit": "omission S_omit", "s_evid": "with evidence S_evid"}
_ALL = "all groups"


def draw_model_heatmap(
    subgroups: pd.DataFrame,
    model: str,
    groups: Mapping[str, Sequence[str]],
    conditions: Sequence[tuple[str, bool]],
    *,
    unanswered: str = "exclude",
) -> Figure:
    """Return the heatmap of one model: accuracy in all conditions on the left, suppression on the right.

    Args:
        subgroups: the table SUBGROUPS.
        model: slug of the model.
        groups: the groups of each data set, from the top.
        conditions: prompts with or without evidence, from the left.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    own = subgroups[subgroups["model"] == model]
    shown = with_gain(pd.concat([own, _of_all(own)]))
    shown["column"] = [
        _SUPPRESSION.get(metric, _column(prompt, evidence))
        for metric, prompt, evidence in zip(shown["metric"], shown["prompt"], shown["evidence"], strict=True)
    ]
    columns = [_column(*condition) for condition in conditions]
    rows = [_panels(dataset, shown[shown["dataset"] == dataset], groups[dataset], columns) for dataset in groups]
    title = f"{labels.model_names(own, [model])[model]}: accuracy and suppression by group"
    return draw_panels(rows, title, about_answers=[*labels.subset(own), *labels.about_answers(own, unanswered)])


def _of_all(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each condition of `rows`: all groups together."""
    first = rows.drop_duplicates(list(CONDITION_KEY)).drop(columns="n_quotes")
    n_quotes = rows.groupby(list(CONDITION_KEY), as_index=False)["n_quotes"].sum()
    together = first.merge(n_quotes, on=list(CONDITION_KEY))
    return together.assign(group=_ALL, mean=together["model_mean"], is_best=False, is_star=False)


def _panels(dataset: str, rows: pd.DataFrame, groups: Sequence[str], columns: Sequence[str]) -> list[Panel]:
    names = [*groups, _ALL]
    is_accuracy = rows["metric"] == "accuracy"
    accuracy = make_cells(rows[is_accuracy], "group", "column", (names, columns))
    suppression = make_cells(rows[~is_accuracy], "group", "column", (names, list(_SUPPRESSION.values())))
    size = labels.sizes(rows.loc[rows["group"] != _ALL, "n_quotes"], "group and condition")
    return [
        Panel(accuracy, f"{dataset}: accuracy, % correct", size, _why_empty(rows[is_accuracy])),
        Panel(suppression, "suppression, %", "", f"{_why_empty(rows[~is_accuracy])}: the indirect prompt"),
    ]


def _why_empty(rows: pd.DataFrame) -> str:
    return labels.NOT_ASKED if rows.empty else labels.NOT_SCORED


def _column(prompt: str, evidence: bool) -> str:
    return f"{prompt} + evidence" if evidence else prompt
