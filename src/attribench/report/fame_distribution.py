"""How famous the authors of each group are, after balancing (Berman et al. 2026, Figure 10)."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.heatmap import draw_nothing
from attribench.report.lettering import drawable

_PANEL, _HEIGHT, _LEGEND_ROW = 3.9, 3.5, 0.17  # inches
_MARGIN = 3.0  # bandwidths by which the axis goes beyond the authors
_PLACES = 400  # at which densities are computed
_KERNEL = "Kernel density estimates over authors (Gaussian, Scott's bandwidth)."
_NO_SPREAD = "Upright line: all authors of the group are equally famous."

Numbers = npt.NDArray[np.float64]


def draw_fame_distribution(benchmark: pd.DataFrame, groups: Mapping[str, Sequence[str]], paper: pd.DataFrame) -> Figure:
    """Return curves of the density of fame, one for each group, a panel for each data set.

    Args:
        benchmark: quotes with `dataset`, `group`, `author_id` and `log10_hits`; an author counts once.
        groups: the groups of each data set, in order.
        paper: the table PAPER_TABLE_2, whose figures stand beside ours.
    """
    beside = paper.pivot(index="dataset", columns="criterion", values="value").to_dict("index")
    authors = benchmark.drop_duplicates(["dataset", "author_id"])
    is_flat = bool((authors.groupby(["dataset", "group"])["log10_hits"].nunique() == 1).any())
    with style.house_style():
        height = _HEIGHT + _LEGEND_ROW * max(len(names) for names in groups.values()) / 2
        figure = style.new_figure(_PANEL * len(groups), height)
        panels = figure.subplots(1, len(groups), squeeze=False)[0]
        for axes, (dataset, names) in zip(panels, groups.items(), strict=True):
            own = authors[authors["dataset"] == dataset]
            fames = {name: own.loc[own["group"] == name, "log10_hits"].to_numpy(dtype=float) for name in names}
            style.head(axes, dataset, _subtitle(fames, beside.get(dataset)), _PANEL)
            if own.empty:
                draw_nothing(axes, "no authors")
                continue
            _draw_curves(axes, fames)
            axes.set_xlabel("fame, log10 hits")
            if axes is panels[0]:
                axes.set_ylabel("density")
        style.title(figure, "Fame of the authors in the balanced data sets")
        style.foot(figure, [_KERNEL, *([_NO_SPREAD] if is_flat else [])])
    return figure


def density(values: Numbers, at: Numbers) -> Numbers:
    """Return the Gaussian kernel density of `values` at each of `at`, with Scott's bandwidth."""
    width = bandwidth(values)
    kernels = np.exp(-0.5 * np.square((at[:, np.newaxis] - values) / width))
    total: Numbers = kernels.sum(axis=1) / (len(values) * width * np.sqrt(2 * np.pi))
    return total


def bandwidth(values: Numbers) -> float:
    """Return Scott's bandwidth, n^(-1/5) standard deviations; 0 where it has no meaning."""
    return float(values.std(ddof=1) * len(values) ** -0.2) if len(values) > 1 else 0.0


def _subtitle(fames: Mapping[str, Numbers], paper: Mapping[Hashable, float] | None) -> str:
    sizes = [len(f) for f in fames.values()]
    if not any(sizes):
        return ""
    number = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
    mean = f"mean {np.concatenate(list(fames.values())).mean():.2f}"
    beside = f" (the paper: {paper['authors_per_group']:,.0f}, {paper['mean_log10_hits']:.2f})" if paper else ""
    return f"n = {number} per group, {mean}{beside}"


def _draw_curves(axes: Axes, fames: Mapping[str, Numbers]) -> None:
    everyone = np.concatenate(list(fames.values()))
    margin = _MARGIN * max([0.05, *map(bandwidth, fames.values())])
    at = np.linspace(everyone.min() - margin, everyone.max() + margin, _PLACES)
    for i, (name, values) in enumerate(fames.items()):
        look: dict[str, Any] = {
            "color": style.COLOURS[i % len(style.COLOURS)],
            "linestyle": style.DASHES[i % len(style.DASHES)],
        }
        if bandwidth(values) > 0:
            axes.plot(at, density(values, at), label=drawable(name), **look)
        elif len(values):
            axes.axvline(values[0], label=drawable(name), **look)
    axes.set_xlim(at[0], at[-1])
    axes.set_ylim(bottom=0)
    axes.margins(y=0.2)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.2), ncols=2, frameon=False, fontsize=style.SMALL)
    axes.grid(axis="x", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
