"""How every figure looks: fonts, sizes, palettes, and how it is saved.

Figures are drawn on Agg, without a display, and without the state of pyplot. The same table
gives the same bytes: nothing of the day or the machine goes into a file.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from attribench.report.lettering import drawable, fonts, wrap

mpl.use("Agg")

# It logs every table of every font that it puts into a PDF.
logging.getLogger("fontTools").setLevel(logging.WARNING)

DPI = 200
FONT_SIZE = 9.0
SMALL = 7.5
TITLE = 10.5
CELL_WIDTH, CELL_HEIGHT = 0.82, 0.36  # inches
INK, PALE = "0.15", "0.45"

# Letters that fit into an inch, about.
_TITLE_PER_INCH, _BOLD_PER_INCH, _SMALL_PER_INCH = 12, 15, 18

DIVERGING = "RdBu"
"""Red to blue by way of white: told apart with any kind of colour vision. Blue is better."""

NO_DATA: dict[str, Any] = {"facecolor": "0.94", "edgecolor": "0.75", "hatch": "////", "linewidth": 0.0}
FEW: dict[str, Any] = {"fill": False, "hatch": "//", "hatchcolor": "0.6", "linewidth": 0.0}
GREYS = ("0.42", "0.75", "0.58", "0.88")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, told apart with any kind of colour vision."""

DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p")


@contextmanager
def house_style() -> Iterator[None]:
    """Draw and save with the fonts and line widths of the house, whatever the user's defaults."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "font.family": list(fonts()),
                "font.size": FONT_SIZE,
                "text.color": INK,
                "text.parse_math": False,
                "axes.labelcolor": INK,
                "axes.edgecolor": PALE,
                "axes.linewidth": 0.6,
                "axes.titlesize": FONT_SIZE,
                "axes.titleweight": "bold",
                "axes.titlelocation": "left",
                "xtick.color": INK,
                "ytick.color": INK,
                "hatch.color": "0.8",
                "hatch.linewidth": 0.6,
                "pdf.fonttype": 42,
            }
        )
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of `width` × `height` inches that makes room for its labels."""
    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(h_pad=0.07, w_pad=0.05))
    FigureCanvasAgg(figure)
    return figure


def head(axes: Axes, title: str, subtitle: str, width: float) -> None:
    """Write a panel's title and, in small letters below it, what it rests on; `width` is in inches."""
    axes.set_title(wrap(title, int(width * _BOLD_PER_INCH)), pad=14)
    axes.annotate(
        drawable(subtitle), (0, 1), xytext=(0, 3), xycoords="axes fraction", textcoords="offset points",
        fontsize=SMALL, color=PALE, va="bottom",
    )  # fmt: skip


def title(figure: Figure, text: str) -> None:
    """Write above all panels what a figure shows."""
    width = int(figure.get_figwidth() * _TITLE_PER_INCH)
    figure.suptitle(wrap(text, width), x=0.01, ha="left", fontsize=TITLE)


def foot(figure: Figure, sentences: Iterable[str]) -> None:
    """Write small letters at the bottom of a figure: what its signs mean."""
    width = int(figure.get_figwidth() * _SMALL_PER_INCH)
    figure.supxlabel(wrap("  ".join(sentences), width), x=0.01, ha="left", fontsize=SMALL, color=PALE)


def save(figure: Figure, png: Path, pdf: Path | None = None) -> None:
    """Write `figure` as PNG with 200 dots per inch, and as PDF (beside it unless told), cut to what is drawn."""
    kinds: dict[Path, dict[str, Any]] = {
        png: {"format": "png", "dpi": DPI, "metadata": {"Software": None}},
        pdf or png.with_suffix(".pdf"): {
            "format": "pdf",
            "metadata": {"Creator": "AttriBench", "Producer": None, "CreationDate": None},
        },
    }
    with house_style():
        for path, options in kinds.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, bbox_inches="tight", pad_inches=0.1, facecolor="white", **options)
            figure.set_layout_engine("none")  # both files show the same places, worked out once
