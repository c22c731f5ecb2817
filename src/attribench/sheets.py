"""Sheets that a person fills in: safe to open in a spreadsheet program, and read in whatever form it saves them."""

import codecs
import difflib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pandas as pd

from attribench.errors import InputError
from attribench.tables import TEXT, Table, write

# A spreadsheet program takes a cell that begins so for a formula, and may run what it says.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True)
class Sheet:
    """A kind of sheet.

    `table` declares its columns (all of them texts), `key` is the column that identifies a row, `shown` the one by
    which a person knows it, `things` what the rows are, in the plural; `fill` are the columns to fill in, and
    `unknown` is what the person writes there who cannot tell.
    """

    table: Table
    key: str
    shown: str
    things: str
    fill: tuple[str, ...]
    unknown: str

    def write(self, rows: pd.DataFrame, path: Path) -> None:
        """Write the sheet with empty columns to fill in; no cell of `rows` can be taken for a formula."""
        empty = {name: None for name in self.table.names if name not in rows.columns}
        write_harmless(rows.assign(**empty), path, self.table)

    def read(self, path: Path, rows: pd.DataFrame, allowed: Mapping[str, Sequence[str]]) -> pd.DataFrame:
        """Read a sheet that a person filled in, in any order of rows.

        Args:
            path: the sheet; separated by commas or, as some spreadsheet programs do, by semicolons.
            rows: what it was made from, with the columns `key` and `shown`.
            allowed: for each column to fill in, the answers that can be given besides `unknown`.

        Returns:
            The columns of `table`, those that were filled in in lower case, in the order of the file.

        Raises:
            InputError: the sheet is not there, half filled, not the one that was drawn, or holds an answer that is
                not allowed.
        """
        found = self._read(path)
        self._require_same(found, rows, path)
        for column in self.fill:
            found[column] = found[column].str.strip().str.lower()
        self._require_filled(found, path)
        wrong = [sentence for column in self.fill for sentence in self._not_allowed(found, column, allowed[column])]
        if wrong:
            raise InputError(f"{path} has {len(wrong)} answers that are not among the possible. " + " ".join(wrong[:5]))
        return found

    def _read(self, path: Path) -> pd.DataFrame:
        columns = _listed(self.fill)
        if not path.is_file():
            raise InputError(
                f"The filled sheet was expected at {path}, but there is no such file. Copy the drawn sheet there, "
                f"fill in {columns}, and start again."
            )
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is not in UTF-8. Save it from the spreadsheet program as 'CSV UTF-8'.") from error
        header = text.split("\n", 1)[0]
        separator = ";" if header.count(";") > header.count(",") else ","
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)
                found = pd.read_csv(StringIO(text), sep=separator, dtype=str, keep_default_na=False, index_col=False)
        except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning) as error:
            raise InputError(f"{path} is no CSV file: {error}. Copy the drawn sheet anew and fill it in.") from error
        missing = [name for name in self.table.names if name not in found.columns]
        if missing:
            raise InputError(
                f"{path} lacks the columns {', '.join(missing)}; it has {', '.join(map(str, found.columns))}. "
                f"The drawn sheet has {', '.join(self.table.names)}; fill it in without changing its columns."
            )
        found = found[self.table.names].fillna("")  # a row that ends early
        # Spreadsheet programs leave empty rows at the end.
        return found[(found != "").any(axis="columns")].reset_index(drop=True)

    def _require_same(self, found: pd.DataFrame, rows: pd.DataFrame, path: Path) -> None:
        drawn = dict(zip(rows[self.key], rows[self.shown], strict=True))
        given = dict(zip(found[self.key], found[self.shown], strict=True))
        differences = {
            "missing": [shown for key, shown in drawn.items() if key not in given],
            "not drawn": [shown for key, shown in given.items() if key not in drawn],
            "twice": list(found.loc[found[self.key].duplicated(), self.shown]),
            f"with another {self.shown}": [a for k, a in given.items() if k in drawn and not _same(a, drawn[k])],
        }
        counted = [
            f"{len(names)} {what} (the first is '{_short(names[0])}')" for what, names in differences.items() if names
        ]
        if counted:
            others = [name for name in self.table.names if name == "note"]
            raise InputError(
                f"{path} is not the sheet that was drawn, or was altered: of its {self.things}, {', '.join(counted)}. "
                f"Only {_listed([*self.fill, *others])} are to be filled in. If the sample was drawn anew since, it is "
                "another one: copy the new sheet, and carry over what was filled in."
            )

    def _require_filled(self, found: pd.DataFrame, path: Path) -> None:
        is_empty = found[list(self.fill)] == ""
        if is_empty.any(axis=None):
            first = _short(found.loc[is_empty.any(axis="columns"), self.shown].iloc[0])
            lacking = " and ".join(f"{number} lack '{column}'" for column, number in is_empty.sum().items())
            raise InputError(
                f"{path} is filled in only in part: of {len(found)} rows, {lacking}, the first of them {first}. "
                f"Fill in every row; write '{self.unknown}' where it cannot be told."
            )

    def _not_allowed(self, found: pd.DataFrame, column: str, allowed: Sequence[str]) -> Iterator[str]:
        values = [*allowed, self.unknown]
        for shown, value in zip(found[self.shown], found[column], strict=True):
            if value not in values:
                close = difflib.get_close_matches(value, values, n=1)
                hint = f" Did you mean '{close[0]}'?" if close else f" Possible are {', '.join(values)}."
                yield f"'{column}' of {_short(shown)} is '{_short(value)}'.{hint}"


def write_harmless(frame: pd.DataFrame, path: Path, table: Table) -> None:
    """Write a table as CSV that can be opened in a spreadsheet program, whatever texts it holds."""
    texts = [column.name for column in table.columns if column.type == TEXT]
    write(frame.assign(**{name: frame[name].map(harmless, na_action="ignore") for name in texts}), path, table)
    # With this mark spreadsheet programs read the letters right that are not ASCII.
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())


def harmless(text: str) -> str:
    """Return `text` with an apostrophe before it if a spreadsheet program would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _same(one: str, other: str) -> bool:
    """Tell whether two texts are the same but for blanks, ends of lines, and the mark of `harmless`."""
    return _bare(one) == _bare(other)


def _bare(text: str) -> str:
    return " ".join(text.removeprefix("'").split())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def _listed(columns: Sequence[str]) -> str:
    quoted = [f"'{column}'" for column in columns]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
