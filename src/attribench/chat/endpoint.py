"""The places where a model can be asked: a file or a command served here, a running server, a provider."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from attribench.chat.connect import connect
from attribench.chat.serve import serve_gguf
from attribench.chat.serve_command import serve_command
from attribench.chat.workers import working
from attribench.ledger.runner import Ask

LOGS = Path("logs/serve")
"""Where the output of servers goes that a command starts, one file per model."""


@contextmanager
def open_endpoint(model: Mapping[str, Any], file: Path | None, threads: int) -> Iterator[Ask]:
    """Yield a function that asks the model one question; serve it meanwhile, if that is for us to do.

    Args:
        model: the fields of `attribench.settings.Model`.
        file: the model file, for the kind gguf.
        threads: processor threads for a model file.

    Raises:
        EndpointError: the model cannot be served, or its key is not in the environment.
    """
    endpoint = model["endpoint"]
    url = None
    with ExitStack() as opened:
        if endpoint["kind"] == "gguf":
            assert file is not None
            url = opened.enter_context(
                serve_gguf(
                    file,
                    port=endpoint["port"],
                    parallel=endpoint["parallel"],
                    context=endpoint["context"],
                    threads=threads,
                )
            )
        elif endpoint["kind"] == "command":
            url = opened.enter_context(
                serve_command(
                    endpoint["command"],
                    port=endpoint["port"],
                    health=endpoint["health"],
                    startup=endpoint["startup"],
                    log=LOGS / f"{model['name']}.log",
                )
            )
        ask = connect(model, url)
        if model.get("threads", 1) > 1:
            ask = opened.enter_context(working(model, url, model["threads"]))
        yield ask
