"""What the stores hold: listed, verified, written to Parquet files, and taken back from them.

A folder of Parquet files carries the answers that were paid for to another machine. Reading takes
no lock, so that it can be done while something is asked.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from attribench.errors import InputError
from attribench.ledger.store import ANSWER_COLUMNS, ATTEMPT_COLUMNS, FINAL, VERSION, Store

_TYPES = {
    "prompt_tokens": pa.int64(),
    "completion_tokens": pa.int64(),
    "reasoning_tokens": pa.int64(),
    "attempts": pa.int64(),
    "cost": pa.float64(),
    "seconds": pa.float64(),
}
SCHEMAS = {
    table: pa.schema([pa.field(name, _TYPES.get(name, pa.string())) for name in columns], {"form": str(VERSION)})
    for table, columns in {"answers": ANSWER_COLUMNS, "attempts": ATTEMPT_COLUMNS}.items()
}
_PORTION = 10_000  # rows at a time


@dataclass(frozen=True)
class Contents:
    """What one store holds. `cost` is in USD, without the `unpriced` answers, whose price is not known."""

    store: str
    answers: int
    ok: int
    refused: int
    truncated: int
    empty: int
    failed_calls: int
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    cost: float
    unpriced: int
    first: str
    last: str
    megabytes: float


def find_stores(root: Path) -> dict[str, Path]:
    """Return the stores below `root` (``resources/cache``) by name: ``<stage>/<model or service>``."""
    found = {}
    for path in sorted(root.glob("*/*.sqlite")):
        found[path.relative_to(root).with_suffix("").as_posix()] = path
    return found


def describe(name: str, path: Path) -> Contents:
    """Return what the store at `path` holds.

    Raises:
        InputError: it cannot be read.
    """
    with closing(_open(path)) as database:
        counts = "total(status = 'ok'), total(status = 'refused'), total(status = 'truncated'), total(status = 'empty')"
        sums = "total(prompt_tokens), total(completion_tokens), total(reasoning_tokens), total(cost)"
        [row] = _rows(
            database,
            path,
            f"SELECT count(*), {counts}, {sums}, total(cost IS NULL), min(asked_at), max(asked_at) FROM answers",
        )
        n, ok, refused, truncated, empty, prompt, completion, reasoning, cost, unpriced, first, last = row
        [(failed,)] = _rows(database, path, "SELECT count(*) FROM attempts")
        [(paid,)] = _rows(database, path, "SELECT total(cost) FROM attempts") if _has_costs(database) else [(0.0,)]
    return Contents(
        store=name,
        answers=n,
        ok=int(ok),
        refused=int(refused),
        truncated=int(truncated),
        empty=int(empty),
        failed_calls=failed,
        prompt_tokens=int(prompt),
        completion_tokens=int(completion),
        reasoning_tokens=int(reasoning),
        cost=cost + paid,
        unpriced=int(unpriced),
        first=first or "",
        last=last or "",
        megabytes=path.stat().st_size / 1e6,
    )


def stored_keys(path: Path) -> set[str]:
    """Return the keys of all answers in the store at `path`; none if there is no such file."""
    if not path.is_file():
        return set()
    with closing(_open(path)) as database:
        return {key for (key,) in _rows(database, path, "SELECT key FROM answers")}


def read_answers(path: Path, keys: Sequence[str]) -> list[dict[str, Any]]:
    """Return the stored answers among `keys`, each with its key, without their questions."""
    columns = [name for name in ANSWER_COLUMNS if name != "question"]
    found = []
    with closing(_open(path)) as database:
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            select = f"SELECT {', '.join(columns)} FROM answers WHERE key IN ({', '.join('?' * len(part))})"
            found += [dict(zip(columns, row, strict=True)) for row in _rows(database, path, select, part)]
    return found


def mean_length(path: Path, least: int = 100) -> float | None:
    """Return how many tokens the stored answers have in the mean, or None where there are fewer than `least`."""
    if not path.is_file():
        return None
    with closing(_open(path)) as database:
        [(number, mean)] = _rows(database, path, "SELECT count(completion_tokens), avg(completion_tokens) FROM answers")
    return mean if number >= least else None


def verify(path: Path) -> list[str]:
    """Return a sentence for each thing that is wrong with a store: a damaged page, a key, a status."""
    wrong = []
    try:
        with closing(_open(path)) as database:
            checks = [row[0] for row in _rows(database, path, "PRAGMA integrity_check(10)")]
            wrong += [f"damaged: {check}" for check in checks if check != "ok"]
            for key, question, status in _rows(database, path, "SELECT key, question, status FROM answers"):
                if hashlib.sha256(question.encode()).hexdigest() != key:
                    wrong.append(f"the answer {key} stands beside a question with another key")
                if status not in FINAL:
                    wrong.append(f"the answer {key} has the status '{status}', which is none of {', '.join(FINAL)}")
    except InputError as error:
        wrong.append(str(error))
    return wrong


def export(name: str, path: Path, folder: Path) -> int:
    """Write the answers and failed calls of a store to Parquet files in `folder`; return the number of answers."""
    written = 0
    with closing(_open(path)) as database:
        for table, schema in SCHEMAS.items():
            file = _file(folder, name, table)
            file.parent.mkdir(parents=True, exist_ok=True)
            there = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
            wanted = ", ".join(column if column in there else f"NULL AS {column}" for column in schema.names)
            rows = _rows(database, path, f"SELECT {wanted} FROM {table}")
            with pq.ParquetWriter(file, schema, compression="zstd") as writer:
                for portion in _portions(rows):
                    columns = zip(*portion, strict=True)
                    arrays = [pa.array(values, kind) for values, kind in zip(columns, schema.types, strict=True)]
                    writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
                    written += len(portion) if table == "answers" else 0
    return written


def exported(folder: Path) -> dict[str, Path]:
    """Return the exported stores in `folder` by name, each with its file of answers."""
    ending = ".answers.parquet"
    files = sorted(folder.glob(f"*/*{ending}"))
    return {file.relative_to(folder).as_posix().removesuffix(ending): file for file in files}


def take_in(name: str, folder: Path, root: Path) -> tuple[int, int]:
    """Put exported answers into the store of that name; one that is there already stays.

    Returns:
        How many answers were new, and how many there are in the file.

    Raises:
        InputError: the file is none of ours, or holds an answer whose key is not that of its question.
        EndpointError: the store is in use, or cannot be written.
    """
    tables = {table: _read_exported(_file(folder, name, table), schema) for table, schema in SCHEMAS.items()}
    answers = tables["answers"].to_pylist()
    for row in answers:
        if hashlib.sha256(row["question"].encode()).hexdigest() != row["key"] or row["status"] not in FINAL:
            raise InputError(
                f"{_file(folder, name, 'answers')} holds an answer that is damaged (key {row['key']}); "
                "nothing of it was taken. Export it again."
            )
    with Store(root / f"{name}.sqlite", patience=0) as store:
        new = store.take_in(answers, tables["attempts"].to_pylist())
    return new, len(answers)


def _read_exported(file: Path, schema: pa.Schema) -> pa.Table:
    try:
        return pq.read_table(file).select(schema.names).cast(schema)
    except (OSError, KeyError, ValueError, pa.ArrowException) as error:
        raise InputError(f"{file} is no exported store: {error}.") from error


def _file(folder: Path, name: str, table: str) -> Path:
    return folder / f"{name}.{table}.parquet"


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _rows(
    database: sqlite3.Connection, path: Path, statement: str, values: Sequence[str] = ()
) -> Iterator[tuple[Any, ...]]:
    try:
        yield from database.execute(statement, values)
    except sqlite3.DatabaseError as error:
        raise InputError(f"The store {path} cannot be read: {error}.") from error


def _has_costs(database: sqlite3.Connection) -> bool:
    return "cost" in {row[1] for row in database.execute("PRAGMA table_info(attempts)")}


def _portions(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    portion = []
    for row in rows:
        portion.append(row)
        if len(portion) == _PORTION:
            yield portion
            portion = []
    if portion:
        yield portion
