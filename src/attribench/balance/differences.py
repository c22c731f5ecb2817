"""What a benchmark that was handed in differs in from what is expected, as it is found."""

from dataclasses import dataclass, field

import pandas as pd

from attribench.tables.published_benchmark import DIFFERENCES


@dataclass
class Differences:
    """What was found to differ, one row per check; `table` is DIFFERENCES."""

    found: list[tuple[str, int, str, str, str, str]] = field(default_factory=list)

    def record(self, check: str, count: int, counted: str, expected: str, example: str, consequence: str) -> None:
        """Record what a check found, unless it found nothing."""
        if count:
            self.found.append((check, count, counted, expected, example, consequence))

    def record_rows(self, check: str, rows: pd.DataFrame, expected: str, consequence: str, column: str = "") -> None:
        """Record that a check found `rows`; `column` is the one whose value the example shows."""
        example = place(rows, column) if len(rows) else ""
        self.record(check, len(rows), "rows", expected, example, consequence)

    @property
    def table(self) -> pd.DataFrame:
        """The table DIFFERENCES."""
        return pd.DataFrame(self.found, columns=DIFFERENCES.names).astype({"count": "int64"})


def place(rows: pd.DataFrame, column: str = "") -> str:
    """Name the first of `rows`, with the value of `column` if one is given."""
    first = rows.iloc[0]
    value = f", {column} '{first[column]}'" if column else ""
    return f"row {rows.index[0]}: {first['quote_id'] or 'no quote_id'}, {first['author_clean'] or 'no author'}{value}"
