"""Asking an embedding model through litellm, several texts in one call.

The ledger holds a text and its vector by themselves, so that no text is sent twice in whatever
company it comes. So the runner asks about single texts; they are gathered here into calls.
"""

import asyncio
import base64
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

import litellm
import numpy as np
import numpy.typing as npt

from attribench.chat.completion import meaning
from attribench.chat.reply import stamped
from attribench.errors import EndpointError
from attribench.ledger.pace import Pace
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question

LINGER = 0.02
"""Time that a text waits for others to go with it in a call, in seconds."""

Waiting = tuple[Question, "asyncio.Future[Answer]"]


def embedding_question(endpoint: Mapping[str, Any], model: str, text: str) -> Question:
    """Return the question for the embedding of a text."""
    return Question({"endpoint": dict(endpoint), "model": model, "input": text, "task": "embedding"})


def embedder(*, url: str | None, key: str | None, timeout: float, texts_per_call: int, pace: Pace | None = None) -> Ask:
    """Return a function that asks for the embedding of one text; the answer's text is `as_text` of the vector.

    Tokens and cost of a call are apportioned to its texts by their length.

    Args:
        url: address of an OpenAI-compatible server; None for the provider that the model names.
        key: the server's key; None leaves it to litellm, which reads the environment.
        timeout: of a call, in seconds.
        texts_per_call: most texts in a call.
        pace: of the calls.
    """
    place: dict[str, Any] = {name: value for name, value in {"api_base": url, "api_key": key}.items() if value}
    waiting: list[Waiting] = []
    calls: set[asyncio.Task[None]] = set()

    async def ask(question: Question) -> Answer:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        waiting.append((question, future))
        if len(waiting) >= texts_per_call:
            send()
        elif len(waiting) == 1:
            loop.call_later(LINGER, send)
        return await future

    def send() -> None:
        if waiting:
            task = asyncio.get_running_loop().create_task(call(waiting[:texts_per_call]))
            del waiting[:texts_per_call]
            calls.add(task)
            task.add_done_callback(calls.discard)

    async def call(items: Sequence[Waiting]) -> None:
        try:
            answers = await ask_together([question for question, _ in items])
        except CallFailedError as error:
            if not error.again and len(items) > 1:  # one text spoils it for all: find it
                half = len(items) // 2
                await asyncio.gather(call(items[:half]), call(items[half:]))
                return
            for _, future in items:
                if not future.done():
                    future.set_exception(_share(error, len(items)))
        except Exception as error:
            for _, future in items:
                if not future.done():
                    future.set_exception(EndpointError(str(error)) if isinstance(error, EndpointError) else error)
        else:
            for (_, future), answer in zip(items, answers, strict=True):
                if not future.done():
                    future.set_result(answer)

    async def ask_together(questions: Sequence[Question]) -> list[Answer]:
        model = questions[0].content["model"]
        texts = [question.content["input"] for question in questions]
        form = {"encoding_format": "float"} if model.startswith("openai/") else {}
        turn: AbstractAsyncContextManager[None] = pace.turn(sum(map(len, texts)) // 4) if pace else nullcontext()
        async with turn:
            start = time.monotonic()
            try:
                reply = await litellm.aembedding(
                    model=model, input=texts, timeout=timeout, num_retries=0, max_retries=0, **form, **place
                )
            except Exception as error:
                raise meaning(error, model) from error
        return read_embeddings(reply.model_dump(), texts, reply._hidden_params.get("response_cost"), start)

    return ask


def _share(error: CallFailedError, texts: int) -> CallFailedError:
    """Return the failure of a call as that of one of its `texts`."""
    cost = None if error.cost is None else error.cost / texts
    return CallFailedError(error.cause, str(error), again=error.again, retry_after=error.retry_after, cost=cost)


def read_embeddings(reply: Mapping[str, Any], texts: Sequence[str], cost: float | None, start: float) -> list[Answer]:
    """Return an answer for each of `texts`, in their order.

    Raises:
        CallFailedError: the reply does not hold one vector of finite numbers for each text; it costs all the same.
    """
    found = {item.get("index"): item.get("embedding") for item in reply.get("data") or []}
    vectors = [found.get(place) for place in range(len(texts))]
    if len(found) != len(texts) or not all(vectors):
        raise CallFailedError(
            "no_embedding", f"{len(found)} embeddings came for {len(texts)} texts.", again=True, cost=cost
        )
    arrays = [np.asarray(vector, dtype=np.float32) for vector in vectors]
    if not all(np.isfinite(array).all() for array in arrays):
        raise CallFailedError("no_embedding", "An embedding is not of finite numbers.", again=True, cost=cost)
    lengths = np.array([len(text) for text in texts], dtype=float) + 1
    share = np.cumsum(lengths) / lengths.sum()
    tokens = (reply.get("usage") or {}).get("prompt_tokens")
    each = None if tokens is None else np.diff(np.rint(share * tokens).astype(int), prepend=0)
    costs = None if cost is None else np.diff(share * cost, prepend=0.0)
    return [
        stamped(
            Answer(
                "ok",
                text=as_text(array),
                served_model=reply.get("model"),
                prompt_tokens=None if each is None else int(each[place]),
                cost=None if costs is None else float(costs[place]),
            ),
            start,
        )
        for place, array in enumerate(arrays)
    ]


def as_text(vector: npt.NDArray[np.float32]) -> str:
    """Return a vector as base64 of its little-endian 32-bit floats, which is how OpenAI's interface writes them."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")


def from_text(text: str) -> npt.NDArray[np.float32]:
    """Return the vector that `as_text` wrote."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(np.float32)
