"""The command: what is stored can be listed, carried to another machine, and verified."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import attribench
from attribench.ledger.command import main
from attribench.ledger.contents import describe, find_stores
from attribench.ledger.store import Answer, Question, Store

QUESTIONS = [Question({"n": n, "messages": [{"role": "user", "content": "“Žluť” 日本"}]}) for n in range(30)]
FULL = Answer(
    "ok", text="Maya Angelou", served_model="m-1", prompt_tokens=10, completion_tokens=5, cost=0.25, attempts=2
)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """Two stores of different stages, as the workflow leaves them."""
    root = tmp_path / "cache"
    with Store(root / "evaluation" / "gpt-4o.sqlite") as store:
        for question in QUESTIONS[:10]:
            store.add(question, FULL)
        store.add(QUESTIONS[10], Answer("refused", finish_reason="content_filter"))
        store.add_attempt(QUESTIONS[11], "timeout", "took too long", 0.5)
    with Store(root / "fame" / "dataforseo.sqlite") as store:
        store.add(QUESTIONS[0], Answer("ok", text="{}", cost=0.002))
    (root / "spending.sqlite").touch()
    return root


def ledger(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


def test_every_store_is_listed(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ledger("list", "--cache", cache) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["store", "evaluation/gpt-4o", "fame/dataforseo"]
    assert lines[1].split()[1:8] == ["11", "1", "1", "100", "50", "3.0000", "1"]


def test_a_store_is_described_as_it_is(cache: Path) -> None:
    held = describe("x", cache / "evaluation" / "gpt-4o.sqlite")
    assert (held.answers, held.ok, held.refused, held.failed_calls) == (11, 10, 1, 1)
    assert (held.prompt_tokens, held.completion_tokens) == (100, 50)
    assert held.cost == pytest.approx(2.5 + 0.5) and held.unpriced == 1


def test_paid_answers_are_carried_to_another_machine(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, other = tmp_path / "exported", tmp_path / "other"
    assert ledger("export", folder, "--cache", cache) == 0
    table = pq.read_table(folder / "evaluation" / "gpt-4o.answers.parquet")
    assert table.num_rows == 11 and table.schema.field("cost").type == "double"
    with Store(other / "evaluation" / "gpt-4o.sqlite") as store:
        store.add(QUESTIONS[0], Answer("ok", text="an answer of its own"))
    assert ledger("import", folder, "--cache", other) == 0
    assert "evaluation/gpt-4o: 10 of 11 answers taken in, 1 were there" in capsys.readouterr().out
    with Store(other / "evaluation" / "gpt-4o.sqlite") as store:
        found = store.answers(question.key for question in QUESTIONS)
    assert found[QUESTIONS[0].key].text == "an answer of its own"
    assert found[QUESTIONS[1].key] == FULL
    with closing(sqlite3.connect(other / "evaluation" / "gpt-4o.sqlite")) as database:
        assert database.execute("SELECT cause, cost FROM attempts").fetchall() == [("timeout", 0.5)]
    assert ledger("import", folder, "--cache", other) == 0
    assert "0 of 11" in capsys.readouterr().out
    with closing(sqlite3.connect(other / "evaluation" / "gpt-4o.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM attempts").fetchone() == (1,), "not twice"
    assert ledger("verify", "--cache", other) == 0


def test_one_store_by_its_name(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ledger("export", tmp_path / "e", "fame/dataforseo", "--cache", cache) == 0
    assert [path.name for path in (tmp_path / "e").iterdir()] == ["fame"]
    assert ledger("list", "fame/nowhere", "--cache", cache) == 1
    assert "There is no store fame/nowhere; there are: evaluation/gpt-4o, fame/dataforseo" in capsys.readouterr().err


def test_what_was_changed_by_hand_is_found(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cache / "evaluation" / "gpt-4o.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE answers SET question = '{}' WHERE key = ?", [QUESTIONS[0].key])
        database.execute("UPDATE answers SET status = 'failed' WHERE key = ?", [QUESTIONS[1].key])
        database.commit()
    assert ledger("verify", "--cache", cache) == 1
    said = capsys.readouterr().out
    assert f"the answer {QUESTIONS[0].key} stands beside a question with another key" in said
    assert f"the answer {QUESTIONS[1].key} has the status 'failed'" in said
    assert "fame/dataforseo: in order" in said


def test_damaged_pages_are_found(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cache / "evaluation" / "gpt-4o.sqlite"
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    assert ledger("verify", "--cache", cache) == 1
    assert "evaluation/gpt-4o: in order" not in capsys.readouterr().out


def test_a_damaged_export_is_refused_whole(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger("export", tmp_path / "e", "--cache", cache)
    file = tmp_path / "e" / "evaluation" / "gpt-4o.answers.parquet"
    table = pq.read_table(file)
    keys = ["0" * 64, *table["key"].to_pylist()[1:]]
    pq.write_table(table.set_column(0, "key", [keys]), file)
    assert ledger("import", tmp_path / "e", "evaluation/gpt-4o", "--cache", tmp_path / "other") == 1
    assert "holds an answer that is damaged" in capsys.readouterr().err
    assert find_stores(tmp_path / "other") == {}
    file.write_bytes(b"no table")
    assert ledger("import", tmp_path / "e", "evaluation/gpt-4o", "--cache", tmp_path / "other") == 1


def test_nothing_there_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ledger("list", "--cache", tmp_path / "none") == 0
    assert "There is no store" in capsys.readouterr().out


def test_while_a_store_is_in_use_it_is_read_but_not_written(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger("export", tmp_path / "e", "--cache", cache)
    with Store(cache / "evaluation" / "gpt-4o.sqlite"):
        child = [sys.executable, "-m", "attribench", "ledger"]
        environment = {**os.environ, "PYTHONPATH": str(Path(attribench.__file__).parents[1])}
        options = {"env": environment, "capture_output": True, "text": True, "check": False}
        listed = subprocess.run([*child, "list", "--cache", cache], **options)  # type: ignore[call-overload]
        assert listed.returncode == 0 and "evaluation/gpt-4o" in listed.stdout
        taken = subprocess.run([*child, "import", tmp_path / "e", "--cache", cache], **options)  # type: ignore[call-overload]
        assert taken.returncode == 1 and "still in use by another run" in taken.stderr
