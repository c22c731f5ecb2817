"""The step that asks, end to end over a loopback server: nothing asked twice, nothing lost, nothing made up."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import attribench
from attribench.errors import EndpointError, InputError, MissingAnswersError
from attribench.evaluation import ask_model
from attribench.evaluation.ask_model import main
from attribench.evaluation.classify_answers import classify_table
from attribench.ledger import runner
from attribench.ledger.store import LONGEST_DELAY
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import RESPONSES
from attribench.tables.evidence import EVIDENCE

N = 6 * 2 * 2  # quotes, prompts, with and without evidence
Step = dict[str, Any]
Says = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("no_pause")


@pytest.fixture(autouse=True)
def no_connection_left(
    connected: Callable[[], AbstractAsyncContextManager[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Close what a process of its own would close by its end."""

    async def ask_all(*arguments: Any, **named: Any) -> Any:
        async with connected():
            return await runner.ask_all(*arguments, **named)

    monkeypatch.setattr(ask_model, "ask_all", ask_all)


def model(step: Step, **changed: Any) -> Step:
    return {**step, "model": {**step["model"], **changed}}


def test_all_is_answered_and_a_second_time_nothing_is_asked(
    step: Step, server: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    main(**step)
    assert len(server.seen) == N
    table = read(step["responses"], RESPONSES)
    assert len(table) == N
    assert (table["status"] == "ok").all()
    assert (table["served_model"] == "snapshot-2026").all()
    assert (table["attempts"] == 1).all()
    assert table["key"].is_unique
    assert f"{N} questions, 0 of them answered before" in capfd.readouterr().err

    first = step["responses"].read_bytes()
    for output in (step["responses"], step["manifest"]):
        output.unlink()
    main(**step)
    assert len(server.seen) == N
    assert step["responses"].read_bytes() == first
    assert f"{N} of them answered before, 0 to ask" in capfd.readouterr().err


def test_when_nothing_is_missing_no_server_is_needed(step: Step, server: Any) -> None:
    main(**step)
    server.close()
    main(**step)


def test_answers_stand_beside_their_questions(step: Step, server: Any, says: Says) -> None:
    """The answers come in any order; each is written to the row of its own question."""
    server.answer = lambda body: says(json.dumps([body["messages"][1]["content"], body["seed"]]))
    main(**{**step, "generations": 2})
    texts = read(step["benchmark_table"], BENCHMARK, ["quote_id", "quote"]).set_index("quote_id")["quote"]
    for row in read(step["responses"], RESPONSES).itertuples():
        asked, seed = json.loads(row.text)
        assert f'"{texts[row.quote_id]}"' in asked.split("Retrieved")[0]
        assert ("Retrieved examples" in asked) == row.evidence
        assert asked.startswith("Please identify") == (row.prompt == "direct")
        assert seed == 7 + row.generation


def test_what_is_sent_is_what_is_configured(step: Step, server: Any) -> None:
    main(**model(step, without=["seed", "top_p"], sampling={"temperature": 0.7, "max_tokens": 40}))
    assert {frozenset(body) for body in server.seen} == {frozenset(["model", "messages", "temperature", "max_tokens"])}


def test_another_generation_prompt_or_subset_asks_only_what_is_new(step: Step, server: Any) -> None:
    step |= {"prompts": ["direct"], "evidence_settings": [False]}
    main(**model(step, subset=1))
    assert len(server.seen) == 2
    main(**model(step, subset=2))
    assert len(server.seen) == 4
    main(**{**model(step, subset=2), "generations": 2})
    assert len(server.seen) == 8
    main(**{**model(step, subset=2), "prompts": ["indirect", "direct"]})
    assert len(server.seen) == 12
    main(**{**step, "generations": 2})
    assert len(server.seen) == 16


def test_a_changed_parameter_asks_everything_anew_and_a_changed_speed_nothing(step: Step, server: Any) -> None:
    main(**step)
    main(**model(step, concurrency=1, timeout=5, attempts=9))
    assert len(server.seen) == N
    main(**model(step, sampling={**step["model"]["sampling"], "max_tokens": 41}))
    assert len(server.seen) == 2 * N


def test_a_quote_in_two_data_sets_is_asked_about_once(
    step: Step, server: Any, benchmark: pd.DataFrame, tmp_path: Path
) -> None:
    main(**{**step, "evidence_settings": [False]})
    before = len(server.seen)
    other = tmp_path / "other.parquet"
    write(benchmark.iloc[:4].assign(match_id=[0, 0, 1, 1], group=["A", "B"] * 2), other, BENCHMARK)
    main(**{**step, "evidence_settings": [False], "benchmark_table": other, "dataset": "other"})
    assert len(server.seen) == before
    assert len(read(step["responses"], RESPONSES)) == 4 * 2


def test_a_text_that_is_in_the_data_set_twice_is_answered_twice_and_asked_once(
    step: Step, server: Any, benchmark: pd.DataFrame
) -> None:
    write(benchmark.assign(quote="The same words"), step["benchmark_table"], BENCHMARK)
    main(**{**step, "evidence_settings": [False], "prompts": ["direct"]})
    assert len(server.seen) == 1
    assert read(step["responses"], RESPONSES)["status"].tolist() == ["ok"] * 6


def test_an_outage_is_an_error_and_never_an_outcome(step: Step, server: Any, fails: Says, says: Says) -> None:
    step |= {"evidence_settings": [False]}
    server.answer = lambda body: fails(503, None, "out of order")
    with pytest.raises(MissingAnswersError) as caught:
        main(**step)
    assert "12 of 12 answers of some-model on intersectional are missing (12 server_error)" in str(caught.value)
    assert "start the same command again" in str(caught.value)
    assert len(server.seen) == 2 * 12, "each is tried twice"
    assert not step["responses"].exists() and not step["manifest"].exists()

    server.answer = lambda body: says()
    main(**step)
    assert (read(step["responses"], RESPONSES)["status"] == "ok").all()


def test_what_went_well_is_kept_when_some_fails(step: Step, server: Any, fails: Says, says: Says) -> None:
    server.answer = lambda body: fails(500, None) if "number 3" in body["messages"][1]["content"] else says()
    quiet = {**step, "evidence_settings": [False]}
    with pytest.raises(MissingAnswersError, match=r"2 of 12 answers .* are missing \(2 server_error\)"):
        main(**quiet)
    server.seen.clear()
    server.answer = lambda body: says()
    main(**quiet)
    assert len(server.seen) == 2


def test_a_set_share_may_be_missing_and_is_reported(
    step: Step, server: Any, fails: Says, says: Says, benchmark: pd.DataFrame
) -> None:
    server.answer = lambda body: fails(500, None) if "number 3" in body["messages"][1]["content"] else says()
    quiet = {**step, "evidence_settings": [False]}
    with pytest.raises(MissingAnswersError):
        main(**{**quiet, "max_missing": 0.16})  # 2 of 12 are one sixth
    main(**{**quiet, "max_missing": 0.17})
    table = read(step["responses"], RESPONSES)
    failed = table[table["status"] == "failed"]
    assert failed["quote_id"].unique().tolist() == ["jstet_3"] and len(failed) == 2
    assert failed["text"].isna().all() and (failed["cause"] == "server_error").all()
    outcomes = classify_table(table, benchmark)
    assert outcomes.loc[outcomes["status"] == "failed", "outcome"].isna().all()
    assert outcomes.loc[outcomes["status"] == "ok", "outcome"].notna().all()
    manifest = json.loads(step["manifest"].read_text())
    assert manifest["status"] == {"failed": 2, "ok": 10}
    assert manifest["missing_by_cause"] == {"server_error": 2}


def test_refusals_and_empty_answers_are_final(step: Step, server: Any, says: Says) -> None:
    replies = {
        "number 0": says(None, "content_filter"),
        "number 1": says(None),
        "number 2": says("", "length"),
        "number 3": says("It was Maya", "length"),
    }
    server.answer = lambda body: next(
        (reply for words, reply in replies.items() if words in body["messages"][1]["content"]), says()
    )
    quiet = {**step, "evidence_settings": [False], "prompts": ["direct"]}
    main(**quiet)
    table = read(step["responses"], RESPONSES).set_index("quote_id")
    assert table["status"].tolist() == ["refused", "empty", "truncated", "truncated", "ok", "ok"]
    assert table["text"].isna().tolist() == [True, True, True, False, False, False]
    main(**quiet)
    assert len(server.seen) == 6


def test_a_fatal_error_stops_at_once_and_keeps_what_was_answered(
    step: Step, server: Any, fails: Says, says: Says
) -> None:
    server.answer = lambda body: says() if len(server.seen) <= 10 else fails(401, "invalid_api_key", "Wrong key.")
    with pytest.raises(EndpointError, match="Wrong key"):
        main(**model(step, concurrency=1))
    assert len(server.seen) == 11
    server.answer = lambda body: says()
    main(**step)
    assert len(server.seen) == 11 + N - 10


CHILD = """
import json, sys
from pathlib import Path
from attribench.evaluation.ask_model import main
step = json.loads(sys.argv[1])
for name in ("benchmark_table", "evidence_table", "prompt_set", "responses", "manifest"):
    step[name] = Path(step[name])
main(**step)
"""


def test_killed_in_the_middle_nothing_is_lost(step: Step, server: Any, says: Says, sends: Says) -> None:
    arrived = threading.Event()

    def answer(body: dict[str, Any]) -> Any:
        if len(server.seen) <= 10:
            return says()
        arrived.set()  # so the ten before are answered, and stored
        return sends({}, fault="hang")

    server.answer = answer
    argument = json.dumps(model(step, concurrency=1), default=str)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, argument],
        env={**os.environ, "PYTHONPATH": str(Path(attribench.__file__).parents[1])},
        stderr=subprocess.DEVNULL,
    )
    try:
        assert arrived.wait(60)
        time.sleep(2 * LONGEST_DELAY)
    finally:
        child.kill()
        child.wait()
    assert not step["responses"].exists()
    server.seen.clear()
    server.answer = lambda body: says()
    main(**step)
    assert len(server.seen) == N - 10
    assert (read(step["responses"], RESPONSES)["status"] == "ok").all()


def test_the_manifest_says_what_was_asked_how_and_of_whom(step: Step, server: Any) -> None:
    main(**model(step, subset=2, without=["top_p"], sampling={"temperature": 0.7, "max_tokens": 40}))
    manifest = json.loads(step["manifest"].read_text(encoding="utf-8"))
    assert manifest["dataset"] == "intersectional"
    assert manifest["model"]["id"] == "openai/some-model"
    assert manifest["parameters_sent"] == {"temperature": 0.7, "max_tokens": 40, "seed": 7}
    assert manifest["parameters_left_out"] == ["top_p"]
    assert (manifest["matchings_asked"], manifest["matchings_in_benchmark"]) == (2, 3)
    assert manifest["answers"] == 16
    assert manifest["status"] == {"ok": 16}
    assert manifest["served_models"] == ["snapshot-2026"]
    assert (manifest["prompt_tokens"], manifest["completion_tokens"]) == (16 * 11, 16 * 7)
    assert manifest["cost_usd"] is None, "an unknown price is unknown, not zero"
    assert manifest["answers_of_unknown_cost"] == 16
    assert manifest["prompt_set"]["texts"]["prompts"]["direct"].startswith("Please identify")
    assert len(manifest["prompt_set"]["sha256"]) == len(manifest["benchmark_sha256"]) == 64
    assert manifest["first_answer"] <= manifest["last_answer"]
    assert {"attribench", "litellm", "snakemake"} <= manifest["packages"].keys()


def test_no_key_is_written_anywhere(step: Step, server: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret, other = "planted-0123456789-secret", "sk-planted-9876543210"
    monkeypatch.setenv("SOME_KEY", secret)
    monkeypatch.setenv("OPENAI_API_KEY", other)
    main(**model(step, endpoint={"kind": "url", "url": server.url, "key_variable": "SOME_KEY"}))
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {secret}"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"manifest.json", "responses.parquet", "some-model.sqlite"} <= {path.name for path in files}
    for path in files:
        assert secret.encode() not in path.read_bytes() and other.encode() not in path.read_bytes(), path


def test_a_key_that_a_service_repeats_in_its_error_is_not_kept(
    step: Step, server: Any, fails: Says, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secret = "planted-0123456789-secret"
    step |= {"evidence_settings": [False]}
    monkeypatch.setenv("SOME_KEY", secret)
    server.answer = lambda body: fails(500, None, f"No: {body['seed']} with key {secret}")
    with pytest.raises(MissingAnswersError) as caught:
        main(**model(step, endpoint={"kind": "url", "url": server.url, "key_variable": "SOME_KEY"}))
    assert secret not in str(caught.value)
    for path in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert secret.encode() not in path.read_bytes(), path


def test_a_data_set_without_evidence_for_a_quote_is_not_asked_about(
    step: Step, server: Any, evidence: pd.DataFrame
) -> None:
    """A question with evidence but without its lines would be another question."""
    write(evidence[evidence["quote_id"] != "jstet_2"], step["evidence_table"], EVIDENCE)
    with pytest.raises(InputError, match="jstet_2"):
        main(**step)
    assert server.seen == []
