"""A server that a command of the user starts, such as ``vllm serve``, for as long as a block of code runs."""

import http.client
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attribench.chat import watch
from attribench.chat.serve import LOOPBACK, check_free
from attribench.errors import EndpointError
from attribench.masking import without_secrets


@contextmanager
def serve_command(command: Sequence[str] | str, *, port: int, health: str, startup: float, log: Path) -> Iterator[str]:
    """Start a server and wait until it is well; yield its address, up to and with ``/v1``.

    The server ends with the block, and also with this process, however that ends (`watch`).

    Args:
        command: program and arguments, as a list or as a shell would read it, but run without one;
            ``{port}`` stands for the port.
        port: where it shall listen; 0 takes a free port.
        health: path that answers with the status 200 when the server is well.
        startup: time that it has for that, in seconds.
        log: file for what it prints; written anew.

    Raises:
        EndpointError: the port is taken, or the server ends or is not well in time.
    """
    if port:
        check_free(port)
    else:
        port = _free_port()
    words = shlex.split(command) if isinstance(command, str) else list(command)
    words = [word.replace("{port}", str(port)) for word in words]
    shown = shlex.join(words)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        output.write(f"$ {shown}\n".encode())
        output.flush()
        # The pipe to its standard input is what tells the watcher that this process is gone.
        watcher = subprocess.Popen(
            [sys.executable, watch.__file__, *words], stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        _wait_until_well(watcher, f"http://{LOOPBACK}:{port}{health}", startup, shown, log)
        yield f"http://{LOOPBACK}:{port}/v1"
    finally:
        assert watcher.stdin is not None
        watcher.stdin.close()
        watcher.wait()


def _wait_until_well(watcher: "subprocess.Popen[bytes]", url: str, startup: float, shown: str, log: Path) -> None:
    end = time.monotonic() + startup
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        if (code := watcher.poll()) is not None:
            raise EndpointError(
                f"The server that should have been started with '{shown}' ended by itself (exit code {code}) before "
                f"it was ready{_last_words(log)}. What it printed is in {log}."
            )
        try:
            with straight.open(url, timeout=5) as reply:
                if reply.status == 200 and watcher.poll() is None:
                    return
        except (OSError, ValueError, http.client.HTTPException):
            pass
        if time.monotonic() > end:
            raise EndpointError(
                f"The server that was started with '{shown}' was not ready after {startup:g} s: {url} does not answer "
                f"with 200{_last_words(log)}. What it printed is in {log}. Give it more time ('startup'), or correct "
                "the command or the path of its health check ('health')."
            )
        time.sleep(0.1)


def _last_words(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()[1:]]
    last = next((line for line in reversed(lines) if line), "")
    return f"; its last line was: {without_secrets(last)[:300]}" if last else ""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
