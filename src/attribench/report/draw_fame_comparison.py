"""Step: the fame of authors by two sources, one against the other, in each group of a data set."""

import math
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.lettering import drawable
from attribench.step import run
from attribench.tables import read
from attribench.tables.fame import FAME_COMPARISON, FAME_PAIRS

_PANEL = 2.3  # inches
_COLUMNS = 3


def main(*, pairs: Path, comparison: Path, png: Path, pdf: Path) -> None:
    """Draw the authors of `pairs` (FAME_PAIRS), with the correlations of `comparison` (FAME_COMPARISON)."""
    style.save(draw_fame_comparison(read(pairs, FAME_PAIRS), read(comparison, FAME_COMPARISON)), png, pdf)


def draw_fame_comparison(pairs: pd.DataFrame, comparison: pd.DataFrame) -> Figure:
    """Return a scatter plot for all authors and one for each group, on the same axes.

    Every panel shows all authors in pale grey behind its own.
    """
    one, other = comparison["one"].iloc[0], comparison["other"].iloc[0]
    columns = min(_COLUMNS, len(comparison))
    rows = math.ceil(len(comparison) / columns)
    with style.house_style():
        figure = style.new_figure(_PANEL * columns + 0.5, _PANEL * rows + 1.1)
        grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        for axes, (_, row) in zip(grid.flat, comparison.iterrows(), strict=False):
            own = pairs if row["group"] == comparison["group"].iloc[0] else pairs[pairs["group"] == row["group"]]
            _draw_panel(axes, pairs, own, row)
        for axes in grid.flat[len(comparison) :]:
            axes.set_axis_off()
        for axes in grid.flat[max(0, len(comparison) - columns) : len(comparison)]:  # the lowest of each column
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(drawable(f"log10 of counts, {one}"))
        figure.supylabel(drawable(f"log10 of counts, {other}"), fontsize=style.FONT_SIZE)
        style.title(figure, f"Fame of the same authors by two sources, {one} and {other}")
        style.foot(
            figure,
            [
                "ρ: Spearman's rank correlation, with its 95 % confidence interval.",
                "Pale: all authors that both sources know. n: those of the panel.",
                *(f"No ρ: {note}." for note in comparison["note"].replace("", None).dropna().unique()),
            ],
        )
    return figure


def _draw_panel(axes: Axes, everybody: pd.DataFrame, own: pd.DataFrame, row: pd.Series) -> None:
    style.head(axes, str(row["group"]), _subtitle(row), _PANEL)
    dots: dict[str, Any] = {"linewidths": 0.0, "rasterized": True}
    axes.scatter(everybody["one"], everybody["other"], s=3, color="0.85", **dots)
    axes.scatter(own["one"], own["other"], s=4, color=style.INK, alpha=0.5, **dots)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _subtitle(row: pd.Series) -> str:
    n = f"n = {row['n_both']:,}"
    if pd.isna(row["rank_correlation"]):
        return f"{n}, no ρ"
    if pd.isna(row["ci_low"]):
        return f"{n}, ρ = {row['rank_correlation']:.2f}"
    return f"{n}, ρ = {row['rank_correlation']:.2f} ({row['ci_low']:.2f} to {row['ci_high']:.2f})"


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
