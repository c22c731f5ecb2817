"""One model at a glance: groups × conditions, for each data set."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from attribench.report import labels
from attribench.report.heatmap import make_cells, with_gain
from attribench.report.panels import Panel, draw_panels

_SUPPRESSION = {"s_omit": "omission S_omit", "s_evid": "with evidence S_evid"}
_ALL = "all groups"


def draw_model_heatmap(
    tables: tuple[pd.DataFrame, pd.DataFrame],
    model: str,
    groups: Mapping[str, Sequence[str]],
    conditions: Sequence[tuple[str, bool]],
    *,
    unanswered: str = "exclude",
) -> Figure:
    """Return the heatmap of one model: accuracy in all conditions on the left, suppression on the right.

    Args:
        tables: `subgroups` and `overall`.
        model: slug of the model.
        groups: the groups of each data set, from the top.
        conditions: prompts with or without evidence, from the left.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    overall = tables[1][tables[1]["model"] == model]
    by_group = tables[0][tables[0]["model"] == model]
    together = overall[by_group.columns.intersection(overall.columns)]
    rows_of_all = together.assign(group=_ALL, is_best=False, is_star=False)
    shown = with_gain(pd.concat([by_group, rows_of_all]), overall)
    shown["column"] = [
        _SUPPRESSION.get(metric, _column(prompt, evidence))
        for metric, prompt, evidence in zip(shown["metric"], shown["prompt"], shown["evidence"], strict=True)
    ]
    columns = [_column(*condition) for condition in conditions]
    rows = [_panels(dataset, shown[shown["dataset"] == dataset], groups[dataset], columns) for dataset in groups]
    title = f"{labels.model_names(overall, [model])[model]}: accuracy and suppression by group"
    return draw_panels(rows, title, about_answers=[*labels.subset(overall), *labels.about_answers(overall, unanswered)])


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
