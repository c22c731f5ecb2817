"""The batch interfaces of providers, through litellm: upload, make, look, download.

litellm 1.110.2 makes batches for OpenAI (and servers with the same interface) and for Gemini, which
takes lines in OpenAI's form; of Anthropic's it reads the results but makes none.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import litellm
from litellm.exceptions import NotFoundError

from attribench.chat.completion import meaning, translated
from attribench.chat.keys import key_of, require_provider_key
from attribench.chat.lean import plain_parameters
from attribench.errors import EndpointError
from attribench.ledger.runner import CallFailedError
from attribench.ledger.store import Question

MOST_LINES = 50_000
MOST_BYTES = 90_000_000
"""Largest batch; OpenAI allows 50,000 lines and 100 MB."""

PAUSE = 2.0
"""Time before a step that failed is tried again, in seconds; doubled each time."""


class BatchGoneError(EndpointError):
    """The provider has no batch or file of this name (any more); it is never shown, its questions are asked anew.

    `cost` is as in `CallFailedError`.
    """

    def __init__(self, message: str, *, cost: float | None = None) -> None:
        """See the class."""
        super().__init__(message)
        self.cost = cost


class BatchService:
    """The batches of one model. Every method raises EndpointError where a step fails for good."""

    def __init__(self, model: Mapping[str, Any]) -> None:
        """`model` has the fields of `attribench.settings.Model`."""
        endpoint, url, key = model["endpoint"], None, None
        if endpoint["kind"] == "url":
            url, key = endpoint["url"], key_of(endpoint.get("key_variable"), model["name"])
        else:
            require_provider_key(model["name"], model["id"])
        self._id, self._attempts = model["id"], model["attempts"]
        self._provider, _, self._name = self._id.partition("/")
        self._place: dict[str, Any] = {
            "custom_llm_provider": self._provider,
            "timeout": model["timeout"],
            "max_retries": 0,
        }
        self._place |= {name: value for name, value in {"api_base": url, "api_key": key}.items() if value}

    def line(self, question: Question) -> bytes:
        """Return the line of an input file that asks a question, in the parameters that litellm would send live.

        Raises:
            EndpointError: the model does not take one of them.
        """
        wanted = plain_parameters(self._id, question.content["sampling"])
        if self._provider == "openai":
            try:
                wanted = translated(self._id, wanted)
            except Exception as error:
                raise meaning(error, self._id) from error
        body = {"model": self._name, "messages": question.content["messages"], **wanted}
        request = {"custom_id": question.key, "method": "POST", "url": "/v1/chat/completions", "body": body}
        return json.dumps(request, ensure_ascii=False).encode() + b"\n"

    async def upload(self, lines: bytes) -> str:
        """Upload an input file and return its id."""
        file = ("attribench.jsonl", lines, "application/jsonl")
        made = await self._patiently(lambda: litellm.acreate_file(file=file, purpose="batch", **self._place))
        return str(made.id)

    async def make(self, file_id: str) -> str:
        """Make a batch of an uploaded file, or find the one that was made of it, and return its id.

        Raises:
            BatchGoneError: the file is not there.
        """

        async def once() -> Any:
            if made := await self._made_of(file_id):
                return made
            try:
                return await litellm.acreate_batch(
                    completion_window="24h",
                    endpoint="/v1/chat/completions",
                    input_file_id=file_id,
                    model=self._id,
                    **self._place,
                )
            except Exception as error:
                if _is_not_there(error) and self._provider == "openai":  # elsewhere it can be the model
                    raise self._gone(f"file {file_id}", cost=0.0) from None
                raise

        return str((await self._patiently(once)).id)

    async def look(self, batch_id: str) -> Any:
        """Return the state of a batch, in OpenAI's form.

        Raises:
            BatchGoneError: the batch is not there.
            CallFailedError: it could not be looked at now.
        """

        async def once() -> Any:
            try:
                return await litellm.aretrieve_batch(batch_id=batch_id, model=self._id, **self._place)
            except Exception as error:
                if not _is_not_there(error):
                    raise
            await self._made_of("")  # which fails where the address is wrong: there, nothing is said of the batch
            raise self._gone(f"batch {batch_id}")

        return await self._patiently(once, only_once=True)

    async def download(self, file_id: str) -> list[dict[str, Any]]:
        """Return the lines of an output or error file; what is no JSON is left out.

        Raises:
            BatchGoneError: the file is not there.
        """

        async def once() -> Any:
            try:
                return await litellm.afile_content(file_id=file_id, **self._place)
            except Exception as error:
                if _is_not_there(error):
                    raise self._gone(f"file {file_id}") from None
                raise

        content = await self._patiently(once)
        return list(_objects(content.content.splitlines()))

    async def _made_of(self, file_id: str) -> Any:
        """Return the batch of an uploaded file, should there be one already: the reply that told its id may be lost."""
        if self._provider != "openai":
            return None
        listed = await litellm.alist_batches(limit=100, **self._place)
        return next((batch for batch in listed.data if batch.input_file_id == file_id), None)

    def _gone(self, what: str, *, cost: float | None = None) -> BatchGoneError:
        return BatchGoneError(f"The provider of {self._id} has no {what} any more, or none for this key.", cost=cost)

    async def _patiently(self, step: Callable[[], Any], *, only_once: bool = False) -> Any:
        """Take a step, at most as often as the model has attempts; or `only_once`."""
        left = 1 if only_once else self._attempts
        pause = PAUSE
        while True:
            try:
                return await step()
            except BatchGoneError:
                raise
            except Exception as error:
                left -= 1
                failure = meaning(error, self._id)
                if isinstance(failure, CallFailedError) and failure.again and left:
                    await asyncio.sleep(max(pause, failure.retry_after or 0))
                    pause *= 2
                    continue
                if isinstance(failure, CallFailedError) and not failure.again:
                    failure = EndpointError(f"The provider of {self._id} refuses a batch: {failure}")
                elif isinstance(failure, CallFailedError) and not only_once:
                    failure = EndpointError(
                        f"The batches of {self._id} cannot be reached ({failure}). What was sent is kept: start the "
                        "same command again later."
                    )
                raise failure from None  # the provider's own words may hold a key


def chunks(questions: Sequence[Question], line: Callable[[Question], bytes]) -> Iterable[tuple[list[Question], bytes]]:
    """Yield the questions in parts that a batch can hold, each with its input file.

    Raises:
        ValueError: a question comes twice; its answers could not be told apart.
    """
    if len({question.key for question in questions}) != len(questions):
        raise ValueError("a question is in the batch twice")
    part: list[Question] = []
    lines: list[bytes] = []
    size = 0
    for question in questions:
        text = line(question)
        if part and (len(part) == MOST_LINES or size + len(text) > MOST_BYTES):
            yield part, b"".join(lines)
            part, lines, size = [], [], 0
        part.append(question)
        lines.append(text)
        size += len(text)
    if part:
        yield part, b"".join(lines)


def in_form_of_openai(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a reply from a batch with its usage by OpenAI's names; Gemini's has names of its own."""
    usage = body.get("usage") or {}
    if "promptTokens" not in usage and "totalTokens" not in usage:
        return body
    asked, said = usage.get("promptTokens", 0), usage.get("completionTokens", 0)
    reasoning = max(usage.get("totalTokens", 0) - asked - said, 0)  # counted in the total alone, and paid as output
    details = {"reasoning_tokens": reasoning}
    told = {"prompt_tokens": asked, "completion_tokens": said + reasoning, "completion_tokens_details": details}
    return {**body, "usage": told}


def _is_not_there(error: Exception) -> bool:
    return isinstance(error, NotFoundError) or getattr(error, "status_code", None) == 404


def _objects(lines: Iterable[bytes]) -> Iterable[dict[str, Any]]:
    for line in lines:
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found
