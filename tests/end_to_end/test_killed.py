"""A run that is killed in the middle of the evaluation loses no finished answer."""

import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pandas as pd

TARGETS = [f"results/evaluation/{dataset}/loopback/outcomes.parquet" for dataset in ("intersectional", "multirace")]


def test_a_killed_run_goes_on_where_it_was(with_dataset: Any, tmp_path: Path, chat: Any, asked_at: Any) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    concurrency = 4
    config = asked_at(workflow.config, chat.url, concurrency=concurrency)
    store = workflow.folder / "resources/cache/evaluation/loopback.sqlite"
    chat.delay = 0.1
    running = subprocess.Popen(
        workflow.command(*TARGETS, config=config),
        cwd=workflow.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while sum(chat.asked.values()) < 40 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    asked_before = sum(chat.asked.values())
    with sqlite3.connect(store) as database:
        stored = database.execute("SELECT count(*) FROM answers").fetchone()[0]
    assert asked_before >= 40
    assert stored >= asked_before - concurrency, "at most what was in flight is lost"

    chat.delay = 0.0
    locked = workflow.run(*TARGETS, config=config)
    assert locked.code != 0
    assert "--unlock" in locked.screen
    assert workflow.run(*TARGETS, "--unlock", config=config).code == 0
    done = workflow.run(*TARGETS, config=config)
    assert done.code == 0, done.screen
    tables = [pd.read_parquet(workflow.folder / target) for target in TARGETS]
    assert all(table["outcome"].notna().all() for table in tables)
    with sqlite3.connect(store) as database:
        answers = database.execute("SELECT count(*) FROM answers").fetchone()[0]
    assert len(chat.asked) == answers, "every question was asked"
    asked_twice = sum(count - 1 for count in chat.asked.values())
    assert asked_twice <= concurrency, "only what was in flight was asked again"


def test_what_was_asked_is_not_asked_again(with_dataset: Any, tmp_path: Path, chat: Any, asked_at: Any) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = asked_at(workflow.config, chat.url, subset=2, without=["seed"])
    assert workflow.run(*TARGETS, config=config).code == 0
    first = sum(chat.asked.values())
    config["models"]["loopback"] |= {"concurrency": 2, "timeout": 30, "attempts": 2}
    done = workflow.run(*TARGETS, config=config)
    assert done.code == 0, done.screen
    assert sum(chat.asked.values()) == first, "concurrency, timeout and attempts do not change what is asked"
    config["models"]["loopback"]["subset"] = 3
    assert workflow.run(*TARGETS, config=config).code == 0
    assert len(chat.asked) == sum(chat.asked.values()), "only the new matching's questions were asked"
    assert len(chat.asked) > first
