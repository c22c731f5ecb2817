"""What identifies the place where a model is asked, in the key of an answer."""

import hashlib
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def identity(endpoint: Mapping[str, Any], file: Path | None, model: str) -> dict[str, Any]:
    """Return what identifies an endpoint as far as it can change an answer.

    A served file is its content, whatever its name, port or threads; a served command is its
    words, whatever its port; a running server is its address; a provider is known from the id of the
    `model`, unless the environment sends its calls elsewhere: then their address is part of it.
    """
    if endpoint["kind"] == "gguf":
        assert file is not None
        with file.open("rb") as content:
            return {"gguf": hashlib.file_digest(content, "sha256").hexdigest(), "context": endpoint["context"]}
    if endpoint["kind"] == "command":
        command = endpoint["command"]
        return {"command": shlex.split(command) if isinstance(command, str) else list(command)}
    if endpoint["kind"] == "url":
        return {"url": endpoint["url"].rstrip("/")}
    elsewhere = redirection(model)
    return {"hosted": True, "at": elsewhere} if elsewhere else {"hosted": True}


def redirection(model: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the address to which the environment sends calls to the provider of `model`, or None.

    litellm reads it from a variable such as OPENAI_BASE_URL or TOGETHER_AI_API_BASE. A login in it is left out.
    """
    provider = re.sub("[^A-Z]", "", model.partition("/")[0].upper())
    for name, value in sorted(environment.items()):
        if value and re.sub("[^A-Z]", "", name.upper()) in (f"{provider}APIBASE", f"{provider}BASEURL"):
            return re.sub("//[^/@]*@", "//", value).rstrip("/")
    return None
