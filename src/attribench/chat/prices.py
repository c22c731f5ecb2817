"""What a call costs: the price of a model, what an answer cost, and the most that a call can cost.

A price is the one that the configuration gives (`prices`), else the one that litellm lists. It is
unknown where neither says anything, and nothing where the model runs on a server of ours.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from attribench.errors import ConfigError
from attribench.ledger.budget import Budget, Limit
from attribench.ledger.runner import Ask
from attribench.ledger.store import Answer, Question

OWN_SERVER, CONFIGURED, LISTED = "own server", "configuration", "litellm"

_MESSAGE_TOKENS = 16  # more than any chat template puts round one message
_ALWAYS_SEARCHES = "perplexity"  # whose models add the price of a web search to every call


@dataclass(frozen=True)
class Price:
    """A price, in USD per token and, from `call_low` to `call_high`, on top of each call; `source` says whose."""

    input: float
    output: float
    source: str
    call_low: float = 0.0
    call_high: float = 0.0
    longest_answer: int | None = None
    """The longest answer that the model can give, in tokens, where that is known."""

    def of(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return the price of the tokens of one call, in USD."""
        return prompt_tokens * self.input + completion_tokens * self.output


def price_of(model: Mapping[str, Any]) -> Price | None:
    """Return the price of a model (the fields of `attribench.settings.Model`), or None where it is unknown."""
    if model["endpoint"]["kind"] not in ("url", "hosted"):
        return Price(0.0, 0.0, OWN_SERVER)
    given = model.get("prices")
    if given:
        call = given.get("call", 0.0)
        return Price(given["input"] / 1e6, given["output"] / 1e6, CONFIGURED, call, call)
    return _listed(model["id"], is_batch=bool(model.get("batch")))


def _listed(model: str, *, is_batch: bool) -> Price | None:
    import litellm

    litellm.suppress_debug_info = True
    try:
        key = litellm.get_model_info(model)["key"]
    except Exception:  # litellm raises a bare Exception for a model that it does not know
        return None
    found: dict[str, Any] = litellm.model_cost.get(key) or {}  # the list itself: get_model_info has 0 for "unknown"
    sides = ("input_cost_per_token", "output_cost_per_token")
    if not found.keys() >= set(sides):
        return None
    question, answer = (
        found.get(f"{side}_batches", found[side] / 2) if is_batch else found[side] for side in sides
    )  # every provider's batches cost half
    searches = found.get("search_context_cost_per_query") if model.startswith(_ALWAYS_SEARCHES) else None
    fees = list((searches or {}).values()) or [0.0]
    return Price(question, answer, LISTED, min(fees), max(fees), longest_answer=found.get("max_output_tokens"))


def most_of(model: Mapping[str, Any]) -> Callable[[Question], float]:
    """Return a function that says how much a call for a question can cost at most, in USD.

    A text has at most as many tokens as it has bytes in UTF-8, and an answer `max_tokens`.

    Raises:
        ConfigError: the price is unknown, or the length of an answer has no limit.
    """
    price = price_of(model)
    if price is None:
        raise ConfigError(
            f"A budget is set, but what {model['name']} ({model['id']}) costs is not known. Give its price in the "
            "configuration, in USD per million tokens (prices: {input: 0.15, output: 0.6}), or 0 for both if it "
            "is free."
        )
    longest = model["sampling"].get("max_tokens") or price.longest_answer
    if longest is None and price.output:
        raise ConfigError(
            f"A budget is set, but the answers of {model['name']} ({model['id']}) have no longest length, so that "
            "what a call costs has no limit. Set 'max_tokens' for it."
        )

    def most(question: Question) -> float:
        messages = question.content.get("messages") or [{"content": question.content["input"]}]
        tokens = sum(len(message["content"].encode()) + _MESSAGE_TOKENS for message in messages) + _MESSAGE_TOKENS
        return price.of(tokens, longest or 0) + price.call_high

    return most


def open_budget(
    model: Mapping[str, Any], store: Path, *, together: float | None, section: str = "models"
) -> AbstractContextManager[Budget | None]:
    """Return the budget of a job that asks `model`, or one that holds None where no limit is set or all is free.

    Args:
        model: the model.
        store: its store, open.
        together: the limit for all models and services, in USD.
        section: where the model stands in the configuration.

    Raises:
        ConfigError: see `most_of`.
    """
    own = model.get("budget_usd")
    price = price_of(model) if (own, together) != (None, None) else None
    if (own, together) == (None, None) or (price is not None and price.source == OWN_SERVER):
        return nullcontext()
    return Budget(
        store,
        own=None if own is None else Limit(own, f"{section}.{model['name']}.budget_usd"),
        together=None if together is None else Limit(together, "budget_usd"),
        bound=most_of(model),
    )


def at_price(ask: Ask, model: Mapping[str, Any]) -> Ask:
    """Return `ask` with the cost of each answer by the price that the model's configuration gives, if it does."""
    price = price_of(model) if model.get("prices") else None
    if price is None or price.source != CONFIGURED:
        return ask

    async def ask_at_price(question: Question) -> Answer:
        answer = await ask(question)
        if answer.prompt_tokens is None or answer.completion_tokens is None:
            return replace(answer, cost=None)
        cost = price.of(answer.prompt_tokens, answer.completion_tokens) + price.call_high
        return replace(answer, cost=cost)

    return ask_at_price
