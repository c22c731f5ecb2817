"""The pace: never more in flight than allowed, less after "too many requests", as many a minute as there may be."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from attribench.ledger import pace as module
from attribench.ledger.pace import Pace
from attribench.ledger.runner import CallFailedError


def too_many(wait: float | None = None) -> CallFailedError:
    return CallFailedError("rate_limit", "slow down", again=True, retry_after=wait)


async def calls(pace: Pace, number: int, what: Callable[[int], Any], tokens: int = 0) -> list[int]:
    """Make calls that all wait for their turn at once; return how many were in flight as each began."""
    running, seen = 0, []

    async def one(place: int) -> None:
        nonlocal running
        try:
            async with pace.turn(tokens):
                running += 1
                seen.append(running)
                try:
                    await asyncio.sleep(0.001)
                    what(place)
                finally:
                    running -= 1
        except CallFailedError:
            pass

    await asyncio.gather(*(one(place) for place in range(number)))
    return seen


def fine(place: int) -> None:
    pass


def test_no_more_in_flight_than_allowed() -> None:
    assert max(asyncio.run(calls(Pace(7), 60, fine))) == 7


def test_too_many_requests_halve_what_is_in_flight_once_for_all_of_them() -> None:
    pace = Pace(16)

    async def go() -> None:
        def refused(place: int) -> None:
            raise too_many()

        await calls(pace, 16, refused)
        assert pace.limit == 8  # sixteen were turned away together
        await calls(pace, 8, refused)
        assert pace.limit == 4
        for _ in range(9):
            await calls(pace, 1, refused)
        assert pace.limit == 1

    asyncio.run(go())


def test_it_recovers_by_one_for_each_round_that_goes_well_and_not_beyond() -> None:
    pace = Pace(8)

    async def go() -> None:
        def first_refused(place: int) -> None:
            if place == 0:
                raise too_many()

        await calls(pace, 1, first_refused)
        assert pace.limit == 4
        await calls(pace, 4, fine)
        assert 4.8 < pace.limit <= 5.0
        await calls(pace, 200, fine)
        assert pace.limit == 8

    asyncio.run(go())


def test_another_failure_does_not_slow_down() -> None:
    pace = Pace(8)

    def broken(place: int) -> None:
        raise CallFailedError("server_error", "out of order", again=True)

    asyncio.run(calls(pace, 8, broken))
    assert pace.limit == 8


def test_nothing_begins_while_the_service_wants_us_to_wait() -> None:
    pace = Pace(4)
    began: list[float] = []

    async def go() -> None:
        def refused(place: int) -> None:
            if place == 0:
                raise too_many(0.3)

        await calls(pace, 1, refused)
        start = time.monotonic()
        await calls(pace, 3, lambda place: began.append(time.monotonic() - start))

    asyncio.run(go())
    assert min(began) >= 0.29


@pytest.mark.parametrize("limits", [{"requests_per_minute": 60.0}, {"tokens_per_minute": 6000.0}])
def test_requests_and_tokens_of_a_minute(limits: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 a minute, 36 take 0.6 of it, when a "minute" is made 0.6 s long."""
    monkeypatch.setattr(module, "MINUTE", 0.6)
    pace = Pace(100, **limits)  # type: ignore[arg-type]
    start = time.monotonic()
    asyncio.run(calls(pace, 36, fine, tokens=100))
    assert 0.34 <= time.monotonic() - start < 3


@pytest.mark.parametrize("number", [40, 400])
def test_no_minute_has_more_requests_than_it_may_also_where_another_job_takes_over(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MINUTE", 0.5)
    began: list[float] = []

    async def job() -> None:
        pace = Pace(100, requests_per_minute=number)

        async def call() -> None:
            async with pace.turn():
                began.append(time.monotonic())

        await asyncio.gather(*(call() for _ in range(number * 6 // 10)))
        await asyncio.sleep(0.1)  # a rest saves up nothing to speak of
        await asyncio.gather(*(call() for _ in range(number * 6 // 10)))

    for _ in range(2):
        asyncio.run(job())
    most = max(sum(begin <= other < begin + 0.499 for other in began) for begin in began)
    assert 0.5 * number < most <= number


def test_a_question_that_is_longer_than_the_allowance_is_asked_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MINUTE", 0.6)
    pace = Pace(10, tokens_per_minute=1000)
    start = time.monotonic()
    asyncio.run(calls(pace, 3, fine, tokens=300))
    assert 0.2 <= time.monotonic() - start < 3  # 900 tokens, of which the last 300 may be owed


def test_whoever_is_cancelled_leaves_no_place_taken() -> None:
    async def go() -> None:
        pace = Pace(1)
        release = asyncio.Event()

        async def hold() -> None:
            async with pace.turn():
                await release.wait()

        holding = asyncio.create_task(hold())
        waiting = [asyncio.create_task(hold()) for _ in range(3)]
        await asyncio.sleep(0.01)
        for task in waiting[:2]:
            task.cancel()
        holding.cancel()
        await asyncio.sleep(0.01)
        release.set()
        await asyncio.wait_for(waiting[2], 1)
        await asyncio.wait_for(hold(), 1)

    asyncio.run(go())
