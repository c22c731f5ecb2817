"""What a reply means, whichever way it came: an answer, a failure of one question, or the end of the run.

A failed call is never an answer: it is a `CallFailedError` (this question has no answer now) or an
`EndpointError` (no question will have one, so that nothing more should be asked).
"""

import math
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from attribench.errors import EndpointError
from attribench.ledger.runner import CallFailedError
from attribench.ledger.store import Answer
from attribench.masking import without_secrets

_FILTERED = ("content_filter", "content_policy_violation")
_FILTERED_WORDS = ("content management policy", "safety system")
_NOT_TAKEN = ("unsupported_value", "unsupported_parameter")
_NO_MONEY = ("insufficient_quota", "insufficient credit", "billing", "exceeded your current quota")
_TOO_LONG = ("context_length_exceeded", "exceed_context_size_error")
_TOO_LONG_WORDS = ("maximum context length", "context size", "context window", "model's context length")


def read_reply(reply: Mapping[str, Any], cost: float | None) -> Answer:
    """Return the answer in a chat completion.

    Raises:
        CallFailedError: the reply holds no choice at all.
    """
    choices = reply.get("choices") or []
    if not choices and reply.get("choices") is not None and not reply.get("error"):
        return Answer("refused", finish_reason="content_filter", cause="no choice", served_model=reply.get("model"))
    if not choices:
        said = without_secrets(str(reply.get("error")))[:200]
        raise CallFailedError("no_choice", f"The reply holds no choice: {said}", again=True)
    message = choices[0].get("message") or {}
    reason = choices[0].get("finish_reason")
    text = without_secrets((message.get("content") or "").strip() or message.get("refusal") or "") or None
    if reason == "content_filter" or message.get("refusal"):
        status = "refused"
    elif reason == "length":
        status = "truncated"
    else:
        status = "ok" if text else "empty"
    usage = reply.get("usage") or {}
    return Answer(
        status=status,
        text=text,
        finish_reason=_once(reason),
        served_model=_once(reply.get("model")),
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        reasoning_tokens=(usage.get("completion_tokens_details") or {}).get("reasoning_tokens"),
        cost=cost,
    )


def is_filtered(status: int | None, code: str, message: str) -> bool:
    """Return whether an error says that a content filter stopped the question or its answer."""
    return status == 400 and (code in _FILTERED or any(words in message.lower() for words in _FILTERED_WORDS))


def filtered(message: str) -> Answer:
    """Return the answer to a question that was stopped by a content filter."""
    return Answer("refused", finish_reason="content_filter", cause=message[:500])


def out_of_money(status: int | None, code: str, message: str) -> bool:
    """Return whether an error says that the account has nothing left, which waiting does not mend."""
    told = code == "insufficient_quota" or any(words in message.lower() for words in _NO_MONEY)
    return status == 402 or (status == 429 and told)


def failure(model: str, status: int, code: str, message: str, wait: float | None = None) -> Exception:
    """Return what an error reply with an HTTP status means.

    Args:
        model: the model's id.
        status: of HTTP, or the code that stands for one in an error that came with another.
        code: the service's own word for what went wrong, or "".
        message: what it says, without keys.
        wait: the seconds that it asks us to wait.

    Returns:
        An `EndpointError` where every question would fail in the same way, else a `CallFailedError`.
    """
    if out_of_money(status, code, message):
        return EndpointError(f"The provider of {model} says that the account is out of money: {message}")
    if code in _NOT_TAKEN:
        return parameter_refused(model, message)
    if status in (401, 403, 404):
        return EndpointError(f"The provider of {model} refuses every question: {message}")
    if status in (408, 504):
        return CallFailedError("timeout", message, again=True, retry_after=wait, cost=None)
    if status == 429:
        return CallFailedError("rate_limit", message, again=True, retry_after=wait)
    if status in (400, 413) and (code in _TOO_LONG or any(words in message.lower() for words in _TOO_LONG_WORDS)):
        return CallFailedError("too_long", message, again=False)
    if status in (400, 422):
        return CallFailedError("bad_request", message, again=False)
    return CallFailedError("server_error", message, again=True, retry_after=wait)


def parameter_refused(model: str, message: str) -> EndpointError:
    """Return the error of a parameter that the model does not take; it is never dropped silently."""
    return EndpointError(
        f"{model} does not take a parameter that would be sent: {message} "
        "If it should be asked without it, say so in the model's configuration (without: [name])."
    )


def stamped(answer: Answer, start: float) -> Answer:
    """Return `answer` with its time; `start` is what `time.monotonic` said when the call began."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(answer, seconds=round(time.monotonic() - start, 3), asked_at=_once(now))


def _once(text: Any) -> Any:
    """Return a text that many answers have in common as one object."""
    return sys.intern(text) if type(text) is str else text


def seconds_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the service asks us to wait, if its reply says so, as a number or a date."""
    text = headers.get("retry-after", "")
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return seconds if math.isfinite(seconds) and seconds > 0 else None
