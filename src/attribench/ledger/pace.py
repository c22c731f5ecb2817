"""How fast a service is asked: calls in flight, requests and tokens per minute, and less of it when it says so.

The number of calls in flight follows the rule by which computers share a network (additive
increase, multiplicative decrease; Chiu and Jain 1989): halved when the service says "too many
requests", and raised by one for each round of calls that went well, up to what is configured.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attribench.errors import EndpointError

MINUTE = 60.0
"""The time over which requests and tokens are counted, in seconds."""


LONGEST_SLEEP = 5.0
"""Seconds after which whoever waits looks whether anything may still be asked."""


class Pace:
    """The pace of one job; belongs to one event loop.

    `limit` is how many calls may be in flight now, rounded down.
    """

    def __init__(
        self, concurrency: int, *, requests_per_minute: float | None = None, tokens_per_minute: float | None = None
    ) -> None:
        """Begin at full pace; None is no limit per minute."""
        self.limit = float(concurrency)
        self._most = concurrency
        self._running = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._pause_until = 0.0
        self._cuts = 0
        self._ended: EndpointError | None = None
        self._requests = _Allowance(requests_per_minute)
        self._tokens = _Allowance(tokens_per_minute)

    @asynccontextmanager
    async def turn(self, tokens: int = 0) -> AsyncIterator[None]:
        """Wait until one more call may begin, and hold its place until the block ends.

        An error with the cause rate_limit that leaves the block slows down whatever comes next;
        its `retry_after` keeps new calls back for so many seconds. After an `EndpointError`, which
        says that nothing more can be asked, no call begins: those that wait get the same error.

        Args:
            tokens: expected length of question and answer together.
        """
        await self._take_place()
        try:
            while self._ended is None and (wait := self._wait(tokens)) > 0:
                await asyncio.sleep(min(wait, LONGEST_SLEEP))
            if self._ended is not None:
                raise self._ended
            self._requests.take(1)
            self._tokens.take(tokens)
            cuts = self._cuts
            yield
            if cuts == self._cuts:
                self.limit = min(self._most, self.limit + 1 / self.limit)
        except EndpointError as error:
            self._ended = error
            raise
        except Exception as error:
            if getattr(error, "cause", None) == "rate_limit":
                self._slow_down(cuts, getattr(error, "retry_after", None))
            raise
        finally:
            self._running -= 1
            self._wake()

    def _slow_down(self, cuts: int, retry_after: float | None) -> None:
        """Of the calls that were in flight together, all of which may be turned away, the first one counts."""
        if retry_after is not None:
            self._pause_until = max(self._pause_until, time.monotonic() + retry_after)
        if cuts == self._cuts:
            self.limit = max(1.0, self.limit / 2)
            self._cuts += 1

    async def _take_place(self) -> None:
        if self._running < int(self.limit) and not self._queue:
            self._running += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._running -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._queue and self._running < int(self.limit):
            place = self._queue.popleft()
            if not place.done():
                self._running += 1
                place.set_result(None)

    def _wait(self, tokens: int) -> float:
        now = time.monotonic()
        return max(self._pause_until - now, self._requests.wait(1, now), self._tokens.wait(tokens, now))


class _Allowance:
    """What may be used per minute, refilled evenly; after a rest, one use or a hundredth of it at once.

    It begins empty, since the job before may have used the last just now. So no minute has more than it may,
    save what a single use of more than is saved up goes beyond it.
    """

    def __init__(self, per_minute: float | None) -> None:
        self._most = max(1.0, (per_minute or 0) / 100)
        # What was saved up is part of the minute in which it is used.
        self._rate = None if per_minute is None else (per_minute + 1 - self._most) / MINUTE
        self._left = 0.0
        self._filled = time.monotonic()

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until `amount` may be used; one use of more than there can be waits for all of it."""
        if self._rate is None:
            return 0.0
        self._left = min(self._most, self._left + (now - self._filled) * self._rate)
        self._filled = now
        return max(0.0, (min(amount, self._most) - self._left) / self._rate)

    def take(self, amount: float) -> None:
        """Use `amount`; what is more than there is has to be refilled first."""
        self._left -= amount
