"""The places where a model can be asked: a file or a command served here, a running server, a provider."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from attribench.chat.connect import connect
from attribench.chat.serve import serve_gguf
from attribench.chat.serve_command import serve_command
from attribench.chat.workers import working
from attribench.ledger.pace import Pace
from attribench.ledger.runner import Ask
from attribench.ledger.store import Answer, Question

LOGS = Path("logs/serve")
"""Where the output of servers goes that a command starts, one file per model."""


@contextmanager
def open_endpoint(model: Mapping[str, Any], file: Path | None, threads: int) -> Iterator[Ask]:
    """Yield a function that asks the model one question; serve it meanwhile, if that is for us to do.

    Args:
        model: the fields of `attribench.settings.Model`.
        file: the model file, for the kind gguf.
        threads: processor threads for a model file.

    Raises:
        EndpointError: the model cannot be served, or its key is not in the environment.
    """
    endpoint = model["endpoint"]
    url = None
    with ExitStack() as opened:
        if endpoint["kind"] == "gguf":
            assert file is not None
            urls = opened.enter_context(
                serve_gguf(
                    file,
                    port=endpoint["port"],
                    parallel=endpoint["parallel"],
                    context=endpoint["context"],
                    threads=threads,
                    threads_each=endpoint["threads"],
                )
            )
            yield in_turn([connect(model, url) for url in urls])
            return
        if endpoint["kind"] == "command":
            url = opened.enter_context(
                serve_command(
                    endpoint["command"],
                    port=endpoint["port"],
                    health=endpoint["health"],
                    startup=endpoint["startup"],
                    log=LOGS / f"{model['name']}.log",
                )
            )
        ask = connect(model, url)
        if model.get("threads", 1) > 1:
            ask = opened.enter_context(working(model, url, model["threads"]))
        yield _at_pace(ask, model)


def in_turn(asks: Sequence[Ask]) -> Ask:
    """Return a function that asks whichever of `asks` is free, each one question at a time."""
    free: asyncio.Queue[Ask] = asyncio.Queue()
    for ask in asks:
        free.put_nowait(ask)

    async def ask_free(question: Question) -> Answer:
        ask = await free.get()
        try:
            return await ask(question)
        finally:
            free.put_nowait(ask)

    return ask_free


def _at_pace(ask: Ask, model: Mapping[str, Any]) -> Ask:
    """Return `ask` within the limits of the model's provider, and slower where the service wants it slower."""
    limits = model.get("limits", {})
    most = min(model.get("concurrency", 1), int(limits.get("concurrency", model.get("concurrency", 1))))
    pace = Pace(
        most,
        requests_per_minute=limits.get("requests_per_minute"),
        tokens_per_minute=limits.get("tokens_per_minute"),
    )

    async def ask_at_pace(question: Question) -> Answer:
        async with pace.turn(_expected_tokens(question)):
            return await ask(question)

    return ask_at_pace


def _expected_tokens(question: Question) -> int:
    """Return about how long a question and its answer are: four characters a token, and as much as it may say."""
    content = question.content
    asked = sum(len(message["content"]) for message in content["messages"]) // 4
    return int(asked + content["sampling"].get("max_tokens", 0))
