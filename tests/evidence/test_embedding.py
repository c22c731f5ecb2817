"""Embeddings by a model that is asked, over a loopback server: batched, asked once, with their cost."""

import asyncio
import gc
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import loopback
import numpy as np
import pytest
from loopback import Loopback

from attribench.chat.embedding import as_text, from_text, read_embeddings
from attribench.errors import EndpointError, MissingAnswersError
from attribench.evidence import embedding as module
from attribench.evidence.embedding import embed
from attribench.ledger.runner import CallFailedError
from attribench.ledger.store import Store

# litellm keeps its connections until its process ends.
pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.usefixtures("no_pause"),
]
TEXTS = [f"Quote number {n}, " + "longer " * (n % 3) for n in range(10)]
Settings = dict[str, Any]


def vector(text: str) -> list[float]:
    return [float(text.split()[2].strip(",")), 1.0, len(text) / 7]


class Service(Loopback):
    """`answer` maps the texts of a call to its status and reply; `calls` holds the texts of all calls."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.answer: Callable[[list[str]], tuple[int, Any]] = lambda texts: (200, self.reply(texts))
        super().__init__(self._answered)
        self.url = f"{self.address}/v1"

    def _answered(self, request: loopback.Request) -> loopback.Reply:
        assert request.path == "/v1/embeddings"
        texts = request.json["input"]
        self.calls.append(texts)
        status, reply = self.answer(texts)
        return loopback.Reply(reply, status)

    def reply(self, texts: list[str], make: Callable[[str], list[float]] = vector) -> Any:
        data = [{"object": "embedding", "index": place, "embedding": make(text)} for place, text in enumerate(texts)]
        usage = {"prompt_tokens": 100, "total_tokens": 100}
        return {"object": "list", "model": "text-embedding-3-small", "data": data[::-1], "usage": usage}


@pytest.fixture(scope="session", autouse=True)
def litellm_loaded() -> None:
    """Let litellm warn of what it warns of when it is loaded, before warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm

        asyncio.run(litellm.aembedding(model="openai/m", input=["x"], mock_response=[[0.1]]))
        gc.collect()


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.close()


@pytest.fixture
def settings(service: Service) -> Settings:
    return {
        "embedding": "openai/text-embedding-3-small",
        "endpoint": {"kind": "url", "url": service.url},
        "dimensions": 128,
        "texts_per_call": 4,
        "concurrency": 2,
        "timeout": 20,
        "attempts": 3,
        "limits": {},
    }


@pytest.fixture
def ask(settings: Settings, tmp_path: Path) -> Callable[..., np.ndarray]:
    def go(texts: list[str] = TEXTS, **changed: Any) -> np.ndarray:
        store = tmp_path / "evidence" / "vectors.sqlite"
        return embed(texts, [], settings={**settings, **changed}, seed=1, store=store)

    return go


Ask = Callable[..., np.ndarray]


def test_every_text_gets_its_own_vector_in_few_calls(ask: Ask, service: Service) -> None:
    """The reply lists them in another order; their index counts."""
    np.testing.assert_allclose(ask(), [vector(text) for text in TEXTS], rtol=1e-6)
    assert sorted(map(len, service.calls)) == [2, 4, 4]


def test_nothing_is_asked_twice_in_whatever_company(ask: Ask, service: Service) -> None:
    first = ask(TEXTS[:5])
    service.calls.clear()
    both = ask([TEXTS[7], *TEXTS[:5], TEXTS[7]], texts_per_call=1, concurrency=1, timeout=5)
    assert service.calls == [[TEXTS[7]]]
    np.testing.assert_array_equal(both[1:6], first)
    np.testing.assert_array_equal(both[0], both[6])


def test_another_model_is_asked_anew(ask: Ask, service: Service) -> None:
    ask()
    service.calls.clear()
    ask(embedding="openai/text-embedding-3-large")
    assert sum(map(len, service.calls)) == len(TEXTS)


def test_tokens_and_cost_of_a_call_are_apportioned_to_its_texts(ask: Ask, tmp_path: Path) -> None:
    ask()
    with Store(tmp_path / "evidence" / "vectors.sqlite") as store:
        tokens, cost, least = store._database.execute(
            "SELECT sum(prompt_tokens), sum(cost), min(prompt_tokens) FROM answers"
        ).fetchone()
    assert tokens == 300 and least > 0, "three calls"
    assert cost == pytest.approx(300 * 0.02e-6)


def test_an_outage_is_asked_again_and_then_an_error(ask: Ask, service: Service) -> None:
    service.answer = lambda texts: (503, {"error": {"message": "out of order"}})
    with pytest.raises(MissingAnswersError, match="10 of 10 quotes have no embedding"):
        ask()
    service.answer = lambda texts: (200, service.reply(texts))
    assert len(ask()) == len(TEXTS)


def test_a_text_that_is_refused_does_not_spoil_the_others(ask: Ask, service: Service) -> None:
    service.answer = lambda texts: (
        (400, {"error": {"code": "bad", "message": "Not this one."}})
        if TEXTS[2] in texts
        else (200, service.reply(texts))
    )
    with pytest.raises(MissingAnswersError, match="1 of 10 quotes have no embedding"):
        ask()


def test_a_wrong_key_stops_at_once(ask: Ask, service: Service) -> None:
    service.answer = lambda texts: (401, {"error": {"code": "invalid_api_key", "message": "Wrong key."}})
    with pytest.raises(EndpointError, match="Wrong key"):
        ask()
    assert len(service.calls) <= 3


def test_vectors_of_different_lengths_are_named(ask: Ask, service: Service) -> None:
    """As when the model behind an address was exchanged between two runs."""
    ask(TEXTS[:5])
    service.answer = lambda texts: (200, service.reply(texts, lambda text: [1.0, 2.0]))
    with pytest.raises(EndpointError, match=r"openai/text-embedding-3-small gave have different lengths, 2 and 3"):
        ask()


def test_a_provider_without_a_key_is_named(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EndpointError, match="OPENAI_API_KEY"):
        ask(endpoint={"kind": "hosted"})


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        [{"index": 0, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [2.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": []}],
        [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [float("nan")]}],
    ],
)
def test_a_reply_without_a_vector_for_each_text_is_a_failure(data: Any) -> None:
    with pytest.raises(CallFailedError) as caught:
        read_embeddings({"data": data}, ["a", "b"], None, 0.0)
    assert caught.value.again


def test_a_vector_is_kept_to_the_bit() -> None:
    some = np.random.default_rng(1).normal(size=1536).astype(np.float32)
    assert from_text(as_text(some)).tobytes() == some.tobytes()


@pytest.mark.parametrize(
    ("status", "reply", "usd"),
    [
        (504, {"error": {"message": "too slow"}}, None),
        (503, {"error": {"message": "out of order"}}, 0.0),
        (200, {"data": [], "usage": {"prompt_tokens": 100, "total_tokens": 100}}, 100 * 0.02e-6),
    ],
)
def test_a_failed_call_counts_as_spent_as_far_as_it_may_be_charged(
    status: int, reply: Any, usd: float | None, ask: Ask, service: Service, tmp_path: Path
) -> None:
    """Whether one that took too long is charged is not known: it counts as the most that it can cost."""
    service.answer = lambda texts: (status, {"object": "list", "model": "text-embedding-3-small", **reply})
    with pytest.raises(MissingAnswersError):
        ask(TEXTS[:4], attempts=1, budget_usd=1.0)
    (spent,) = sqlite3.connect(tmp_path / "spending.sqlite").execute("SELECT spent FROM account").fetchone()
    most = sum(len(text) for text in TEXTS[:4]) * 0.02e-6
    assert spent >= most if usd is None else spent == pytest.approx(usd)


def test_lsa_asks_nobody(settings: Settings, service: Service, tmp_path: Path) -> None:
    corpus = ["the sea and the ship", "a ship upon the sea", "bread and salt"]
    settings = {**settings, "embedding": "lsa", "dimensions": 2}
    assert module.embed(corpus, corpus, settings=settings, seed=1, store=tmp_path / "none.sqlite").shape == (3, 2)
    assert service.calls == [] and not (tmp_path / "none.sqlite").exists()
