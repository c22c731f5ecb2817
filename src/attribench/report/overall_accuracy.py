"""Accuracy of each model and prompt, with intervals (Berman et al. 2026, Figures 4 and 11)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from attribench.report import labels, style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable

_BAR = 0.2  # inches
_GAP = 0.16  # inches between models
_PANEL = 3.4  # inches
_SHORTEST_AXIS = 5.0  # percent


def draw_overall_accuracy(
    overall: pd.DataFrame,
    datasets: Sequence[str],
    models: Sequence[str],
    prompts: Sequence[str],
    *,
    evidence: bool = False,
    unanswered: str = "exclude",
) -> Figure:
    """Return bars of accuracy, one for each model and prompt, a panel for each data set.

    Args:
        overall: the table OVERALL.
        datasets: the data sets, in order, as models and prompts are.
        models: slugs of the models.
        prompts: the prompts.
        evidence: whether the bars are about the prompts with evidence.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    wanted = (overall["metric"] == "accuracy") & (overall["evidence"] == evidence)
    rows = overall[wanted & overall["prompt"].isin(prompts)]
    names = labels.model_names(rows, list(models))
    height = len(models) * (len(prompts) * _BAR + _GAP) + 1.3
    width = _PANEL * len(datasets) + 0.08 * max(map(len, names.values()))
    with style.house_style():
        figure = style.new_figure(width, max(height, 1.9))
        panels = figure.subplots(1, len(datasets), squeeze=False)[0]
        for axes, dataset in zip(panels, datasets, strict=True):
            part = rows[rows["dataset"] == dataset]
            style.head(axes, dataset, labels.sizes(part["n_quotes"], "bar"), _PANEL)
            if part["mean"].isna().all():
                why = labels.NOT_ASKED if part.empty else labels.NOT_SCORED
                draw_nothing(axes, f"{why}: {', '.join(prompts)} {'with' if evidence else 'without'} evidence")
                continue
            _draw_bars(axes, part, models, prompts)
            axes.set_xlim(0, _upper_end(rows))
            axes.set_xlabel("accuracy, % correct")
            _name_models(axes, [names[m] for m in models], len(prompts), shown=axes is panels[0])
        style.title(figure, f"Attribution accuracy {'with' if evidence else 'without'} evidence")
        _add_legend(figure, prompts)
        style.foot(figure, [labels.INTERVAL, *labels.subset(rows), *labels.about_answers(rows, unanswered)])
    return figure


def _draw_bars(axes: Axes, rows: pd.DataFrame, models: Sequence[str], prompts: Sequence[str]) -> None:
    step = len(prompts) * _BAR + _GAP
    for i, prompt in enumerate(prompts):
        own = rows[rows["prompt"] == prompt].set_index("model").reindex(list(models))
        percent = 100 * own[["mean", "ci_low", "ci_high"]].astype(float)
        place = np.arange(len(models)) * step + i * _BAR
        mean = percent["mean"].to_numpy()
        axes.barh(place, np.nan_to_num(mean), height=_BAR * 0.9, color=style.GREYS[i % len(style.GREYS)])
        low, high = percent["ci_low"].to_numpy(), percent["ci_high"].to_numpy()
        known = ~np.isnan(low)
        axes.errorbar(
            mean[known], place[known], xerr=[(mean - low)[known], (high - mean)[known]],
            fmt="none", ecolor="black", elinewidth=0.8, capsize=2,
        )  # fmt: skip
        for y, value, end in zip(place, mean, np.fmax(mean, high), strict=True):
            text = labels.NOT_SCORED if np.isnan(value) else f"{value:.1f}"
            axes.annotate(
                text, (0 if np.isnan(value) else end, y), xytext=(4, 0), textcoords="offset points",
                va="center", fontsize=style.SMALL,
            )  # fmt: skip


def _name_models(axes: Axes, names: Sequence[str], n_prompts: int, *, shown: bool) -> None:
    step = n_prompts * _BAR + _GAP
    middle = (n_prompts - 1) * _BAR / 2
    axes.set_yticks(np.arange(len(names)) * step + middle)
    axes.set_yticklabels([drawable(name) for name in names] if shown else [])
    axes.set_ylim(len(names) * step - _GAP, -_BAR)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _add_legend(figure: Figure, prompts: Sequence[str]) -> None:
    keys = [Patch(color=style.GREYS[i % len(style.GREYS)], label=drawable(p)) for i, p in enumerate(prompts)]
    figure.legend(handles=keys, loc="outside upper right", ncols=len(keys), frameon=False, fontsize=style.SMALL)


def _upper_end(rows: pd.DataFrame) -> float:
    """Return where the axis ends, in percent: room for the longest bar and its number."""
    return max(_SHORTEST_AXIS, 100 * float(rows[["mean", "ci_high"]].max().max()) * 1.18)
