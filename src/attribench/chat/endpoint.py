"""The places where a model can be asked: a file served here, a running server, a provider."""

import asyncio
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attribench.chat.serve import serve_gguf
from attribench.errors import EndpointError
from attribench.ledger.runner import Ask
from attribench.ledger.store import Answer, Question


def identity(endpoint: Mapping[str, Any], file: Path | None) -> dict[str, Any]:
    """Return what identifies an endpoint as far as it can change an answer.

    A served file is its content, whatever its name, port or threads; a running server is its
    address; a provider is known from the model's id.
    """
    if endpoint["kind"] == "gguf":
        assert file is not None
        with file.open("rb") as content:
            return {"gguf": hashlib.file_digest(content, "sha256").hexdigest(), "context": endpoint["context"]}
    if endpoint["kind"] == "url":
        return {"url": endpoint["url"].rstrip("/")}
    return {"hosted": True}


@contextmanager
def open_endpoint(model: Mapping[str, Any], file: Path | None, threads: int) -> Iterator[Ask]:
    """Yield a function that asks the model one question; serve its file meanwhile, if it has one.

    Raises:
        EndpointError: the model cannot be served, or its key is not in the environment.
    """
    # litellm takes seconds to import: only when something is asked.
    from attribench.chat.completion import asker

    endpoint = model["endpoint"]
    if endpoint["kind"] == "gguf":
        assert file is not None
        with serve_gguf(
            file,
            port=endpoint["port"],
            parallel=endpoint["parallel"],
            context=endpoint["context"],
            threads=threads,
            threads_each=endpoint["threads"],
        ) as urls:
            yield in_turn([asker(url=url, key="none", timeout=model["timeout"], free=True) for url in urls])
    elif endpoint["kind"] == "url":
        key = _key(endpoint.get("key_variable"), model["name"])
        yield asker(url=endpoint["url"], key=key, timeout=model["timeout"], free=False)
    else:
        _require_provider_key(model)
        yield asker(url=None, key=None, timeout=model["timeout"], free=False)


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


def _key(variable: str | None, model: str) -> str:
    if variable is None:
        return "none"
    if not os.environ.get(variable):
        raise EndpointError(
            f"{model} is asked with the key in the environment variable {variable}, but that is not set. "
            f"Set it (export {variable}=...) and start again."
        )
    return os.environ[variable]


def _require_provider_key(model: Mapping[str, Any]) -> None:
    import litellm

    missing = litellm.validate_environment(model["id"]).get("missing_keys") or []
    if missing:
        raise EndpointError(
            f"{model['name']} ({model['id']}) needs {' and '.join(missing)} in the environment, which is not set. "
            "Set it and start again; keys are never read from the configuration."
        )
