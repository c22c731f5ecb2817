"""The runner: asks what the store does not hold, many at a time, and stores what comes back."""

import asyncio
import itertools
import os
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from attribench.errors import BudgetError, EndpointError
from attribench.ledger.budget import Budget
from attribench.ledger.progress import Progress
from attribench.ledger.store import Answer, Question, Store

Ask = Callable[[Question], Awaitable[Answer]]

LONGEST_WAIT = 60.0
"""Longest pause before a question is asked again, in seconds, unless the service asks for more."""


MOST_IN_VAIN = 50
"""Questions in a row that find no connection, or are refused, after which nothing more is asked."""

_IN_VAIN = {
    "connection": ("found no connection", "see that the network and the server are there"),
    "bad_request": ("were refused", "mend what the service does not take"),
}


ONE_BY_ONE = 16
"""With at most so many calls at a time, each answer is on the disk before the next question is asked."""


class CallFailedError(Exception):
    """A call brought no answer.

    `cause` is a word for counting (rate_limit, timeout, connection, server_error, ...),
    `again` says whether asking again may help, `retry_after` how long the service wants us to
    wait, in seconds. `cost` is what the call cost all the same, in USD; None where it broke off and
    may have cost as much as an answer.
    """

    def __init__(
        self, cause: str, message: str, *, again: bool, retry_after: float | None = None, cost: float | None = 0.0
    ) -> None:
        """See the class."""
        super().__init__(message)
        self.cause, self.again, self.retry_after, self.cost = cause, again, retry_after, cost


async def ask_all(
    questions: Sequence[Question],
    ask: Ask,
    store: Store,
    *,
    concurrency: int,
    attempts: int,
    progress: Progress,
    budget: Budget | None = None,
) -> dict[str, Answer]:
    """Ask every question, at most `concurrency` at a time and `attempts` times each.

    A final answer is stored before it counts; a question without one gets an answer with the
    status failed, which is not stored, so that the next run asks it again.

    Returns:
        The answers by key, all of them on the disk.

    Raises:
        EndpointError: from `ask`: nothing more can be asked. From the store: nothing more can be kept.
        BudgetError: `budget` allows no further call.

    Calls in flight, which may be paid for, are waited for, and their answers stored, but where the
    store is out of order; then they are cancelled. What was stored stays.
    """
    waiting = iter(questions)
    answers: dict[str, Answer] = {}
    in_vain = 0
    last_cause = last_said = ""
    parent = os.getppid()
    ended: BudgetError | EndpointError | None = None
    over = asyncio.Event()

    def end(error: BudgetError | EndpointError) -> None:
        nonlocal ended
        ended = ended or error
        over.set()

    async def patiently(question: Question) -> Answer:
        nonlocal last_said
        for number in itertools.count(1):
            try:
                return replace(await _attempt(question, ask, store, budget), attempts=number)
            except CallFailedError as failure:
                cause, wait, last_said = failure.cause, failure.retry_after, str(failure)
                if number == attempts or not failure.again:
                    break
            await _rest(_pause(number, wait), over)
            if over.is_set():
                break
        return Answer(status="failed", cause=cause, attempts=number)

    async def work() -> None:
        nonlocal in_vain, last_cause
        for question in waiting:
            if os.getppid() != parent:  # killed, without a word to this process
                end(EndpointError("What started this has ended, so no more is asked. What was answered is kept."))
            if over.is_set():
                return
            try:
                answer = await patiently(question)
            except (BudgetError, EndpointError) as error:
                end(error)
                return
            if answer.status != "failed":
                store.add(question, answer)
                if concurrency <= ONE_BY_ONE:
                    store.flush()
            answers[question.key] = answer
            tokens = (answer.prompt_tokens or 0) + (answer.completion_tokens or 0)
            progress.add(failed=answer.status == "failed", cost=answer.cost, tokens=tokens)
            in_vain = in_vain + 1 if answer.cause == last_cause else 1
            last_cause = answer.cause or ""
            if in_vain == MOST_IN_VAIN and last_cause in _IN_VAIN:
                what, remedy = _IN_VAIN[last_cause]
                said = f"{in_vain} questions in a row {what} ({last_said[:300]}), so no more are asked."
                end(EndpointError(f"{said} What was answered is kept: {remedy}, and start again."))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(questions))):
                group.create_task(work())
    except* Exception as errors:
        raise errors.exceptions[0] from None
    finally:
        progress.close()
    store.flush()
    if isinstance(ended, BudgetError):
        missing = len(questions) - sum(answer.status != "failed" for answer in answers.values())
        raise BudgetError(
            f"{ended} {missing} of the {len(questions)} questions that were to be asked have no answer yet. What was "
            "answered is kept: raise the budget and start the same command again to ask for the rest."
        )
    if ended is not None:
        raise ended
    return answers


async def _attempt(question: Question, ask: Ask, store: Store, budget: Budget | None) -> Answer:
    """Ask once; what it cost is settled, and why it failed is stored."""
    reserved = await budget.reserve(question) if budget else None
    cost: float | None = None  # a call that is cancelled may have been charged for
    try:
        answer = await ask(question)
        cost = answer.cost
        return answer
    except EndpointError:
        cost = 0.0  # it refused, or was never asked
        raise
    except CallFailedError as failure:
        cost = failure.cost
        paid = reserved if cost is None else cost
        store.add_attempt(question, failure.cause, str(failure), paid)
        raise
    finally:
        if budget and reserved is not None:
            budget.settle(reserved, cost)


async def _rest(seconds: float, over: asyncio.Event) -> None:
    """Wait so many seconds, or until the run is `over`."""
    with suppress(TimeoutError):
        await asyncio.wait_for(over.wait(), seconds)


def _pause(number: int, retry_after: float | None) -> float:
    """Return how long to wait after attempt `number`: what the service asks for, and jitter that doubles each time."""
    return (retry_after or 0.0) + random.uniform(0, min(LONGEST_WAIT, 0.5 * 2.0 ** min(number - 1, 10)))
