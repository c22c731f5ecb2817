"""Accuracy by the author's fame (Berman et al. 2026, Figure 8)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from attribench.report import labels, style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable

_PANEL, _HEIGHT = 3.4, 3.3  # inches
_MOST_INTERVALS = 3  # models; the intervals of more would hide each other
_BINS = "A point stands in the middle of its bin of fame."
_FEW = f"Hollow: fewer than {labels.FEW_QUOTES} quotes."


def draw_fame_accuracy(
    fame_bins: pd.DataFrame, datasets: Sequence[str], models: Sequence[str], prompt: str, *,
    unanswered: str = "exclude",
) -> Figure:  # fmt: skip
    """Return curves of accuracy over fame without evidence, one for each model, a panel for each data set.

    Args:
        fame_bins: the table FAME_BINS.
        datasets: the data sets, in order, as the models are.
        models: slugs of the models.
        prompt: the prompt.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    is_condition = (fame_bins["metric"] == "accuracy") & (fame_bins["prompt"] == prompt) & ~fame_bins["evidence"]
    rows = fame_bins[is_condition & fame_bins["model"].isin(list(models))]
    names = labels.model_names(rows, list(models))
    looks = {model: look(i) for i, model in enumerate(models)}
    with_intervals = len(models) <= _MOST_INTERVALS
    top = 100 * float(rows[["mean", *(["ci_high"] if with_intervals else [])]].max().max()) if len(rows) else 0.0
    with style.house_style():
        longest = max(len(drawable(name)) for name in names.values())
        figure = style.new_figure(_PANEL * len(datasets) + 0.065 * longest + 0.6, _HEIGHT)
        panels = figure.subplots(1, len(datasets), squeeze=False)[0]
        for axes, dataset in zip(panels, datasets, strict=True):
            own = rows[rows["dataset"] == dataset]
            style.head(axes, dataset, labels.sizes(own.loc[own["mean"].notna(), "n_quotes"], "point"), _PANEL)
            if not own["mean"].notna().any():
                draw_nothing(axes, f"{labels.NOT_SCORED if len(own) else labels.NOT_ASKED}: the {prompt} prompt")
                continue
            for model, part in own.groupby("model", sort=False):
                _draw_curve(axes, part, looks[str(model)], with_intervals=with_intervals)
            _dress(axes, top)
            if axes is panels[0]:
                axes.set_ylabel("accuracy, % correct")
        keys = [Line2D([], [], label=drawable(names[model]), **looks[model]) for model in models]
        figure.legend(handles=keys, loc="outside right center", frameon=False, fontsize=style.SMALL)
        style.title(figure, f"Accuracy by the author's fame, with the {prompt} prompt and without evidence")
        signs = [_BINS]
        signs += [_FEW] if (rows.loc[rows["mean"].notna(), "n_quotes"] < labels.FEW_QUOTES).any() else []
        signs += [labels.INTERVAL] if with_intervals else []
        style.foot(figure, [*signs, *labels.subset(rows), *labels.about_answers(rows, unanswered)])
    return figure


def look(place: int) -> dict[str, Any]:
    """Return colour, line and marker of the curve at `place`: no two of the first 28 share all three."""
    return {
        "color": style.COLOURS[place % len(style.COLOURS)],
        "linestyle": style.DASHES[(place // len(style.COLOURS)) % len(style.DASHES)],
        "marker": style.MARKERS[place % len(style.MARKERS)],
        "markersize": 4.5,
        "linewidth": 1.2,
    }


def _draw_curve(axes: Axes, rows: pd.DataFrame, style_of: Mapping[str, Any], *, with_intervals: bool) -> None:
    rows = rows[rows["mean"].notna()].sort_values("bin_low")
    at = rows[["bin_low", "bin_high"]].mean(axis=1)
    percent = 100 * rows[["mean", "ci_low", "ci_high"]]
    axes.plot(at, percent["mean"], **style_of)
    few = (rows["n_quotes"] < labels.FEW_QUOTES).to_numpy()
    if few.any():
        hollow = {**style_of, "linestyle": "none", "markerfacecolor": "white"}
        axes.plot(at[few], percent.loc[few, "mean"], **hollow)
    known = percent["ci_low"].notna().to_numpy() & with_intervals
    axes.vlines(
        at[known], percent.loc[known, "ci_low"], percent.loc[known, "ci_high"], color=style_of["color"], linewidth=0.8
    )


def _dress(axes: Axes, top: float) -> None:
    axes.set_xlabel("fame, log10 hits")
    axes.set_ylim(-0.03 * max(top, 5.0), max(5.0, 1.08 * top))
    axes.grid(color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
