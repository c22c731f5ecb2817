"""Calls that cost money: at an even pace, within a budget, and with an end that loses nothing."""

import asyncio
from collections.abc import Callable

from attribench.errors import EndpointError
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question

MOST_PER_MINUTE = 2000
"""The provider's limit on calls per minute, whatever is asked for."""


class Calls:
    """An `Ask` that guards another one.

    Calls begin evenly spaced, at most `per_minute` of them in a minute. None begins that could
    take the costs past the budget. Once the account is refused or the budget is used up no call
    begins, and the error is raised when those under way have arrived: they are paid for.
    """

    def __init__(
        self,
        ask: Ask,
        *,
        price: Callable[[Question], float],
        per_minute: float,
        budget: float | None = None,
        spent: float = 0.0,
    ) -> None:
        """Guard `ask`.

        Args:
            ask: the call itself.
            price: what a question is expected to cost, in USD.
            per_minute: calls to begin in a minute; more than the provider allows is cut to that.
            budget: most that may be spent, in USD, earlier runs included; None for no limit.
            spent: what earlier runs spent, in USD.
        """
        self._ask, self._price, self._budget = ask, price, budget
        self._interval = 60.0 / min(per_minute, MOST_PER_MINUTE)
        self._next = 0.0
        self._reserved = 0.0
        self._under_way = 0
        self._all_arrived = asyncio.Event()
        self._end: EndpointError | None = None
        self.spent = spent
        self.spent_on_failures = 0.0

    async def __call__(self, question: Question) -> Answer:
        """Ask one question.

        Raises:
            EndpointError: nothing more can be asked.
            CallFailedError: see the guarded call.
        """
        await self._turn()
        expected = self._price(question)
        if self._end is None and self._budget is not None and self.spent + self._reserved + expected > self._budget:
            self._end = EndpointError(
                f"The budget of {self._budget:g} USD ('fame.dataforseo.budget_usd') does not allow another search: "
                f"{self.spent + self._reserved:.4f} USD are spent, and a search costs about {expected:g} USD. "
                "What was answered is kept: raise the budget and start the same command again to ask for the rest."
            )
        if self._end is None:
            try:
                return await self._count(question, expected)
            except EndpointError as error:
                self._end = self._end or error
        if self._under_way:
            await self._all_arrived.wait()
        raise self._end

    async def _turn(self) -> None:
        """Wait until the next call may begin."""
        now = asyncio.get_running_loop().time()
        start = max(now, self._next)
        self._next = start + self._interval
        if self._end is None and start > now:
            await asyncio.sleep(start - now)

    async def _count(self, question: Question, expected: float) -> Answer:
        """Make the call, and count what it costs: as expected where the reply does not say."""
        self._reserved += expected
        self._under_way += 1
        self._all_arrived.clear()
        try:
            answer = await self._ask(question)
            self.spent += expected if answer.cost is None else answer.cost
        except CallFailedError as failure:
            # A call that broke off may have been charged for.
            cost = expected if failure.cost is None else failure.cost
            self.spent += cost
            self.spent_on_failures += cost
            raise
        else:
            return answer
        finally:
            # The answer is stored before anybody who waits for this can go on.
            self._reserved -= expected
            self._under_way -= 1
            if not self._under_way:
                self._all_arrived.set()
