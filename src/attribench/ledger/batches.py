"""The batches that a store's questions were sent in, on the disk before anybody waits for them.

They are in the same SQLite file as the answers: the table ``batches`` has one row per batch,
``batch_questions`` the questions in those that are still open.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from attribench.ledger.store import Question

_SCHEMA = """
CREATE TABLE IF NOT EXISTS batches (
    number INTEGER PRIMARY KEY, file_id TEXT NOT NULL, batch_id TEXT, submitted_at TEXT NOT NULL, result TEXT
);
CREATE TABLE IF NOT EXISTS batch_questions (number INTEGER NOT NULL, key TEXT NOT NULL, question TEXT NOT NULL);
"""


@dataclass(frozen=True)
class OpenBatch:
    """A batch whose results were not read yet; `batch_id` is None where it is not known whether it was made."""

    number: int
    file_id: str
    batch_id: str | None
    keys: frozenset[str]


class Batches(AbstractContextManager["Batches"]):
    """The batches of the store in a file, whose lock the caller holds. Each change is on the disk when it returns.

    Nothing of the store may wait to be committed when one of these methods writes: flush it before.
    """

    def __init__(self, store: Path) -> None:
        """`store` is the file."""
        self._path = store

    def __enter__(self) -> Self:
        """Open the file."""
        self._database = sqlite3.connect(self._path, isolation_level=None, timeout=30)
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.executescript(_SCHEMA)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._database.close()

    def open(self) -> list[OpenBatch]:
        """Return the batches whose results were not read yet, oldest first."""
        rows = self._database.execute(
            "SELECT number, file_id, batch_id FROM batches WHERE result IS NULL ORDER BY number"
        ).fetchall()
        return [OpenBatch(number, file, batch, frozenset(self._keys(number))) for number, file, batch in rows]

    def questions(self, batch: OpenBatch) -> dict[str, Question]:
        """Return the questions of an open batch by key."""
        rows = self._database.execute("SELECT key, question FROM batch_questions WHERE number = ?", [batch.number])
        return {key: Question(json.loads(question)) for key, question in rows}

    def add(self, file_id: str, questions: Sequence[Question]) -> OpenBatch:
        """Record that a file with `questions` was uploaded, from which a batch is about to be made."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._database.execute("BEGIN IMMEDIATE")
        insert = "INSERT INTO batches (file_id, submitted_at) VALUES (?, ?)"
        number = self._database.execute(insert, [file_id, now]).lastrowid or 0
        rows = [(number, question.key, question.as_json()) for question in questions]
        self._database.executemany("INSERT INTO batch_questions VALUES (?, ?, ?)", rows)
        self._database.execute("COMMIT")
        return OpenBatch(number, file_id, None, frozenset(question.key for question in questions))

    def name(self, batch: OpenBatch, batch_id: str) -> OpenBatch:
        """Record the service's id of a batch that was made."""
        self._database.execute("UPDATE batches SET batch_id = ? WHERE number = ?", [batch_id, batch.number])
        return OpenBatch(batch.number, batch.file_id, batch_id, batch.keys)

    def close(self, batch: OpenBatch, result: str) -> None:
        """Record that the answers of a batch were stored, and how it ended ("gone": there is none any more).

        Its questions are forgotten.
        """
        self._database.execute("BEGIN IMMEDIATE")
        self._database.execute("UPDATE batches SET result = ? WHERE number = ?", [result, batch.number])
        self._database.execute("DELETE FROM batch_questions WHERE number = ?", [batch.number])
        self._database.execute("COMMIT")

    def _keys(self, number: int) -> list[str]:
        select = "SELECT key FROM batch_questions WHERE number = ?"
        return [row[0] for row in self._database.execute(select, [number])]
