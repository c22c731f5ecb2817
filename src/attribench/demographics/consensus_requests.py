"""What a model is asked about an author, and what its answer means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from attribench.demographics.multiple_choice import MultipleChoice, read_answer
from attribench.ledger.store import Question


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


def read_reply(request: Request, text: str) -> str | None:
    """Return the label that the text of an answer gives, by the options of its own request."""
    return read_answer(text, request.options)
