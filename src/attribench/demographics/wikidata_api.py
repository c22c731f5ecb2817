"""Calls to Wikidata's action API: search for a name (wbsearchentities), fetch items (wbgetentities).

A reply that brings no result raises: `CallFailedError` (may pass: too many requests, a lagging
database, an HTML page where JSON belongs) or `EndpointError` (no further request would do better).
"""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import httpx

from attribench.demographics.wikidata_etiquette import LAG_PAUSE, Pauses, retry_after
from attribench.errors import EndpointError
from attribench.ledger.runner import CallFailedError

MOST_IDS = 50
"""Most items in one request (the limit of the service for those without an account)."""
MAX_LAG = 5
"""Database lag from which on Wikidata should rather not answer us, in seconds."""
_AGAIN = ("maxlag", "ratelimited", "readonly", "internal_api_error", "timeout", "failed-save", "search-backend-error")


class WikidataApi:
    """An open connection to the action API; use it as an asynchronous context."""

    def __init__(self, *, url: str, user_agent: str, timeout: float, concurrency: int) -> None:
        """Connect to `url`; a call takes at most `timeout` seconds, and `concurrency` run at a time."""
        self.pauses = Pauses()
        self._url = url
        self._http = httpx.AsyncClient(
            headers={"User-Agent": user_agent, "Accept": "application/json"},
            timeout=timeout,
            follow_redirects=True,
            limits=httpx.Limits(max_connections=concurrency),
        )

    async def __aenter__(self) -> Self:
        """Open the connection."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        await self._http.aclose()

    async def search(self, name: str, *, limit: int, language: str = "en") -> list[dict[str, Any]]:
        """Return the hits for `name`, best first; none is an answer, too."""
        reply = await self._get(
            action="wbsearchentities",
            search=name,
            language=language,
            uselang=language,
            type="item",
            limit=str(limit),
        )
        return list(_part(reply, "search", list))

    async def entities(self, ids: Sequence[str], *, languages: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the items `ids` (at most 50) by the id that was asked for; redirects are followed."""
        if len(ids) > MOST_IDS:
            raise ValueError(f"{len(ids)} ids in one request; at most {MOST_IDS} are allowed")
        reply = await self._get(
            action="wbgetentities",
            ids="|".join(ids),
            props="labels|aliases|claims|sitelinks",
            languages="|".join(languages),
            redirects="yes",
        )
        found: dict[str, dict[str, Any]] = _part(reply, "entities", dict)
        if lost := [qid for qid in ids if qid not in found]:
            raise CallFailedError("shape", f"The reply lacks the items {', '.join(lost)}.", again=True)
        return found

    async def _get(self, **parameters: str) -> dict[str, Any]:
        await self.pauses.over()
        try:
            reply = await self._http.get(
                self._url, params={**parameters, "format": "json", "formatversion": "1", "maxlag": str(MAX_LAG)}
            )
        except httpx.TimeoutException as error:
            raise CallFailedError("timeout", f"{type(error).__name__}: {error}", again=True) from error
        except httpx.TransportError as error:
            raise CallFailedError("connection", f"{type(error).__name__}: {error}", again=True) from error
        except httpx.HTTPError as error:
            raise CallFailedError("http", f"{type(error).__name__}: {error}", again=True) from error
        wanted = retry_after(reply.headers)
        if failure := status_failure(reply.status_code, reply.text, wanted, self._url):
            raise self._held(failure)
        try:
            content = reply.json()
        except ValueError as error:
            page = f"{self._url} sent no JSON but: {_start(reply.text)}"
            raise self._held(CallFailedError("not_json", page, again=True, retry_after=wanted)) from error
        if not isinstance(content, dict):
            raise CallFailedError("shape", f"{self._url} sent {_start(reply.text)}", again=True)
        if "error" in content:
            raise self._held(_error(content["error"], wanted, self._url))
        return content

    def _held(self, failure: Exception) -> Exception:
        if isinstance(failure, CallFailedError):
            self.pauses.hold(failure.retry_after)
        return failure


def status_failure(status: int, body: str, wanted: float | None, url: str) -> Exception | None:
    """Return what an HTTP status means as an exception, or None where there is nothing wrong."""
    if status < 300:
        return None
    said = f"{url} answered with status {status}: {_start(body)}"
    if status == 429:
        return CallFailedError("rate_limit", said, again=True, retry_after=wanted)
    if status == 408 or status >= 500:
        return CallFailedError("server_error", said, again=True, retry_after=wanted)
    if status in (401, 403):
        return EndpointError(
            f"{said}. The service refuses us: it may have blocked the address or the contact. "
            "Read what it says, and do not start again before that is settled."
        )
    if status in (404, 410) or status < 400:
        return EndpointError(f"{said}. There is no such service; correct the address in 'demographics.wikidata'.")
    return CallFailedError("bad_request", said, again=False)


def _error(error: Any, wanted: float | None, url: str) -> Exception:
    code = str(error.get("code", "")) if isinstance(error, dict) else ""
    info = str(error.get("info", "")) if isinstance(error, dict) else str(error)
    said = f"{url} says {code or 'error'}: {_start(info)}"
    if code == "maxlag":
        return CallFailedError("maxlag", said, again=True, retry_after=LAG_PAUSE if wanted is None else wanted)
    if code.startswith(_AGAIN):
        return CallFailedError(code, said, again=True, retry_after=wanted)
    if "blocked" in code or code in ("permissiondenied", "readapidenied"):
        return EndpointError(f"{said}. The service refuses us; settle that with it before you start again.")
    return CallFailedError(code or "error", said, again=False)


def _part(reply: dict[str, Any], name: str, kind: type) -> Any:
    part = reply.get(name)
    if part == [] and kind is dict:  # an empty object, as PHP writes it
        part = {}
    if not isinstance(part, kind):
        raise CallFailedError("shape", f"The reply has no '{name}': {_start(str(reply))}", again=True)
    return part


def _start(text: str) -> str:
    return " ".join(text.split())[:200]
