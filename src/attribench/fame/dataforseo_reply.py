"""What a reply of DataForSEO means: a count, no count, a call to repeat, or an account to mend.

A reply is read in two steps. `check_reply` decides, when it arrives, whether it is an answer; an
answer is stored as it came, without the list of web pages. `read_count` takes the count out of a
stored answer, so that a change in what counts as usable costs nothing.

Sources: https://docs.dataforseo.com/v3/serp/google/organic/live/regular and
https://docs.dataforseo.com/v3/appendix/errors
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from attribench.errors import EndpointError
from attribench.ledger.runner import CallFailedError
from attribench.ledger.store import Answer
from attribench.text import normal_form

OK, NO_RESULTS = 20000, 40102

_SUGGESTION = "did_you_mean"
"""The kind of `spell` with which the results are those for the query as it was sent."""

_RATE_LIMITS = (40202, 40209)
_MINUTE = 60.0  # seconds until a limit per minute has passed for certain
_DUPLICATE = 40205
_TEMPORARY = {40101: "search_engine_error", 40103: "task_failed", 40106: "partial_results"}
_NOT_LIVE = 20100
_ACCOUNT = (40100, 40104)
_REQUEST = (40000, 40001, 40002, 40003, 40400, 40401, 40402)


@dataclass(frozen=True)
class Count:
    """The number of results for a query: `hits` is None where the reply holds none that can be used.

    `reason` says why, `at` when the search was made, `suggested` which other spelling the
    search engine proposed.
    """

    hits: int | None
    reason: str = ""
    at: str = ""
    suggested: str | None = None


def check_reply(reply: Any) -> Answer:
    """Return the answer in a reply that came with the HTTP status 200.

    Its `text` is the task as JSON, without the list of web pages; its status is "empty" where
    the service answered and gave no usable count.

    Raises:
        EndpointError: the account or the request is at fault: every other call would fail too.
        CallFailedError: this call brought no answer.
    """
    if not isinstance(reply, Mapping):
        raise CallFailedError("no_json", "The reply is no JSON object.", again=True)
    _check_code(reply, reply.get("cost"))
    tasks = reply.get("tasks")
    if not isinstance(tasks, list) or len(tasks) != 1 or not isinstance(tasks[0], Mapping):
        number = len(tasks) if isinstance(tasks, list) else 0
        raise CallFailedError("no_task", f"The reply holds {number} tasks instead of one.", again=True)
    task = tasks[0]
    cost = _number(task.get("cost"))
    if cost is None:
        cost = _number(reply.get("cost"))
    _check_code(task, cost)
    if task.get("status_code") == OK:
        result = task.get("result")
        if reply.get("tasks_error") or not isinstance(result, list) or not result or not isinstance(result[0], Mapping):
            what = "counts a task as failed" if reply.get("tasks_error") else "has no result"
            raise CallFailedError("no_result", f"The reply says {OK} and yet {what}.", again=True, cost=cost or 0.0)
    text = json.dumps(_without_pages(task), ensure_ascii=False, sort_keys=True)
    status = "empty" if read_count(text).hits is None else "ok"
    return Answer(status, text=text, finish_reason=str(task.get("status_code")), cost=cost)


def read_count(text: str) -> Count:
    """Return the count in a stored answer (the `text` that `check_reply` made)."""
    task = json.loads(text)
    result = next(iter(task.get("result") or []), None) or {}
    hits, shown, at = result.get("se_results_count"), result.get("items_count"), str(result.get("datetime") or "")
    spell = result.get("spell") or {}
    suggested = spell.get("keyword")

    def unusable(reason: str) -> Count:
        return Count(None, reason, at, suggested)

    if isinstance(hits, bool) or not isinstance(hits, int | None) or (hits is not None and hits < 0):
        return unusable(f"the count is {hits!r}, which is no number of results")
    if task.get("status_code") == NO_RESULTS:
        return unusable("contradictory: no results, and a count or pages") if hits or shown else Count(0, at=at)
    sent, answered = (task.get("data") or {}).get("keyword"), result.get("keyword")
    if sent and answered and _plain(sent) != _plain(answered):
        return unusable(f"the reply is about another query, '{answered}'")
    if spell and spell.get("type") != _SUGGESTION and not (sent and suggested and _plain(sent) == _plain(suggested)):
        kind = str(spell.get("type") or "of an unknown kind").replace("_", " ")
        return unusable(f"the query was corrected by the search engine ({kind}: '{suggested}')")
    if hits is None:
        return unusable("the search engine gave no count")
    if isinstance(shown, int) and (hits == 0) != (shown == 0):
        return unusable(f"contradictory: a count of {hits}, and {shown} results shown")
    if hits < result.get("organic_items", 0):
        return unusable(f"contradictory: a count of {hits}, and {result['organic_items']} pages found")
    return Count(hits, "", at, suggested)


def _check_code(part: Mapping[str, Any], cost: Any) -> None:
    """Raise what the status code of a reply, or of the task in it, means, unless it is an answer."""
    code, message = part.get("status_code"), str(part.get("status_message") or "")
    if code in (OK, NO_RESULTS):
        return
    said = f"{code} {message}".strip()
    paid = _number(cost) or 0.0
    if code in _RATE_LIMITS:
        raise CallFailedError("rate_limit", said, again=True, retry_after=_MINUTE, cost=paid)
    if code == _DUPLICATE:
        raise CallFailedError("duplicate", said, again=False, cost=paid)
    if code in _TEMPORARY:
        raise CallFailedError(_TEMPORARY[code], said, again=True, cost=paid)
    family = code // 100 if isinstance(code, int) else None
    if code in _ACCOUNT or family == 402:
        raise EndpointError(account_sentence(said))
    if code == _NOT_LIVE:
        raise EndpointError(
            f"DataForSEO has queued the search instead of answering ({said}). "
            "'fame.dataforseo.url' must name a live endpoint, .../live/regular."
        )
    if code in _REQUEST or (family == 405 and "keyword" not in message.lower()):
        raise EndpointError(
            f"DataForSEO does not take the request ({said}). Mend 'fame.dataforseo' in the configuration; "
            "what was answered before is kept."
        )
    is_internal = family is not None and 500 <= family < 510
    raise CallFailedError("server_error" if is_internal else f"code_{code}", said, again=is_internal, cost=paid)


def account_sentence(said: str) -> str:
    """Return the message for an account that cannot be used, with what the provider said, word for word."""
    return (
        f"DataForSEO refuses every search: {said}. "
        "Check DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD, and the balance, limits and verification of the account. "
        "What was answered before is kept: start the same command again to ask for what is missing."
    )


def _without_pages(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return the task without the list of web pages, of which the number of organic ones is kept."""
    kept = dict(task)
    if isinstance(task.get("result"), list):
        kept["result"] = [_counted(part) for part in task["result"] if isinstance(part, Mapping)]
    return kept


def _counted(result: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in result.items() if name != "items"}
    if isinstance(items := result.get("items"), list):
        kept["organic_items"] = sum(isinstance(item, Mapping) and item.get("type") == "organic" for item in items)
        kept.setdefault("items_count", len(items))
    return kept


def _plain(keyword: str) -> str:
    return normal_form(unquote(keyword))


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
