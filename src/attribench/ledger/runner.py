"""The runner: asks what the store does not hold, many at a time, and stores what comes back."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_random_exponential

from attribench.errors import EndpointError
from attribench.ledger.progress import Progress
from attribench.ledger.store import Answer, Question, Store

Ask = Callable[[Question], Awaitable[Answer]]

LONGEST_WAIT = 60.0
"""Longest pause before a question is asked again, in seconds, unless the service asks for more."""


MOST_UNREACHABLE = 50
"""Questions in a row without a connection after which nothing more is asked."""


class CallFailedError(Exception):
    """A call brought no answer.

    `cause` is a word for counting (rate_limit, timeout, connection, server_error, ...),
    `again` says whether asking again may help, `retry_after` how long the service wants us to
    wait, in seconds.
    """

    def __init__(self, cause: str, message: str, *, again: bool, retry_after: float | None = None) -> None:
        """See the class."""
        super().__init__(message)
        self.cause, self.again, self.retry_after = cause, again, retry_after


async def ask_all(
    questions: Sequence[Question], ask: Ask, store: Store, *, concurrency: int, attempts: int, progress: Progress
) -> dict[str, Answer]:
    """Ask every question, at most `concurrency` at a time and `attempts` times each.

    A final answer is stored before it counts; a question without one gets an answer with the
    status failed, which is not stored, so that the next run asks it again.

    Returns:
        The answers by key.

    Raises:
        EndpointError: from `ask` or the store: nothing more can be asked. Calls in flight are
            cancelled; what was stored stays.
    """
    waiting = iter(questions)
    answers: dict[str, Answer] = {}
    unreachable = 0

    async def work() -> None:
        nonlocal unreachable
        for question in waiting:
            answer = await _ask_patiently(question, ask, store, attempts)
            if answer.status != "failed":
                store.add(question, answer)
            answers[question.key] = answer
            progress.add(failed=answer.status == "failed", cost=answer.cost)
            unreachable = unreachable + 1 if answer.cause == "connection" else 0
            if unreachable == MOST_UNREACHABLE:
                raise EndpointError(
                    f"{unreachable} questions in a row found no connection ({attempts} attempts each), so no more are "
                    "asked. What was answered is kept: see that the network and the server are there, and start again."
                )

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(questions))):
                group.create_task(work())
    except* Exception as errors:
        raise errors.exceptions[0] from None
    return answers


async def _ask_patiently(question: Question, ask: Ask, store: Store, attempts: int) -> Answer:
    retrying = AsyncRetrying(
        retry=retry_if_exception(lambda error: isinstance(error, CallFailedError) and error.again),
        stop=stop_after_attempt(attempts),
        wait=_pause,
        reraise=True,
    )
    try:
        async for attempt in retrying:
            with attempt:
                number = attempt.retry_state.attempt_number
                try:
                    return replace(await ask(question), attempts=number)
                except CallFailedError as failure:
                    store.add_attempt(question, failure.cause, str(failure))
                    raise
    except CallFailedError as failure:
        return Answer(status="failed", cause=failure.cause, attempts=number)
    raise AssertionError("unreachable")


def _pause(state: RetryCallState) -> float:
    """Return how long to wait: what the service asks for, and jitter that grows with each attempt."""
    error = state.outcome.exception() if state.outcome else None
    wanted = (error.retry_after or 0.0) if isinstance(error, CallFailedError) else 0.0
    return wanted + wait_random_exponential(multiplier=0.5, max=LONGEST_WAIT)(state)
