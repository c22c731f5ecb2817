"""Asking a chat model for one of a few words, and again where its answer is none of them.

Whatever needs an answer that a program can read (a label, a judgement) asks through here.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from attribench.chat.endpoint import open_endpoint
from attribench.chat.preflight import plan_calls, require_ready
from attribench.chat.prices import at_price, open_budget
from attribench.ledger.budget import Budget
from attribench.ledger.progress import Progress
from attribench.ledger.runner import Ask, ask_all
from attribench.ledger.store import Answer, Question, Store
from attribench.step import screen


class Request(Protocol):
    """What is asked, and how often it was asked before in other words or another order."""

    @property
    def number(self) -> int:
        """Number of the request about the same thing, from 0."""

    @property
    def question(self) -> Question:
        """The question itself."""


R = TypeVar("R", bound=Request)


@dataclass(frozen=True)
class Reply(Generic[R]):
    """A request with its answer; `reading` is None where the answer cannot be read."""

    request: R
    answer: Answer
    reading: str | None


def ask_until_read(
    first: Sequence[R],
    again: Callable[[R], R],
    read: Callable[[R, str], str | None],
    *,
    model: Mapping[str, Any],
    file: Path | None,
    store: Path,
    what: str,
    threads: int,
    max_requests: int,
    budget_usd: float | None,
    section: str,
) -> list[Reply[R]]:
    """Ask each request, and again where its answer cannot be read, `max_requests` times in all.

    Asked is only what the store does not hold. Only a whole answer can be read: none that was cut off, refused
    or empty. A call that failed is no answer and is not followed by another request: its question stays open.

    Args:
        first: the first request about each thing.
        again: returns the request that follows one whose answer cannot be read.
        read: returns what the text of an answer to a request says, or None.
        model: the model, with the fields of `attribench.settings.Model`.
        file: the model's file, if it is served here.
        store: the file of the ledger.
        what: what progress is shown of.
        threads: for a model that is served here.
        max_requests: the largest number of requests about one thing.
        budget_usd: most that all models and services together may cost, in USD; None for no limit.
        section: the section of the configuration that the model stands in.

    Returns:
        Every reply that there was, those that cannot be read among them.

    Raises:
        EndpointError: the model cannot be asked, or no more; what was answered stays in the store.
        BudgetError: a budget allows no further call.
    """
    with Store(store) as ledger, ExitStack() as opened:
        asks: list[tuple[Ask, Budget | None]] = []

        async def find(questions: Sequence[Question], number: int) -> dict[str, Answer]:
            by_key = {question.key: question for question in questions}
            answers = ledger.answers(by_key)
            missing = [question for key, question in by_key.items() if key not in answers]
            name = f"{what}, request {number + 1}" if number else what
            progress = Progress(name, len(by_key), screen(), stored=len(answers))
            if missing:
                if not asks:
                    require_ready([plan_calls(model, None)])
                    budget = opened.enter_context(open_budget(model, store, together=budget_usd, section=section))
                    asks.append((at_price(opened.enter_context(open_endpoint(model, file, threads)), model), budget))
                ask, budget = asks[0]
                answers |= await ask_all(
                    missing,
                    ask,
                    ledger,
                    concurrency=model["concurrency"],
                    attempts=model["attempts"],
                    progress=progress,
                    budget=budget,
                )
            return answers

        async def find_all() -> list[Reply[R]]:
            replies: list[Reply[R]] = []
            waiting = list(first)
            while waiting:
                answers = await find([request.question for request in waiting], waiting[0].number)
                found = [_reply(request, answers[request.question.key], read) for request in waiting]
                replies += found
                waiting = [
                    again(reply.request)
                    for reply in found
                    if reply.reading is None
                    and reply.answer.status != "failed"
                    and reply.request.number + 1 < max_requests
                ]
            return replies

        return asyncio.run(find_all())


def _reply(request: R, answer: Answer, read: Callable[[R, str], str | None]) -> Reply[R]:
    whole = answer.status == "ok" and answer.text is not None
    return Reply(request, answer, read(request, answer.text or "") if whole else None)
