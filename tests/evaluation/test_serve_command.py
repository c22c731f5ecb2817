"""A server that a command starts: ready before it is asked, and gone with whoever asked, however that went."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import attribench
from attribench.chat import endpoint as endpoint_module
from attribench.chat.endpoint import open_endpoint
from attribench.chat.identity import identity
from attribench.chat.serve_command import serve_command
from attribench.errors import EndpointError

# A server with a child of its own, as those have that spread a model over several processes. It
# writes both process ids to the file that it is given, and is well once "slowly" seconds are over.
SERVER = """
import json, os, subprocess, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
port, pids, slowly = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(pids, "w").write(f"{os.getpid()} {child.pid}")
print("loading", flush=True)
begun = time.monotonic()
class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        self.send_response(200 if self.path == "/health" and time.monotonic() - begun > slowly else 503)
        self.end_headers()
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        reply = {"model": "m", "choices": [{"finish_reason": "stop", "message": {"content": "Maya Angelou"}}]}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
HTTPServer(("127.0.0.1", port), Handler).serve_forever()
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "server.py"
    path.write_text(SERVER)
    return path


@pytest.fixture
def arguments(program: Path, tmp_path: Path) -> dict[str, Any]:
    command = [sys.executable, str(program), "{port}", str(tmp_path / "pids"), "0.3"]
    return {"command": command, "port": 0, "health": "/health", "startup": 20.0, "log": tmp_path / "serve.log"}


def are_gone(pids: list[int], patience: float = 5.0) -> bool:
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if not any(is_running(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


def is_running(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def pids_in(folder: Path) -> list[int]:
    return [int(pid) for pid in (folder / "pids").read_text().split()]


def test_it_is_ready_when_it_is_asked_and_gone_afterwards(arguments: dict[str, Any], tmp_path: Path) -> None:
    with serve_command(**arguments) as url:
        assert urllib.request.urlopen(url.removesuffix("/v1") + "/health", timeout=5).status == 200
        pids = pids_in(tmp_path)
        assert all(map(is_running, pids))
    assert are_gone(pids)
    assert "loading" in arguments["log"].read_text()


def test_it_is_gone_after_an_error(arguments: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), serve_command(**arguments):
        raise RuntimeError
    assert are_gone(pids_in(tmp_path))


HOLDER = """
import json, signal, sys, time
from pathlib import Path
from attribench.chat.serve_command import serve_command
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
arguments = json.loads(sys.argv[1])
with serve_command(**{**arguments, "log": Path(arguments["log"])}):
    print("ready", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_is_gone_when_the_job_is_killed(sign: signal.Signals, arguments: dict[str, Any], tmp_path: Path) -> None:
    job = subprocess.Popen(
        [sys.executable, "-c", HOLDER, json.dumps(arguments, default=str)],
        env={**os.environ, "PYTHONPATH": str(Path(attribench.__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert job.stdout is not None
    assert job.stdout.readline() == b"ready\n"
    pids = pids_in(tmp_path)
    assert all(map(is_running, pids))
    os.killpg(job.pid, sign) if sign == signal.SIGINT else job.send_signal(sign)
    job.wait(20)
    job.stdout.close()
    assert are_gone(pids)


def test_it_is_gone_when_even_the_watcher_is_killed(arguments: dict[str, Any], tmp_path: Path) -> None:
    """What the watcher started goes with it; nothing is there any more that could end the child's child."""
    with serve_command(**arguments):
        server, child = pids_in(tmp_path)
        watcher = int(Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(watcher, signal.SIGKILL)
        assert are_gone([server])
    os.kill(child, signal.SIGKILL)


def refusal(arguments: dict[str, Any], **changed: Any) -> str:
    with pytest.raises(EndpointError) as caught, serve_command(**{**arguments, **changed}):
        pass
    return str(caught.value)


def test_a_command_that_ends_at_once(arguments: dict[str, Any]) -> None:
    command = f"{sys.executable} -c 'import sys; print(\"no such model\"); sys.exit(3)'"
    message = refusal(arguments, command=command)
    assert "ended by itself (exit code 3)" in message and "its last line was: no such model" in message
    assert str(arguments["log"]) in message


def test_a_command_that_is_not_there(arguments: dict[str, Any]) -> None:
    message = refusal(arguments, command="no-such-program --port {port}")
    assert "no-such-program" in message and "No such file or directory" in message


def test_a_command_that_is_never_well(arguments: dict[str, Any], tmp_path: Path) -> None:
    message = refusal(arguments, health="/elsewhere", startup=1.5)
    assert "was not ready after 1.5 s" in message and "/elsewhere does not answer with 200" in message
    assert "'startup'" in message and "loading" in message
    assert are_gone(pids_in(tmp_path))


def test_a_port_that_is_taken(arguments: dict[str, Any]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        message = refusal(arguments, port=other.getsockname()[1])
    assert "cannot be used for the model: Address already in use" in message
    assert not arguments["log"].exists()


def test_a_model_behind_a_command_is_asked(
    arguments: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    from attribench.ledger.store import Question

    monkeypatch.setattr(endpoint_module, "LOGS", tmp_path / "logs")
    endpoint = {"kind": "command", "command": arguments["command"], "port": 0, "health": "/health", "startup": 20}
    model = {"name": "mine", "id": "openai/m", "endpoint": endpoint, "timeout": 20, "concurrency": 2, "limits": {}}
    content = {"model": "openai/m", "messages": [{"role": "user", "content": "Who?"}], "sampling": {}}
    with open_endpoint(model, None, 1) as ask:

        async def once() -> Any:
            return await ask(Question(content))

        answer = asyncio.run(once())
    assert (answer.status, answer.text, answer.cost) == ("ok", "Maya Angelou", 0.0)
    assert are_gone(pids_in(tmp_path))
    assert "loading" in (tmp_path / "logs" / "mine.log").read_text()


def test_a_served_command_is_its_words_whatever_its_port() -> None:
    text = {"kind": "command", "command": "vllm serve 'a b' --port {port}", "port": 0}
    words = {"kind": "command", "command": ["vllm", "serve", "a b", "--port", "{port}"], "port": 81, "startup": 5}
    same, other = identity(text, None, "openai/m"), {**text, "command": "vllm serve other --port {port}"}
    assert identity(words, None, "openai/m") == same
    assert identity(other, None, "openai/m") != same
