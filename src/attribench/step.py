"""How a rule runs a step: one plainly typed function, called with what the rule declares.

The last block of every step's module reads::

    if __name__ == "__main__":
        run(main, snakemake)

which calls `main` with the rule's named inputs, outputs and params, and with its log, threads
and resources, as far as `main` has an argument of that name.
"""

import inspect
import logging
import os
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attribench.errors import AttribenchError
from attribench.masking import WithoutSecrets, without_secrets


def run(main: Callable[..., None], job: Any) -> None:
    """Call `main` with the named values of a Snakemake job; end the process with 1 if it fails.

    What it prints goes to the rule's log. Should `main` fail, the screen shows one message
    and the place of the log, which holds the traceback.
    """
    log = Path(job.log[0])
    with _logged(log) as screen:
        try:
            main(**_arguments(main, job))
        except AttribenchError as error:
            _fail(screen, job.rule, log, str(error))
        except OSError as error:
            _fail(screen, job.rule, log, f"{error.strerror or error}: {error.filename or 'see the log'}.")
        except Exception as error:
            _fail(screen, job.rule, log, f"an unforeseen error, {type(error).__name__}: {error}")


def screen() -> Any:
    """Return the stream that the user sees, also while standard error goes to a log."""
    return _screen or sys.stderr


_screen: Any = None


class Ticker:
    """Says on the screen how far a step is, but not more often than every `interval` seconds.

    A step that takes less than that says nothing.
    """

    def __init__(self, what: str, interval: float = 5.0) -> None:
        """Begin the work called `what`."""
        self._what, self._interval = what, interval
        self._start = self._said = time.monotonic()

    def tick(self, state: str) -> None:
        """Say `state` if it is time."""
        now = time.monotonic()
        if now - self._said >= self._interval:
            self._said = now
            print(f"{self._what}: {state}, after {now - self._start:.0f} s", file=screen(), flush=True)


def _arguments(main: Callable[..., None], job: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"log": Path(job.log[0]), "threads": job.threads, **dict(job.resources.items())}
    for part in (job.wildcards, job.params, job.input, job.output):
        values.update(part.items())
    wanted = inspect.signature(main).parameters
    return {name: _typed(value, wanted[name].annotation) for name, value in values.items() if name in wanted}


def _typed(value: Any, wanted: Any) -> Any:
    """Return a value of the rule as `main` declares it: Snakemake has text for paths, and for lists of one."""
    if wanted is Path:
        return Path(value)
    if wanted == list[Path]:
        return [Path(item) for item in ([value] if isinstance(value, str) else value)]
    return value


@contextmanager
def _logged(log: Path) -> Iterator[Any]:
    """Send all output, warnings and logging to `log`; yield the standard error that was there before."""
    global _screen
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    _screen = os.fdopen(os.dup(2), "w", buffering=1)
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        handler = logging.StreamHandler()
        handler.setFormatter(WithoutSecrets("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logging.basicConfig(level=logging.INFO, handlers=[handler])
        logging.captureWarnings(True)
        warnings.simplefilter("default")
        try:
            yield _screen
        finally:
            _screen.close()
            _screen = None


def _fail(screen: Any, rule: str, log: Path, message: str) -> None:
    print(without_secrets(traceback.format_exc()), file=sys.stderr, flush=True)
    print(f"\nError in {rule}: {without_secrets(message)}\n(The log is {log}.)\n", file=screen, flush=True)
    sys.exit(1)
