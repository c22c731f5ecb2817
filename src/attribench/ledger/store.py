"""The store of answers: one SQLite file per model or service, readable without this program.

The table ``answers`` holds one row per question that has its final answer; ``attempts`` holds
every call that failed. Rows are committed at once, or, when they come so fast that the disk could
not follow, in groups: an answer is on the disk at most `LONGEST_DELAY` seconds after it was added,
so that killing the process loses no more than that and what was in flight.
"""

import asyncio
import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from attribench.errors import EndpointError
from attribench.ledger.file_system import journal_mode, no_locks
from attribench.masking import without_secrets
from attribench.step import screen

FINAL = ("ok", "refused", "truncated", "empty")

VERSION = 1
"""Version of the store's form, kept in the file (``PRAGMA user_version``)."""

LONGEST_DELAY = 0.2
"""Longest time from adding an answer to its being on the disk, in seconds."""

COMMITTING_SHARE = 0.05
"""Share of the time that may go into commits before they are grouped."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, with what it took.

    `status` is ok, refused, truncated, empty (all final) or failed (no answer was to be had;
    `cause` says why). `cost` is in USD, None where the price is not known; `seconds` is the time
    of the call that was answered.
    """

    status: str
    text: str | None = None
    finish_reason: str | None = None
    cause: str | None = None
    served_model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    attempts: int = 1
    asked_at: str | None = None


@dataclass(frozen=True)
class Question:
    """One question: `content` is whatever changes its answer, and nothing else."""

    content: Mapping[str, Any]

    @cached_property
    def key(self) -> str:
        """Hash of the content, the same however its keys are ordered."""
        return hashlib.sha256(self.as_json().encode()).hexdigest()

    def as_json(self) -> str:
        """The content as canonical JSON."""
        return json.dumps(self.content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


_COLUMNS = [field.name for field in fields(Answer)]
_values = attrgetter(*_COLUMNS)
ANSWER_COLUMNS = ["key", "question", *_COLUMNS]
ATTEMPT_COLUMNS = ["key", "at", "cause", "message", "cost"]
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, question TEXT NOT NULL, {", ".join(_COLUMNS)});
CREATE TABLE IF NOT EXISTS attempts (key TEXT NOT NULL, at TEXT NOT NULL, cause TEXT NOT NULL, message TEXT NOT NULL);
"""
_LATER_COLUMNS = {"answers": _COLUMNS, "attempts": ["cost"]}
_INTO_ANSWERS = f"INTO answers ({', '.join(ANSWER_COLUMNS)}) VALUES ({', '.join('?' * len(ANSWER_COLUMNS))})"
_INSERT_ANSWER = f"INSERT OR REPLACE {_INTO_ANSWERS}"
_INSERT_ATTEMPT = f"INSERT INTO attempts ({', '.join(ATTEMPT_COLUMNS)}) VALUES (?, ?, ?, ?, ?)"


class Store(AbstractContextManager["Store"]):
    """An open store. Only one process at a time has it open; a second one waits and says so.

    Without a running event loop every row is committed when it is added. Within one, commits take
    at most `COMMITTING_SHARE` of the time, and rows that come sooner wait for the next, at most
    `LONGEST_DELAY` seconds. `flush` and the end of the block commit whatever waits.
    """

    def __init__(self, path: Path, *, patience: float = -1) -> None:
        """Open or make the store at `path`; wait for another process at most `patience` seconds (−1: for ever)."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._patience = patience
        self._lock = FileLock(path.with_suffix(".lock"))
        self._next_commit = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._failure: EndpointError | None = None

    def __enter__(self) -> Self:
        """Take the lock and open the file.

        Raises:
            EndpointError: it is in use, damaged, of a later form, or on a file system without locks.
        """
        journal = journal_mode(self._path.parent)
        try:
            self._lock.acquire(timeout=0)
        except NotImplementedError as error:
            raise no_locks(self._path.parent, "it knows no locks at all") from error
        except Timeout:
            waiting = f"Waiting for another job or run that is asking the same model ({self._path}) ..."
            print(waiting, file=screen(), flush=True)
            try:
                self._lock.acquire(timeout=self._patience)
            except Timeout as error:
                raise EndpointError(f"{self._path} is still in use by another run; let it end first.") from error
        try:
            self._database = sqlite3.connect(self._path, isolation_level=None)
            self._database.execute(f"PRAGMA journal_mode = {journal}")
            self._database.execute("PRAGMA synchronous = FULL")
            self._prepare()
        except sqlite3.DatabaseError as error:
            self._lock.release()
            raise EndpointError(self._broken("opened", error)) from error
        except EndpointError:
            self._database.close()
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Commit what waits, close the file and release the lock."""
        try:
            self.flush()
        except EndpointError:
            if error is None:
                raise
        finally:
            self._database.close()
            self._lock.release()

    def answers(self, keys: Iterable[str]) -> dict[str, Answer]:
        """Return the stored answers among `keys`."""
        wanted = list(keys)
        found = {}
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            select = f"SELECT key, {', '.join(_COLUMNS)} FROM answers WHERE key IN ({', '.join('?' * len(part))})"
            try:
                rows = self._database.execute(select, part).fetchall()
            except sqlite3.DatabaseError as error:
                raise EndpointError(self._broken("read", error)) from error
            found.update({key: Answer(*values) for key, *values in rows})
        return found

    def add(self, question: Question, answer: Answer) -> None:
        """Store a final answer; see the class for when it is on the disk.

        Raises:
            ValueError: the answer is not final.
            EndpointError: it, or one that was added before and waited, cannot be written.
        """
        if answer.status not in FINAL:
            raise ValueError(f"an answer with the status '{answer.status}' is not final")
        self._write(_INSERT_ANSWER, [question.key, question.as_json(), *_values(answer)])

    def add_attempt(self, question: Question, cause: str, message: str, cost: float | None = 0.0) -> None:
        """Store that a call failed, why, and what it may have cost (USD; None where that is not known).

        The message is stored without keys, should the service have repeated one.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._write(_INSERT_ATTEMPT, [question.key, now, cause, without_secrets(message), cost])

    def take_in(self, answers: Iterable[Mapping[str, Any]], attempts: Iterable[Mapping[str, Any]]) -> int:
        """Add rows of another store, all or none; an answer that is here already stays. Return how many were new.

        Raises:
            EndpointError: they cannot be written.
        """
        self.flush()
        before = self._database.total_changes
        self._execute("BEGIN")
        for row in answers:
            self._execute(f"INSERT OR IGNORE {_INTO_ANSWERS}", [row[name] for name in ANSWER_COLUMNS])
        new = self._database.total_changes - before
        known = set(self._database.execute(f"SELECT {', '.join(ATTEMPT_COLUMNS[:4])} FROM attempts"))
        for row in attempts:
            values = [row[name] for name in ATTEMPT_COLUMNS]
            if tuple(values[:4]) not in known:
                self._execute(_INSERT_ATTEMPT, values)
        self.flush()
        return new

    def flush(self) -> None:
        """Commit what waits.

        Raises:
            EndpointError: it cannot be written.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._raise_failure()
        if self._database.in_transaction:
            start = time.monotonic()
            self._execute("COMMIT")
            now = time.monotonic()
            self._next_commit = now + min((now - start) / COMMITTING_SHARE, LONGEST_DELAY)

    def _write(self, statement: str, values: list[Any]) -> None:
        self._raise_failure()
        if not self._database.in_transaction:
            self._execute("BEGIN")
        self._execute(statement, values)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.flush()
            return
        now = time.monotonic()
        if now >= self._next_commit or (self._timer is not None and self._timer.when() < loop.time()):
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_later(self._next_commit - now, self._flush_in_time)

    def _flush_in_time(self) -> None:
        try:
            self.flush()
        except EndpointError as error:
            self._failure = error

    def _raise_failure(self) -> None:
        """Raise what a commit in the background met."""
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.DatabaseError as error:
            for ending in ("COMMIT", "ROLLBACK"):  # what was added before may still have room
                if self._database.in_transaction:
                    with suppress(sqlite3.DatabaseError):
                        self._database.execute(ending)
            if isinstance(error, sqlite3.OperationalError):
                raise EndpointError(
                    f"An answer could not be stored in {self._path}: {error}. Nothing more is asked. "
                    "Make room on the disk and start again: what was stored before is kept."
                ) from error
            raise EndpointError(self._broken("written", error)) from error

    def _prepare(self) -> None:
        """Make the tables, or bring those of an earlier version into the present form."""
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise EndpointError(
                f"The store of answers {self._path} has the form {version}, which a later version of this program "
                f"wrote; this one knows up to {VERSION}. Update it, or move the store away to start anew."
            )
        self._database.executescript(_SCHEMA)
        for table, columns in _LATER_COLUMNS.items():
            there = {row[1] for row in self._database.execute(f"PRAGMA table_info({table})")}
            for column in columns:
                if column not in there:
                    self._database.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
        if version != VERSION:
            self._database.execute(f"PRAGMA user_version = {VERSION}")

    def _broken(self, what: str, error: sqlite3.DatabaseError) -> str:
        return (
            f"The store of answers {self._path} cannot be {what}: {error}. "
            "Put back a copy of it, or move it away to start anew (what it held is then asked again)."
        )
