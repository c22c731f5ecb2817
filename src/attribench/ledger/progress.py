"""Progress of long work: plain lines that stand well between Snakemake's own, or one line that is redrawn."""

import time
from typing import TextIO


class Progress:
    """Counts what is done and says so now and then.

    There is a line at the start and one at the end. Between them a terminal has one line that is
    redrawn every second; any other `stream` gets a line every `interval` seconds.
    """

    def __init__(self, what: str, total: int, stream: TextIO, *, stored: int = 0, interval: float = 10.0) -> None:
        """Begin the work called `what`: `total` questions, of which `stored` are answered already."""
        self._what, self._total, self._stream = what, total, stream
        self._redraws = stream.isatty()
        self._interval = 1.0 if self._redraws else interval
        self._stored = self._done = stored
        self._failed = self._tokens = self._drawn = 0
        self._cost: float | None = None
        self._is_over = False
        self._start = self._said = time.monotonic()
        self._say(f"{total} questions, {stored} of them answered before, {total - stored} to ask")

    def add(self, *, failed: bool = False, cost: float | None = None, tokens: int = 0) -> None:
        """Count one more question as done; `cost` is in USD, None where it is not known."""
        self._done += 1
        self._failed += failed
        self._tokens += tokens
        if cost is not None:
            self._cost = (self._cost or 0.0) + cost
        if self._done == self._total:
            self.close()
        elif time.monotonic() - self._said >= self._interval:
            self._said = time.monotonic()
            self._say(self._state(), stays=not self._redraws)

    def close(self) -> None:
        """Say where the work ended, once."""
        if not self._is_over and self._done > self._stored:
            self._say(self._state())
        self._is_over = True

    def _state(self) -> str:
        passed = time.monotonic() - self._start
        rate = (self._done - self._stored) / passed if passed else 0.0
        parts = [f"{self._done - self._failed} of {self._total} answers", f"{rate:.1f} a second"]
        if self._failed:
            parts.append(f"{self._failed} failed")
        if self._tokens:
            parts.append(f"{self._tokens:,} tokens")
        if self._cost:
            parts.append(f"{self._cost:.2f} USD so far")
        left = self._total - self._done
        parts.append(f"about {_duration(left / rate)} left" if left and rate else f"{_duration(passed)} in all")
        return ", ".join(parts)

    def _say(self, text: str, *, stays: bool = True) -> None:
        """Write a line, over the one that was drawn last; one that does not `stay` is written over by the next."""
        line = f"{self._what}: {text}"
        padding = " " * (self._drawn - len(line))
        start = "\r" if self._drawn else ""
        print(f"{start}{line}{padding}", end="\n" if stays else "", file=self._stream, flush=True)
        self._drawn = 0 if stays else len(line)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
