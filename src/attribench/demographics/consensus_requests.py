"""What a model is asked about an author, and how often until the answer is one letter."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attribench.demographics.multiple_choice import MultipleChoice, read_answer
from attribench.ledger.store import Answer, Question


@dataclass(frozen=True)
class Request:
    """One request about one attribute of one author, with its options in the order that it shows."""

    author_id: str
    author: str
    attribute: str
    number: int
    options: tuple[str, ...]
    question: Question


@dataclass(frozen=True)
class Reply:
    """A request with its answer; `label` is None where the answer is not one letter."""

    request: Request
    answer: Answer
    label: str | None


@dataclass(frozen=True)
class Labeller:
    """A model with all that changes its answers: where it is asked, what is sent, and the seed of the orders."""

    endpoint: Mapping[str, Any]
    model: str
    sampling: Mapping[str, Any]
    choices: Mapping[str, MultipleChoice]
    seed: int

    def request(self, author_id: str, author: str, attribute: str, number: int) -> Request:
        """Return request `number` (from 0) about an author, its options shuffled for it alone.

        The order depends on the seed, the model and the request, so that it stays the same when other
        authors come or go.
        """
        choice = self.choices[attribute]
        about = "\n".join([self.model, attribute, author_id, str(number)])
        # One large number: a list of its bytes takes three times as long, and there may be 400,000 requests.
        options = choice.shuffled(np.random.default_rng([self.seed, int.from_bytes(about.encode())]))
        content = {
            "endpoint": dict(self.endpoint),
            "model": self.model,
            "messages": choice.messages(author, options),
            "sampling": dict(self.sampling),
            "request": number,
        }
        return Request(author_id, author, attribute, number, options, Question(content))

    def again(self, request: Request) -> Request:
        """Return the request that follows one whose answer was not one letter."""
        return self.request(request.author_id, request.author, request.attribute, request.number + 1)


def read_reply(request: Request, answer: Answer) -> Reply:
    """Read an answer by the options of its own request; only a whole answer can be one letter."""
    whole = answer.status == "ok" and answer.text is not None
    return Reply(request, answer, read_answer(answer.text or "", request.options) if whole else None)


Find = Callable[[Sequence[Question]], Awaitable[Mapping[str, Answer]]]


async def ask_until_read(labeller: Labeller, first: Sequence[Request], find: Find, max_requests: int) -> list[Reply]:
    """Ask each request, and again where the answer is not one letter, `max_requests` times in all.

    A call that failed is no answer and is not followed by another request: its question stays open.

    Args:
        labeller: the model.
        first: the first request about each author and attribute.
        find: returns the answers to questions, by key.
        max_requests: the largest number of requests about one attribute of one author.

    Returns:
        Every reply that there was, those that are not one letter among them.
    """
    replies = []
    waiting = list(first)
    while waiting:
        answers = await find([request.question for request in waiting])
        found = [read_reply(request, answers[request.question.key]) for request in waiting]
        replies += found
        waiting = [
            labeller.again(reply.request)
            for reply in found
            if reply.label is None and reply.answer.status != "failed" and reply.request.number + 1 < max_requests
        ]
    return replies
