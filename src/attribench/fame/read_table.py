"""Fame from a table of the user's own: one row per author, with the number of hits or its log10."""

from pathlib import Path

import numpy as np
import pandas as pd

from attribench.errors import InputError
from attribench.text import normal_form
from attribench.universe import look_up

AUTHOR = "author"
MEASURES = ("log10_hits", "hits")


def read_fame_table(path: Path) -> pd.DataFrame:
    """Read a table of fame, CSV (plain or gzipped) or Parquet.

    Its columns are `author` and either `log10_hits` or `hits`; others are ignored. An empty cell
    is an unknown fame.

    Returns:
        One row per author: `name` (its normal form), `log10_hits` (NaN where unknown or where
        hits are 0) and `reason` (why it is, else "").

    Raises:
        InputError: there is no such table, a column is missing, a fame is no number or is
            negative, or one author has two different ones.
    """
    found = _read(path)
    given = [name for name in MEASURES if name in found.columns]
    if AUTHOR not in found.columns or len(given) != 1:
        raise InputError(
            f"{path} has the columns {', '.join(map(str, found.columns))}; a table of fame has '{AUTHOR}' and "
            f"either 'log10_hits' or 'hits', not both."
        )
    measure = given[0]
    text = _as_text(found[measure]).str.strip()
    numbers = pd.to_numeric(text, errors="coerce").astype(float)
    is_wrong = (numbers.isna() & (text != "")) | np.isinf(numbers) | (numbers < 0)
    if is_wrong.any():
        row = int(np.flatnonzero(is_wrong)[0])
        raise InputError(
            f"{path}, row {row + 2}: '{measure}' of {found[AUTHOR].iloc[row]} is '{text.iloc[row]}' "
            f"({int(is_wrong.sum())} such rows in all). Expected a number that is not negative, or an empty cell."
        )
    is_zero = (numbers == 0) if measure == "hits" else pd.Series(False, index=numbers.index)
    log10 = numbers.where(numbers > 0).map(np.log10) if measure == "hits" else numbers
    table = pd.DataFrame(
        {
            "name": _as_text(found[AUTHOR]).map(normal_form),
            "log10_hits": log10,
            "reason": pd.Series("", log10.index).mask(log10.isna(), "no figure there").mask(is_zero, "no results"),
        }
    )
    return _one_per_name(table[table["name"] != ""].drop_duplicates(), path)


def ask_table(authors: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Answer from a table that `read_fame_table` read, by the author's name or else an alias.

    Returns:
        One row per author, in order, with `log10_hits` and `reason`.
    """
    found = look_up(authors, table)
    reason = found["reason"].mask(~found["known"], "not in the table")
    return pd.DataFrame({"log10_hits": found["log10_hits"].astype(float), "reason": reason.astype(object)})


def _read(path: Path) -> pd.DataFrame:
    if not path.is_file():
        raise InputError(
            f"A table of fame was expected at {path}, but there is no such file. Set 'fame.table.path' to a CSV or "
            f"Parquet file with the columns '{AUTHOR}' and 'log10_hits' or 'hits'."
        )
    try:
        if path.suffix == ".parquet":
            return pd.read_parquet(path)
        return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (ValueError, OSError, EOFError) as error:
        raise InputError(f"{path} cannot be read as a table: {error}. Expected CSV or Parquet.") from error


def _as_text(column: pd.Series) -> pd.Series:
    return column.astype(object).map(lambda value: "" if pd.isna(value) else str(value))


def _one_per_name(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Return the table with each name once: an empty cell gives way to a figure; two figures are an error."""
    figures = table.dropna(subset="log10_hits")
    twice = figures[figures["name"].duplicated(keep=False)]
    if len(twice):
        name = twice["name"].iloc[0]
        values = ", ".join(f"{value:g}" for value in twice.loc[twice["name"] == name, "log10_hits"])
        raise InputError(
            f"{path} gives '{name}' more than one fame (log10 hits of {values}); {twice['name'].nunique()} names in "
            "all have several. Leave one row for each author."
        )
    return table.sort_values("log10_hits", na_position="last", kind="stable").drop_duplicates("name")
