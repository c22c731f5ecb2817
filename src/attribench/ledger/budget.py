"""What may be spent: a limit for one store, and one for all stores together.

Each call is reserved before it is made, at the most that it can cost, and settled with what it did
cost. The jobs of one run share a small file, the account, so that together they stay within the limit.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from attribench.errors import BudgetError, EndpointError
from attribench.ledger.file_system import journal_mode
from attribench.ledger.store import Question

ACCOUNT = "spending.sqlite"
"""Name of the account, in the folder that holds the folders of the stores."""

_PAUSE = 0.1  # seconds until money that is reserved for calls in flight is looked at again
_REFRESH = 10.0  # seconds after which a job that ended without giving back what it reserved is noticed

_SCHEMA = """
CREATE TABLE IF NOT EXISTS account
    (store TEXT PRIMARY KEY, spent REAL NOT NULL, reserved REAL NOT NULL, state TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Limit:
    """Most that may be spent, in USD, earlier runs included, and the configuration's key that says so."""

    usd: float
    key: str


class Budget(AbstractContextManager["Budget"]):
    """The money of one job that asks: open it beside its store, whose lock the job holds.

    Args of the constructor:
        store: the store of the answers that are paid for.
        own: the limit for this store; None for none.
        together: the limit for all stores in the folders beside it; None for none.
        bound: returns the most that asking a question once can cost, in USD.
    """

    def __init__(
        self, store: Path, *, own: Limit | None, together: Limit | None, bound: Callable[[Question], float]
    ) -> None:
        """See the class."""
        self._store, self._own, self._together, self._bound = store, own, together, bound
        self._root = store.parent.parent
        self._name = store.relative_to(self._root).as_posix()
        self._refreshed = 0.0

    def __enter__(self) -> Self:
        """Open the account, and bring it up to what the stores hold."""
        self._database = sqlite3.connect(self._root / ACCOUNT, isolation_level=None, timeout=60)
        # The stores are what counts: should the account be lost with the machine, it is made anew from them.
        self._database.execute(f"PRAGMA journal_mode = {journal_mode(self._root)}")
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.executescript(_SCHEMA)
        with self._alone():
            self._enter(self._store, self._name)
            self._refresh()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give back what is still reserved, and close the account."""
        self._database.execute("UPDATE account SET reserved = 0 WHERE store = ?", [self._name])
        self._database.close()

    async def reserve(self, question: Question) -> float:
        """Set aside the most that one call for `question` can cost, and return it, in USD.

        Waits while only the calls in flight, which may turn out cheaper, stand in the way.

        Raises:
            BudgetError: the call could take the spending past a limit.
        """
        usd = self._bound(question)
        while not self._take(usd):
            await asyncio.sleep(_PAUSE)
        return usd

    def reserve_now(self, question: Question) -> float | None:
        """Do as `reserve`, but return None instead of waiting."""
        usd = self._bound(question)
        return usd if self._take(usd) else None

    def settle(self, reserved: float, cost: float | None) -> None:
        """Replace what was `reserved` for a call by its `cost`; None counts as much as was reserved."""
        self._database.execute(
            "UPDATE account SET reserved = max(0, reserved - ?), spent = spent + ? WHERE store = ?",
            [reserved, reserved if cost is None else cost, self._name],
        )

    def _take(self, usd: float) -> bool:
        with self._alone():
            rows = self._database.execute("SELECT store, spent, reserved FROM account").fetchall()
            own = [row for row in rows if row[0] == self._name]
            for limit, counted in ((self._own, own), (self._together, rows)):
                if limit is None:
                    continue
                spent, reserved = sum(row[1] for row in counted), sum(row[2] for row in counted)
                if spent + usd > limit.usd:
                    raise BudgetError(
                        f"The budget of {limit.usd:g} USD ('{limit.key}') allows no further call: {spent:.4f} USD are "
                        f"spent, earlier runs included, and the next call can cost up to {usd:.4f} USD."
                    )
                if spent + reserved + usd > limit.usd:
                    if time.monotonic() - self._refreshed > _REFRESH:
                        self._refresh()
                    return False
            self._database.execute("UPDATE account SET reserved = reserved + ? WHERE store = ?", [usd, self._name])
            return True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other jobs from the account for the length of a block."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            self._database.execute("COMMIT")

    def _refresh(self) -> None:
        """Count anew every other store that nobody has open and that changed, or whose job was killed."""
        self._refreshed = time.monotonic()
        known = {row[0]: row[1:] for row in self._database.execute("SELECT store, reserved, state FROM account")}
        for path in sorted(self._root.glob("*/*.sqlite")):
            name = path.relative_to(self._root).as_posix()
            if name == self._name or known.get(name) == (0.0, _state(path)):
                continue
            lock = FileLock(path.with_suffix(".lock"))
            try:
                lock.acquire(timeout=0)
            except Timeout:
                if name not in known:
                    self._enter(path, name)
                continue
            try:
                self._enter(path, name)
            finally:
                lock.release()

    def _enter(self, path: Path, name: str) -> None:
        spent = money_spent(path)
        self._database.execute("INSERT OR REPLACE INTO account VALUES (?, ?, 0, ?)", [name, spent, _state(path)])


def money_spent(store: Path) -> float:
    """Return what the answers and the failed calls in a store have cost, as far as it is known, in USD.

    Raises:
        EndpointError: it cannot be read.
    """
    database = sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)
    try:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        total = 0.0
        for table in tables & {"answers", "attempts"}:
            if "cost" in {row[1] for row in database.execute(f"PRAGMA table_info({table})")}:
                total += database.execute(f"SELECT total(cost) FROM {table}").fetchone()[0]
        return total
    except sqlite3.DatabaseError as error:
        raise EndpointError(
            f"What the answers in {store} have cost cannot be read: {error}. A budget counts every store in the "
            "folders beside it: put back a copy of this one, or move it away."
        ) from error
    finally:
        database.close()


def _state(path: Path) -> str:
    found = path.stat()
    return f"{found.st_mtime_ns} {found.st_size}"
