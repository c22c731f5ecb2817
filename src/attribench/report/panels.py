"""A figure of heatmaps that share one scale: its size, titles, scale and footnote."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from attribench.report import labels, style
from attribench.report.heatmap import LABEL_WIDTH, Cells, add_colour_bar, colour_limit, draw_cells, draw_nothing
from attribench.report.lettering import drawable, wrap

# Sizes in inches: of a letter, a further line of names, the space between panels, what stands above and
# below each row of panels, and what stands above and below all of them.
_LETTER, _LINE, _GAP, _HEAD, _FRAME = 0.075, 0.15, 0.3, 0.75, 1.1


@dataclass(frozen=True)
class Panel:
    """One heatmap with what stands above it, and what stands in its place if it has no data."""

    cells: Cells
    title: str
    subtitle: str
    if_empty: str


def draw_panels(rows: Sequence[Sequence[Panel]], title: str, *, about_answers: Sequence[str] = ()) -> Figure:
    """Return a figure of heatmaps with colours that mean the same in all of them.

    Args:
        rows: the panels of each row of the figure, from the top; every row has as many, and
            panels in a row have the same labels of rows, which are written once.
        title: what the figure shows.
        about_answers: sentences about †, and about the answers that are lacking.
    """
    panels = [panel for row in rows for panel in row]
    limit = colour_limit(panel.cells for panel in panels)
    with style.house_style():
        figure = style.new_figure(*_size(rows))
        grid = figure.subplots(
            len(rows),
            len(rows[0]),
            squeeze=False,
            width_ratios=[_width(panel.cells) for panel in rows[0]],
            height_ratios=[len(row[0].cells.percent) for row in rows],
        )
        for row, row_axes in zip(rows, grid, strict=True):
            is_named = False
            for panel, axes in zip(row, row_axes, strict=True):
                style.head(axes, panel.title, panel.subtitle, _width(panel.cells))
                if not panel.cells.has_data:
                    draw_nothing(axes, panel.if_empty)
                    continue
                draw_cells(axes, panel.cells, limit, name_rows=not is_named)
                is_named = True
        style.title(figure, title)
        if any(panel.cells.has_data for panel in panels):
            add_colour_bar(figure, grid.flat, limit)
        style.foot(figure, [*_footnote(panels), *about_answers])
    return figure


def _footnote(panels: Sequence[Panel]) -> list[str]:
    """Return what each sign means that occurs in `panels`."""
    shown = [panel.cells for panel in panels if panel.cells.has_data]
    has_star = any(cells.is_star.to_numpy().any() for cells in shown)
    occurs = {
        labels.BEST: any(cells.is_best.to_numpy().any() for cells in shown),
        labels.STAR: has_star,
        labels.NO_STAR: bool(shown) and not has_star,
        labels.FEW: any(cells.is_few.to_numpy().any() for cells in shown),
    }
    return [text for text, is_needed in occurs.items() if is_needed]


def _size(rows: Sequence[Sequence[Panel]]) -> tuple[float, float]:
    """Return width and height in inches."""
    longest = max(len(drawable(str(name))) for row in rows for name in row[0].cells.percent.index)
    width = _LETTER * longest + sum(_width(panel.cells) + _GAP for panel in rows[0])
    return max(width, 5.5), sum(_height(row) for row in rows) + _FRAME


def _width(cells: Cells) -> float:
    return style.CELL_WIDTH * max(2, cells.percent.shape[1])


def _height(row: Sequence[Panel]) -> float:
    names = [wrap(str(name), LABEL_WIDTH) for panel in row for name in panel.cells.percent.columns]
    return _HEAD + style.CELL_HEIGHT * len(row[0].cells.percent) + _LINE * max(name.count("\n") for name in names)
