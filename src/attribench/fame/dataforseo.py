"""The client of DataForSEO: one search per call, with the account from the environment alone.

The account is read from DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD. It goes into the header of the
calls, and into no question, answer, message or log.
"""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import httpx

from attribench.errors import EndpointError
from attribench.fame.dataforseo_query import Search
from attribench.fame.dataforseo_reply import account_sentence, check_reply
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question
from attribench.masking import without_secrets

logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs every call

LOGIN, PASSWORD = "DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD"

_ACCOUNT = (401, 402, 403)


@dataclass(frozen=True)
class Account:
    """Login and password; neither is shown when the account is printed."""

    login: str = field(repr=False)
    password: str = field(repr=False)


def read_account(environment: Mapping[str, str] = os.environ) -> Account:
    """Return the account that the environment names.

    Raises:
        EndpointError: a variable is missing or empty.
    """
    values = {name: environment.get(name, "").strip() for name in (LOGIN, PASSWORD)}
    missing = [name for name, value in values.items() if not value]
    if missing:
        raise EndpointError(
            f"The source 'dataforseo' of fame needs an account, but {' and '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} not set in the environment. Set both variables "
            "(they are never read from the configuration), or take another source in 'fame.sources'."
        )
    return Account(values[LOGIN], values[PASSWORD])


@asynccontextmanager
async def open_client(
    search: Search, account: Account, keywords: Mapping[str, str], *, timeout: float, connections: int
) -> AsyncIterator[Ask]:
    """Yield a function that asks one question, in one call.

    Args:
        search: how names are searched for.
        account: whose money is spent.
        keywords: the keyword to send for each question, by its key.
        timeout: in seconds, for the whole of a call.
        connections: calls at the same time.
    """
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    login = httpx.BasicAuth(account.login, account.password)
    async with httpx.AsyncClient(auth=login, timeout=timeout, limits=limits) as client:

        async def ask(question: Question) -> Answer:
            start = time.monotonic()
            try:
                async with asyncio.timeout(timeout):
                    reply = await client.post(search.url, json=search.body(keywords[question.key]))
                answer = read_response(reply)
            except (httpx.TimeoutException, TimeoutError) as error:
                raise CallFailedError("timeout", f"No reply within {timeout:g} s.", again=True, cost=None) from error
            except httpx.ConnectError as error:  # nothing was sent
                raise CallFailedError("connection", without_secrets(str(error)), again=True, cost=0.0) from error
            except httpx.TransportError as error:
                said = without_secrets(f"{type(error).__name__}: {error}")
                raise CallFailedError("connection", said, again=True, cost=None) from error
            except EndpointError as error:
                raise EndpointError(without_secrets(str(error))) from None
            except CallFailedError as failure:
                failure.args = (without_secrets(str(failure)),)
                raise
            now = datetime.now(UTC).isoformat(timespec="seconds")
            text = without_secrets(answer.text or "")
            return replace(answer, text=text, seconds=round(time.monotonic() - start, 3), asked_at=now)

        yield ask


def read_response(response: httpx.Response) -> Answer:
    """Return the answer in an HTTP response.

    Raises:
        EndpointError: see `check_reply`; also for the HTTP statuses 401, 402, 403 and 404.
        CallFailedError: see `check_reply`; also for every other HTTP status but 200.
    """
    status = response.status_code
    try:
        reply: Any = response.json()
    except ValueError:
        reply = None
    if status == 200:
        return check_reply(reply)
    said = _said(reply) or f"HTTP {status} {response.reason_phrase}".strip()
    if status in _ACCOUNT:
        raise EndpointError(account_sentence(said))
    if status == 404:
        raise EndpointError(
            f"DataForSEO has nothing at {response.url.copy_with(username=None, password=None)} ({said}). "
            "Check 'fame.dataforseo.url'."
        )
    if status == 429:
        raise CallFailedError("rate_limit", said, again=True, retry_after=_retry_after(response))
    if status >= 500:
        raise CallFailedError("server_error", said, again=True, retry_after=_retry_after(response))
    raise CallFailedError(f"http_{status}", said, again=False)


def _said(reply: Any) -> str:
    """Return the code and message of a reply, of its task where there is one."""
    if not isinstance(reply, Mapping):
        return ""
    tasks = reply.get("tasks")
    first = tasks[0] if isinstance(tasks, list) and tasks and isinstance(tasks[0], Mapping) else {}
    part = first if first.get("status_code") else reply
    return f"{part.get('status_code') or ''} {part.get('status_message') or ''}".strip()


def _retry_after(response: httpx.Response) -> float | None:
    """Return the seconds that the service asks us to wait, if its reply says so in seconds."""
    try:
        return float(response.headers.get("retry-after", ""))
    except ValueError:
        return None
