"""What is wrong with a configuration, one sentence for each thing: where, what was found, what was expected."""

import difflib
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import ValidationError

# What a key of a service looks like, by its name or by its value.
_SECRET_NAME = re.compile(r"(^|_)(api_?key|key|token|secret|password|passwd|login)$", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"(^|[=:@\s'\"])((sk|pk|gsk|xai|pplx|hf|tgp|key)[-_][A-Za-z0-9_-]{12,}|AIza[A-Za-z0-9_-]{20,})($|[&@\s'\"])"
)


def secrets(value: Any, at: str = "") -> Iterator[str]:
    """Yield a sentence for whatever looks like the key of a service; never the key itself."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            place = f"{at}.{key}" if at else str(key)
            if _SECRET_NAME.search(str(key)) and isinstance(item, str):
                yield _secret_sentence(place)
            else:
                yield from secrets(item, place)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from secrets(item, f"{at}[{number}]")
    elif isinstance(value, str) and _SECRET_VALUE.search(value):
        yield _secret_sentence(at)


def _secret_sentence(place: str) -> str:
    return (
        f"'{place}' looks like the key of a service. Keys are read from the environment alone "
        "(OPENAI_API_KEY and so on, or the variable that 'key_variable' names): take it out of the "
        "configuration, and have it replaced if the file was ever shared."
    )


def sentence(error: ValidationError) -> str:
    """Say in one sentence what is wrong, where, and what was expected."""
    place = ".".join(str(part) for part in error.absolute_path) or "the top level"
    schema: Any = error.schema
    rule: Any = error.validator_value
    instance: Any = error.instance
    known = list(schema.get("properties", {}))
    if error.validator == "additionalProperties":
        unknown = [_nearest(str(key), known) for key in instance if key not in known]
        stop = "" if unknown[-1].endswith("?") else "."
        return f"At '{place}': " + "; ".join(unknown) + f"{stop} Known keys here are {', '.join(known)}."
    if error.validator == "required":
        missing = [key for key in rule if key not in instance]
        meaning = {k: schema.get("properties", {}).get(k, {}).get("description", "") for k in missing}
        what = "; ".join(f"'{k}' is missing ({meaning[k].split('. ')[0].rstrip('.')})" for k in missing)
        return f"At '{place}': {what}."
    if error.validator == "enum":
        allowed = [str(v) for v in rule]
        return f"'{place}' is {instance!r}: {_nearest(str(instance), allowed)}. Allowed: {', '.join(allowed)}."
    if "propertyNames" in error.absolute_schema_path:
        return f"At '{place}': the name {instance!r} is not allowed; it must match {rule}."
    described = schema.get("description", "")
    if place.endswith((".key_variable", ".url")):  # whoever mistakes these may have put a key or a password there
        return f"'{place}' is not of the form {rule}. It is: {described} Keys and passwords do not belong into it."
    return f"'{place}' is {instance!r}: {error.message}." + (f" It is: {described}" if described else "")


def _nearest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"unknown '{word}'" + (f", did you mean '{close[0]}'?" if close else "")


def contradictions(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each thing that a schema cannot say."""
    corpus, datasets = config["corpus"], config["datasets"]
    if corpus["min_words"] > corpus["max_words"]:
        yield (
            f"'corpus.min_words' is {corpus['min_words']}, more than 'corpus.max_words' "
            f"({corpus['max_words']}): no quote could be kept."
        )
    for name, dataset in datasets.items():
        reference = dataset.get("reference")
        if reference is not None and reference not in dataset["groups"]:
            yield (
                f"'datasets.{name}.reference' is '{reference}', which is none of its groups: "
                f"{', '.join(dataset['groups'])}."
            )
        for (one, labels), (two, others) in itertools.combinations(dataset["groups"].items(), 2):
            if all(labels[key] == others[key] for key in labels.keys() & others.keys()):
                yield f"'datasets.{name}.groups': an author could be in both '{one}' and '{two}'."
    for name, runs in config["compare"].items():
        for side, run in runs.items():
            if run["results"] == "results" and run["model"] not in config["models"]:
                yield (
                    f"'compare.{name}.{side}.model' is '{run['model']}', which is none of the models: "
                    f"{', '.join(config['models'])}. For a run of another folder, name it as 'results'."
                )
    for name, limits in config["limits"].items():
        for key in ("requests_per_minute", "concurrency"):
            if limits["jobs"] > max(1, limits.get(key, limits["jobs"])):
                yield (
                    f"'limits.{name}.jobs' is {limits['jobs']}, more than '{key}' ({limits[key]}): not every job "
                    f"could have a part of it. At most {max(1, int(limits[key]))} can ask at the same time."
                )
    yield from _lacking_sources(config)
    for section, name, model in _models(config):
        yield from _batch_contradictions(f"{section}.{name}", model)
        for key in ("batch", "subset"):
            if section != "models" and model.get(key):
                yield (
                    f"'{section}.{name}.{key}' means nothing there: only 'models' are asked in batches or "
                    "about a subset."
                )
    yield from _evidence_contradictions(config)


# For each kind of endpoint, the keys that it needs and those that it may have.
_ENDPOINT_KEYS: dict[str, tuple[set[str], set[str]]] = {
    "gguf": ({"file"}, {"port", "parallel", "threads", "context"}),
    "command": ({"command"}, {"port", "health", "startup", "gpus"}),
    "url": ({"url"}, {"key_variable"}),
    "hosted": (set(), set()),
}
# What litellm (the pinned version) can make batches for: it reads those of Anthropic, but makes none.
BATCH_PROVIDERS = {"openai": ("hosted", "url"), "gemini": ("hosted",)}
_NEEDED_BY_SOURCE = {
    "published": ("published_universe",),
    "wikidata": ("demographics", "wikidata", "contact"),
    "mentions": ("fame", "mentions", "files"),
    "table": ("fame", "table", "path"),
}


def _lacking_sources(config: Mapping[str, Any]) -> Iterator[str]:
    fame = config["fame"]
    if len(fame["compare"]) == 1:
        yield (
            f"'fame.compare' names only '{fame['compare'][0]}'. Name two sources to compare, or none for no comparison."
        )
    for source in dict.fromkeys([*config["demographics"]["sources"], *fame["sources"], *fame["compare"]]):
        keys = _NEEDED_BY_SOURCE.get(source, ())
        value: Any = config
        for key in keys:
            value = value.get(key) or {}
        if keys and not value:
            yield f"The source '{source}' needs '{'.'.join(keys)}', which is missing."


def endpoint_contradictions(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each key of an endpoint that it lacks or that means nothing there.

    `config` is as it was written, without defaults: those of other kinds of endpoints mean nothing either.
    """
    files = config.get("gguf_files", {})
    for section, name, model in _models(config):
        endpoint, place = model["endpoint"], f"{section}.{name}.endpoint"
        kind = endpoint["kind"]
        needed, possible = _ENDPOINT_KEYS[kind]
        for key in sorted(needed - endpoint.keys()):
            yield f"'{place}' is of the kind '{kind}' and needs '{key}', which is missing."
        for key in sorted(endpoint.keys() - needed - possible - {"kind"}):
            yield f"'{place}.{key}' means nothing for an endpoint of the kind '{kind}'."
        if kind == "gguf" and endpoint.get("file", "") not in files and "file" in endpoint:
            yield f"'{place}.file' is '{endpoint['file']}', but 'gguf_files' has only: {', '.join(files) or 'nothing'}."


def _models(config: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield the section, the name and the entry of everything that is asked as a chat model."""
    sections = {
        "models": config["models"],
        "demographics.consensus.models": config["demographics"].get("consensus", {}).get("models", {}),
        "audit.judge": config.get("audit", {}).get("judge", {}),
    }
    for section, entries in sections.items():
        for name, model in entries.items():
            yield section, name, model


def _batch_contradictions(place: str, model: Mapping[str, Any]) -> Iterator[str]:
    provider, kind = model["id"].partition("/")[0], model["endpoint"]["kind"]
    if model["batch"] and kind not in BATCH_PROVIDERS.get(provider, ()):
        yield (
            f"'{place}.batch' is true, but batches are not supported for {provider} at an endpoint of the kind "
            f"'{kind}': litellm makes them for hosted {' and '.join(BATCH_PROVIDERS)} models only (openai also at a "
            "url that has OpenAI's batches). Leave it out to ask live."
        )


def _evidence_contradictions(config: Mapping[str, Any]) -> Iterator[str]:
    evidence = config["evidence"]
    endpoint = evidence["endpoint"]
    if endpoint["kind"] == "url" and "url" not in endpoint:
        yield "'evidence.endpoint' is of the kind 'url' and needs 'url', which is missing."
    for key in ("url", "key_variable"):
        if endpoint["kind"] == "hosted" and key in endpoint:
            yield f"'evidence.endpoint.{key}' means nothing for an endpoint of the kind 'hosted'."
    handed_in = [name for name, dataset in config["datasets"].items() if dataset.get("benchmark")]
    if evidence["pool"] == "corpus" and handed_in:
        yield (
            f"'evidence.pool' is 'corpus', but the data set '{handed_in[0]}' is taken from a file and has no corpus "
            "behind it. Take 'data_set', as in the paper."
        )
