"""The store of answers: one SQLite file per model or service, readable without this program.

The table ``answers`` holds one row per question that has its final answer; ``attempts`` holds
every call that failed. Each row is committed before the next step, so that killing the process
loses at most what was in flight.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from attribench.errors import EndpointError
from attribench.step import screen

FINAL = ("ok", "refused", "truncated", "empty")


@dataclass(frozen=True)
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

    @property
    def key(self) -> str:
        """Hash of the content, the same however its keys are ordered."""
        return hashlib.sha256(self.as_json().encode()).hexdigest()

    def as_json(self) -> str:
        """The content as canonical JSON."""
        return json.dumps(self.content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


_COLUMNS = [field.name for field in fields(Answer)]
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, question TEXT NOT NULL, {", ".join(_COLUMNS)});
CREATE TABLE IF NOT EXISTS attempts (key TEXT NOT NULL, at TEXT NOT NULL, cause TEXT NOT NULL, message TEXT NOT NULL);
"""


class Store(AbstractContextManager["Store"]):
    """An open store. Only one process at a time has it open; a second one waits and says so."""

    def __init__(self, path: Path, *, patience: float = -1) -> None:
        """Open or make the store at `path`; wait for another process at most `patience` seconds (−1: for ever)."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._patience = patience
        self._lock = FileLock(path.with_suffix(".lock"))

    def __enter__(self) -> Self:
        """Take the lock and open the file."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            waiting = f"Waiting for another job or run that is asking the same model ({self._path}) ..."
            print(waiting, file=screen(), flush=True)
            try:
                self._lock.acquire(timeout=self._patience)
            except Timeout as error:
                raise EndpointError(f"{self._path} is still in use by another run; let it end first.") from error
        try:
            self._database = sqlite3.connect(self._path, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
            self._database.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            self._lock.release()
            raise EndpointError(self._broken("opened", error)) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file and release the lock."""
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
        """Store a final answer, durably.

        Raises:
            ValueError: the answer is not final.
            EndpointError: it cannot be written.
        """
        if answer.status not in FINAL:
            raise ValueError(f"an answer with the status '{answer.status}' is not final")
        values = [question.key, question.as_json(), *asdict(answer).values()]
        columns = ", ".join(["key", "question", *_COLUMNS])
        self._write(f"INSERT OR REPLACE INTO answers ({columns}) VALUES ({', '.join('?' * len(values))})", values)

    def add_attempt(self, question: Question, cause: str, message: str) -> None:
        """Store that a call failed, and why."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._write("INSERT INTO attempts VALUES (?, ?, ?, ?)", [question.key, now, cause, message])

    def _write(self, statement: str, values: list[Any]) -> None:
        try:
            self._database.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise EndpointError(
                f"An answer could not be stored in {self._path}: {error}. Nothing more is asked. "
                "Make room on the disk and start again: what was stored before is kept."
            ) from error
        except sqlite3.DatabaseError as error:
            raise EndpointError(self._broken("written", error)) from error

    def _broken(self, what: str, error: sqlite3.DatabaseError) -> str:
        return (
            f"The store of answers {self._path} cannot be {what}: {error}. "
            "Put back a copy of it, or move it away to start anew (what it held is then asked again)."
        )
