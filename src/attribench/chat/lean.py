"""One call to an OpenAI-compatible chat server without litellm: nothing to translate, so nothing to pay for it.

The same questions, the same meaning of replies and faults, and the same recorded fields as
`completion`, at about a tenth of its processor time per call.
"""

import json
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from attribench.chat.per_loop import PerLoop
from attribench.chat.reasoning import parameters_for
from attribench.chat.reply import failure, filtered, is_filtered, read_reply, seconds_to_wait, stamped
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question
from attribench.masking import without_secrets

Cost = Callable[[str, Mapping[str, Any]], float | None]
"""The cost of a reply in USD, from the model's id and the reply's body; None where it is not known."""


def lean_asker(*, url: str, key: str | None, timeout: float, cost: Cost, own: bool = False) -> Ask:
    """Return a function that asks one question.

    Args:
        url: address of the server, up to and with ``/v1``.
        key: its key, sent as it is.
        timeout: for a whole call, in seconds.
        cost: says what a reply cost.
        own: whether the server runs on this machine for us; else a proxy of the environment may
            stand between.
    """
    address = url.rstrip("/") + "/chat/completions"
    headers = {"Authorization": f"Bearer {key or 'none'}", "Content-Type": "application/json"}

    @asynccontextmanager
    async def connections() -> AsyncIterator[aiohttp.ClientSession]:
        # The runner bounds what is in flight: a second bound would only make calls wait.
        connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300)
        async with aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=timeout),
            cookie_jar=aiohttp.DummyCookieJar(),
            proxy=None if own else _proxy(url),
        ) as session:
            yield session

    sessions = PerLoop(connections)

    async def ask(question: Question) -> Answer:
        content = question.content
        model = content["model"]
        start = time.monotonic()
        session = await sessions.get()
        try:
            async with session.post(address, data=body_of(content), headers=headers) as response:
                status, wait = response.status, seconds_to_wait(response.headers)
                text = await response.read()
        except TimeoutError as error:
            raise CallFailedError("timeout", f"No reply within {timeout:g} s.", again=True, cost=None) from error
        except (aiohttp.ClientError, OSError) as error:
            message = without_secrets(f"{type(error).__name__}: {error}")
            paid = 0.0 if isinstance(error, aiohttp.ClientConnectorError) else None
            raise CallFailedError("connection", message, again=True, cost=paid) from error
        try:
            reply = json.loads(text)
        except ValueError:
            reply = None
        if status == 200 and isinstance(reply, dict) and not (reply.get("error") and not reply.get("choices")):
            return stamped(read_reply(reply, cost(model, reply)), start)
        status, code, message = error_in(status, reply, text)
        if is_filtered(status, code, message):
            return stamped(filtered(message), start)
        raise failure(model, status, code, message, wait)

    return ask


def body_of(content: Mapping[str, Any]) -> bytes:
    """Return what is sent for a question: the model without the provider, the messages, the parameters."""
    model = content["model"]
    parameters = plain_parameters(model, content["sampling"])
    body = {"model": model.partition("/")[2], "messages": content["messages"], **parameters}
    return json.dumps(body, ensure_ascii=False).encode()


def plain_parameters(model: str, sampling: Mapping[str, Any]) -> dict[str, Any]:
    """Return sampling parameters by the names of OpenAI's interface."""
    parameters = parameters_for(model, sampling)
    extra: dict[str, Any] = parameters.pop("extra_body", {})
    return parameters | extra


def error_in(status: int, reply: Any, text: bytes) -> tuple[int, str, str]:
    """Return the status, the code and the message of a reply that brings an error.

    An error under status 200 has the status that its code names, or 500: a success that holds no
    answer is out of order.
    """
    error = reply.get("error") if isinstance(reply, dict) else None
    if isinstance(error, str):
        error = {"message": error}
    if not isinstance(error, dict):
        # Some servers put the error at the top, or send a page.
        error = (
            reply
            if isinstance(reply, dict) and "message" in reply
            else {"message": without_secrets(text.decode("utf-8", "replace"))[:500]}
        )
    code, sent = str(error.get("code") or ""), status
    if status == 200:
        status = int(code) if code.isdigit() and 400 <= int(code) < 600 else 500
    word = code if code and not code.isdigit() else str(error.get("type") or "")
    message = without_secrets(str(error.get("message") or error))
    return status, word, f"HTTP {sent}: {message}"


def _proxy(url: str) -> str | None:
    """Return the proxy that the environment names for an address, if any."""
    parts = urlsplit(url)
    if urllib.request.proxy_bypass(parts.netloc):
        return None
    return urllib.request.getproxies().get(parts.scheme)
