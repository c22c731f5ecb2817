"""What a reader of a model's answers must know: reasoning although it is off, other models than asked for."""

from collections.abc import Mapping
from typing import Any

import pandas as pd


def count_reasoning(responses: pd.DataFrame, wanted: str | None) -> dict[str, Any]:
    """Return how the answers stand to the reasoning that was `wanted` (off, low, ..., or None for nothing said).

    Answers with tokens spent on reasoning, and answers of which the service does not say.
    """
    answered = responses[responses["status"] != "failed"]
    tokens = answered["reasoning_tokens"]
    return {
        "wanted": wanted,
        "answers_with_reasoning": int((tokens.fillna(0) > 0).sum()),
        "answers_that_do_not_say": int(tokens.isna().sum()),
    }


def remarks(responses: pd.DataFrame, model: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each thing that was not as it was asked for.

    Args:
        responses: the table RESPONSES of one model and data set.
        model: the model, with the fields of `attribench.settings.Model`.
    """
    found = []
    reasoning = count_reasoning(responses, model.get("reasoning"))
    if reasoning["wanted"] == "off" and reasoning["answers_with_reasoning"]:
        found.append(
            f"{reasoning['answers_with_reasoning']} of {len(responses)} answers of {model['name']} spent tokens on "
            "reasoning, although it is off."
        )
    if model["id"].startswith("openrouter/") and model["endpoint"]["kind"] == "hosted":
        found.append(
            f"{model['name']} is asked through a router, which may send each question to another host, with the model "
            "in another precision."
        )
    if model["endpoint"]["kind"] in ("url", "hosted"):
        served = responses["served_model"].value_counts()
        counts = {str(name): count for name, count in served.items()}
        others = [f"{name} ({count} answers)" for name, count in counts.items() if not _is_same(name, model["id"])]
        if others:
            found.append(f"{model['name']} was asked for as {model['id']}, but served by {', '.join(others)}.")
        elif len(counts) > 1:
            several = ", ".join(f"{name} ({count} answers)" for name, count in counts.items())
            found.append(f"The answers of {model['name']} are from several versions of it: {several}.")
    return found


def _is_same(served: str, asked: str) -> bool:
    """Return whether a service's name for a model is the one asked for, or a version of it."""
    name, wanted = served.lower(), asked.partition("/")[2].lower()
    last = wanted.rpartition("/")[2]
    return any(name == one or name.startswith((f"{one}-", f"{one}@", f"{one}:")) for one in (wanted, last))
