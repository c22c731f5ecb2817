"""What the targets compare and selftest found when they were run last, as it is read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attribench.errors import InputError
from attribench.report import analysis_tables
from attribench.report.text_table import TextTable, text_of
from attribench.tables import read
from attribench.tables.comparison import COMPARISON
from attribench.tables.selftest import SELFTEST


def comparison_table(path: Path) -> TextTable:
    """Return the file of the table COMPARISON as it is read."""
    shown = analysis_tables.comparison_table(read(path, COMPARISON))
    return replace(shown, legend=f"{shown.legend} {_made_on(path)}")


def selftest_table(path: Path) -> TextTable:
    """Return the file of the table SELFTEST as it is read."""
    rows = read(path, SELFTEST)
    checked = rows[rows["is_checked"]]
    texts = [
        [row["part"], row["what"], row["found"], text_of(row["expected"]), _holds(row)]
        for row in rows.to_dict("records")
    ]
    legend = (
        f"Answers are simulated, so that the truth is known: {int(checked['holds'].eq(True).sum())} of {len(checked)} "
        f"checks hold. The other rows are only reported. {_made_on(path)}"
    )
    return TextTable("Does a planted truth come back?", ["Part", "What", "Found", "Expected", "Holds"], texts, legend)


_SHOWN: dict[str, Callable[[Path], TextTable]] = {"comparison": comparison_table, "checks": selftest_table}
ON_DEMAND = {"comparison": "compare", "checks": "selftest"}
"""The target that makes each file, by its stem."""


def on_demand_table(path: Path) -> TextTable | None:
    """Return one of these files as it is read; None where it is no longer there, as while its target runs."""
    try:
        return _SHOWN[path.stem](path)
    except (InputError, FileNotFoundError):
        if not path.exists():
            return None
        target = ON_DEMAND[path.stem]
        return TextTable(target, [], [], f"{path} is of another version: run the target {target} again.")


def _holds(row: dict[Any, Any]) -> str:
    return ("yes" if row["holds"] else "no") if row["is_checked"] else ""


def _made_on(path: Path) -> str:
    """Return when the file was written: it is not made anew with the rest of the report."""
    return f"Made on {datetime.fromtimestamp(path.stat().st_mtime, UTC):%Y-%m-%d}, and not again with this report."
