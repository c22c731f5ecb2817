"""Race and gender of the corpus's authors (Berman et al. 2026, Figure 9)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable

_ATTRIBUTES = ("race", "gender")
_ROW = 0.26  # inches
_PANEL = 3.2  # inches
_FRAME = 1.35  # inches above and below the bars
_AXIS_END = 180  # percent, with room for the text beside the longest bar
_PAPER = "The paper: Berman et al. 2026, Appendix A.2, which gives the shares of these two labels."


def draw_demographics(labels: pd.DataFrame, paper: pd.DataFrame) -> Figure:
    """Return bars of the share of authors with each race and each gender, commonest first.

    Shares are of the authors with that label; how many lack it is said above the bars.

    Args:
        labels: the table LABELS.
        paper: the table PAPER_CORPUS_LABELS, whose figures stand beside ours.
    """
    beside = {name: dict(part[["label", "percent"]].to_numpy()) for name, part in paper.groupby("attribute")}
    counts = {name: labels[name].value_counts().sort_index().sort_values(ascending=False, kind="stable")
              for name in _ATTRIBUTES}  # fmt: skip
    height = max(1, *map(len, counts.values())) * _ROW + _FRAME
    has_paper = any(key in counts[name].index for name in counts for key in beside.get(name, {}))
    with style.house_style():
        figure = style.new_figure(_PANEL * len(_ATTRIBUTES), height)
        for axes, (name, count) in zip(figure.subplots(1, len(_ATTRIBUTES)), counts.items(), strict=True):
            missing = len(labels) - int(count.sum())
            subtitle = f"n = {int(count.sum()):,} authors; {missing:,} without {name} on record"
            style.head(axes, name, subtitle, _PANEL)
            if count.empty:
                draw_nothing(axes, f"no author has a {name} on record")
            else:
                _draw_bars(axes, count, beside.get(name, {}))
        style.title(figure, "Race and gender of the corpus's authors")
        style.foot(figure, [_PAPER] if has_paper else [])
    return figure


def _draw_bars(axes: Axes, count: pd.Series, paper: Mapping[str, float]) -> None:
    percent = 100 * count / count.sum()
    places = np.arange(len(count))
    axes.barh(places, percent, height=0.7, color=style.GREYS[0])
    for place, (label, share) in enumerate(percent.items()):
        beside = f"; the paper: {paper[str(label)]:.0f} %" if label in paper else ""
        axes.annotate(
            f"{share:.1f} % ({count.iloc[place]:,}){beside}", (float(share), place), xytext=(4, 0),
            textcoords="offset points", va="center", fontsize=style.SMALL,
        )  # fmt: skip
    axes.set_yticks(places, [drawable(str(label)) for label in count.index])
    axes.set(ylim=(len(count) - 0.5, -0.5), xlim=(0, _AXIS_END))
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_xlabel("% of authors")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
