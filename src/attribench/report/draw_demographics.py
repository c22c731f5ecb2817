"""Step: race and gender of the corpus's authors (Berman et al. 2026, Figure 9)."""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable
from attribench.report.paper_figures import FIGURE_9
from attribench.step import run
from attribench.tables import read
from attribench.tables.demographics import LABELS

_ATTRIBUTES = ("race", "gender")
_ROW = 0.26  # inches
_PANEL = 3.2  # inches
_FRAME = 1.35  # inches above and below the bars
_AXIS_END = 180  # percent, with room for the text beside the longest bar
_PAPER = "The paper: Berman et al. 2026, Appendix A.2, which gives the shares of these two labels."


def main(*, labels: Path, png: Path, pdf: Path) -> None:
    """Draw Figure 9 from the table `labels`."""
    style.save(draw_demographics(read(labels, LABELS)), png, pdf)


def draw_demographics(labels: pd.DataFrame) -> Figure:
    """Return bars of the share of authors with each race and each gender, commonest first.

    Shares are of the authors with that label; how many lack it is said above the bars.
    """
    counts = {name: labels[name].value_counts().sort_index().sort_values(ascending=False, kind="stable")
              for name in _ATTRIBUTES}  # fmt: skip
    height = max(1, *map(len, counts.values())) * _ROW + _FRAME
    has_paper = any(key in counts[name].index for name, key in FIGURE_9)
    with style.house_style():
        figure = style.new_figure(_PANEL * len(_ATTRIBUTES), height)
        for axes, (name, count) in zip(figure.subplots(1, len(_ATTRIBUTES)), counts.items(), strict=True):
            missing = len(labels) - int(count.sum())
            subtitle = f"n = {int(count.sum()):,} authors; {missing:,} without {name} on record"
            style.head(axes, name, subtitle, _PANEL)
            if count.empty:
                draw_nothing(axes, f"no author has a {name} on record")
            else:
                _draw_bars(axes, count, {key: share for (of, key), share in FIGURE_9.items() if of == name})
        style.title(figure, "Race and gender of the corpus's authors")
        style.foot(figure, [_PAPER] if has_paper else [])
    return figure


def _draw_bars(axes: Axes, count: pd.Series, paper: dict[str, int]) -> None:
    percent = 100 * count / count.sum()
    places = np.arange(len(count))
    axes.barh(places, percent, height=0.7, color=style.GREYS[0])
    for place, (label, share) in enumerate(percent.items()):
        beside = f"; the paper: {paper[str(label)]} %" if label in paper else ""
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


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
