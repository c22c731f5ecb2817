"""One call to a chat model through litellm, and what its reply or its error means.

A failed call is never an answer: it raises `CallFailedError` (this question has no answer now) or
`EndpointError` (no question will have one, so that nothing more should be asked).
"""

import logging
import math
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

# Otherwise the import waits for a price list from the network.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import litellm
import openai
from litellm import exceptions as errors

from attribench.errors import EndpointError
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question

logging.getLogger("LiteLLM").setLevel(logging.WARNING)  # it logs every call
litellm.suppress_debug_info = True
litellm.drop_params = False

# What stops the whole run: asking another question would fail in the same way.
_FATAL = (
    errors.AuthenticationError,
    errors.PermissionDeniedError,
    errors.NotFoundError,
    errors.UnsupportedParamsError,
    errors.BudgetExceededError,
)
_AGAIN = {
    errors.RateLimitError: "rate_limit",
    errors.Timeout: "timeout",
    errors.ServiceUnavailableError: "server_error",
    errors.BadGatewayError: "server_error",
    errors.InternalServerError: "server_error",
    errors.APIConnectionError: "connection",
    errors.APIError: "server_error",
}
_NOT_AGAIN = {errors.ContextWindowExceededError: "too_long", errors.BadRequestError: "bad_request"}
_FATAL_STATUS = (401, 402, 403, 404)  # litellm makes an APIError of some of these, which it would try again
_FILTERED = ("content_filter", "content_policy_violation")
_FILTERED_WORDS = ("content management policy", "safety system")
_NOT_TAKEN = ("unsupported_value", "unsupported_parameter")
_NO_MONEY = ("insufficient_quota", "insufficient credit", "billing", "exceeded your current quota")


def asker(*, url: str | None, key: str | None, timeout: float, free: bool) -> Ask:
    """Return a function that asks one question.

    Args:
        url: address of an OpenAI-compatible server; None for the provider that the model names.
        key: the server's key; None leaves it to litellm, which reads the environment.
        timeout: in seconds.
        free: whether a call costs nothing (a server of our own); otherwise its price is what
            litellm says, or not known.
    """
    place = {name: value for name, value in {"api_base": url, "api_key": key}.items() if value}

    async def ask(question: Question) -> Answer:
        content = question.content
        sampling = dict(content["sampling"])
        if (effort := sampling.pop("reasoning", None)) is not None:
            sampling["reasoning_effort"] = "none" if effort == "off" else effort
        start = time.monotonic()
        try:
            reply = await litellm.acompletion(
                model=content["model"],
                messages=content["messages"],
                timeout=timeout,
                num_retries=0,
                max_retries=0,
                **sampling,
                **place,
            )
        except errors.ContentPolicyViolationError as error:
            return _stamped(
                Answer("refused", finish_reason="content_filter", cause=_without_secrets(str(error))[:500]), start
            )
        except Exception as error:
            if _filtered(error):
                return _stamped(
                    Answer("refused", finish_reason="content_filter", cause=_without_secrets(str(error))[:500]), start
                )
            raise _meaning(error, content["model"]) from error
        hidden = getattr(reply, "_hidden_params", None) or {}
        cost = 0.0 if free else hidden.get("response_cost")
        return _stamped(read_reply(reply.model_dump(), cost), start)

    return ask


def read_reply(reply: Mapping[str, Any], cost: float | None) -> Answer:
    """Return the answer in a chat completion.

    Raises:
        CallFailedError: the reply holds no choice at all.
    """
    choices = reply.get("choices") or []
    if not choices and reply.get("choices") is not None and not reply.get("error"):
        return Answer("refused", finish_reason="content_filter", cause="no choice", served_model=reply.get("model"))
    if not choices:
        raise CallFailedError("no_choice", f"The reply holds no choice: {str(reply.get('error'))[:200]}", again=True)
    message = choices[0].get("message") or {}
    reason = choices[0].get("finish_reason")
    text = (message.get("content") or "").strip() or None
    if reason == "content_filter" or message.get("refusal"):
        status = "refused"
    elif reason == "length":
        status = "truncated"
    else:
        status = "ok" if text else "empty"
    usage = reply.get("usage") or {}
    return Answer(
        status=status,
        text=text or message.get("refusal"),
        finish_reason=reason,
        served_model=reply.get("model"),
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        reasoning_tokens=(usage.get("completion_tokens_details") or {}).get("reasoning_tokens"),
        cost=cost,
    )


def _stamped(answer: Answer, start: float) -> Answer:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(answer, seconds=round(time.monotonic() - start, 3), asked_at=now)


def _without_secrets(message: str) -> str:
    """Return `message` without any key of the environment: some services repeat the one they were sent."""
    for name, value in os.environ.items():
        if len(value) >= 8 and name.endswith(("KEY", "TOKEN", "SECRET", "PASSWORD")):
            message = message.replace(value, f"({name})")
    return message


def _code(error: Exception) -> str:
    """Return the service's own word for what went wrong, or ""."""
    body = getattr(error, "body", None)
    return str(body.get("code") or "") if isinstance(body, Mapping) else ""


def _filtered(error: Exception) -> bool:
    if not isinstance(error, errors.BadRequestError):
        return False
    return _code(error) in _FILTERED or any(words in str(error).lower() for words in _FILTERED_WORDS)


def _meaning(error: Exception, model: str) -> Exception:
    message = _without_secrets(str(error))
    status = getattr(error, "status_code", None)
    no_money = _code(error) == "insufficient_quota" or any(word in message.lower() for word in _NO_MONEY)
    if status == 402 or (isinstance(error, errors.RateLimitError) and no_money):
        return EndpointError(f"The provider of {model} says that the account is out of money: {message}")
    if isinstance(error, errors.UnsupportedParamsError) or _code(error) in _NOT_TAKEN:
        return EndpointError(
            f"{model} does not take a parameter that would be sent: {message} "
            "If it should be asked without it, say so in the model's configuration (without: [name])."
        )
    if isinstance(error, _FATAL) or status in _FATAL_STATUS:
        return EndpointError(f"The provider of {model} refuses every question: {message}")
    if any(isinstance(e, openai.APIConnectionError) for e in _chain(error)) and not isinstance(error, errors.Timeout):
        return CallFailedError("connection", message, again=True)
    for kind, cause in (_NOT_AGAIN | _AGAIN).items():
        if isinstance(error, kind):
            return CallFailedError(cause, message, again=cause in _AGAIN.values(), retry_after=_retry_after(error))
    return CallFailedError(type(error).__name__, message, again=True)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that it arose from: litellm hides a lost connection in another kind."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _retry_after(error: Exception) -> float | None:
    """Return the seconds that the service asks us to wait, if its reply says so, as a number or a date."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    text = headers.get("retry-after", "")
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return seconds if math.isfinite(seconds) and seconds > 0 else None
