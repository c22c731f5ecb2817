"""How tables are declared, checked, written and read.

The tables that a stage makes are declared in the module of this package that is called
like the stage. A stage reads and writes tables with `read` and `write` only: both check
the table against its declaration, so that a wrong column is reported by name where it arises.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from attribench.errors import InputError

TEXT = pa.string()
INTEGER = pa.int64()
NUMBER = pa.float64()
FLAG = pa.bool_()
TEXTS = pa.list_(pa.string())


@dataclass(frozen=True)
class Column:
    """One column: `optional` allows missing values; `unit` is empty for names and counts."""

    name: str
    type: pa.DataType
    meaning: str
    unit: str = ""
    optional: bool = False


@dataclass(frozen=True)
class Table:
    """A table: `grain` says what one row is, `key` names the columns that identify it."""

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pa.Schema:
        """The pyarrow schema, with each column's meaning and unit as metadata."""
        return pa.schema(
            [pa.field(c.name, c.type, c.optional, {"meaning": c.meaning, "unit": c.unit}) for c in self.columns],
            {"table": self.name, "grain": self.grain, "key": ",".join(self.key)},
        )

    @property
    def names(self) -> list[str]:
        """The column names, in order."""
        return [c.name for c in self.columns]


def check(frame: pd.DataFrame, table: Table) -> pa.Table:
    """Return `frame` as a pyarrow table in the declared order and types.

    Raises:
        InputError: a column is missing or not declared, a value has the wrong type or is
            missing where it must not be, or a key occurs twice.
    """
    missing = [name for name in table.names if name not in frame.columns]
    unknown = [str(name) for name in frame.columns if name not in table.names]
    if missing or unknown:
        raise InputError(
            f"Table '{table.name}' must have the columns {', '.join(table.names)}; "
            f"missing: {', '.join(missing) or 'none'}; not declared: {', '.join(unknown) or 'none'}."
        )
    if not frame.columns.is_unique:
        raise InputError(f"Table '{table.name}' has a column twice: {', '.join(map(str, frame.columns))}.")
    try:
        # Nulls are let in here and reported below, by column: pyarrow's own error is a bare ValueError.
        nullable = pa.schema([field.with_nullable(True) for field in table.schema])
        checked = pa.Table.from_pandas(frame[table.names], nullable, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise InputError(f"Table '{table.name}' has a value of the wrong type: {error}") from error
    _check_values(checked, table)
    return checked.cast(table.schema)


def typed(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Return the columns of `table`, its numbers and integers as such; a column that is not there is missing."""
    types = {NUMBER: "float64", INTEGER: "int64"}
    frame = frame.reindex(columns=table.names)
    return frame.astype({column.name: types[column.type] for column in table.columns if column.type in types})


def write(frame: pd.DataFrame, path: Path | str, table: Table) -> None:
    """Check `frame` and write it to `path`, as Parquet or, for a name in ``.csv``, as CSV.

    The file appears whole or not at all (written aside, then renamed), and the same values
    give the same bytes.
    """
    checked = check(frame, table)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.suffix == ".csv":
            # An empty text is written as "", a missing one as nothing.
            pa.csv.write_csv(checked, aside)
        else:
            pq.write_table(checked, aside, compression="zstd")
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def read(path: Path | str, table: Table, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a table that `write` made, or a part of its columns.

    Raises:
        InputError: the file is not there, is no such table, or breaks the declaration.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"Table '{table.name}' was expected at {path}, but there is no such file.")
    wanted = list(columns or table.names)
    fields = pa.schema([table.schema.field(name) for name in wanted])
    try:
        if path.suffix == ".csv":
            options = pa.csv.ConvertOptions(
                column_types=fields,
                include_columns=wanted,
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
            )
            found = pa.csv.read_csv(
                path, convert_options=options, parse_options=pa.csv.ParseOptions(newlines_in_values=True)
            ).cast(fields)
        else:
            found = pq.read_table(path, columns=wanted).cast(fields)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowKeyError, KeyError, ValueError) as error:
        raise InputError(
            f"{path} does not hold the table '{table.name}' with the columns {', '.join(wanted)}: {error}"
        ) from error
    frame: pd.DataFrame = found.to_pandas()
    return frame


def _check_values(checked: pa.Table, table: Table) -> None:
    for column in table.columns:
        empty = checked[column.name].null_count
        if empty and not column.optional:
            raise InputError(
                f"Table '{table.name}', column '{column.name}' ({column.meaning}): "
                f"{empty} of {checked.num_rows} values are missing, and none may be."
            )
    if table.key and checked.num_rows:
        keys = checked.select(list(table.key)).replace_schema_metadata().to_pandas()
        twice = keys[keys.duplicated()]
        if len(twice):
            example = ", ".join(f"{k}={v}" for k, v in twice.iloc[0].items())
            raise InputError(
                f"Table '{table.name}' must have one row per {table.grain}, but {len(twice)} rows "
                f"repeat a key, the first of them {example}."
            )
