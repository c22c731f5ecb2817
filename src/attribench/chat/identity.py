"""What identifies the place where a model is asked, in the key of an answer."""

import hashlib
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def identity(endpoint: Mapping[str, Any], file: Path | None) -> dict[str, Any]:
    """Return what identifies an endpoint as far as it can change an answer.

    A served file is its content, whatever its name, port or threads; a served command is its
    words, whatever its port; a running server is its address; a provider is known from the
    model's id.
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
    return {"hosted": True}
