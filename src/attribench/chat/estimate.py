"""What a list of questions to a model would cost, told without asking anybody."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from attribench.chat.identity import identity
from attribench.chat.prices import price_of
from attribench.chat.tokens import Messages, token_counter
from attribench.ledger.contents import mean_length, stored_keys
from attribench.ledger.store import Question

SHORTEST_ANSWER = 5
"""Tokens of an answer that is a name and nothing else."""

LONGEST_ANSWER = 256
"""Tokens that are assumed for the longest answer of a model that is sent no 'max_tokens'."""

OBSERVED_SPREAD = 0.1
"""How far the mean length of the answers to come may be from that of the stored ones."""

COUNTED = 2000
"""Most texts that go through a tokenizer; of more, so many, evenly spaced, stand for all, by their length."""

# What all questions to a model have in common, or, with the seed in `sampling`, all of a generation; and their texts.
_SAME_OF_A_MODEL = frozenset(["endpoint", "model", "sampling", "messages", "input"])


def identity_if_there(model: Mapping[str, Any], file: Path | None) -> dict[str, Any]:
    """Return what identifies a model's endpoint, also while its file is not there yet: then nothing is stored of it."""
    if file is not None and not file.is_file():
        return {"gguf": "not there yet"}
    return identity(model["endpoint"], file, model["id"])


class Estimate:
    """Estimates for one model, whose answers are stored in one store: a question counts once.

    `is_by_key` says whether questions are told apart by their keys, since answers are stored. Otherwise endpoint,
    model and sampling of the questions make no difference, and those to another model serve as well.
    """

    def __init__(self, model: Mapping[str, Any], store: Path) -> None:
        """`model` has the fields of `attribench.settings.Model`; `store` need not be there."""
        self._model = model
        self._stored: set[Any] = stored_keys(store)
        self.is_by_key = bool(self._stored)
        self._price = price_of(model)
        self._counter = token_counter(model["id"], is_hosted=model["endpoint"]["kind"] == "hosted")
        self._mean = mean_length(store)

    def row(self, stage: str, dataset: str, questions: Sequence[Question], *, repeats: int = 1) -> dict[str, Any]:
        """Return the row of ESTIMATE for `questions`, each of which may have to be asked `repeats` times."""
        asked = {self._identity(question): question for question in questions}
        left = [question for identity, question in asked.items() if identity not in self._stored]
        self._stored |= asked.keys()
        low, high, how_counted = self._count([_messages(question) for question in left])
        high *= repeats
        shortest, longest, how = self._answer_length()
        answers_low, answers_high = shortest * len(left), longest * len(left) * repeats
        row = {
            "stage": stage,
            "model": self._model["name"],
            "dataset": dataset,
            "calls": len(asked),
            "stored": len(asked) - len(left),
            "to_ask": len(left),
            "prompt_tokens_low": low,
            "prompt_tokens_high": high,
            "completion_tokens_low": answers_low,
            "completion_tokens_high": answers_high,
            "counted": f"{how_counted}; {how}",
        }
        if repeats > 1:
            row["counted"] += f"; at most {repeats} calls each"
        if self._price is None and left:
            return row | {"usd_low": None, "usd_high": None, "price": "unknown"}
        if self._price is None:
            return row | {"usd_low": 0.0, "usd_high": 0.0, "price": "unknown"}
        return row | {
            "usd_low": self._price.of(low, answers_low) + self._price.call_low * len(left),
            "usd_high": self._price.of(high, answers_high) + self._price.call_high * len(left) * repeats,
            "price": self._price.source,
        }

    def _identity(self, question: Question) -> Any:
        """Return what tells questions to this model apart: the key, which takes long, only where answers are stored."""
        if self.is_by_key:
            return question.key
        others = (value for name, value in question.content.items() if name not in _SAME_OF_A_MODEL)
        return *others, *(message["content"] for message in _messages(question))

    def _count(self, asked: Sequence[Messages]) -> tuple[float, float, str]:
        """Return the lowest and the highest number of tokens of all questions, and how they were counted."""
        times = Counter(map(id, asked))  # what several questions share is counted once
        texts = {id(messages): messages for messages in asked}
        step = max(1, -(-len(texts) // COUNTED)) if self._counter.tokenizer else 1
        counts = {place: self._counter.count(texts[place]) for place in list(texts)[::step]}
        low, high = (sum(counts[place][end] * times[place] for place in counts) for end in (0, 1))
        if step == 1:
            return low, high, self._counter.how
        lengths = {place: sum(len(message["content"]) for message in messages) for place, messages in texts.items()}
        share = sum(lengths[p] * times[p] for p in counts) / sum(lengths[p] * times[p] for p in texts)
        return low / share, high / share, f"{self._counter.how}, of {len(counts)} prompts in {len(texts)}"

    def _answer_length(self) -> tuple[float, float, str]:
        longest = self._model["sampling"].get("max_tokens")
        if self._mean is not None:
            how = f"answers as long as the stored ones ({self._mean:.0f} tokens)"
            return self._mean * (1 - OBSERVED_SPREAD), self._mean * (1 + OBSERVED_SPREAD), how
        if longest is None:
            return SHORTEST_ANSWER, LONGEST_ANSWER, f"answers of {SHORTEST_ANSWER} to {LONGEST_ANSWER} tokens"
        shortest = min(SHORTEST_ANSWER, longest)
        return shortest, longest, f"answers of {shortest} to {longest} tokens"


def _messages(question: Question) -> Messages:
    """Return the messages of a question; a text to be embedded is one of them."""
    found: Messages = question.content.get("messages") or [{"role": "user", "content": question.content["input"]}]
    return found


def show_estimate(table: pd.DataFrame, screen: TextIO) -> None:
    """Print the table ESTIMATE for a reader, with the sum of what is known."""
    lines: list[tuple[str, ...]] = [
        ("stage", "model", "data set", "calls", "need no asking", "to ask", "tokens in", "tokens out", "USD")
    ]
    for row in table.to_dict("records"):
        usd = "unknown" if pd.isna(row["usd_low"]) else _range(row["usd_low"], row["usd_high"], "{:,.2f}")
        lines.append(
            (
                row["stage"],
                row["model"],
                row["dataset"] or "-",
                *(f"{row[name]:,}" for name in ("calls", "stored", "to_ask")),
                _range(row["prompt_tokens_low"], row["prompt_tokens_high"], "{:,.0f}"),
                _range(row["completion_tokens_low"], row["completion_tokens_high"], "{:,.0f}"),
                usd,
            )
        )
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        words = [cell.ljust(width) for cell, width in zip(line[:3], widths[:3], strict=True)]
        numbers = [cell.rjust(width) for cell, width in zip(line[3:], widths[3:], strict=True)]
        print("  ".join(words + numbers), file=screen)
    unknown = sorted(set(table.loc[table["usd_low"].isna(), "model"]))
    total = _range(table["usd_low"].sum(), table["usd_high"].sum(), "{:,.2f}")
    print(f"In all {total} USD, without calls that fail and are made again.", file=screen)
    if unknown:
        print(
            f"Not in it, since the price is unknown: {', '.join(unknown)}. Give it as "
            "'prices: {input: ..., output: ...}' of the model, in USD per million tokens.",
            file=screen,
        )
    screen.flush()


def _range(low: float, high: float, form: str) -> str:
    first, last = form.format(low), form.format(high)
    return first if first == last else f"{first} to {last}"
