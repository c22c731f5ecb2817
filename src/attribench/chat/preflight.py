"""What each model would really be sent, and what stands in the way, found before anything is asked.

litellm's own mapping says what a provider takes; the table `REFUSALS` says what that mapping
cannot. Nothing is dropped silently: whatever cannot be sent must be declared in the model's
configuration (`without`), and is recorded.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from attribench.chat.prices import price_of
from attribench.chat.reasoning import OFF, family_of, parameters_for
from attribench.errors import EndpointError

CONFIGURED = "the configuration says so"


@dataclass(frozen=True)
class Refusal:
    """Models whose id matches `ids` refuse calls that hold all of `together`; leaving `leave_out` out mends it."""

    ids: str
    together: tuple[str, ...]
    leave_out: str
    why: str


REFUSALS = (
    # https://docs.claude.com/en/api/messages#body-top-p; enforced from Opus 4.1 on (BerriAI/litellm#15097).
    Refusal(
        r"^anthropic/claude-(opus-4-1|(opus|sonnet|haiku)-(4-[5-9]|[5-9]))",
        ("temperature", "top_p"),
        "top_p",
        "the service refuses temperature and top_p together",
    ),
)


@dataclass(frozen=True)
class Plan:
    """How a model will be asked: `sent` in the provider's words, `left_out` with the reason of each."""

    model: str
    id: str
    place: str
    key: str
    sent: dict[str, Any]
    left_out: dict[str, str]
    reasoning: str
    price: str
    problems: list[str] = field(default_factory=list)
    missing_key: str | None = None


def plan_calls(model: Mapping[str, Any], seed: int | None) -> Plan:
    """Return how a model (the fields of `attribench.settings.Model`) will be asked.

    Args:
        model: the model.
        seed: the seed of the first generation; None where none is sent.
    """
    endpoint = model["endpoint"]
    wanted = dict(model["sampling"])
    if seed is not None and "seed" not in model["without"]:
        wanted["seed"] = seed
    hosted = endpoint["kind"] == "hosted"
    problems: list[str] = []
    if hosted:
        sent, problems = _mapped(model["id"], wanted)
    else:
        sent = parameters_for(model["id"], wanted)
        sent |= sent.pop("extra_body", {})
    key, missing_key = _keys(model)
    return Plan(
        model=model["name"],
        id=model["id"],
        place=endpoint.get("url") or ("the provider" if hosted else "served by the step"),
        key=key,
        sent=sent,
        left_out={name: _why_left_out(model, name) for name in model["without"]},
        reasoning=_reasoning(model),
        price=_price(model),
        problems=problems,
        missing_key=missing_key,
    )


def require_ready(plans: Iterable[Plan]) -> None:
    """Raise EndpointError with a sentence for each thing that stands in the way of asking any of the models."""
    wrong = [
        f"{plan.model} ({plan.id}): {problem}"
        for plan in plans
        for problem in (*plan.problems, *([plan.missing_key] if plan.missing_key else []))
    ]
    if len(wrong) == 1:
        raise EndpointError(f"Nothing was asked. {wrong[0]}")
    if wrong:
        raise EndpointError("Nothing was asked.\n" + "\n".join(f"  - {sentence}" for sentence in wrong))


def _mapped(model: str, wanted: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return what litellm would send for the parameters `wanted`, and what is wrong with them."""
    import litellm
    from litellm.utils import get_optional_params

    litellm.suppress_debug_info = True
    try:
        name, provider, _, _ = litellm.get_llm_provider(model)
    except litellm.exceptions.BadRequestError:
        return {}, [f"litellm knows no provider '{model.partition('/')[0]}'. Spell the id as litellm does."]
    problems = []
    if wanted.get("reasoning") == OFF and (family := family_of(model)) is not None and OFF not in family.sent:
        problems.append(
            f"its reasoning cannot be switched off. Ask for its lowest (reasoning: {family.lowest}), or declare that "
            "nothing is said about it (without: [reasoning])."
        )
        wanted = {key: value for key, value in wanted.items() if key != "reasoning"}
    parameters = parameters_for(model, wanted)
    extra = parameters.pop("extra_body", {})
    supported = set(litellm.get_supported_openai_params(name, provider) or ())
    for parameter in [parameter for parameter in parameters if parameter not in supported]:
        ours = "reasoning" if parameter == "reasoning_effort" else parameter
        problems.append(_refused(ours, "the provider takes no such parameter"))
        del parameters[parameter]
    for refusal in REFUSALS:
        if re.search(refusal.ids, model) and parameters.keys() >= set(refusal.together):
            problems.append(_refused(refusal.leave_out, refusal.why))
            del parameters[refusal.leave_out]
    try:
        sent = get_optional_params(model=name, custom_llm_provider=provider, **parameters)
    except litellm.exceptions.UnsupportedParamsError as error:
        said = str(error).removeprefix("litellm.UnsupportedParamsError: ").split("To drop ", 1)[0].strip()
        problems.append(f"litellm says what it does not take: {said} Declare it with 'without: [...]', or change it.")
        sent = parameters
    return {key: value for key, value in sent.items() if key != "extra_body"} | (
        sent.get("extra_body") or {}
    ) | extra, problems


def _refused(parameter: str, why: str) -> str:
    return (
        f"'{parameter}' would be sent, but {why}. To ask without it, which deviates from the paper, declare it in the "
        f"model's configuration: without: [{parameter}]."
    )


def _why_left_out(model: Mapping[str, Any], parameter: str) -> str:
    """Return why a parameter that the configuration leaves out cannot be sent, as far as it is known."""
    if model["endpoint"]["kind"] != "hosted":
        return CONFIGURED
    value = model.get("reasoning") if parameter == "reasoning" else {"seed": 0, "max_tokens": 1}.get(parameter, 0.5)
    if value is None:
        return CONFIGURED
    _, problems = _mapped(model["id"], {**model["sampling"], parameter: value})
    mine = [problem for problem in problems if parameter in problem]
    return mine[0].split(". ")[0].removeprefix(f"'{parameter}' would be sent, but ") if mine else CONFIGURED


def _reasoning(model: Mapping[str, Any]) -> str:
    wanted = model.get("reasoning")
    if wanted is None:
        return "nothing is said"
    if "reasoning" not in model["without"]:
        return str(wanted)
    family = family_of(model["id"])
    if wanted == OFF and family is not None and OFF not in family.sent:
        return f"{OFF} is wanted, but cannot be had"
    return f"{wanted} is wanted, nothing is said"


def _keys(model: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the names of the environment variables with the keys, and what to say if one is not set."""
    endpoint = model["endpoint"]
    if endpoint["kind"] == "url" and endpoint.get("key_variable"):
        missing = [endpoint["key_variable"]] if not os.environ.get(endpoint["key_variable"]) else []
        names = [endpoint["key_variable"]]
    elif endpoint["kind"] == "hosted":
        import litellm

        for name in [name for name, value in os.environ.items() if name.endswith("_KEY") and not value]:
            del os.environ[name]  # set to nothing is not set
        found = litellm.validate_environment(model["id"])
        missing = list(found.get("missing_keys") or [])
        names = missing or ["set"]
    else:
        return "none", None
    if not missing:
        return ", ".join(names), None
    return ", ".join(names), (
        f"it needs {' and '.join(missing)} in the environment, which is not set. Set it (export {missing[0]}=..., or a "
        "line in the file .env) and start again; keys are never read from the configuration."
    )


def _price(model: Mapping[str, Any]) -> str:
    if model["endpoint"]["kind"] == "url" and not model.get("prices"):
        return "litellm's, if it lists the model"
    price = price_of(model)
    if price is None:
        return "unknown"
    if not price.input and not price.output:
        return "free"
    return f"{price.input * 1e6:g} and {price.output * 1e6:g} USD per million tokens ({price.source})"
