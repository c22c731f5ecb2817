"""The gap between the best and the worst group of each model, with its interval."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from attribench.report import labels, style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable

_SHORTEST_AXIS = 1.0  # percentage points
_ROW, _FRAME, _BARS = 0.27, 0.9, 1.6  # inches; behind the bars is room for words
_LETTER, _SHORTEST_WORDS = 0.062, 1.5  # inches
_SIGNS = (
    "Lines: 95 % intervals by bootstrap of authors.",
    "Grey: gaps that 95 % of samples stay below where all groups are alike.",
    "Behind each point: best > worst group.",
)


def draw_disparity(
    disparity: pd.DataFrame, overall: pd.DataFrame, datasets: Sequence[str], models: Sequence[str], prompt: str, *,
    unanswered: str = "exclude",
) -> Figure:  # fmt: skip
    """Return the gaps of each metric (across) and data set (down), one row for each model.

    Args:
        disparity: the table DISPARITY, of which the measure `gap` is drawn.
        overall: the table OVERALL, for sizes, signs beside models and the answers that are lacking.
        datasets: the data sets, in order, as the models are.
        models: slugs of the models.
        prompt: the prompt whose accuracy without evidence is shown.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    gaps, totals = (
        table[table["model"].isin(list(models)) & _is_shown(table, prompt)] for table in (disparity, overall)
    )
    gaps = gaps[gaps["measure"] == "gap"]
    names = labels.model_names(totals, list(models))
    metrics = labels.METRICS | {"accuracy": f"accuracy ({prompt})"}
    longest = max(len(drawable(name)) for name in names.values())
    words = [drawable(labels.gap_words(row)) for row in gaps[gaps["value"].notna()].to_dict("records")]
    panel = _BARS + max(_SHORTEST_WORDS, 0.1 + _LETTER * max(map(len, words), default=0))
    ends = 100 * gaps[["value", "ci_high", "chance"]].astype(float).to_numpy()
    end = float(np.nanmax([_SHORTEST_AXIS, *ends.ravel()]))
    with style.house_style():
        size = (panel * len(metrics) + 0.075 * longest, len(datasets) * (_FRAME + _ROW * len(models)) + 1.0)
        figure = style.new_figure(*size)
        grid = figure.subplots(len(datasets), len(metrics), squeeze=False)
        for place, (row, dataset) in enumerate(zip(grid, datasets, strict=True)):
            for axes, (metric, title) in zip(row, metrics.items(), strict=True):
                own = gaps[(gaps["dataset"] == dataset) & (gaps["metric"] == metric)]
                size_of = totals[(totals["dataset"] == dataset) & (totals["metric"] == metric)]
                style.head(axes, f"{dataset}: {title}", labels.sizes(size_of["n_quotes"], "model"), panel)
                if not own["value"].notna().any():
                    draw_nothing(axes, labels.NOT_ASKED if size_of.empty else "no gap is known")
                    continue
                _draw_gaps(axes, own, models, end, room=panel / _BARS)
                axes.set_yticks(
                    range(len(models)), [drawable(names[m]) for m in models] if axes is row[0] else [""] * len(models)
                )
                if place == len(datasets) - 1:
                    axes.set_xlabel("gap, percentage points")
        style.title(figure, "Disparity: the gap between the best and the worst group")
        style.foot(figure, [*_SIGNS, *labels.subset(totals), *labels.about_answers(totals, unanswered)])
    return figure


def _is_shown(table: pd.DataFrame, prompt: str) -> "pd.Series[bool]":
    is_accuracy = (table["metric"] == "accuracy") & (table["prompt"] == prompt) & ~table["evidence"]
    return is_accuracy | table["metric"].isin(["s_omit", "s_evid"])


def _draw_gaps(axes: Axes, rows: pd.DataFrame, models: Sequence[str], end: float, *, room: float) -> None:
    own = rows.drop_duplicates("model").set_index("model").reindex(list(models))
    percent = 100 * own[["value", "ci_low", "ci_high", "chance"]].astype(float)
    places = np.arange(len(models))
    axes.barh(places, percent["chance"].fillna(0), height=0.75, color="0.9")
    known = percent["ci_low"].notna().to_numpy()
    axes.hlines(places[known], percent["ci_low"][known], percent["ci_high"][known], color=style.COLOURS[0], linewidth=1)
    axes.plot(percent["value"], places, "o", color=style.COLOURS[0], markersize=4)
    for place, (_, row) in zip(places, own.iterrows(), strict=True):
        if pd.isna(row["value"]):
            axes.annotate(
                labels.NOT_SCORED, (0, place), xytext=(4, 0), textcoords="offset points", va="center",
                fontsize=style.SMALL,
            )  # fmt: skip
            continue
        furthest = 100 * np.nanmax([row["value"], row["ci_high"], row["chance"]])
        axes.annotate(
            drawable(labels.gap_words(row.to_dict())), (furthest, place), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize=style.SMALL, color=style.PALE,
        )  # fmt: skip
    axes.set(xlim=(0, room * end), ylim=(len(models) - 0.5, -0.5))
    # The right part is for words: numbers end with the furthest interval, and a gap with 100 points.
    last = min(end, 100.0)
    axes.set_xticks([tick for tick in MaxNLocator(4).tick_values(0, last) if 0 <= tick <= last])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
