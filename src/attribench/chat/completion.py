"""One call to a chat model through litellm, which knows every provider; what comes back is read in `reply`."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import litellm
import openai
from litellm import exceptions as errors

from attribench.chat import calm_litellm  # noqa: F401 - for what it sets
from attribench.chat.reasoning import parameters_for
from attribench.chat.reply import (
    failure,
    filtered,
    is_filtered,
    out_of_money,
    parameter_refused,
    read_reply,
    seconds_to_wait,
    stamped,
)
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question
from attribench.masking import without_secrets

# What litellm says by the kind of its error, where the status says less, or nothing.
_STATUS = {
    errors.RateLimitError: 429,
    errors.Timeout: 408,
    errors.PermissionDeniedError: 403,
    errors.AuthenticationError: 401,
    errors.NotFoundError: 404,
    errors.BadRequestError: 400,
    errors.BudgetExceededError: 402,
}


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
        start = time.monotonic()
        try:
            reply = await litellm.acompletion(
                model=content["model"],
                messages=content["messages"],
                timeout=timeout,
                num_retries=0,
                max_retries=0,
                **parameters_for(content["model"], content["sampling"]),
                **place,
            )
        except Exception as error:
            if _is_filtered(error):
                return stamped(filtered(without_secrets(str(error))), start)
            raise meaning(error, content["model"]) from error
        hidden = getattr(reply, "_hidden_params", None) or {}
        cost = 0.0 if free else hidden.get("response_cost")
        return stamped(read_reply(reply.model_dump(), cost), start)

    return ask


def translated(model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return what litellm would send to a model of OpenAI beside the messages, for `reasoning.parameters_for`.

    Raises:
        Exception: of litellm, where the model does not take one of the parameters.
    """
    wanted = dict(parameters)
    extra = wanted.pop("extra_body", {})
    provider, _, name = model.partition("/")
    sent: dict[str, Any] = litellm.utils.get_optional_params(model=name, custom_llm_provider=provider, **wanted)
    sent |= (sent.pop("extra_body", None) or {}) | extra
    return {key: value for key, value in sent.items() if key != "stream"}


def meaning(error: Exception, model: str) -> Exception:
    """Return what an exception of litellm means: an `EndpointError` or a `CallFailedError`."""
    message = without_secrets(str(error))
    code = _code(error)
    status = _status(error)
    if out_of_money(status, code, message):
        return failure(model, 402, code, message)
    if isinstance(error, errors.UnsupportedParamsError):
        return parameter_refused(model, message)
    if status in (401, 403, 404):
        return failure(model, status, code, message)
    lost = isinstance(error, errors.APIConnectionError) or any(
        isinstance(e, openai.APIConnectionError) for e in _chain(error)
    )
    if lost and not isinstance(error, errors.Timeout):
        never_made = any(isinstance(e, httpx.ConnectError | ConnectionRefusedError) for e in _chain(error))
        return CallFailedError("connection", message, again=True, cost=0.0 if never_made else None)
    if isinstance(error, errors.ContextWindowExceededError):
        return CallFailedError("too_long", message, again=False)
    if status is None:
        return CallFailedError(type(error).__name__, message, again=True)
    wait = seconds_to_wait(getattr(getattr(error, "response", None), "headers", None) or {})
    return failure(model, status, code, message, wait)


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    kinds = [number for kind, number in _STATUS.items() if isinstance(error, kind)]
    if kinds and status not in (402, 422, 504):
        return kinds[0]
    return status if isinstance(status, int) else None


def _code(error: Exception) -> str:
    """Return the service's own word for what went wrong, or ""."""
    body = getattr(error, "body", None)
    return str(body.get("code") or "") if isinstance(body, Mapping) else ""


def _is_filtered(error: Exception) -> bool:
    if isinstance(error, errors.ContentPolicyViolationError):
        return True
    return isinstance(error, errors.BadRequestError) and is_filtered(400, _code(error), str(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that it arose from: litellm hides a lost connection in another kind."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
