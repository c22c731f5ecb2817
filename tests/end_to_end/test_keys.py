"""Keys are sent to their own provider and left nowhere: in no file, on no screen, in no list of processes.

Four models behind one loopback server, each with the key of another provider. The server repeats the key in every
form that it can take, in what it refuses and in what it answers.
"""

import re
import shutil
import threading
from collections import defaultdict
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from loopback import Loopback, Reply, Request
from planted_keys import forms, holding, watched_processes

KEYS = {
    "ANTHROPIC_API_KEY": 'sk-ant/planted+"01\\one',
    "GEMINI_API_KEY": "AIzaPlanted&02/two=three",
    "TOGETHERAI_API_KEY": "planted'03<three> four",
    "MY_OWN_SERVER_TOKEN": "planted-04~own%2Ftoken",
    "OPENAI_API_KEY": "sk-planted-05-sent-to-nobody",
}
HEADERS = ("authorization", "x-api-key", "x-goog-api-key")
ALL_FORMS = [form for key in KEYS.values() for form in forms(key, login="someone")]


class Echo(Loopback):
    """Speaks as Anthropic, Google and OpenAI do; repeats what it was sent in its headers, and forgets nothing."""

    def __init__(self) -> None:
        self.keys: dict[str, set[str]] = defaultdict(set)
        self.lock = threading.Lock()
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Reply:
        key = next(request.headers[name] for name in HEADERS if name in request.headers).removeprefix("Bearer ")
        said = f"It was {' or '.join(forms(key, login='someone'))}."
        model = "gemini" if "gemini" in request.path else request.json["model"]
        with self.lock:
            is_first = not self.keys[model]
            self.keys[model].add(key)
        if model == "refused" or is_first:
            status = 401 if model == "refused" else 500
            return Reply({"error": {"message": said, "type": "x", "code": status, "status": "INTERNAL"}}, status)
        if model == "gemini":
            part = {"content": {"parts": [{"text": said}], "role": "model"}, "finishReason": "STOP", "index": 0}
            return Reply({"candidates": [part], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1}})
        if "/messages" in request.path:
            content = [{"type": "text", "text": said}]
            usage = {"input_tokens": 1, "output_tokens": 1}
            about = {"id": "1", "type": "message", "role": "assistant", "stop_reason": "end_turn", "usage": usage}
            return Reply({**about, "model": model, "content": content})
        message = {"role": "assistant", "content": said}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return Reply({"id": "1", "object": "chat.completion", "created": 0, "model": model, "choices": [choice]})


@pytest.fixture
def echo() -> Any:
    server = Echo()
    yield server
    server.close()


def test_keys_are_sent_to_their_provider_and_left_nowhere(with_dataset: Any, tmp_path: Path, echo: Echo) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    for part in ("logs", "benchmarks"):
        shutil.rmtree(workflow.folder / part)
    addresses = ("ANTHROPIC_API_BASE", "GEMINI_API_BASE", "TOGETHER_AI_API_BASE")
    workflow.environment = KEYS | dict.fromkeys(addresses, echo.address)
    own = {"kind": "url", "url": f"{echo.address}/v1", "key_variable": "MY_OWN_SERVER_TOKEN"}
    hosted = {"kind": "hosted"}
    config = workflow.config
    config["evaluation"] |= {"prompts": ["direct"], "evidence": [False], "generations": 1}
    config["models"] = {
        "claude": {"id": "anthropic/claude-3-haiku-20240307", "endpoint": hosted, "without": ["seed"]},
        "gemini": {"id": "gemini/gemini-2.0-flash", "endpoint": hosted},
        "refused": {"id": "together_ai/refused", "endpoint": hosted},
        "own": {"id": "openai/own", "endpoint": own, "threads": 2},
    }
    for model in config["models"].values():
        model |= {"subset": 1, "attempts": 3}
    files = [f"results/evaluation/multirace/{model}/responses.parquet" for model in config["models"]]
    with watched_processes(ALL_FORMS, ["ask_model", "attribench.chat.workers"]) as processes:
        done = workflow.run(*files, "--keep-going", config=config)

    assert done.code != 0, "one model refuses its key"
    assert "The provider of together_ai/refused refuses every question" in done.screen, done.screen
    assert "(TOGETHERAI_API_KEY)" in done.screen
    sent = dict(zip(["claude-3-haiku-20240307", "gemini", "refused", "own"], KEYS.values(), strict=False))
    assert echo.keys == {model: {key} for model, key in sent.items()}, "each was sent its own key"
    for file, name in zip(files, KEYS, strict=False):
        if "refused" not in file:
            texts = pd.read_parquet(workflow.folder / file)["text"]
            assert texts.str.contains(f"({name})", regex=False).all(), "the answers repeated it"
    assert re.search(r"\(GEMINI_API_KEY\)", done.screen) is None, "what is asked again is not shown"
    assert holding(workflow.folder, done.screen, ALL_FORMS) == []
    assert holding(workflow.folder, "", ["(GEMINI_API_KEY)"]), "the call that failed was kept, without the key"
    assert processes.marks == {"ask_model", "attribench.chat.workers"}, "the processes were seen"
    assert processes.showing == set()
