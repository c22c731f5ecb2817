"""The audit through Snakemake: off by default, a judge that is asked once, a person whose sheet is scored beside it."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

ANSWER, JUDGEMENT = "This was written by Jane Austen.", "Incorrect."
# Sources of truth that need no judge.
MADE = {"planted", "labelled", "labelled_latino"}


class Chat(ThreadingHTTPServer):
    """A model and a judge behind one address: the one always gives the same author, the other the same judgement."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: Counter[str] = Counter()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    server: Chat

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked[body["model"]] += 1
        text = JUDGEMENT if body["model"] == "judge" else ANSWER
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def server() -> Iterator[Chat]:
    server = Chat()
    yield server
    server.shutdown()
    server.server_close()


def test_a_judge_and_a_person(with_dataset: Any, asked_at: Any, server: Chat, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    url = f"http://127.0.0.1:{server.server_port}/v1"
    config = asked_at(workflow.config, url, subset=1)
    alone = workflow.run("audit", config=config)
    assert alone.code == 0, alone.screen
    assert {"ask_judge", "score_audit"}.isdisjoint(alone.jobs), "without a judge no model is asked"
    results = workflow.folder / "results" / "evaluation"
    assert set(pd.read_csv(results / "instrument_error.csv")["source"]) == MADE
    sheet = pd.read_csv(results / "audit" / "sheet.csv", dtype=str)
    assert sheet["answer"].eq(ANSWER).all() and "judge" not in server.asked

    judge = {"id": "openai/judge", "endpoint": {"kind": "url", "url": url}, "temperature": 0}
    config["audit"] = {"judge": {"some-judge": judge}, "sheet": "my sheet.csv"}
    missing = workflow.run("audit", config=config)
    assert missing.code != 0 and "my sheet.csv, but there is no such file. Copy the drawn sheet there" in missing.screen
    asked = dict(server.asked)
    assert 0 < asked["judge"] <= len(sheet)

    sheet.assign(judgement="incorrect").to_csv(workflow.folder / "my sheet.csv", index=False)
    filled = workflow.run("audit", config=config)
    assert filled.code == 0, filled.screen
    assert filled.jobs.keys() == {"audit", "draw_instrument_error", "measure_instrument_error", "score_audit"}
    assert dict(server.asked) == asked, "nothing is asked twice"
    agreement = pd.read_csv(results / "audit" / "agreement.csv").query("attribute == 'all'")
    pairs = {(row.one, row.other): row.agreement for row in agreement.itertuples()}
    assert pairs["some-judge", "a person"] == 1
    assert pairs["the classifier", "some-judge"] == pairs["the classifier", "a person"] > 0.9
    assert set(pd.read_csv(results / "instrument_error.csv")["source"]) == MADE | {"judge", "hand"}
