"""A model file served on the loopback address for as long as a block of code runs."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attribench.errors import EndpointError

LOOPBACK = "127.0.0.1"


@contextmanager
def serve_gguf(file: Path, *, port: int, parallel: int, context: int, threads: int) -> Iterator[str]:
    """Serve a GGUF file with an OpenAI-compatible API; yield the address, up to and with ``/v1``.

    The server lives in this process and ends with it, however it ends.

    Args:
        file: the model file.
        port: where to listen; 0 takes a free port.
        parallel: answers generated at the same time.
        context: longest question and answer together, in tokens.
        threads: processor threads to use, at most as many as there are.

    Raises:
        EndpointError: xllamacpp is not installed, the file or the port cannot be used.
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
    if port:
        check_free(port)
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(file)
    wanted.hostnames = [LOOPBACK]
    wanted.port = port
    wanted.n_parallel = parallel
    wanted.n_ctx = context * parallel
    wanted.cpuparams.n_threads = max(1, min(threads, os.cpu_count() or 1))
    try:
        server = xllamacpp.Server(wanted)
    except RuntimeError as error:
        raise EndpointError(f"The model file {file} cannot be served: {error}.") from error
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server


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
