"""Progress of long work, in plain lines that stand well between Snakemake's own."""

import time
from typing import TextIO


class Progress:
    """Counts what is done and says so now and then.

    Lines go to `stream`; one at the start, one every `interval` seconds, one at the end.
    """

    def __init__(self, what: str, total: int, stream: TextIO, *, stored: int = 0, interval: float = 10.0) -> None:
        """Begin the work called `what`: `total` questions, of which `stored` are answered already."""
        self._what, self._total, self._stream, self._interval = what, total, stream, interval
        self._stored = self._done = stored
        self._failed = 0
        self._cost: float | None = None
        self._start = self._said = time.monotonic()
        self._say(f"{total} questions, {stored} of them answered before, {total - stored} to ask")

    def add(self, *, failed: bool = False, cost: float | None = None) -> None:
        """Count one more question as done; `cost` is in USD, None where it is not known."""
        self._done += 1
        self._failed += failed
        if cost is not None:
            self._cost = (self._cost or 0.0) + cost
        if time.monotonic() - self._said >= self._interval or self._done == self._total:
            self._said = time.monotonic()
            self._say(self._state())

    def _state(self) -> str:
        passed = time.monotonic() - self._start
        rate = (self._done - self._stored) / passed if passed else 0.0
        parts = [f"{self._done} of {self._total} answers", f"{rate:.1f} a second"]
        if self._failed:
            parts.append(f"{self._failed} failed")
        if self._cost:
            parts.append(f"{self._cost:.2f} USD so far")
        left = self._total - self._done
        parts.append(f"about {_duration(left / rate)} left" if left and rate else f"{_duration(passed)} in all")
        return ", ".join(parts)

    def _say(self, text: str) -> None:
        print(f"{self._what}: {text}", file=self._stream, flush=True)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
