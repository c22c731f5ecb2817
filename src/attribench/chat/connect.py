"""How the questions of a model reach its endpoint: straight, or through litellm where something is to be translated."""

from collections.abc import Mapping
from typing import Any

from attribench.chat.keys import key_of, require_provider_key
from attribench.chat.lean import Cost, lean_asker, plain_parameters
from attribench.ledger.runner import Ask


def connect(model: Mapping[str, Any], url: str | None) -> Ask:
    """Return a function that asks the model one question.

    Args:
        model: the fields of `attribench.settings.Model`.
        url: address of the server, for a model that this job serves itself.

    Raises:
        EndpointError: the key is not in the environment.
    """
    endpoint, timeout = model["endpoint"], model["timeout"]
    if url is not None:
        return lean_asker(url=url, key=None, timeout=timeout, cost=lambda *_: 0.0, own=True)
    # litellm takes seconds to import: only where its knowledge is wanted.
    from attribench.chat.completion import asker

    if endpoint["kind"] == "url":
        key = key_of(endpoint.get("key_variable"), model["name"])
        if is_plain(model):
            return lean_asker(url=endpoint["url"], key=key, timeout=timeout, cost=listed_cost(model["id"]))
        return asker(url=endpoint["url"], key=key, timeout=timeout, free=False)
    require_provider_key(model["name"], model["id"])
    return asker(url=None, key=None, timeout=timeout, free=False)


def is_plain(model: Mapping[str, Any]) -> bool:
    """Return whether litellm would send just what we have, so that it is not needed.

    It translates for other providers than OpenAI, and the parameters of some of OpenAI's models.
    """
    from attribench.chat.completion import translated

    parameters = model["sampling"] | ({} if "seed" in model["without"] else {"seed": 1})
    try:
        plain = plain_parameters(model["id"], parameters)
        return model["id"].startswith("openai/") and translated(model["id"], plain) == plain
    except Exception:
        return False  # whatever it is, the call through litellm says it


def listed_cost(model_id: str) -> Cost:
    """Return what says the cost of a reply by litellm's price list; None for a model that it does not have."""
    import litellm

    try:
        litellm.cost_per_token(model=model_id, prompt_tokens=1, completion_tokens=1)
    except Exception:
        return lambda *_: None

    def cost(model_id: str, reply: Mapping[str, Any]) -> float | None:
        try:
            return float(litellm.completion_cost(completion_response=litellm.ModelResponse(**reply), model=model_id))
        except Exception:
            return None

    return cost
