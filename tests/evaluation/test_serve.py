"""What keeps a model file from being served is said in a sentence."""

import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from attribench.chat.serve import serve_gguf
from attribench.errors import EndpointError

SETTINGS: dict[str, Any] = {"port": 0, "parallel": 2, "context": 256, "threads": 1}


@pytest.fixture
def no_model(tmp_path: Path) -> Path:
    path = tmp_path / "no-model.gguf"
    path.write_bytes(b"this is no model")
    return path


def refusal(file: Path, **changed: Any) -> str:
    with pytest.raises(EndpointError) as caught, serve_gguf(file, **{**SETTINGS, **changed}):
        pass
    return str(caught.value)


def test_a_port_that_is_taken(no_model: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        message = refusal(no_model, port=port)
    assert f"Port {port} on 127.0.0.1 cannot be used for the model: Address already in use" in message
    assert "port 0 for a free one" in message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    message = refusal(tmp_path / "none.gguf")
    assert f"expected at {tmp_path / 'none.gguf'}, but there is no such file" in message


def test_a_file_that_is_no_model(no_model: Path) -> None:
    assert f"The model file {no_model} cannot be served" in refusal(no_model)


def test_a_server_that_is_not_installed(no_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    message = refusal(no_model)
    assert "xllamacpp is not installed" in message and "-e '.[local]'" in message
