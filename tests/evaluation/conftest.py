"""A loopback server that speaks the OpenAI shapes, tiny tables, and the arguments of the step that asks."""

import asyncio
import gc
import json
import threading
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from loopback import plain_model

from attribench.ledger.runner import Ask
from attribench.ledger.store import Question
from attribench.tables import write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EVIDENCE

PROMPT_SET = Path(__file__).parents[2] / "resources" / "prompts" / "paper.yaml"


@dataclass
class Reply:
    """What the server sends: `fault` is "hang" (say nothing) or "reset" (end in the middle of the body)."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    fault: str = ""


def completion(text: str | None = "It was written by Maya Angelou.", finish: str = "stop", **changed: Any) -> Reply:
    """Return a chat completion with `text`; `message` and `usage` are changed in part, other keys replaced."""
    message = {"role": "assistant", "content": text, "refusal": None, **changed.pop("message", {})}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18, **changed.pop("usage", {})}
    choice = {"index": 0, "finish_reason": finish, "logprobs": None, "message": message}
    return Reply(
        {"id": "x", "object": "chat.completion", "created": 0, "model": "snapshot-2026", "choices": [choice]}
        | {"usage": usage}
        | changed
    )


def failure(status: int, code: str | int | None, message: str = "It did not work.", **headers: str) -> Reply:
    error = {"message": message, "type": "some_error", "param": None, "code": code}
    return Reply({"error": error}, status, {name.replace("_", "-"): value for name, value in headers.items()})


class Server:
    """A server on the loopback address; `answer` maps a request's body to the reply, `seen` holds all bodies."""

    def __init__(self) -> None:
        self.answer: Callable[[dict[str, Any]], Reply] = lambda body: completion()
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.over = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                server.seen.append(body)
                server.headers.append({name.lower(): value for name, value in self.headers.items()})
                reply = server.answer(body)
                data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                if reply.fault == "hang":
                    server.over.wait(60)
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in {"content-type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if reply.fault == "reset":
                    data = data[: len(data) // 2]
                    self.close_connection = True
                self.wfile.write(data)

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture(scope="session")
def loaded() -> None:
    """Let litellm load what it loads with its first call, and what it warns of then, before warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from attribench.chat.completion import asker

        server = Server()
        content = {"model": "openai/m", "messages": [{"role": "user", "content": "?"}], "sampling": {}}
        asyncio.run(_ask_once(asker(url=server.url, key="none", timeout=20, free=True), Question(content)))
        server.close()
    _forget_connections()
    gc.freeze()  # so that the collections below look at what is new alone


async def _ask_once(ask: Ask, question: Question) -> None:
    async with connections():
        await ask(question)


@asynccontextmanager
async def connections() -> AsyncIterator[None]:
    """Close the connections that litellm keeps, while the event loop that they belong to still runs."""
    from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

    try:
        yield
    finally:
        await close_litellm_async_clients()
        await asyncio.sleep(0)


@pytest.fixture
def connected() -> Callable[[], AbstractAsyncContextManager[None]]:
    return connections


@pytest.fixture
def server(loaded: None) -> Iterator[Server]:
    server = Server()
    yield server
    server.close()
    _forget_connections()


def _forget_connections() -> None:
    """Drop what litellm keeps for an event loop that is gone; what was not closed would warn when it is collected."""
    import litellm

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        litellm.in_memory_llm_clients_cache.flush_cache()
        gc.collect()


@pytest.fixture
def says() -> Callable[..., Reply]:
    return completion


@pytest.fixture
def fails() -> Callable[..., Reply]:
    return failure


@pytest.fixture
def sends() -> type[Reply]:
    return Reply


@pytest.fixture
def prompt_set() -> Path:
    return PROMPT_SET


def make_benchmark(matchings: int, first: int = 0) -> pd.DataFrame:
    """Return BENCHMARK with two quotes for each matching, one of each group."""
    rows = []
    for match in range(matchings):
        for group in ("Black", "White"):
            number = first + len(rows)
            rows.append(
                {
                    "quote_id": f"jstet_{number}",
                    "match_id": match,
                    "group": group,
                    "race": group.lower(),
                    "gender": "female",
                    "author_id": f"author-{number}",
                    "author": "Maya Angelou" if group == "Black" else "Jane Austen",
                    "aliases": ["Marguerite Johnson"] if group == "Black" else [],
                    "quote": f"Saying number {number}, “about {{things}}”",
                    "n_words": 5,
                    "log10_hits": 5.0,
                }
            )
    return pd.DataFrame(rows)


def make_evidence(benchmark: pd.DataFrame, k: int = 3) -> pd.DataFrame:
    rows = []
    for place, quote_id in enumerate(benchmark["quote_id"]):
        for rank in range(1, k + 1):
            other = benchmark.iloc[(place + rank - 1) % len(benchmark)]
            rows.append((quote_id, rank, other["quote_id"], other["author"], other["quote"], 1.0 - (rank - 1) / 8))
    return pd.DataFrame(rows, columns=EVIDENCE.names)


@pytest.fixture
def benchmark() -> pd.DataFrame:
    return make_benchmark(3)


@pytest.fixture
def evidence(benchmark: pd.DataFrame) -> pd.DataFrame:
    return make_evidence(benchmark)


@pytest.fixture
def step(server: Server, benchmark: pd.DataFrame, evidence: pd.DataFrame, tmp_path: Path) -> dict[str, Any]:
    """Return the arguments of `ask_model.main` for a model on the loopback server."""
    write(benchmark, tmp_path / "benchmark.parquet", BENCHMARK)
    write(evidence, tmp_path / "evidence.parquet", EVIDENCE)
    return {
        "benchmark_table": tmp_path / "benchmark.parquet",
        "evidence_table": tmp_path / "evidence.parquet",
        "prompt_set": PROMPT_SET,
        "model_file": [],
        "preflight": [],
        "dataset": "intersectional",
        "model": plain_model(server.url),
        "prompts": ["direct", "indirect"],
        "evidence_settings": [False, True],
        "generations": 1,
        "max_missing": 0.0,
        "budget_usd": None,
        "seed": 7,
        "store": str(tmp_path / "cache" / "some-model.sqlite"),
        "threads": 1,
        "responses": tmp_path / "out" / "responses.parquet",
        "manifest": tmp_path / "out" / "manifest.json",
    }


@pytest.fixture
def no_connection_left(connected: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Close what a process of its own would close by its end."""
    from attribench.chat import batch

    ask_in_batches = batch.ask_in_batches

    async def go(*arguments: Any, **named: Any) -> Any:
        async with connected():
            return await ask_in_batches(*arguments, **named)

    monkeypatch.setattr(batch, "ask_in_batches", go)
