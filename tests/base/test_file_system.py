"""Where a store is kept: a write-ahead log on a local disk alone, and nothing where locks hold on one machine only."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from attribench.errors import EndpointError
from attribench.ledger import file_system
from attribench.ledger.budget import Budget, Limit
from attribench.ledger.file_system import journal_mode
from attribench.ledger.store import Answer, Question, Store


def mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, options: str = "rw") -> Path:
    """Make a folder that is on a file system of that kind, as far as Linux says."""
    folder = tmp_path / "a disk" / "cache" / "evaluation"
    folder.mkdir(parents=True)
    place = str(tmp_path / "a disk").replace(" ", r"\040")
    lines = [
        "1 0 8:1 / / rw shared:1 - ext4 /dev/sda1 rw",
        f"2 1 0:5 / {place} rw,noatime - {kind} server:/a {options}",
    ]
    mounts = tmp_path / "mountinfo"
    mounts.write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr(file_system, "MOUNTS", mounts)
    return folder


@pytest.mark.parametrize(
    ("kind", "journal"), [("ext4", "WAL"), ("nfs4", "DELETE"), ("lustre", "DELETE"), ("beegfs", "DELETE")]
)
def test_the_journal_follows_the_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, journal: str
) -> None:
    assert journal_mode(mounted(tmp_path, monkeypatch, kind)) == journal
    assert journal_mode(tmp_path) == "WAL", "the disk around it"


@pytest.mark.parametrize(
    ("kind", "options"),
    [("nfs", "rw,nolock"), ("nfs4", "rw,local_lock=all"), ("lustre", "rw,localflock"), ("fuse.sshfs", "rw")],
)
def test_a_file_system_whose_locks_hold_on_one_machine_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, options: str
) -> None:
    folder = mounted(tmp_path, monkeypatch, kind, options)
    with pytest.raises(EndpointError, match="do not hold on other machines"):
        Store(folder / "m.sqlite").__enter__()
    assert not list(folder.iterdir())


def test_a_file_system_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object, **__: object) -> None:
        raise NotImplementedError

    store = Store(tmp_path / "m.sqlite")
    monkeypatch.setattr(store._lock, "acquire", lacking)
    with pytest.raises(EndpointError, match="knows no locks at all"):
        store.__enter__()


def test_a_store_moves_from_a_local_disk_to_a_shared_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = mounted(tmp_path, monkeypatch, "ext4") / "m.sqlite"
    question = Question({"model": "m"})
    # Ended without closing: the write-ahead log stays.
    writing = (
        "import os, sys; from pathlib import Path; from attribench.ledger.store import *; "
        "Store(Path(sys.argv[1])).__enter__().add(Question({'model': 'm'}), Answer('ok', 'said')); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", writing, str(path)], check=True)
    assert path.with_name("m.sqlite-wal").stat().st_size > 0
    monkeypatch.setattr(file_system, "LOCAL", frozenset())
    with Store(path) as store, Budget(path, own=None, together=Limit(1, "b"), bound=lambda _: 0.1):
        assert store.answers([question.key])[question.key].text == "said"
        store.add(Question({"model": "n"}), Answer("ok", "more"))
        assert not path.with_name("m.sqlite-wal").exists()
    for file in (path, path.parents[1] / "spending.sqlite"):
        with closing(sqlite3.connect(file)) as database:
            assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)
