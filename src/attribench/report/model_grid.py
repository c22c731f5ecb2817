"""The figure that shows models × groups: a heatmap for each data set and condition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure

from attribench.report import labels
from attribench.report.heatmap import make_cells, with_gain
from attribench.report.panels import Panel, draw_panels


@dataclass(frozen=True)
class Band:
    """One row of panels: a metric in a condition, and what it is called beside the data set."""

    name: str
    metric: str
    prompt: str
    evidence: bool

    def of(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of `table` that the band shows."""
        is_condition = (table["prompt"] == self.prompt) & (table["evidence"] == self.evidence)
        return table[is_condition & (table["metric"] == self.metric)]


def draw_model_grid(
    subgroups: pd.DataFrame,
    title: str,
    bands: Sequence[Band],
    groups: Mapping[str, Sequence[str]],
    models: Sequence[str],
    unanswered: str,
) -> Figure:
    """Return a figure with a row of panels for each band and a column for each data set.

    Args:
        subgroups: the table SUBGROUPS.
        title: what the figure shows, with its unit.
        bands: the rows of panels, from the top.
        groups: the groups of each data set; both give the order.
        models: slugs of the models, in order.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    shown = pd.concat([band.of(subgroups) for band in bands])
    names = labels.model_names(shown, list(models))
    table = with_gain(subgroups)
    rows = [[_panel(band, dataset, band.of(table), groups[dataset], names) for dataset in groups] for band in bands]
    return draw_panels(rows, title, about_answers=[*labels.subset(shown), *labels.about_answers(shown, unanswered)])


def _panel(band: Band, dataset: str, rows: pd.DataFrame, groups: Sequence[str], names: Mapping[str, str]) -> Panel:
    own = rows[(rows["dataset"] == dataset) & rows["model"].isin(list(names))]
    named = own.assign(model=own["model"].map(dict(names)))
    why = labels.NOT_ASKED if own.empty else labels.NOT_SCORED
    return Panel(
        cells=make_cells(named, "model", "group", (list(names.values()), groups)),
        title=f"{dataset}: {band.name}" if band.name else dataset,
        subtitle=labels.sizes(own["n_quotes"], "cell"),
        if_empty=f"{why}: the {band.prompt} prompt {'with' if band.evidence else 'without'} evidence",
    )
