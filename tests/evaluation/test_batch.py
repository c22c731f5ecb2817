"""Batches over a loopback server that speaks OpenAI's files and batches: the same rows as live calls."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import attribench
from attribench.chat import batch_service
from attribench.chat.batch_service import chunks, in_form_of_openai
from attribench.errors import BudgetError, EndpointError, MissingAnswersError
from attribench.evaluation.ask_model import main
from attribench.ledger.store import Question
from attribench.tables import read
from attribench.tables.evaluation import RESPONSES

# litellm makes a client for each call about a batch and leaves it to the garbage collector.
pytestmark = [
    pytest.mark.usefixtures("no_connection_left"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

Step = dict[str, Any]
Line = dict[str, Any]
KEY = "sk-0123456789"  # which the server repeats when it fails
N = 6 * 2 * 2  # quotes, prompts, with and without evidence


class BatchServer:
    """Files and batches in memory. A batch is over once it was looked at `looks` times.

    `answer` maps the body of a line to the reply's status and body, or to None for a line that is
    left out; `status` is how batches end; a `lost` reply to the making of a batch breaks off.
    `faults` maps requests, as a regular expression of "GET /v1/batches/batch_0", to a status of HTTP;
    no batch is made of the files that are `gone`.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.looks, self.status, self.errors = 1, "completed", []  # type: ignore[var-annotated]
        self.answer: Callable[[Line], tuple[int, Line] | None] = lambda body: (200, completion(body))
        self.lost = 0
        self.faults: dict[str, int] = {}
        self.gone: set[str] = set()
        self.seen: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                server.seen.append(f"GET {self.path}")
                if self.fails():
                    return
                if match := re.fullmatch(r"/v1/files/([^/]+)/content", self.path):
                    self.reply(server.files[match[1]])
                elif match := re.fullmatch(r"/v1/batches/([^/?]+)", self.path):
                    self.reply(server.look(match[1]))
                else:
                    self.reply({"object": "list", "data": list(server.batches.values()), "has_more": False})

            def do_POST(self) -> None:
                server.seen.append(f"POST {self.path}")
                data = self.rfile.read(int(self.headers["content-length"]))
                if self.fails():
                    return
                if self.path == "/v1/files":
                    file_id = server.keep(uploaded(self.headers["content-type"], data))
                    self.reply({"id": file_id, "object": "file", "bytes": 1, "created_at": 1, "filename": "f"}
                               | {"purpose": "batch", "status": "processed"})  # fmt: skip
                    return
                file_id = json.loads(data)["input_file_id"]
                if file_id in server.gone:
                    self.reply({"error": {"message": f"No such File object: {file_id}", "code": None}}, 404)
                    return
                made = server.make(file_id)
                if server.lost:
                    server.lost -= 1
                    self.close_connection = True
                    return
                self.reply(made)

            def fails(self) -> bool:
                asked = f"{self.command} {self.path.partition('?')[0]}"
                status = next((status for name, status in server.faults.items() if re.fullmatch(name, asked)), None)
                if status:
                    self.reply({"error": {"message": f"No luck with {asked} by {KEY}.", "code": None}}, status)
                return status is not None

            def reply(self, body: Any, status: int = 200) -> None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def keep(self, content: bytes) -> str:
        self.files[f"file-{len(self.files)}"] = content
        return f"file-{len(self.files) - 1}"

    def make(self, file_id: str) -> dict[str, Any]:
        batch: dict[str, Any] = {
            "id": f"batch_{len(self.batches)}",
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "errors": None,
            "input_file_id": file_id,
            "completion_window": "24h",
            "status": "validating",
            "created_at": 1,
            "output_file_id": None,
            "error_file_id": None,
            "request_counts": {"total": 1000, "completed": 1000, "failed": 0},
            "looks": 0,
        }
        self.batches[batch["id"]] = batch
        return batch

    def lines(self, batch: dict[str, Any]) -> list[Line]:
        return [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]

    def look(self, batch_id: str) -> dict[str, Any]:
        batch = self.batches[batch_id]
        batch["looks"] += 1
        if batch["looks"] < self.looks or batch["status"] == self.status:
            return batch
        batch["status"] = self.status
        if self.status == "failed":
            batch["errors"] = {"object": "list", "data": self.errors}
            return batch
        good, bad = [], []
        for line in self.lines(batch):
            found = self.answer(line["body"])
            if found is None:
                continue
            response = {"status_code": found[0], "request_id": "r", "body": found[1]}
            row = {"id": "b", "custom_id": line["custom_id"], "response": response, "error": None}
            (good if found[0] == 200 else bad).append(json.dumps(row))
        batch["output_file_id"] = self.keep("\n".join(reversed(good)).encode()) if good else None
        batch["error_file_id"] = self.keep("\n".join(bad).encode()) if bad else ""
        return batch

    def asked(self) -> list[Line]:
        return [line for batch in self.batches.values() for line in self.lines(batch)]


def uploaded(kind: str, data: bytes) -> bytes:
    """Return the file in a form that was sent."""
    form = BytesParser().parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + data)
    parts = {part.get_param("name", header="content-disposition"): part for part in form.get_payload()}  # type: ignore[union-attr,call-overload]
    assert parts["purpose"].get_payload() == "batch"
    found = parts["file"].get_payload(decode=True)
    assert isinstance(found, bytes)
    return found


def completion(body: Line, text: str = "It was written by Maya Angelou.", finish: str = "stop") -> Line:
    message = {"role": "assistant", "content": text or None, "refusal": None}
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return {"id": "c", "object": "chat.completion", "model": "snapshot-2026", "choices": [choice], "usage": usage}


@pytest.fixture
def service() -> Iterator[BatchServer]:
    server = BatchServer()
    yield server
    server.close()


@pytest.fixture
def job(step: Step, service: BatchServer, monkeypatch: pytest.MonkeyPatch) -> Step:
    """Return the arguments of the step for a model that is asked in batches."""
    monkeypatch.setattr(batch_service, "PAUSE", 0.01)
    endpoint = {"kind": "url", "url": service.url}
    changed = {"id": "openai/gpt-4o-mini", "endpoint": endpoint, "batch": True, "batch_poll": 0.02}
    return {**step, "model": {**step["model"], **changed}}


def test_the_rows_are_those_of_live_calls(job: Step, service: BatchServer, server: Any, says: Any) -> None:
    main(**job)
    assert len(service.batches) == 1 and len(service.asked()) == N
    batched = read(job["responses"], RESPONSES)

    usage = {"prompt_tokens": 1000, "completion_tokens": 100}
    server.answer = lambda body: says(usage=usage)
    live = {**job["model"], "batch": False, "endpoint": {"kind": "url", "url": server.url}}
    main(**{**job, "model": live, "store": job["store"] + "2"})
    alone = read(job["responses"], RESPONSES)
    same = ["quote_id", "prompt", "evidence", "generation", "status", "text", "finish_reason", "served_model"]
    same += ["prompt_tokens", "completion_tokens", "attempts"]
    assert batched[same].equals(alone[same])
    assert batched["cost"].tolist() == pytest.approx((alone["cost"] / 2).tolist()), "at half the price"
    bodies = [line["body"] for line in service.asked()]
    assert sorted(server.seen, key=bodies.index) == bodies, "and what was sent"


def test_what_was_answered_in_a_batch_is_not_asked_live(job: Step, service: BatchServer) -> None:
    main(**job)
    service.seen.clear()
    main(**{**job, "model": {**job["model"], "batch": False}})
    assert service.seen == []


def test_answers_are_told_apart_by_their_ids(job: Step, service: BatchServer) -> None:
    """The output comes in another order than the input."""
    service.answer = lambda body: (200, completion(body, json.dumps([m["content"] for m in body["messages"]])))
    main(**job)
    table = read(job["responses"], RESPONSES)
    assert table["text"].is_unique
    asked = {line["custom_id"]: line["body"]["messages"] for line in service.asked()}
    for row in table.itertuples():
        assert json.loads(row.text) == [message["content"] for message in asked[row.key]]


CHILD = """
import json, sys
from pathlib import Path
from attribench.evaluation.ask_model import main
step = json.loads(sys.argv[1])
for name in ("benchmark_table", "evidence_table", "prompt_set", "responses", "manifest"):
    step[name] = Path(step[name])
main(**step)
"""


def test_killed_while_it_waits_it_goes_on_waiting_for_the_same_batch(job: Step, service: BatchServer) -> None:
    service.looks = 10**9
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, json.dumps(job, default=str)],
        env={**os.environ, "PYTHONPATH": str(Path(attribench.__file__).parents[1])},
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 60
        while not any("GET /v1/batches/batch_0" in seen for seen in service.seen):
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    service.looks = 1
    main(**job)
    assert len(service.batches) == 1 and len([f for f in service.seen if f == "POST /v1/files"]) == 1
    assert (read(job["responses"], RESPONSES)["status"] == "ok").all()


def test_a_batch_whose_id_was_lost_is_found_again(job: Step, service: BatchServer) -> None:
    """It was made, but the reply that says so did not arrive: a second one would be paid for as well."""
    service.lost = 1
    main(**job)
    assert len(service.batches) == 1


@pytest.fixture
def interrupted(job: Step, monkeypatch: pytest.MonkeyPatch) -> Callable[[Step], None]:
    """Return a function that runs the step until a batch is over, and breaks off before it is read."""
    from attribench.chat import batch

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    def go(job: Step) -> None:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(batch._Work, "read", broken)
            main(**job)

    return go


def test_what_is_under_way_is_read_also_when_the_questions_are_others_now(
    job: Step, service: BatchServer, interrupted: Callable[[Step], None]
) -> None:
    interrupted({**job, "prompts": ["direct"]})
    main(**{**job, "prompts": ["indirect"]})
    main(**job)
    assert len(service.batches) == 2 and len(service.asked()) == N


@pytest.mark.parametrize("status", ["completed", "expired"])
def test_what_is_missing_is_asked_again(status: str, job: Step, service: BatchServer) -> None:
    """The batch's own counts say that all is there; ten of a thousand can be missing all the same."""
    left_out: set[str] = set()

    def answer(body: Line) -> tuple[int, Line] | None:
        text = json.dumps(body)
        if "number 3" in text and text not in left_out:
            left_out.add(text)
            return None
        return 200, completion(body)

    service.answer, service.status = answer, status
    main(**job)
    first, second = service.batches.values()
    assert len(service.lines(first)) == N and len(service.lines(second)) == len(left_out) > 0
    table = read(job["responses"], RESPONSES)
    assert (table["status"] == "ok").all()
    assert sorted(table["attempts"].unique()) == [1, 2]
    causes = sqlite3.connect(job["store"]).execute("SELECT cause, count(*) FROM attempts GROUP BY cause").fetchall()
    assert causes == [("batch_incomplete", len(left_out))]


def test_errors_mean_what_they_mean_live(job: Step, service: BatchServer) -> None:
    errors: dict[str, tuple[int, Line] | None] = {
        "number 0": (400, {"error": {"code": "content_filter", "message": "Filtered."}}),
        "number 1": (400, {"error": {"code": "context_length_exceeded", "message": "Too long."}}),
        "number 2": (500, {"error": {"message": "Out of order."}}),
        "number 3": (0, {}),
        "number 4": (200, completion({}, "", "length")),
    }
    job = {**job, "evidence_settings": [False], "prompts": ["direct"], "max_missing": 0.5}
    service.answer = lambda body: next(
        (found for words, found in errors.items() if words in json.dumps(body)), (200, completion(body))
    )
    main(**job)
    table = read(job["responses"], RESPONSES).set_index("quote_id")
    assert table["status"].tolist() == ["refused", "failed", "failed", "failed", "truncated", "ok"]
    assert table["cause"].fillna("").tolist()[1:] == ["too_long", "server_error", "no_choice", "", ""]
    assert table["attempts"].tolist() == [1, 1, 2, 2, 1, 1], "again only what may pass"


def test_a_batch_that_is_refused_as_a_whole_stops_the_run(job: Step, service: BatchServer) -> None:
    service.status = "failed"
    service.errors = [{"code": "invalid_json_line", "line": 3, "message": "This line is no JSON.", "param": None}]
    with pytest.raises(EndpointError, match=r"refused the batch batch_0 as a whole: line 3: This line is no JSON\."):
        main(**job)
    service.status = "completed"
    main(**job)
    assert len(service.batches) == 2, "a refused batch is not waited for again"


def test_a_cancelled_batch_is_not_asked_again_by_itself(job: Step, service: BatchServer) -> None:
    service.status, service.answer = "cancelled", lambda body: None
    with pytest.raises(MissingAnswersError, match=f"{N} batch_cancelled"):
        main(**job)
    assert len(service.batches) == 1


@pytest.mark.parametrize(("tokens", "is_enough"), [((50, 10), True), ((400, 40), False)])
def test_a_budget_is_kept(tokens: tuple[int, int], is_enough: bool, job: Step, service: BatchServer) -> None:
    """What there is money for is sent; the rest waits for what that really cost, and then for more money."""
    usage = dict(zip(["prompt_tokens", "completion_tokens"], tokens, strict=True))
    service.answer = lambda body: (200, {**completion(body), "usage": usage})
    job = {**job, "model": {**job["model"], "budget_usd": 0.0005, "prices": None}}
    if is_enough:
        main(**job)
        assert len(service.batches) > 1, "at first, only some could be sent"
    else:
        with pytest.raises(BudgetError, match=r"budget of 0\.0005 USD"):
            main(**job)
        assert len(service.asked()) < N
        main(**{**job, "model": {**job["model"], "budget_usd": 1.0}})
    assert len(service.asked()) == N
    assert sqlite3.connect(job["store"]).execute("SELECT count(*) FROM answers").fetchone() == (N,)


def results(job: Step) -> list[str]:
    rows = sqlite3.connect(job["store"]).execute("SELECT coalesce(result, 'open') FROM batches ORDER BY number")
    return [row[0] for row in rows]


def spent(job: Step) -> float:
    account = sqlite3.connect(Path(job["store"]).parents[1] / "spending.sqlite")
    (found,) = account.execute("SELECT spent FROM account").fetchone()
    return float(found)


def test_a_used_up_budget_does_not_keep_from_what_is_paid_for(
    job: Step, service: BatchServer, interrupted: Callable[[Step], None]
) -> None:
    interrupted({**job, "model": {**job["model"], "budget_usd": 1.0}})
    main(**{**job, "model": {**job["model"], "budget_usd": 1e-6}})
    assert len(service.batches) == 1 and (read(job["responses"], RESPONSES)["status"] == "ok").all()
    assert spent(job) == pytest.approx(read(job["responses"], RESPONSES)["cost"].sum()) and spent(job) > 0


def test_a_batch_that_is_gone_is_asked_anew(
    job: Step, service: BatchServer, interrupted: Callable[[Step], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """It may have been charged for: what was reserved for it counts as spent, now and after a restart."""
    job = {**job, "model": {**job["model"], "budget_usd": 1.0}}
    interrupted(job)
    service.faults = {"GET /v1/batches/batch_0": 404}
    main(**job)
    said = rf"openai/gpt-4o-mini has no batch batch_0 any more, or none for this key\. Its {N} questions are asked anew"
    assert len(re.findall(said, capsys.readouterr().err)) == 1
    assert results(job) == ["gone", "completed"]
    table = read(job["responses"], RESPONSES)
    assert (table["status"] == "ok").all() and (table["attempts"] == 2).all()
    with sqlite3.connect(job["store"]) as database:
        cause, count, paid = database.execute("SELECT cause, count(*), sum(cost) FROM attempts").fetchone()
    assert (cause, count) == ("batch_gone", N) and paid > 0
    assert spent(job) == pytest.approx(table["cost"].sum() + paid)


def test_batches_that_are_always_gone_come_to_an_end(job: Step, service: BatchServer) -> None:
    service.faults = {"GET /v1/batches/.*": 404}
    with pytest.raises(MissingAnswersError, match=f"{N} batch_gone"):
        main(**job)
    assert results(job) == ["gone", "gone"], "as many as there are attempts"


def test_an_address_without_batches_says_nothing_of_a_batch(
    job: Step, service: BatchServer, interrupted: Callable[[Step], None]
) -> None:
    interrupted(job)
    service.faults = {"GET /v1/batches.*": 404}
    with pytest.raises(EndpointError, match="No luck"):
        main(**job)
    service.faults = {}
    main(**job)
    assert results(job) == ["completed"], "it was not given up"


def test_a_file_of_answers_that_is_gone_leaves_the_other(job: Step, service: BatchServer) -> None:
    def answer(body: Line) -> tuple[int, Line]:
        is_filtered = "number 3" in json.dumps(body)
        return (
            (400, {"error": {"code": "content_filter", "message": "No."}}) if is_filtered else (200, completion(body))
        )

    service.answer, service.faults = answer, {"GET /v1/files/file-1/content": 404}
    main(**job)
    first, second = map(service.lines, service.batches.values())
    assert results(job) == ["gone", "completed"]
    assert 0 < len(second) < len(first) == N, "what the error file told is not asked again"
    refused = read(job["responses"], RESPONSES)["status"] == "refused"
    assert refused.sum() == len(first) - len(second)


def test_an_uploaded_file_that_is_gone_is_uploaded_anew(job: Step, service: BatchServer) -> None:
    """The run broke off between the upload and the making; meanwhile the file was deleted."""
    service.faults = {"POST /v1/batches": 503}
    with pytest.raises(EndpointError):
        main(**job)
    service.faults, service.gone = {}, {"file-0"}
    main(**job)
    assert results(job) == ["gone", "completed"] and len(service.batches) == 1
    causes = sqlite3.connect(job["store"]).execute("SELECT cause, sum(cost) FROM attempts GROUP BY cause").fetchall()
    assert causes == [("batch_gone", 0.0)], "nothing was made of it"


@pytest.mark.parametrize("asked", ["POST /v1/files", "POST /v1/batches", "GET /v1/files/.*/content"])
def test_an_outage_is_a_sentence_and_what_was_sent_is_found_again(
    asked: str, job: Step, service: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    service.faults = {asked: 503}
    with pytest.raises(
        EndpointError, match=r"openai/gpt-4o-mini cannot be reached \(.*No luck.*start the same"
    ) as caught:
        main(**job)
    assert KEY not in "".join(traceback.format_exception(caught.value)), "nor in the log"
    service.faults = {}
    main(**job)
    assert len(service.batches) == 1 and results(job) == ["completed"]


def test_the_fee_of_a_call_is_paid_in_a_batch_too(job: Step, service: BatchServer) -> None:
    main(**{**job, "model": {**job["model"], "prices": {"input": 1.0, "output": 10.0, "call": 0.5}}})
    assert read(job["responses"], RESPONSES)["cost"].tolist() == pytest.approx([0.001 + 0.001 + 0.5] * N)


def test_parameters_are_those_that_litellm_would_send(job: Step, service: BatchServer) -> None:
    model = {**job["model"], "id": "openai/gpt-5.1", "sampling": {"max_tokens": 40, "reasoning": "off"}}
    main(**{**job, "model": model})
    body = service.asked()[0]["body"]
    assert set(body) == {"model", "messages", "max_completion_tokens", "reasoning_effort", "seed"}
    assert (body["model"], body["max_completion_tokens"], body["reasoning_effort"]) == ("gpt-5.1", 40, "none")


def test_usage_as_gemini_writes_it() -> None:
    found = in_form_of_openai({"usage": {"promptTokens": 10, "completionTokens": 5, "totalTokens": 18}})
    assert found["usage"] == {
        "prompt_tokens": 10,
        "completion_tokens": 8,
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    same = {"usage": {"prompt_tokens": 1}}
    assert in_form_of_openai(same) is same


def test_a_large_job_is_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [Question({"n": n}) for n in range(25)]
    monkeypatch.setattr(batch_service, "MOST_LINES", 10)
    assert [len(part) for part, _ in chunks(questions, lambda q: b"x\n")] == [10, 10, 5]
    monkeypatch.setattr(batch_service, "MOST_BYTES", 100)
    assert [len(lines) for _, lines in chunks(questions, lambda q: b"x" * 29 + b"\n")] == [90] * 8 + [30]


def test_a_question_that_comes_twice_is_refused_before_it_is_uploaded() -> None:
    with pytest.raises(ValueError, match="twice"):
        list(chunks([Question({"n": 1}), Question({"n": 1})], lambda q: b"x\n"))


def test_what_litellm_has_no_batches_for() -> None:
    """Should this fail after an update, batches of Anthropic's can be offered (config_faults.BATCH_PROVIDERS)."""
    import litellm

    with pytest.raises(litellm.BadRequestError, match="doesn't support custom_llm_provider=anthropic"):
        litellm.create_batch(
            completion_window="24h",
            endpoint="/v1/chat/completions",
            input_file_id="f",
            custom_llm_provider="anthropic",  # type: ignore[arg-type]
        )
