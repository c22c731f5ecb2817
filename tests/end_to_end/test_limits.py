"""Several jobs that ask one provider at the same time keep its limits together, as the provider sees it."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, Reply, Request, completion

MODELS = ("one", "two", "three", "four")
LIMITS = {"requests_per_minute": 10, "concurrency": 5, "jobs": 2}
MINUTE = 2.0  # seconds of what the jobs take for a minute
EACH = 8  # questions for a model


class Provider(Loopback):
    """Writes down when each call came, of which model, and how many were in flight then; slow with the first half."""

    def __init__(self) -> None:
        self.began: list[float] = []
        self.models: list[str] = []
        self.in_flight: list[int] = []
        self.now = 0
        self.lock = threading.Lock()
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Reply:
        model = request.json["model"]
        with self.lock:
            self.now += 1
            self.began.append(time.monotonic())
            self.models.append(model)
            self.in_flight.append(self.now)
        # Slow, so that calls in flight are what holds them back; then fast, so that calls a minute are.
        time.sleep(1.0 if len(self.began) <= EACH * len(MODELS) // 2 else 0.02)
        with self.lock:
            self.now -= 1
        return completion("This was written by Jane Austen.", model)

    def most_in(self, seconds: float) -> int:
        """Return the most calls that began within so many seconds."""
        return max(sum(begin <= other < begin + seconds for other in self.began) for begin in self.began)

    def asked_side_by_side(self) -> int:
        """Return the most models that were asked at the same time, from the first call of each to its last."""
        calls = list(zip(self.models, self.began, strict=True))
        times = {model: [began for name, began in calls if name == model] for model in self.models}
        return max(sum(min(t) <= began <= max(t) for t in times.values()) for began in self.began)


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()
    yield made
    made.close()


def test_jobs_of_one_provider_keep_its_limits_together(with_dataset: Any, tmp_path: Path, provider: Provider) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    pace = workflow.folder / "src/attribench/ledger/pace.py"
    code = pace.read_text(encoding="utf-8")
    assert "MINUTE = 60.0" in code
    pace.write_text(code.replace("MINUTE = 60.0", f"MINUTE = {MINUTE}"), encoding="utf-8")
    config = workflow.config
    endpoint = {"kind": "url", "url": f"{provider.address}/v1"}
    config["models"] = {name: {"id": f"openai/{name}", "endpoint": endpoint, "subset": 1} for name in MODELS}
    config["evaluation"] |= {"prompts": ["direct"], "evidence": [False]}
    config["limits"] = {provider.address.removeprefix("http://"): LIMITS}
    wanted = [f"results/evaluation/intersectional/{name}/responses.parquet" for name in MODELS]
    done = workflow.run(*wanted, config=config)
    assert done.code == 0, done.screen
    assert done.jobs == {"ask_model": len(MODELS)}
    assert {provider.models.count(name) for name in MODELS} == {EACH}
    assert provider.asked_side_by_side() == LIMITS["jobs"]
    assert LIMITS["concurrency"] // LIMITS["jobs"] < max(provider.in_flight) <= LIMITS["concurrency"]
    # A quarter of the minute is left to how late a call may come; to the call it is tested with the pace itself.
    assert LIMITS["requests_per_minute"] // LIMITS["jobs"] < provider.most_in(0.75 * MINUTE)
    assert provider.most_in(0.75 * MINUTE) <= LIMITS["requests_per_minute"]
