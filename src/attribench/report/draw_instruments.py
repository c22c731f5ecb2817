"""Step: suppression by each way of telling whom an answer names, so that a reader sees how much that matters."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from attribench.report import labels, style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable
from attribench.step import run
from attribench.tables import read
from attribench.tables.analysis import INSTRUMENTS

_BAR, _GAP, _PANEL = 0.2, 0.16, 3.4  # inches: a bar, between models, the width of a panel
_NAMES = {"names": "names and roles", "strict": "the paper's words", "published": "the published code"}
_METRICS = {"s_omit": "omission suppression, %", "s_evid": "evidence-conditioned suppression, %"}
_ALL = "all"  # in the table, all groups together
_GROUPS = "Circles: single groups."


def main(*, instruments: Path, datasets: list[str], models: list[str], png: Path) -> None:
    """Draw the table `instruments`; data sets and models give the order."""
    style.save(draw_instruments(read(instruments, INSTRUMENTS), datasets, models), png)


def draw_instruments(instruments: pd.DataFrame, datasets: Sequence[str], models: Sequence[str]) -> Figure:
    """Return bars of both kinds of suppression, one for each model and classifier, a column for each data set."""
    step = len(_NAMES) * _BAR + _GAP
    width = _PANEL * len(datasets) + 0.08 * max(map(len, models))
    with style.house_style():
        figure = style.new_figure(width, max(len(_METRICS) * (len(models) * step + 1.0) + 0.7, 1.9))
        grid = figure.subplots(len(_METRICS), len(datasets), squeeze=False)
        for (metric, title), row in zip(_METRICS.items(), grid, strict=True):
            for axes, dataset in zip(row, datasets, strict=True):
                own = instruments[(instruments["metric"] == metric) & (instruments["dataset"] == dataset)]
                style.head(axes, dataset, labels.sizes(own.loc[own["group"] == _ALL, "n_quotes"], "bar"), _PANEL)
                if own["mean"].isna().all():
                    condition = f"the indirect prompt {'with' if metric == 's_evid' else 'without'} evidence"
                    draw_nothing(axes, f"{labels.NOT_ASKED if own.empty else labels.NOT_SCORED}: {condition}")
                    continue
                _draw_bars(axes, own, models)
                axes.set_xlabel(title)
                axes.set_yticks(np.arange(len(models)) * step + (len(_NAMES) - 1) * _BAR / 2)
                axes.set_yticklabels([drawable(model) for model in models] if axes is row[0] else [])
                axes.set_ylim(len(models) * step - _GAP, -_BAR)
        style.title(figure, "Suppression by the instrument that tells whom an answer names")
        keys: list[Artist] = [
            Patch(color=grey, label=name) for grey, name in zip(style.GREYS, _NAMES.values(), strict=False)
        ]
        keys.append(
            Line2D([], [], marker="o", linestyle="", markersize=3.5, mfc="white", mec=style.INK, label="a group")
        )
        figure.legend(handles=keys, loc="outside upper right", ncols=2, frameon=False, fontsize=style.SMALL)
        style.foot(figure, [labels.INTERVAL, _GROUPS])
    return figure


def _draw_bars(axes: Axes, rows: pd.DataFrame, models: Sequence[str]) -> None:
    step = len(_NAMES) * _BAR + _GAP
    for i, classifier in enumerate(_NAMES):
        own = rows[rows["classifier"] == classifier]
        whole = own[own["group"] == _ALL].set_index("model").reindex(list(models))
        mean, low, high = (100 * whole[name].to_numpy("float64") for name in ("mean", "ci_low", "ci_high"))
        place = np.arange(len(models)) * step + i * _BAR
        axes.barh(place, np.nan_to_num(mean), height=_BAR * 0.9, color=style.GREYS[i])
        known = ~np.isnan(low)
        axes.errorbar(
            mean[known], place[known], xerr=[(mean - low)[known], (high - mean)[known]],
            fmt="none", ecolor="black", elinewidth=0.8, capsize=2,
        )  # fmt: skip
        groups = own[(own["group"] != _ALL) & own["mean"].notna() & own["model"].isin(list(models))]
        axes.plot(
            100 * groups["mean"].to_numpy("float64"),
            [place[list(models).index(model)] for model in groups["model"]],
            linestyle="", marker="o", markersize=3.5, markerfacecolor="white", markeredgecolor=style.INK,
        )  # fmt: skip
        for y, value, end in zip(place, mean, np.fmax(mean, high), strict=True):
            text = labels.NOT_SCORED if np.isnan(value) else f"{value:.1f}"
            axes.annotate(
                text, (0 if np.isnan(value) else end, y), xytext=(8, 0), textcoords="offset points",
                va="center", fontsize=style.SMALL,
            )  # fmt: skip
    axes.set_xlim(0, 118)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
