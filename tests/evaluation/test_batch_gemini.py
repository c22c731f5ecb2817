"""A whole batch of Gemini's through litellm, over a loopback server in the shapes of Google's files and batches."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from loopback import Loopback, Reply, Request

from attribench.chat import batch_service
from attribench.evaluation.ask_model import main
from attribench.tables import read
from attribench.tables.evaluation import RESPONSES

# litellm makes a client for each call about a batch and leaves it to the garbage collector.
pytestmark = [
    pytest.mark.usefixtures("no_connection_left"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
MODEL = "gemini-2.5-flash-lite"
KEY = "AIza-0123456789"
N = 6 * 2 * 2  # quotes, prompts, with and without evidence
NOW = "2026-01-01T00:00:00Z"


class GoogleServer:
    """Files and batches in memory; a batch runs when it is first looked at and is over the second time.

    Each question whose key is in `failing` fails once, as one that was over the quota does.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.failing: set[str] = set()
        self.seen: list[str] = []
        self._http = Loopback(self._answer)
        self.url = self._http.address

    def close(self) -> None:
        self._http.close()

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for name, file in self.files.items() if "in" in name for line in file.splitlines()]

    def _answer(self, request: Request) -> Reply:
        path = request.path.partition("?")[0]
        self.seen.append(path)
        assert request.headers.get("x-goog-api-key") == KEY or path == "/put"
        if path == "/upload/v1beta/files":
            return Reply({}, headers={"x-goog-upload-url": f"{self.url}/put"})
        if path == "/put":
            return Reply({"file": self._keep("in", request.body)})
        if path == f"/v1beta/models/{MODEL}:batchGenerateContent":
            return Reply(self._make(request.json["batch"]))
        if match := re.fullmatch(r"/v1beta/(batches/\w+)", path):
            return Reply(self._look(match[1]))
        if match := re.fullmatch(r"/download/v1beta/(files/\w+):download", path):
            return Reply(self.files[match[1]])
        return Reply({"error": {"code": 404, "message": f"nothing at {path}", "status": "NOT_FOUND"}}, 404)

    def _keep(self, kind: str, content: bytes) -> dict[str, str]:
        name = f"files/{kind}{len(self.files)}"
        self.files[name] = content
        about = {"displayName": "f", "mimeType": "application/jsonl", "sizeBytes": str(len(content)), "state": "ACTIVE"}
        return {"name": name, "uri": f"{self.url}/v1beta/{name}", "createTime": NOW, "updateTime": NOW, **about}

    def _make(self, wanted: dict[str, Any]) -> dict[str, Any]:
        name = f"batches/b{len(self.batches)}"
        file = wanted["input_config"]["file_name"]
        metadata = {"model": f"models/{MODEL}", "displayName": wanted["display_name"], "createTime": NOW}
        metadata |= {"inputConfig": {"fileName": file}, "state": "BATCH_STATE_PENDING"}
        self.batches[name] = {"name": name, "metadata": metadata}
        return self.batches[name]

    def _look(self, name: str) -> dict[str, Any]:
        metadata = self.batches[name]["metadata"]
        if metadata["state"] == "BATCH_STATE_PENDING":
            metadata["state"] = "BATCH_STATE_RUNNING"
        elif metadata["state"] == "BATCH_STATE_RUNNING":
            asked = [json.loads(line) for line in self.files[metadata["inputConfig"]["fileName"]].splitlines()]
            rows = [json.dumps(self._row(line)) for line in reversed(asked)]
            file = self._keep("out", "\n".join(rows).encode())
            metadata |= {"state": "BATCH_STATE_SUCCEEDED", "endTime": NOW, "output": {"responsesFile": file["name"]}}
        return self.batches[name]

    def _row(self, line: dict[str, Any]) -> dict[str, Any]:
        key = line["custom_id"]
        if key in self.failing:
            self.failing.remove(key)
            error = {"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED"}}
            return {"custom_id": key, "response": {"status_code": 429, "body": error}}
        message = {"role": "assistant", "content": f"It was written by {key[:8]}."}
        usage = {"promptTokens": 1000, "completionTokens": 100, "totalTokens": 1100}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = {"id": "c", "object": "chat.completion", "model": MODEL, "choices": [choice], "usage": usage}
        return {"custom_id": key, "response": {"status_code": 200, "body": body}}


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch) -> Iterator[GoogleServer]:
    server = GoogleServer()
    monkeypatch.setenv("GEMINI_API_BASE", server.url)
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setattr(batch_service, "PAUSE", 0.01)
    yield server
    server.close()


@pytest.fixture
def job(step: dict[str, Any], google: GoogleServer) -> dict[str, Any]:
    changed = {"id": f"gemini/{MODEL}", "endpoint": {"kind": "hosted"}, "batch": True, "batch_poll": 0.02}
    return {**step, "model": {**step["model"], **changed}}


def test_every_question_has_its_own_answer_at_half_the_price(job: dict[str, Any], google: GoogleServer) -> None:
    main(**job)
    table = read(job["responses"], RESPONSES)
    assert len(google.batches) == 1 and len(google.lines()) == len(table) == N
    assert (
        table["status"].eq("ok").all() and (table["prompt_tokens"].eq(1000) & table["completion_tokens"].eq(100)).all()
    )
    assert (table["text"] == "It was written by " + table["key"].str[:8] + ".").all(), "joined by id, not by place"
    import litellm

    price = litellm.model_cost[f"gemini/{MODEL}"]
    live = 1000 * price["input_cost_per_token"] + 100 * price["output_cost_per_token"]
    assert table["cost"].tolist() == pytest.approx([live / 2] * N)


def test_what_failed_for_a_while_is_asked_in_another_batch(job: dict[str, Any], google: GoogleServer) -> None:
    main(**job)
    keys = read(job["responses"], RESPONSES)["key"].tolist()
    google.failing = set(keys[:2])
    main(**{**job, "store": job["store"] + "2"})
    assert len(google.batches) == 3
    again = read(job["responses"], RESPONSES)
    assert again["status"].eq("ok").all() and sorted(again["attempts"]) == [1] * (N - 2) + [2, 2]


def test_a_second_run_makes_no_batch(job: dict[str, Any], google: GoogleServer) -> None:
    main(**job)
    google.seen.clear()
    main(**job)
    assert google.seen == []
