"""How many tokens a question has, without asking anybody: from its model's tokenizer, or from its length.

litellm comes with OpenAI's encodings, DeepSeek's tokenizer and an earlier one of Claude's. For any
other model the number lies between those of a text with 5 and with 3 characters per token, the range
of English prose in the tokenizers of the past years.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CHARACTERS_LOW, CHARACTERS_HIGH = 5.0, 3.0
"""Characters per token, for the lowest and the highest number of tokens."""

TEMPLATE_TOKENS = 4
"""Tokens that a chat template puts round a message, about."""

LATER_CLAUDE = 1.35
"""Most tokens that a later tokenizer of Claude makes of one token of the earlier one, about."""

_OPENAI = re.compile(r"^openai/")
_DEEPSEEK = re.compile(r"deepseek[-_.](chat[-_.])?v[34]", re.IGNORECASE)
_CLAUDE = re.compile(r"^anthropic/")

Messages = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class TokenCounter:
    """Counts the tokens of questions to one model; `how` says how."""

    model: str
    tokenizer: str | None
    factor: float
    how: str

    def count(self, messages: Messages) -> tuple[float, float]:
        """Return the lowest and the highest number of tokens of a question."""
        if self.tokenizer is None:
            length = sum(len(message["content"]) for message in messages)
            template = TEMPLATE_TOKENS * len(messages)
            return length / CHARACTERS_LOW + template, length / CHARACTERS_HIGH + template
        import litellm

        number = litellm.token_counter(model=self.tokenizer, messages=list(messages))
        return float(number), number * self.factor


def token_counter(model: str, *, is_hosted: bool) -> TokenCounter:
    """Return how the questions to a model are counted, by its id as litellm spells it."""
    bare = model.partition("/")[2]
    if is_hosted and _OPENAI.search(model):
        return TokenCounter(model, bare, 1.0, "OpenAI's tokenizer")
    if _DEEPSEEK.search(model):
        return TokenCounter(model, model, 1.0, "DeepSeek's tokenizer")
    if is_hosted and _CLAUDE.search(model):
        how = f"an earlier tokenizer of Claude, of which a later one makes up to {LATER_CLAUDE:g} times as many"
        return TokenCounter(model, bare, LATER_CLAUDE, how)
    how = f"{CHARACTERS_HIGH:g} to {CHARACTERS_LOW:g} characters per token"
    return TokenCounter(model, None, 1.0, how)
