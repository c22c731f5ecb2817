"""Step: the errors of the classifier itself by race, gender, group and form of the name, from each source of truth."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from attribench.report import style
from attribench.report.lettering import drawable
from attribench.step import run
from attribench.tables import read
from attribench.tables.evaluation import INSTRUMENT_ERROR

_ROW, _HEAD, _FRAME = 0.22, 0.45, 1.2  # inches: a value, what stands above a panel, what stands around all
_WIDTH = 6.6  # inches
_SHORTEST_AXIS = 1.0  # percent
_FOOT = "Lines: 95 % confidence intervals (Wilson); those that rest on few answers may run out of the figure."
_SOURCES = {
    "planted": ("planted answers", "o", "0.15"),
    "labelled": ("labelled answers", "^", "0.3"),
    "labelled_latino": ("labelled answers about Latino authors", "v", "0.55"),
    "judge": ("judged by a model", "s", "0.45"),
    "hand": ("judged by a person", "D", "0.65"),
}


def main(*, instrument_error: Path, groups: dict[str, list[str]], classifier: str, png: Path) -> None:
    """Draw what INSTRUMENT_ERROR says of `classifier`; `groups` gives the order of data sets and groups."""
    errors = read(instrument_error, INSTRUMENT_ERROR)
    style.save(draw_instrument_error(errors[errors["classifier"] == classifier], groups), png)


def draw_instrument_error(errors: pd.DataFrame, groups: Mapping[str, Sequence[str]]) -> Figure:
    """Return error rates of one classifier with their intervals, a panel for each attribute, a mark for each source."""
    rows = errors[errors["expected"] == "all"]
    panels = [("all", "all", "Errors of the classifier over all")]
    panels += [("all", name, f"by {name}") for name in ("race", "gender", "name form")]
    panels += [(dataset, "group", f"by group in {dataset}") for dataset in groups]
    parts = [rows[(rows["dataset"] == dataset) & (rows["attribute"] == attribute)] for dataset, attribute, _ in panels]
    values = [_order(part["value"], groups.get(dataset, ())) for part, (dataset, *_) in zip(parts, panels, strict=True)]
    heights = [max(1, len(names)) * _ROW for names in values]
    with style.house_style():
        figure = style.new_figure(_WIDTH, sum(heights) + _HEAD * len(panels) + _FRAME)
        grid = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=heights)[:, 0]
        for axes, part, names, (_, _, title) in zip(grid, parts, values, panels, strict=True):
            axes.set_title(drawable(title))
            _draw_panel(axes, part, names, list(rows["source"].unique()))
        grid[-1].set_xlim(0, _upper_end(rows))
        grid[-1].set_xlabel("answers that the classifier decides wrongly, %")
        style.title(figure, "Does the instrument favour a group?")
        _add_legend(figure, rows)
        style.foot(figure, [_FOOT])
    return figure


def _draw_panel(axes: Axes, part: pd.DataFrame, names: Sequence[str], sources: Sequence[str]) -> None:
    for i, source in enumerate(sources):
        own = part[part["source"] == source].set_index("value").reindex(list(names))
        rate, low, high = (100 * own[name].to_numpy(float) for name in ("error_rate", "ci_low", "ci_high"))
        place = np.arange(len(names)) + (i - (len(sources) - 1) / 2) * 0.22
        _, mark, colour = _SOURCES[source]
        drawn = axes.errorbar(
            rate, place, xerr=[np.maximum(0, rate - low), np.maximum(0, high - rate)],
            fmt=mark, markersize=4, color=colour, elinewidth=0.9, capsize=2, zorder=3,
        )  # fmt: skip
        drawn[0].set_clip_on(False)  # a mark at no errors is a whole one
    axes.set_yticks(range(len(names)), [drawable(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _order(values: pd.Series, first: Sequence[str]) -> list[str]:
    """Return the values there are, those of `first` before the others, which follow the alphabet."""
    there = set(values)
    return [name for name in first if name in there] + sorted(there - set(first))


def _upper_end(rows: pd.DataFrame) -> float:
    """Return where the axis ends, in percent: room for every mark, and for intervals that rest on enough answers."""
    shown = [rows["error_rate"].max(), rows.loc[rows["note"].isna(), "ci_high"].max()]
    return max(_SHORTEST_AXIS, 108 * float(np.nanmax(shown)))


def _add_legend(figure: Figure, rows: pd.DataFrame) -> None:
    keys = []
    for source in rows["source"].unique():
        label, mark, colour = _SOURCES[source]
        whole = rows[(rows["source"] == source) & (rows["attribute"] == "all")]["n"].sum()
        keys.append(
            Line2D([], [], marker=mark, color=colour, markersize=4, linestyle="none", label=f"{label} (n = {whole:,})")
        )
    figure.legend(handles=keys, loc="outside upper right", frameon=False, fontsize=style.SMALL)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
