"""Progress: a line at the start, one now and then, one at the end."""

import io
import itertools
from types import SimpleNamespace

import pytest

from attribench.ledger import progress as module
from attribench.ledger.progress import Progress


class Clock:
    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock.monotonic))
    return clock


def test_lines_at_the_start_every_interval_and_at_the_end(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress("m, d", 100, stream, stored=40, interval=10)
    for _ in range(60):
        clock.now += 1
        progress.add()
    assert stream.getvalue().splitlines() == [
        "m, d: 100 questions, 40 of them answered before, 60 to ask",
        "m, d: 50 of 100 answers, 1.0 a second, about 0:50 left",
        "m, d: 60 of 100 answers, 1.0 a second, about 0:40 left",
        "m, d: 70 of 100 answers, 1.0 a second, about 0:30 left",
        "m, d: 80 of 100 answers, 1.0 a second, about 0:20 left",
        "m, d: 90 of 100 answers, 1.0 a second, about 0:10 left",
        "m, d: 100 of 100 answers, 1.0 a second, 1:00 in all",
    ]


def test_failures_and_money_are_said(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress("m", 4000, stream, interval=5)
    progress.add(cost=0.5)
    progress.add(cost=0.25)
    progress.add(failed=True)
    clock.now += 5
    progress.add(cost=None)
    assert stream.getvalue().splitlines()[-1] == (
        "m: 3 of 4000 answers, 0.8 a second, 1 failed, 0.75 USD so far, about 1:23:15 left"
    )


def test_an_unknown_price_is_not_said_to_be_zero(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress("m", 1, stream)
    clock.now += 1
    progress.add(cost=None)
    assert "USD" not in stream.getvalue()


def test_work_that_takes_no_time_divides_by_nothing(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress("m", 2, stream, interval=0)
    progress.add()
    progress.add()
    assert stream.getvalue().splitlines()[1:] == [
        "m: 1 of 2 answers, 0.0 a second, 0:00 in all",
        "m: 2 of 2 answers, 0.0 a second, 0:00 in all",
    ]


def test_a_terminal_has_one_line_that_is_redrawn(clock: Clock) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    progress = Progress("m", 4, stream)
    for _ in range(4):
        clock.now += 1
        progress.add(cost=0.25, tokens=1000)
    assert stream.getvalue().startswith("m: 4 questions, 0 of them answered before, 4 to ask\n")
    drawn = stream.getvalue().split("\n")[1].split("\r")
    assert [text.rstrip() for text in drawn] == [
        "m: 1 of 4 answers, 1.0 a second, 1,000 tokens, 0.25 USD so far, about 0:03 left",
        "m: 2 of 4 answers, 1.0 a second, 2,000 tokens, 0.50 USD so far, about 0:02 left",
        "m: 3 of 4 answers, 1.0 a second, 3,000 tokens, 0.75 USD so far, about 0:01 left",
        "m: 4 of 4 answers, 1.0 a second, 4,000 tokens, 1.00 USD so far, 0:04 in all",
    ]
    assert stream.getvalue().endswith("\n")
    assert all(len(later) >= len(text.rstrip()) for text, later in itertools.pairwise(drawn))


def test_work_that_breaks_off_says_once_how_far_it_came(clock: Clock) -> None:
    stream = io.StringIO()
    progress = Progress("m", 10, stream)
    progress.add()
    clock.now += 1
    progress.close()
    progress.close()
    assert stream.getvalue().splitlines()[1:] == ["m: 1 of 10 answers, 1.0 a second, about 0:09 left"]
