"""Reading the corpus: a CSV file with the columns quote, author and category."""

import gzip
import zlib
from pathlib import Path
from typing import IO

import pandas as pd

from attribench.errors import InputError

COLUMNS = ("quote", "author", "category")
_GZIP = b"\x1f\x8b"


def read_corpus(path: Path) -> pd.DataFrame:
    """Return the corpus as text, one row per quote, indexed by its 0-based data row.

    The file may be gzipped (whatever it is called), may begin with a byte order mark and may
    end its lines with LF or CRLF. Fields are kept as they stand: ``NA`` and ``None`` are text,
    newlines inside quotation marks stay, and a lone carriage return is not the end of a row.

    Raises:
        InputError: the file is missing, empty, no UTF-8, no CSV, or lacks a column.
    """
    if not path.is_file():
        raise InputError(
            f"The corpus was expected at {path}, but there is no such file. Give the path of the JSTET "
            f"(Quotes-500K) CSV, plain or gzipped, with the columns {', '.join(COLUMNS)}."
        )
    try:
        with _opened(path) as file:
            _check_header(_first_line(file), path)
        with _opened(path) as file:
            frame = pd.read_csv(
                file,
                dtype=str,
                keep_default_na=False,
                na_filter=False,
                lineterminator="\n",
                encoding="utf-8-sig",
                index_col=False,
                on_bad_lines="error",
            )
    except UnicodeDecodeError as error:
        raise InputError(f"The corpus {path} is not UTF-8 text ({error}). Save it as UTF-8.") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"The corpus {path} is a broken gzip file ({error}). Fetch it again.") from error
    except pd.errors.ParserError as error:
        raise InputError(
            f"The corpus {path} is not well-formed CSV: {str(error).strip()}. Each row must have the fields "
            f"{', '.join(COLUMNS)}, with quotation marks around a field that holds a comma or a newline."
        ) from error
    frame.columns = pd.Index([str(name).strip() for name in frame.columns])
    if frame.empty:
        raise InputError(f"The corpus {path} has a header but no quote. Expected at least one data row.")
    return _as_text(frame)


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        is_gzip = file.read(2) == _GZIP
    return gzip.open(path) if is_gzip else path.open("rb")  # type: ignore[return-value]


def _first_line(file: IO[bytes]) -> str:
    return file.readline().decode("utf-8-sig").rstrip("\r\n")


def _check_header(line: str, path: Path) -> None:
    if not line.strip():
        raise InputError(f"The corpus {path} is empty. Expected a CSV file with the columns {', '.join(COLUMNS)}.")
    found = [name.strip().strip('"') for name in line.split(",")]
    missing = [name for name in COLUMNS if name not in found]
    if missing:
        raise InputError(
            f"The corpus {path} lacks the column{'s' * (len(missing) > 1)} {', '.join(missing)}. Expected the "
            f"columns {', '.join(COLUMNS)}; found {', '.join(found)[:300]}. Rename the columns in its first line."
        )


def _as_text(frame: pd.DataFrame) -> pd.DataFrame:
    last = frame.columns[-1]
    frame[last] = frame[last].str.removesuffix("\r")
    kept = frame[list(COLUMNS)].fillna("")
    kept.index = pd.RangeIndex(len(kept), name="row")
    return kept
