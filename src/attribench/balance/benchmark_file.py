"""Reading a benchmark that was handed in: the published CSV, our own Parquet, or either as the other."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from attribench.errors import InputError

NEEDED = ("quote_id", "author_clean", "quote", "race", "gender", "log10_hits")
"""The columns without which a file is no benchmark, by their published names."""

OPTIONAL = ("author_alt_name", "quote_words", "to_sample", "match_id", "author_id")
"""Columns that are used where they are there; others are left aside."""

_OWN_NAMES = {"author": "author_clean", "n_words": "quote_words"}


def read_benchmark_file(path: Path) -> pd.DataFrame:
    """Return the rows of a benchmark as text, under the published names of the columns.

    Returns:
        The columns NEEDED, those of OPTIONAL that the file has, and `aliases` (lists of names).
        A value that is missing is "". The index is the row as the reader of the file counts it:
        in a CSV file the header is row 1, in Parquet the first row is row 1.

    Raises:
        InputError: there is no such file, it cannot be read, a column is missing, or there are no rows.
    """
    if not path.is_file():
        raise InputError(
            f"A benchmark was expected at {path}, but there is no such file. Give the path of a published "
            f"AttriBench file (CSV with the columns {', '.join(NEEDED)}, ...) or of a benchmark.parquet."
        )
    is_parquet = path.suffix == ".parquet"
    found = _read_parquet(path) if is_parquet else _read_csv(path)
    own = {ours: theirs for ours, theirs in _OWN_NAMES.items() if theirs not in found.columns}
    found = found.rename(columns=own)
    missing = [name for name in NEEDED if name not in found.columns]
    if missing:
        raise InputError(
            f"The benchmark {path} lacks the columns {', '.join(missing)}; it has "
            f"{', '.join(map(str, found.columns))}. Expected are {', '.join(NEEDED)}."
        )
    if found.empty:
        raise InputError(f"The benchmark {path} has columns and no rows. Expected is a quote in each row.")
    rows = pd.DataFrame({name: _as_text(found[name]) for name in (*NEEDED, *OPTIONAL) if name in found.columns})
    # Spaces around a value are a slip, but those of a quote are part of what is asked.
    for name in rows.columns.drop("quote"):
        rows[name] = rows[name].str.strip()
    if "aliases" in found.columns and is_parquet:
        rows["aliases"] = [_names(value) for value in found["aliases"]]
    elif "author_alt_name" in found.columns:
        rows["aliases"] = [_names(value.split(";")) for value in rows["author_alt_name"]]
    else:
        rows["aliases"] = [[] for _ in range(len(rows))]
    rows.index = pd.RangeIndex(len(rows)) + (1 if is_parquet else 2)
    return rows


def _read_csv(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (ValueError, EOFError) as error:  # no columns, rows of different lengths, not UTF-8, cut off
        raise InputError(f"The benchmark {path} cannot be read as a CSV file in UTF-8: {error}.") from error


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        frame: pd.DataFrame = pq.ParquetFile(path).read().to_pandas()
    except pa.ArrowException as error:
        raise InputError(f"The benchmark {path} cannot be read as a Parquet file: {error}.") from error
    return frame


def _as_text(column: pd.Series) -> pd.Series:
    return pd.Series(["" if pd.isna(value) else str(value) for value in column], column.index, dtype=object)


def _names(values: object) -> list[str]:
    """Return the names among `values`, each once; Parquet has None where a list is missing."""
    given = [] if values is None else [str(value).strip() for value in values]  # type: ignore[attr-defined]
    return list(dict.fromkeys(name for name in given if name))
