"""The store: what was acknowledged is there, whoever is killed; one process at a time; clear errors."""

import asyncio
import hashlib
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import attribench
from attribench.errors import EndpointError
from attribench.ledger import store as store_module
from attribench.ledger.store import FINAL, Answer, Question, Store

CONTENT = {
    "endpoint": {"url": "http://127.0.0.1/v1"},
    "model": "openai/m",
    "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "Zoë said “no”"}],
    "sampling": {"temperature": 0.7, "top_p": 0.95, "max_tokens": 40, "seed": 7},
    "generation": 0,
}
FULL = Answer(
    status="ok",
    text='Maya Angelou, “I know why”\nand "more"',
    finish_reason="stop",
    served_model="m-2026",
    prompt_tokens=10,
    completion_tokens=20,
    reasoning_tokens=0,
    cost=0.00125,
    seconds=1.5,
    attempts=3,
    asked_at="2026-01-01T00:00:00+00:00",
)


def question(number: int) -> Question:
    return Question({**CONTENT, "generation": number})


def child(body: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", body, *arguments],
        env={**os.environ, "PYTHONPATH": str(Path(attribench.__file__).parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


class TestKey:
    def test_order_does_not_matter(self) -> None:
        turned = {key: CONTENT[key] for key in reversed(CONTENT)}
        turned["sampling"] = dict(reversed(CONTENT["sampling"].items()))  # type: ignore[attr-defined]
        assert list(turned) != list(CONTENT)
        assert Question(turned).key == Question(CONTENT).key

    @pytest.mark.parametrize(
        ("part", "other"),
        [
            ("endpoint", {"url": "http://127.0.0.2/v1"}),
            ("model", "openai/n"),
            ("messages", list(reversed(CONTENT["messages"]))),  # type: ignore[call-overload]
            ("messages", [{"role": "user", "content": "Zoe said “no”"}]),
            ("sampling", {**CONTENT["sampling"], "temperature": 0.8}),  # type: ignore[dict-item]
            ("sampling", {**CONTENT["sampling"], "seed": 8}),  # type: ignore[dict-item]
            ("sampling", {"temperature": 0.7}),
            ("generation", 1),
        ],
    )
    def test_each_part_matters(self, part: str, other: object) -> None:
        assert Question({**CONTENT, part: other}).key != Question(CONTENT).key

    def test_the_key_stays_the_same_from_version_to_version(self) -> None:
        """A key that changed would ask, and pay for, every question again."""
        asked = Question({"b": [1, "é"], "a": None})
        assert asked.key == hashlib.sha256('{"a":null,"b":[1,"é"]}'.encode()).hexdigest()


class TestAnswers:
    def test_an_answer_comes_back_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "store.sqlite"
        with Store(path) as store:
            store.add(question(0), FULL)
            store.add(question(1), Answer("empty"))
        with Store(path) as store:
            keys = [question(n).key for n in range(3)]
            assert store.answers(keys) == {keys[0]: FULL, keys[1]: Answer("empty")}

    def test_more_keys_than_one_statement_takes(self, tmp_path: Path) -> None:
        with Store(tmp_path / "store.sqlite") as store:
            for n in (0, 499, 500, 1001):
                store.add(question(n), Answer("ok", text=str(n)))
            found = store.answers(question(n).key for n in range(1200))
        assert sorted(answer.text or "" for answer in found.values()) == ["0", "1001", "499", "500"]

    @pytest.mark.parametrize("status", FINAL)
    def test_final_answers_are_stored(self, status: str, tmp_path: Path) -> None:
        with Store(tmp_path / "store.sqlite") as store:
            store.add(question(0), Answer(status))
            assert list(store.answers([question(0).key])) == [question(0).key]

    @pytest.mark.parametrize("status", ["failed", "", "OK"])
    def test_no_other_is(self, status: str, tmp_path: Path) -> None:
        with Store(tmp_path / "store.sqlite") as store:
            with pytest.raises(ValueError, match="not final"):
                store.add(question(0), Answer(status))
            assert store.answers([question(0).key]) == {}

    def test_the_file_can_be_read_without_this_program(self, tmp_path: Path) -> None:
        with Store(tmp_path / "store.sqlite") as store:
            store.add(question(0), FULL)
            store.add_attempt(question(1), "timeout", "took too long")
        database = sqlite3.connect(tmp_path / "store.sqlite")
        [(asked, text)] = database.execute("SELECT question, text FROM answers").fetchall()
        attempts = database.execute("SELECT key, cause, message FROM attempts").fetchall()
        database.close()
        assert json.loads(asked) == CONTENT
        assert text == FULL.text
        assert attempts == [(question(1).key, "timeout", "took too long")]


WRITER = """
import sys
import time
from pathlib import Path
from attribench.ledger.store import Answer, Question, Store
with Store(Path(sys.argv[1])) as store:
    for n in range(100_000):
        question = Question({"n": n})
        store.add(question, Answer("ok", text=f"answer {n}"))
        print(n, flush=True)
"""


def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    acknowledged: list[int] = []
    for round_number in range(2):
        writer = child(WRITER, str(path))
        assert writer.stdout
        for line in writer.stdout:
            acknowledged.append(int(line))
            if len(acknowledged) % 50 == 49:
                break
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout.read().splitlines()]
        assert writer.wait() == -signal.SIGKILL
        writer.stdout.close()
        assert writer.stdin
        writer.stdin.close()
        with Store(path, patience=5) as store:
            found = store.answers(Question({"n": n}).key for n in acknowledged)
        assert {answer.text for answer in found.values()} == {f"answer {n}" for n in acknowledged}, round_number
    assert len(acknowledged) >= 49


def committed(path: Path) -> int:
    """The number of answers that another process sees."""
    database = sqlite3.connect(path)
    number: int = database.execute("SELECT count(*) FROM answers").fetchone()[0]
    database.close()
    return number


FAST_WRITER = """
import asyncio, sys, time
from pathlib import Path
from attribench.ledger.store import Answer, Question, Store
async def write(store):
    for n in range(100_000):
        store.add(Question({"n": n}), Answer("ok", text=f"answer {n}"))
        print(n, time.time(), flush=True)
        await asyncio.sleep(0.001)
with Store(Path(sys.argv[1])) as store:
    asyncio.run(write(store))
"""


class TestGroups:
    """Within an event loop, fast answers are committed in groups, each within half a second."""

    def test_a_lone_answer_is_committed_at_once(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            for n in range(3):
                store.add(question(n), FULL)
                assert committed(tmp_path / "store.sqlite") == n + 1
                await asyncio.sleep(store_module.LONGEST_DELAY)

        with Store(tmp_path / "store.sqlite") as store:
            asyncio.run(write(store))

    def test_fast_answers_share_a_commit_and_none_waits_long(self, tmp_path: Path) -> None:
        commits: list[str] = []

        async def write(store: Store) -> None:
            for n in range(200):
                store.add(question(n), FULL)
            assert committed(tmp_path / "store.sqlite") < 200
            await asyncio.sleep(0.5)
            assert committed(tmp_path / "store.sqlite") == 200

        with Store(tmp_path / "store.sqlite") as store:
            store._database.set_trace_callback(lambda text: commits.append(text) if text == "COMMIT" else None)
            asyncio.run(write(store))
        assert 2 <= len(commits) < 100

    def test_what_waits_is_seen_and_the_end_commits_it(self, tmp_path: Path) -> None:
        keys = [question(n).key for n in range(50)]

        async def write(store: Store) -> None:
            for n in range(50):
                store.add(question(n), FULL)
            assert len(store.answers(keys)) == 50

        with Store(tmp_path / "store.sqlite") as store:
            asyncio.run(write(store))  # the loop is gone before the time for a commit has come
            store.add_attempt(question(50), "timeout", "took too long", None)
        assert committed(tmp_path / "store.sqlite") == 50

    def test_killed_at_any_time_it_holds_what_is_half_a_second_old(self, tmp_path: Path) -> None:
        path = tmp_path / "store.sqlite"
        lines = []
        with child(FAST_WRITER, str(path)) as writer:
            assert writer.stdout
            for line in writer.stdout:
                lines.append(line)
                if len(lines) > 10 and time.time() - float(lines[0].split()[1]) > 1:
                    break
            killed = time.time()
            writer.send_signal(signal.SIGKILL)
        old = sum(float(line.split()[1]) < killed - 0.5 for line in lines)
        assert old > 50
        assert committed(path) >= old

    def test_a_failure_in_the_background_is_raised_by_the_next_call(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def write(store: Store) -> None:
            store.add(question(0), FULL)
            store._next_commit = time.monotonic() + 0.2
            store.add(question(1), FULL)
            with monkeypatch.context() as patch:
                patch.setattr(store, "_execute", full)
                await asyncio.sleep(0.4)
            with pytest.raises(EndpointError, match="The disk is full"):
                store.add(question(2), FULL)

        def full(statement: str) -> None:
            raise EndpointError(f"The disk is full, {statement} is not possible.")

        with Store(tmp_path / "store.sqlite") as store:
            asyncio.run(write(store))


class TestForms:
    """A store keeps its form in the file; what an earlier version wrote is brought into the present one."""

    def test_a_store_of_an_earlier_version(self, tmp_path: Path) -> None:
        path = tmp_path / "store.sqlite"
        database = sqlite3.connect(path)
        columns = "status, text, finish_reason, cause, served_model, prompt_tokens, completion_tokens"
        columns += ", reasoning_tokens, cost, seconds, attempts, asked_at"
        database.execute(f"CREATE TABLE answers (key TEXT PRIMARY KEY, question TEXT NOT NULL, {columns})")
        database.execute("CREATE TABLE attempts (key TEXT NOT NULL, at TEXT, cause TEXT, message TEXT)")
        database.execute("INSERT INTO answers (key, question, status, attempts) VALUES (?, '{}', 'empty', 1)", ["k"])
        database.commit()
        database.close()
        with Store(path) as store:
            assert store.answers(["k"]) == {"k": Answer("empty")}
            store.add_attempt(question(1), "timeout", "took too long", None)
        database = sqlite3.connect(path)
        assert database.execute("PRAGMA user_version").fetchone()[0] == store_module.VERSION
        database.close()

    def test_a_store_of_a_later_version_is_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "store.sqlite"
        database = sqlite3.connect(path)
        database.execute(f"PRAGMA user_version = {store_module.VERSION + 1}")
        database.close()
        for _ in range(2):  # and the lock is free again
            with pytest.raises(EndpointError, match=r"store\.sqlite has the form .* later version"), Store(path):
                pass


HOLDER = """
import sys
import time
from pathlib import Path
from attribench.ledger.store import Answer, Question, Store
with Store(Path(sys.argv[1])) as store:
    print("open", flush=True)
    sys.stdin.readline()
    store.add(Question({"n": 0}), Answer("ok", text="from the other"))
"""


def test_a_second_process_waits_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.sqlite"
    with child(HOLDER, str(path)) as holder:
        assert holder.stdout and holder.stdin
        assert holder.stdout.readline() == "open\n"

        class Screen(io.StringIO):
            def flush(self) -> None:  # what was printed is seen: now the other may end
                assert holder.stdin
                holder.stdin.write("go\n")
                holder.stdin.flush()

        screen = Screen()
        monkeypatch.setattr(store_module, "screen", lambda: screen)
        with Store(path, patience=30) as store:
            assert store.answers([Question({"n": 0}).key])[Question({"n": 0}).key].text == "from the other"
    assert "Waiting for another job or run" in screen.getvalue()
    assert str(path) in screen.getvalue()


def test_a_second_process_that_will_not_wait_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "screen", io.StringIO)
    path = tmp_path / "store.sqlite"
    with child(HOLDER, str(path)) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(EndpointError, match="still in use by another run"), Store(path, patience=0):
            pass
        holder.communicate("go\n")
    with Store(path, patience=0) as store:
        assert len(store.answers([Question({"n": 0}).key])) == 1


class TestDamage:
    def test_a_file_that_is_no_store(self, tmp_path: Path) -> None:
        path = tmp_path / "store.sqlite"
        path.write_bytes(b"this is no database " * 500)
        for _ in range(2):  # and the lock is free again
            with pytest.raises(EndpointError, match=r"store\.sqlite cannot be opened.*move it away"), Store(path):
                pass
        assert path.read_bytes() == b"this is no database " * 500

    def test_a_store_with_damaged_pages(self, tmp_path: Path) -> None:
        path = tmp_path / "store.sqlite"
        with Store(path) as store:
            for n in range(200):
                store.add(question(n), FULL)
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (path.stat().st_size - 4096))
        with pytest.raises(EndpointError, match=r"store\.sqlite"), Store(path) as store:
            store.answers(question(n).key for n in range(200))
            store.add(question(1000), FULL)

    def test_a_full_disk_stops_and_keeps_what_was_stored(self, tmp_path: Path) -> None:
        path = tmp_path / "store.sqlite"
        with Store(path) as store:
            store.add(question(0), FULL)
            pages = store._database.execute("PRAGMA page_count").fetchone()[0]
            store._database.execute(f"PRAGMA max_page_count = {pages}")
            big = Answer("ok", text="x" * 100_000)
            with pytest.raises(EndpointError, match=r"could not be stored in .*full.* Nothing more is asked"):
                store.add(question(1), big)
            assert list(store.answers([question(0).key, question(1).key])) == [question(0).key]
