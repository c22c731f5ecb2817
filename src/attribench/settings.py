"""The configuration, checked against its schema and given types.

The schema (``schemas/config.schema.yaml``) is the one place that says which keys there are,
what they mean and which values they take when they are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from attribench.config_faults import contradictions, endpoint_contradictions, secrets, sentence
from attribench.errors import ConfigError

SCHEMA = Path(__file__).parents[2] / "schemas" / "config.schema.yaml"

HERE = "(this machine)"
"""The provider of what a job of the workflow serves itself, which has no limits."""


@dataclass(frozen=True)
class Dataset:
    """A data set: its groups in the order of the config, each with the labels it asks for.

    `benchmark` is the file that it is taken from, or None where it is built from the corpus.
    """

    name: str
    groups: dict[str, dict[str, str]]
    reference: str | None
    benchmark: str | None = None


@dataclass(frozen=True)
class Model:
    """A model: where it is asked, and how.

    `sampling` holds what is sent beside the messages, `without` what is not although it would
    be; `reasoning` is the effort that is wanted, sent or not; `subset` is a number of matchings, or
    None for all; `timeout` and `batch_poll` are in seconds; `limits` is this model's part of what
    its `provider` allows, per minute; `prices` are in USD per million tokens.
    """

    name: str
    id: str
    endpoint: dict[str, Any]
    sampling: dict[str, Any]
    without: list[str]
    subset: int | None
    concurrency: int
    timeout: float
    attempts: int
    threads: int
    batch: bool
    batch_poll: float
    provider: str
    limits: dict[str, float]
    reasoning: str | None = None
    prices: dict[str, float] | None = None
    budget_usd: float | None = None


@dataclass(frozen=True)
class Settings:
    """The whole configuration. The sections without a class of their own are plain mappings."""

    seed: int
    budget_usd: float | None
    published_universe: str | None
    corpus: dict[str, Any]
    demographics: dict[str, Any]
    fame: dict[str, Any]
    balance: dict[str, Any]
    datasets: dict[str, Dataset]
    evidence: dict[str, Any]
    evaluation: dict[str, Any]
    models: dict[str, Model]
    labellers: dict[str, Model]
    limits: dict[str, dict[str, Any]]
    gguf_files: dict[str, dict[str, str]]
    analysis: dict[str, Any]
    audit: dict[str, Any]
    judges: dict[str, Model]
    compare: dict[str, dict[str, dict[str, str]]]
    release: dict[str, Any]
    downloads: dict[str, dict[str, Any]]


def read_settings(config: Mapping[str, Any], schema_path: Path = SCHEMA) -> Settings:
    """Check `config` and return it with types and with defaults filled in.

    Raises:
        ConfigError: one sentence for each thing that is wrong with it.
    """
    # The loader in C, where there is one: every job of a run reads this.
    schema = yaml.load(schema_path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    wrong = list(secrets(config))
    if not wrong:
        config = _with_unused_sections(config)
        found = Draft202012Validator(schema).iter_errors(config)
        wrong = [sentence(error) for error in sorted(found, key=lambda e: [str(p) for p in e.absolute_path])]
    if not wrong:
        wrong = list(endpoint_contradictions(config))
        config = _with_defaults(config, schema)
        wrong += contradictions(config)
    if wrong:
        # The schema reports each missing key apart, with the same sentence.
        raise ConfigError("The configuration cannot be used.\n" + "\n".join(f"  - {w}" for w in dict.fromkeys(wrong)))
    evaluation = config["evaluation"]
    return Settings(
        seed=config["seed"],
        budget_usd=config["budget_usd"],
        published_universe=config.get("published_universe"),
        corpus=config["corpus"],
        demographics=config["demographics"],
        fame=config["fame"],
        balance=config["balance"],
        datasets={
            name: Dataset(name, entry["groups"], entry.get("reference"), entry.get("benchmark"))
            for name, entry in config["datasets"].items()
        },
        evidence=_evidence(config),
        evaluation=evaluation,
        models={name: _model(name, entry, evaluation, config["limits"]) for name, entry in config["models"].items()},
        labellers={
            name: _model(name, entry, {}, config["limits"])
            for name, entry in config["demographics"]["consensus"]["models"].items()
        },
        limits=config["limits"],
        gguf_files=config.get("gguf_files", {}),
        analysis=config["analysis"],
        audit=config["audit"],
        judges={name: _model(name, entry, {}, config["limits"]) for name, entry in config["audit"]["judge"].items()},
        compare=config["compare"],
        release=config["release"],
        downloads=config["downloads"],
    )


def _model(name: str, entry: dict[str, Any], evaluation: dict[str, Any], limits: dict[str, Any]) -> Model:
    parameters = ("temperature", "top_p", "max_tokens", "reasoning")
    wanted = {key: entry.get(key, evaluation.get(key)) for key in parameters}
    if wanted["reasoning"] is False:
        wanted["reasoning"] = "off"
    sampling = {k: v for k, v in wanted.items() if v is not None and k not in entry["without"]}
    provider = provider_of(entry["id"], entry["endpoint"])
    return Model(
        name=name,
        id=entry["id"],
        endpoint=entry["endpoint"],
        sampling=sampling,
        without=entry["without"],
        subset=entry.get("subset"),
        concurrency=entry["concurrency"],
        timeout=entry["timeout"],
        attempts=entry["attempts"],
        threads=entry["threads"],
        batch=entry["batch"],
        batch_poll=entry["batch_poll"],
        provider=provider,
        limits=share_of(limits.get(provider, {})),
        reasoning=wanted["reasoning"],
        prices=entry.get("prices"),
        budget_usd=entry["budget_usd"],
    )


def _evidence(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the section with what a model has too: its provider, and its part of what that allows."""
    evidence = config["evidence"]
    provider = provider_of(evidence["embedding"], evidence["endpoint"])
    if evidence["embedding"] == "lsa":
        provider = HERE
    return {**evidence, "provider": provider, "limits": share_of(config["limits"].get(provider, {}))}


def provider_of(model_id: str, endpoint: Mapping[str, Any]) -> str:
    """Return the name under which `limits` has what serves a model: a provider, or the host and port of a server."""
    if endpoint["kind"] == "url":
        return str(endpoint["url"]).partition("//")[2].partition("/")[0]
    return model_id.partition("/")[0] if endpoint["kind"] == "hosted" else HERE


def share_of(limits: Mapping[str, Any]) -> dict[str, float]:
    """Return the part of a provider's limits that each of the jobs has that ask it at the same time."""
    jobs = limits.get("jobs", 1)
    parts = {key: value / jobs for key, value in limits.items() if key != "jobs"}
    # Where several jobs have a part of the calls, these are whole: together they are never more.
    return {key: int(part) if jobs > 1 and key != "tokens_per_minute" else part for key, part in parts.items()}


# What stands for the sections that are needed to build data sets where none is built; never used.
_UNUSED_SECTIONS: dict[str, dict[str, Any]] = {
    "corpus": {"quotes": "(the configuration names no corpus)"},
    "demographics": {"sources": ["consensus"]},
    "fame": {"sources": ["dataforseo"]},
    "balance": {},
}


def _with_unused_sections(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `config` with sections for building data sets, if every data set is taken from a file."""
    datasets = config.get("datasets")
    entries = list(datasets.values()) if isinstance(datasets, Mapping) else []
    if entries and all(isinstance(entry, Mapping) and "benchmark" in entry for entry in entries):
        return {**_UNUSED_SECTIONS, **config}
    return config


def _with_defaults(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a copy of `value` in which every key that the schema has a default for is there."""
    if not isinstance(value, Mapping):
        return value
    properties = schema.get("properties", {})
    rest = schema.get("additionalProperties")
    filled = {
        key: _with_defaults(item, properties.get(key) or (rest if isinstance(rest, Mapping) else {}))
        for key, item in value.items()
    }
    for key, part in properties.items():
        if key not in filled and "default" in part:
            filled[key] = _with_defaults(part["default"], part)
    return filled
