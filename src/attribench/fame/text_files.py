"""The texts of a collection, whatever files it comes in, a piece at a time."""

import csv
import gzip
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.parquet as pq

from attribench.errors import InputError

KINDS = (".txt", ".txt.gz", ".csv", ".csv.gz", ".parquet")

_PIECE = 1 << 20  # letters of a text file that are held at a time
_ROWS = 10_000


def read_texts(path: Path, column: str) -> Iterator[Iterator[str]]:
    """Yield each text of a file as its pieces, in order; a piece never ends inside a word.

    A text file is one text; a table has one in each row, in `column`.

    Raises:
        InputError: there is no such file, it is of another kind, broken, or lacks the column.
    """
    if not path.is_file():
        raise InputError(f"A text collection was expected at {path}, but there is no such file ('fame.mentions').")
    if not path.name.endswith(KINDS):
        raise InputError(f"{path} is no text collection that can be read: its name must end in {', '.join(KINDS)}.")
    if path.suffix == ".parquet":
        for text in _with_clear_errors(_parquet_rows(path, column), path):
            yield iter([text])
        return
    with _open(path) as file:
        if path.name.endswith((".csv", ".csv.gz")):
            for text in _with_clear_errors(_csv_rows(file, path, column), path):
                yield iter([text])
        else:
            yield _with_clear_errors(_pieces(file), path)


def _with_clear_errors(texts: Iterator[str], path: Path) -> Iterator[str]:
    """Yield what `texts` yields; say in a sentence what is wrong with the file at `path` where it cannot."""
    try:
        yield from texts
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is a broken gzip file ({error}). Fetch it again.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 ({error.reason} at byte {error.start}). Convert it.") from error
    except (pa.ArrowInvalid, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _pieces(file: IO[str]) -> Iterator[str]:
    rest = ""
    while piece := file.read(_PIECE):
        whole = rest + piece
        end = max(whole.rfind(" "), whole.rfind("\n")) + 1
        rest = whole[end:]
        yield whole[:end]
    yield rest


def _csv_rows(file: IO[str], path: Path, column: str) -> Iterator[str]:
    csv.field_size_limit(sys.maxsize)
    rows = csv.DictReader(file)
    _require(column, list(rows.fieldnames or []), path)
    for row in rows:
        yield row[column] or ""


def _parquet_rows(path: Path, column: str) -> Iterator[str]:
    with pq.ParquetFile(path) as file:
        _require(column, file.schema_arrow.names, path)
        for batch in file.iter_batches(batch_size=_ROWS, columns=[column]):
            for text in batch.column(0).to_pylist():
                yield "" if text is None else str(text)


def _require(column: str, columns: list[str], path: Path) -> None:
    if column not in columns:
        raise InputError(
            f"{path} has no column '{column}'; it has {', '.join(columns) or 'none'}. "
            "Set 'fame.mentions.column' to the one that holds the text."
        )
