"""How the questions of a model reach its endpoint: straight, or through litellm where something is to be translated."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
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
    if endpoint["kind"] == "url":
        key = key_of(endpoint.get("key_variable"), model["name"])
        if is_plain(model):
            return lean_asker(url=endpoint["url"], key=key, timeout=timeout, cost=listed_cost(model["id"]))
    # litellm takes seconds to import: only where it is needed.
    from attribench.chat.completion import asker

    if endpoint["kind"] == "url":
        return asker(url=endpoint["url"], key=key, timeout=timeout, free=False)
    require_provider_key(model["name"], model["id"])
    return asker(url=None, key=None, timeout=timeout, free=False)


def is_plain(model: Mapping[str, Any]) -> bool:
    """Return whether litellm would send just what we have, so that it is not needed.

    It translates for other providers than OpenAI, and the parameters of some of OpenAI's models. Those
    are in its price list; a model that is not, is what its server calls it.
    """
    if not model["id"].startswith("openai/"):
        return False
    if model["id"].partition("/")[2] not in listed_models():
        return True
    from attribench.chat.completion import translated

    parameters = model["sampling"] | ({} if "seed" in model["without"] else {"seed": 1})
    try:
        plain = plain_parameters(model["id"], parameters)
        return translated(model["id"], plain) == plain
    except Exception:
        return False  # whatever it is, the call through litellm says it


@cache
def listed_models() -> frozenset[str]:
    """Return the names in litellm's price list, without its import, which takes seconds and 150 MB."""
    package = find_spec("litellm")
    assert package is not None and package.origin is not None
    file = Path(package.origin).with_name("model_prices_and_context_window_backup.json")
    return frozenset(json.loads(file.read_text(encoding="utf-8")))


def listed_cost(model_id: str) -> Cost:
    """Return what says the cost of a reply by litellm's price list; None for a model that it does not have."""
    if model_id.partition("/")[2] not in listed_models():
        return lambda *_: None
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
