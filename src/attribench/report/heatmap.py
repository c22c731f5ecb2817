"""A heatmap of shares in percent, coloured by how far each is from the model's mean."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

from attribench.report import style
from attribench.report.labels import FEW_QUOTES
from attribench.report.lettering import drawable, wrap
from attribench.tables.analysis import BETTER

# A scale that ends at fewer percentage points would make chance look like a pattern.
_SMALLEST_LIMIT = 5.0

LABEL_WIDTH = 11  # letters that fit above a cell


@dataclass(frozen=True)
class Cells:
    """What a heatmap shows: frames of one shape, with the row and column labels as axes."""

    percent: pd.DataFrame
    """Means in percent; missing where there is none."""
    gain: pd.DataFrame
    """Percentage points by which a mean is better than the model's, negative if it is worse."""
    is_best: pd.DataFrame
    is_star: pd.DataFrame
    is_few: pd.DataFrame
    """Whether a mean rests on few quotes, or there is none."""

    @property
    def has_data(self) -> bool:
        """Whether there is any mean to show."""
        return bool(self.percent.notna().to_numpy().any())


def with_gain(subgroups: pd.DataFrame) -> pd.DataFrame:
    """Return the table SUBGROUPS with a column `gain`: percentage points better than the model's mean."""
    gain = 100 * subgroups["metric"].map(BETTER) * (subgroups["mean"] - subgroups["model_mean"])
    return subgroups.assign(gain=gain)


def make_cells(rows: pd.DataFrame, index: str, columns: str, order: tuple[Sequence[str], Sequence[str]]) -> Cells:
    """Return the cells of a heatmap from the rows of a table, one row for each cell at most.

    Args:
        rows: columns `n_quotes`, `mean`, `gain`, `is_best`, `is_star`, and the two that are named next.
        index: the column that tells the heatmap's rows apart.
        columns: the column that tells the heatmap's columns apart.
        order: the labels of rows and columns, in order; those without data become empty cells.
    """

    def grid(name: str) -> pd.DataFrame:
        wide = rows.pivot(index=index, columns=columns, values=name)
        return wide.reindex(index=list(order[0]), columns=list(order[1]))

    def flags(name: str) -> pd.DataFrame:
        return grid(name).astype("boolean").fillna(value=False).astype(bool)

    return Cells(
        percent=100 * grid("mean").astype(float),
        gain=grid("gain").astype(float),
        is_best=flags("is_best"),
        is_star=flags("is_star"),
        is_few=~(grid("n_quotes").astype(float) >= FEW_QUOTES),
    )


def colour_limit(panels: Iterable[Cells]) -> float:
    """Return the percentage points at both ends of a scale that all `panels` share."""
    largest = [float(np.nanmax(np.abs(c.gain.to_numpy()))) for c in panels if c.gain.notna().to_numpy().any()]
    return max([_SMALLEST_LIMIT, *largest])


def draw_cells(axes: Axes, cells: Cells, limit: float, *, name_rows: bool = True) -> None:
    """Draw a heatmap on `axes`: percent in each cell, bold for best, * for a star.

    The colour goes from red (worse than the model's mean by `limit`) to blue (better). Cells
    that rest on few quotes are hatched, those without any are hatched and empty.
    """
    norm, colours = Normalize(-limit, limit), mpl.colormaps[style.DIVERGING]
    gain = cells.gain.to_numpy()
    n_rows, n_columns = gain.shape
    _hatch(axes)
    axes.pcolormesh(np.ma.masked_invalid(gain), cmap=colours, norm=norm, edgecolors="white", linewidth=1.0)
    fills = colours(norm(np.nan_to_num(gain)))
    percent, is_best, is_star = (frame.to_numpy() for frame in (cells.percent, cells.is_best, cells.is_star))
    is_few = cells.is_few.to_numpy()
    for cell in zip(*np.nonzero(~np.isnan(percent)), strict=True):
        if is_few[cell]:
            axes.add_patch(Rectangle((cell[1] + 0.02, cell[0] + 0.04), 0.96, 0.92, **style.FEW))
        axes.text(
            cell[1] + 0.5,
            cell[0] + 0.5,
            f"{percent[cell]:.1f}{'*' if is_star[cell] else ''}",
            ha="center",
            va="center",
            color=_legible_on(fills[cell]),
            fontweight="bold" if is_best[cell] else "normal",
            path_effects=[withStroke(linewidth=2.5, foreground=fills[cell])] if is_few[cell] else None,
        )
    axes.set(xlim=(0, n_columns), ylim=(n_rows, 0))
    axes.set_xticks(np.arange(n_columns) + 0.5, [wrap(str(c), LABEL_WIDTH) for c in cells.percent.columns])
    names = [drawable(str(name)) for name in cells.percent.index] if name_rows else [""] * n_rows
    axes.set_yticks(np.arange(n_rows) + 0.5, names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def draw_nothing(axes: Axes, reason: str) -> None:
    """Leave a panel empty and say on it why."""
    _hatch(axes)
    axes.set(xticks=[], yticks=[], xlim=(0, 1), ylim=(0, 1))
    axes.spines[:].set_visible(False)
    box: Any = {"facecolor": "white", "edgecolor": "none", "pad": 3}
    axes.text(0.5, 0.5, wrap(reason, 30), ha="center", va="center", color=style.PALE, bbox=box)


def add_colour_bar(figure: Figure, axes: Iterable[Axes], limit: float) -> None:
    """Add the scale that all panels share, at the foot of the figure."""
    scale = ScalarMappable(Normalize(-limit, limit), mpl.colormaps[style.DIVERGING])
    bar = figure.colorbar(scale, ax=list(axes), location="bottom", shrink=0.5, aspect=40, pad=0.03)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=style.SMALL, length=2)
    bar.set_label("worse  ←  percentage points from the model's mean  →  better", fontsize=style.SMALL)


def _hatch(axes: Axes) -> None:
    axes.add_patch(Rectangle((0, 0), 1, 1, transform=axes.transAxes, zorder=0, **style.NO_DATA))


def _legible_on(colour: Sequence[float]) -> str:
    """Return black or white, whichever stands out more from `colour` (contrast ratio of WCAG 2)."""
    rgb = np.asarray(colour[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ [0.2126, 0.7152, 0.0722])
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"
