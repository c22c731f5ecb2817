"""A table as it is read: texts in cells, written as Markdown and as LaTeX, and shown on a page."""

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

import pandas as pd

LONG = 45
"""Rows beyond which a LaTeX table may be parted by pages."""

NONE_DETECTABLE = "none detectable"

# A number, an interval, or a number of a total, with the signs that a number can carry, or what stands for one.
_NUMBER = re.compile(rf"-?[\d,.]+(e-?\d+)?\*?( (to|of) -?[\d,.]+)?|–|{NONE_DETECTABLE}")
_MARKDOWN = re.compile(r"([\\`*_\[\]|~])")
_LATEX = str.maketrans(
    {c: rf"\{c}" for c in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "†": r"\textdagger{}"}
)


@dataclass(frozen=True)
class TextTable:
    """A table whose cells are texts as they are shown."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    legend: str = ""
    bold: Set[tuple[int, int]] = frozenset()
    """Places, row and column from 0, of the cells that stand out."""

    @cached_property
    def kinds(self) -> list[str]:
        """Return for each column whether it holds `number` in every cell that is not empty, or `text`."""
        columns = [[row[i] for row in self.rows if row[i]] for i in range(len(self.columns))]
        return ["number" if cells and all(map(_NUMBER.fullmatch, cells)) else "text" for cells in columns]


def write_texts(table: TextTable, csv: Path) -> None:
    """Write `table` as Markdown and as LaTeX beside its CSV, whose name gives theirs."""
    csv.parent.mkdir(parents=True, exist_ok=True)
    csv.with_suffix(".md").write_text(as_markdown(table), encoding="utf-8")
    csv.with_suffix(".tex").write_text(as_latex(table, csv.stem), encoding="utf-8")


def as_markdown(table: TextTable) -> str:
    """Return `table` as Markdown under its title, every cell shown as it is, with its legend."""
    alignment = ["---" if kind == "text" else "---:" for kind in table.kinds]
    rows = [table.columns, alignment, *_marked(table, escape_markdown, "**{}**")]
    lines = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    return f"# {table.title}\n\n{lines}\n" + (f"\n{escape_markdown(table.legend)}\n" if table.legend else "")


def as_latex(table: TextTable, label: str) -> str:
    """Return `table` for the LaTeX package booktabs (and longtable, where it is long), every cell shown as it is."""
    columns = [escape_latex(name) for name in table.columns]
    frame = pd.DataFrame(_marked(table, escape_latex, r"\textbf{{{}}}"), columns=columns, dtype=object)
    latex: str = frame.to_latex(
        index=False,
        escape=False,
        longtable=len(frame) > LONG,
        column_format="".join("l" if kind == "text" else "r" for kind in table.kinds),
        caption=escape_latex(f"{table.title}. {table.legend}".strip()),
        label=f"tab:{label}",
    )
    return latex


def _marked(table: TextTable, escaped: Callable[[str], str], bold: str) -> list[list[str]]:
    """Return the cells as they are written, with those that stand out in the format `bold`."""
    return [
        [bold.format(escaped(cell)) if (i, j) in table.bold else escaped(cell) for j, cell in enumerate(row)]
        for i, row in enumerate(table.rows)
    ]


def escape_markdown(text: str) -> str:
    """Return `text` so that it is shown as it is in a Markdown table: no markup, HTML or new line."""
    return _MARKDOWN.sub(r"\\\1", escape(" ".join(text.split()), quote=False))


def escape_latex(text: str) -> str:
    """Return `text` so that it is shown as it is in LaTeX: no command, comment or new line."""
    return " ".join(text.split()).translate(_LATEX)


def number(value: float | None, decimals: int) -> str:
    """Return a number with thousands marked; nothing for a missing one."""
    return "" if value is None or pd.isna(value) else f"{round(float(value), decimals) + 0.0:,.{decimals}f}"


def percent(share: float | None) -> str:
    """Return a share, 0 to 1, in percent; nothing for a missing one."""
    return "" if share is None or pd.isna(share) else f"{100 * share:.1f}"


def interval(low: float | None, high: float | None) -> str:
    """Return both ends of an interval of shares in percent; nothing if it is missing."""
    return f"{percent(low)} to {percent(high)}" if percent(low) else ""


def text_of(value: object) -> str:
    """Return the text of a cell; nothing for a missing one."""
    return value if isinstance(value, str) else ""
