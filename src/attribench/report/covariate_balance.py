"""How alike the groups' quotes are, before and after matching: standardised mean differences (a love plot)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attribench.report import labels, style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable

LINE = 0.1
"""Standardised mean differences below it are commonly taken as balanced (Austin 2009)."""

_ROW, _FRAME, _PANEL = 0.22, 1.7, 3.0  # inches
_NAME = 40  # letters of a covariate's name that are shown
_LOOKS = {
    "before": {"marker": "o", "s": 40, "facecolors": "white", "edgecolors": style.COLOURS[1]},
    "after": {"marker": "o", "s": 16, "color": style.COLOURS[0]},
}
_SIGNS = (
    "A point is the largest difference of a covariate's means between any two groups, in pooled standard deviations.",
    "Hollow: all candidates, before matching. Filled: the data set, after it.",
    f"Dashed: {LINE}, below which groups are commonly taken as alike.",
)


def draw_covariate_balance(covariates: pd.DataFrame, datasets: Sequence[str]) -> Figure:
    """Return the largest standardised mean difference of each covariate, a panel for each data set.

    Args:
        covariates: the table COVARIATES.
        datasets: the data sets, in order.
    """
    rows = covariates.drop_duplicates(["dataset", "matching", "covariate", "level"])
    rows = rows.assign(name=[_name(c, level) for c, level in zip(rows["covariate"], rows["level"], strict=True)])
    is_known = rows.groupby("name", sort=False)["largest_smd"].any()
    names = is_known.index[is_known].tolist()
    known = set(rows.loc[rows["name"].isin(names), "covariate"])
    unknown = [_called(name) for name in dict.fromkeys(rows["covariate"]) if name not in known]
    longest = float(rows["largest_smd"].max()) if rows["largest_smd"].notna().any() else 0.0
    width = _PANEL * len(datasets) + 0.075 * max(map(len, names), default=0)
    with style.house_style():
        figure = style.new_figure(max(width, 5.5), max(1, len(names)) * _ROW + _FRAME)
        panels = figure.subplots(1, len(datasets), squeeze=False)[0]
        for axes, dataset in zip(panels, datasets, strict=True):
            own = rows[rows["dataset"] == dataset]
            of_dataset = covariates[covariates["dataset"] == dataset]
            style.head(axes, dataset, _subtitle(of_dataset), _PANEL)
            if not own["largest_smd"].notna().any():
                draw_nothing(axes, "no covariate is known")
                continue
            _draw_points(axes, own, names)
            axes.set_xlim(-0.02 * max(longest, 0.2), 1.08 * max(longest, 0.2))
            axes.set_yticks(range(len(names)), [drawable(n) for n in names] if axes is panels[0] else [""] * len(names))
            axes.set_ylim(len(names) - 0.5, -0.5)
        style.title(figure, "Do the groups' quotes differ in more than their authors?")
        lacking = [f"Not shown, for want of values that differ: {', '.join(unknown)}."] if unknown else []
        style.foot(figure, [*_SIGNS, *lacking])
    return figure


def _draw_points(axes: Axes, rows: pd.DataFrame, names: Sequence[str]) -> None:
    axes.axvline(LINE, color=style.INK, linewidth=0.8, linestyle="--")
    for matching, look in _LOOKS.items():
        own = rows[rows["matching"] == matching].set_index("name")["largest_smd"].reindex(list(names))
        axes.scatter(own, np.arange(len(names)), linewidths=1.1, zorder=3, **look)  # type: ignore[arg-type]
    axes.set_xlabel("largest standardised mean difference")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="both", color="0.92", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _subtitle(rows: pd.DataFrame) -> str:
    """Return how many quotes the data set and its candidates have, by the covariate that is known for most."""
    totals = rows.assign(n=rows["n_quotes"] + rows["n_unknown"]).groupby(["matching", "covariate", "level"])["n"].sum()
    sizes = totals.groupby("matching").max()
    parts = [f"{sizes[key]:,} {what}" for key, what in (("before", "before"), ("after", "after")) if key in sizes]
    return f"n = {', '.join(parts)} matching (quotes)" if parts else ""


def _called(covariate: str) -> str:
    return labels.COVARIATES.get(covariate, covariate)


def _name(covariate: str, level: object) -> str:
    called = _called(covariate)
    text = f"{called} {level}" if isinstance(level, str) and level else called
    return text if len(text) <= _NAME else f"{text[: _NAME - 1]}…"
