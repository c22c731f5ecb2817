"""How each model is told how much to reason, and which cannot be told.

OpenAI's word is `reasoning_effort`, which litellm translates for most providers. What it cannot say
is in the table below. An entry that is missing costs one call: the provider's own refusal then
stops the run, or the reasoning tokens of the answers show it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

OFF = "off"


@dataclass(frozen=True)
class Family:
    """Models whose id matches `ids`: what is sent beside the messages for each effort; others cannot be had."""

    ids: str
    sent: Mapping[str, Mapping[str, Any]]
    lowest: str | None = None


_EFFORTS = ("minimal", "low", "medium", "high")


def _as_effort(*efforts: str) -> dict[str, dict[str, Any]]:
    return {effort: {"reasoning_effort": effort} for effort in efforts}


FAMILIES = (
    # https://docs.together.ai/docs/reasoning-overview: models of both kinds are switched, gpt-oss has levels.
    Family(
        r"^together_ai/(deepseek-ai/DeepSeek-V(3\.1|4)|Qwen/Qwen3\.[56]-|moonshotai/Kimi-K2\.[56]|zai-org/GLM-5)",
        {OFF: {"extra_body": {"reasoning": {"enabled": False}}}},
    ),
    Family(
        r"^together_ai/openai/gpt-oss-",
        {effort: {"extra_body": {"reasoning_effort": effort}} for effort in ("low", "medium", "high")},
        lowest="low",
    ),
    # Nothing has to be said to a model that does not reason.
    Family(r"^together_ai/(meta-llama/|mistralai/|Qwen/.*-Instruct)", {OFF: {}}),
    # https://ai.google.dev/gemini-api/docs/thinking: 2.5 Pro and Gemini 3 always think.
    Family(r"^gemini/gemini-2\.5-pro", _as_effort("low", "medium", "high"), lowest="low"),
    Family(r"^gemini/gemini-3.*-flash", _as_effort(*_EFFORTS), lowest="minimal"),
    Family(r"^gemini/gemini-3", _as_effort("low", "high"), lowest="low"),
)


def parameters_for(model: str, sampling: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sampling parameters of a question to `model` as litellm's `completion` takes them."""
    parameters = dict(sampling)
    effort = parameters.pop("reasoning", None)
    return parameters if effort is None else {**parameters, **_sent(model, effort)}


def family_of(model: str) -> Family | None:
    """Return what the table says about a model, by its id as litellm spells it."""
    return next((family for family in FAMILIES if re.search(family.ids, model)), None)


@cache
def _sent(model: str, effort: str) -> Mapping[str, Any]:
    family = family_of(model)
    if family is not None and effort in family.sent:
        return family.sent[effort]
    if effort == OFF and _does_not_reason(model):
        return {}
    return {"reasoning_effort": "none" if effort == OFF else effort}


def _does_not_reason(model: str) -> bool:
    """Return whether litellm lists a model as one that does not reason."""
    import litellm

    try:
        return not litellm.get_model_info(model).get("supports_reasoning")
    except Exception:  # litellm raises a bare Exception for a model that it does not list
        return False
