"""lm-evaluation-harness and inspect_ai send what we send, to the same server, and find the same outcomes and accuracy.

Skipped unless ATTRIBENCH_TEST_ECOSYSTEM names the Python of an environment that has them (make_environment.sh).
"""

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from ecosystem.tools import needs_tools, run_tool
from loopback import Loopback, Reply, Request, completion, plain_model

from attribench.analysis.quote_values import metric_values, quote_values
from attribench.evaluation import ask_model
from attribench.evaluation.classify_answers import classify_table
from attribench.tables import read
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import RESPONSES

pytestmark = needs_tools
SAYS = [
    "It was written by Maya Angelou.",
    "Marguerite Johnson wrote it.",
    "  By Jane Austen.\n",
    "It is by Mark Twain, about a river.",
    "I do not know who wrote this.",
    "It is by Future.",
    "A speech on freedom, given in Harlem.",
    " ",
]
SENT = ("messages", "temperature", "top_p", "max_tokens", "seed")
Asked = tuple[str, str, bool, int]


class Saying(Loopback):
    """Says to a question what its text and seed decide, with blanks, refusals and cut answers among them."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.lock = threading.Lock()
        super().__init__(self._answer)
        self.url = f"{self.address}/v1"

    def _answer(self, request: Request) -> Reply:
        said = json.dumps([request.json[name] for name in SENT])
        with self.lock:
            self.seen[said] += 1
        chosen = hashlib.sha256(said.encode()).digest()[0] % (len(SAYS) + 1)
        reply = completion(SAYS[chosen] if chosen < len(SAYS) else "")
        choice = reply.body["choices"][0]
        if chosen == len(SAYS):
            choice["message"] |= {"content": None, "refusal": "I cannot say."}
        elif chosen == 0:
            choice["finish_reason"] = "length"
        return reply


@pytest.fixture
def server() -> Iterator[Saying]:
    made = Saying()
    yield made
    made.close()


@pytest.fixture
def ours(step: dict[str, Any], server: Saying, tmp_path: Path) -> pd.DataFrame:
    """The outcomes of our own workflow on that server."""
    model = plain_model(server.url, id="openai/m", sampling=step["sampling"])
    shared = ("benchmark_table", "evidence_table", "prompt_set", "dataset", "prompts", "evidence_settings", "seed")
    ask_model.main(
        **{name: step[name] for name in (*shared, "generations")},
        model_file=[],
        preflight=[],
        model=model,
        max_missing=0.0,
        budget_usd=None,
        store=str(tmp_path / "cache" / "m.sqlite"),
        threads=1,
        responses=tmp_path / "responses.parquet",
        manifest=tmp_path / "manifest.json",
    )
    return classify_table(read(tmp_path / "responses.parquet", RESPONSES), read(step["benchmark_table"], BENCHMARK))


def by_question(outcomes: pd.DataFrame) -> dict[Asked, str | None]:
    keys = zip(*(outcomes[name] for name in ("quote_id", "prompt", "evidence", "generation")), strict=True)
    values = outcomes["outcome"].astype(object).where(outcomes["outcome"].notna(), None)
    return dict(zip(keys, values, strict=True))


def accuracy(outcomes: pd.DataFrame) -> dict[str, float]:
    """Accuracy by condition, as the analysis has it: the mean of the quotes' values."""
    return {
        f"{prompt}_evidence" if evidence else prompt: float(rows["value"].mean())
        for metric, prompt, evidence, rows in metric_values(quote_values(outcomes, "exclude"))
        if metric == "accuracy"
    }


def sent(server: Saying) -> Counter[str]:
    """What came since the last time."""
    seen, server.seen = server.seen, Counter()
    return seen


def test_lm_evaluation_harness_finds_what_we_find(
    exported: Path, server: Saying, ours: pd.DataFrame, tmp_path: Path
) -> None:
    by_us = sent(server)
    assert len(set(by_question(ours).values())) == 4, "no kind of answer is missing"
    run_tool(
        *("-m", "lm_eval", "run", "--tasks", "attribench_some_set", "--include_path", str(exported)),
        *("--model", "local-chat-completions", "--apply_chat_template"),
        *("--model_args", f"model=m,base_url={server.url}/chat/completions,num_concurrent=4"),
        *("--log_samples", "--output_path", str(tmp_path / "harness")),
        folder=tmp_path,
    )
    assert sent(server) == by_us
    found: dict[Asked, str | None] = {}
    for file in (tmp_path / "harness").rglob("samples_*.jsonl"):
        for sample in map(json.loads, file.read_text(encoding="utf-8").rstrip("\n").split("\n")):
            doc = sample["doc"]
            generation = sample["arguments"]["gen_args_0"]["arg_1"]["seed"] - 7
            named = [name for name in ("accuracy", "incorrect", "none") if sample[name] == 1]
            assert len(named) == sample["answered"]
            outcome = named[0].replace("accuracy", "correct") if named else None
            found[doc["quote_id"], doc["prompt"], doc["evidence"], generation] = outcome
    assert found == by_question(ours)
    results = json.loads(next((tmp_path / "harness").rglob("results_*.json")).read_text(encoding="utf-8"))["results"]
    parts = [accuracy(rows) for _, rows in ours.groupby("generation")]
    for name in parts[0]:
        task = f"attribench_some_set_{name}"
        means = [part[name] for part in parts]
        assert [results[f"{task}_{g}"]["accuracy,none"] for g in range(2)] == pytest.approx(means)
        assert results[task]["accuracy,none"] == pytest.approx(sum(means) / 2)


def test_inspect_ai_finds_what_we_find(exported: Path, server: Saying, ours: pd.DataFrame, tmp_path: Path) -> None:
    by_us = sent(server)
    run_tool(
        *("-m", "inspect_ai", "eval", "inspect_task.py", "--model", "openai-api/local/m", "--display", "none"),
        *("--log-dir", str(tmp_path / "logs"), "--log-format", "json", "--max-connections", "4"),
        folder=exported,
        LOCAL_BASE_URL=server.url,
        LOCAL_API_KEY="none",
    )
    assert sent(server) == by_us
    log = json.loads(next((tmp_path / "logs").glob("*.json")).read_text(encoding="utf-8"))
    assert log["status"] == "success"
    found: dict[Asked, str | None] = {}
    for sample in log["samples"]:
        about = sample["metadata"]
        value = sample["scores"]["outcome"]["value"]
        named = [name for name, share in value.items() if share == 1] if isinstance(value, dict) else [None]
        assert len(named) == 1
        found[about["quote_id"], about["prompt"], about["evidence"], sample["epoch"] - 1] = named[0]
    assert found == by_question(ours)
    scores = {score["name"]: score["metrics"] for score in log["results"]["scores"]}
    shares = {metric["name"]: metric["value"] for metric in scores["correct"].values()}
    assert shares == pytest.approx(accuracy(ours))
