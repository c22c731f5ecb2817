"""A model file served on the loopback address for as long as a block of code runs."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attribench.errors import EndpointError

LOOPBACK = "127.0.0.1"


@contextmanager
def serve_gguf(
    file: Path, *, port: int, parallel: int, context: int, threads: int, threads_each: int = 1
) -> Iterator[list[str]]:
    """Serve a GGUF file with an OpenAI-compatible API; yield the addresses, up to and with ``/v1``.

    Each address is a server of its own that generates one answer at a time and keeps nothing of the
    answers before: what is generated beside an answer, or was before it, would change its arithmetic, so
    that the same seed would not give the same words again. The servers live in this process and end with
    it, however it ends.

    Args:
        file: the model file.
        port: where the first one listens, the others on the ports after it; 0 takes free ports.
        parallel: the most servers to start; fewer where there are not `threads_each` threads for each.
        context: longest question and answer together, in tokens.
        threads: processor threads to use altogether, at most as many as there are.
        threads_each: processor threads of each server. The words of an answer can depend on it.

    Raises:
        EndpointError: xllamacpp is not installed, the file or a port cannot be used.
    """
    try:
        import xllamacpp
    except ImportError as error:
        raise EndpointError(
            "The model file cannot be served, because xllamacpp is not installed. "
            "Install it with: python -m pip install -c constraints.txt -e '.[local]'"
        ) from error
    if not file.is_file():
        raise EndpointError(f"The model file was expected at {file}, but there is no such file.")
    possible = min(threads, os.cpu_count() or 1) // threads_each
    servers = []
    for number in range(max(1, min(parallel, possible))):
        if port:
            check_free(port + number)
        wanted = xllamacpp.CommonParams()
        wanted.model.path = str(file)
        wanted.hostnames = [LOOPBACK]
        wanted.port = port + number if port else 0
        wanted.n_parallel = 1
        wanted.n_ctx = context
        wanted.cpuparams.n_threads = threads_each
        wanted.cache_prompt = False
        wanted.cache_ram_mib = 0
        try:
            servers.append(xllamacpp.Server(wanted))
        except RuntimeError as error:
            raise EndpointError(f"The model file {file} cannot be served: {error}.") from error
    try:
        yield [f"{server.listening_address}/v1" for server in servers]
    finally:
        del servers


def check_free(port: int) -> None:
    """Raise EndpointError unless something new can listen on `port` of the loopback address."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise EndpointError(
                f"Port {port} on {LOOPBACK} cannot be used for the model: {error.strerror}. "
                "End what listens there, give the model's endpoint another port, or port 0 for a free one."
            ) from error
