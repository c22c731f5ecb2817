"""The configuration: defaults filled in, and one clear sentence for each thing that is wrong."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from attribench.errors import ConfigError
from attribench.settings import read_settings

ROOT = Path(__file__).parents[2]
SCHEMA = yaml.safe_load((ROOT / "schemas" / "config.schema.yaml").read_text(encoding="utf-8"))

Config = dict[str, Any]

SHORTEST = """
seed: 1
published_universe: universe.csv
corpus: {quotes: quotes.csv}
demographics: {sources: [published]}
fame: {sources: [published]}
balance: {}
datasets:
  by_gender:
    groups:
      Female: {gender: female}
      Male: {gender: male}
evidence: {}
evaluation: {}
models:
  some-model:
    id: openai/some-model
    endpoint: {kind: url, url: "http://127.0.0.1:8000/v1"}
analysis: {}
"""


@pytest.fixture
def config() -> Config:
    found: Config = yaml.safe_load(SHORTEST)
    return found


def put(config: Config, path: str, value: object) -> Config:
    """Return `config` with `value` at the dotted `path`."""
    changed = copy.deepcopy(config)
    *above, last = path.split("/")
    place = changed
    for key in above:
        place = place[key]
    place[last] = value
    return changed


def without(config: Config, path: str) -> Config:
    changed = put(config, path, None)
    *above, last = path.split("/")
    place = changed
    for key in above:
        place = place[key]
    del place[last]
    return changed


def said(config: Config) -> str:
    with pytest.raises(ConfigError) as caught:
        read_settings(config)
    message = str(caught.value)
    assert message.startswith("The configuration cannot be used.\n  - ")
    assert "Traceback" not in message
    return message


def lines(message: str) -> list[str]:
    return message.splitlines()[1:]


def test_what_is_left_out_has_its_default(config: Config) -> None:
    before = copy.deepcopy(config)
    settings = read_settings(config)
    assert settings.corpus["quotes"] == "quotes.csv"
    assert settings.corpus["rules"] == "paper"
    assert (settings.corpus["min_words"], settings.corpus["max_words"]) == (5, 30)
    assert settings.balance["runs"] == 100
    assert settings.balance["threshold"] == 1.0
    assert settings.balance["unmatched"] == "skip"
    assert settings.evidence["k"] == 5
    assert settings.evaluation["generations"] == 3
    assert settings.evaluation["max_missing"] == 0
    assert settings.analysis == {
        "unanswered": "exclude",
        "bootstrap": 1000,
        "family": "model",
        "fame_bin_width": 0.5,
        "topics": 8,
        "birth_years": None,
    }
    assert settings.gguf_files == {}
    model = settings.models["some-model"]
    assert model.sampling == {"temperature": 0.7, "top_p": 0.95, "max_tokens": 128}
    assert (model.subset, model.concurrency, model.timeout, model.attempts, model.without) == (None, 8, 120, 5, [])
    assert settings.datasets["by_gender"].reference is None
    assert list(settings.datasets["by_gender"].groups) == ["Female", "Male"]
    assert config == before


def test_every_default_of_the_schema_is_filled_in(config: Config) -> None:
    settings = read_settings(config)
    for section in ("corpus", "balance", "evidence", "evaluation", "analysis"):
        for key, part in SCHEMA["properties"][section]["properties"].items():
            if "default" in part:
                assert getattr(settings, section)[key] == part["default"], (section, key)


def test_a_section_of_defaults_can_be_left_out_of_a_model(config: Config) -> None:
    config = put(config, "models/some-model/temperature", 0)
    config = put(config, "models/some-model/without", ["top_p", "seed"])
    config = put(config, "models/some-model/reasoning", "off")
    model = read_settings(config).models["some-model"]
    assert model.sampling == {"temperature": 0, "max_tokens": 128, "reasoning": "off"}
    assert model.without == ["top_p", "seed"]


def test_a_served_file_has_the_defaults_of_its_endpoint(config: Config) -> None:
    file = {"package": "llm-x==1", "member": "x.gguf", "wheel_sha256": "0" * 64, "sha256": "1" * 64}
    config = put(config, "gguf_files", {"x": file})
    config = put(config, "models/some-model/endpoint", {"kind": "gguf", "file": "x"})
    assert read_settings(config).models["some-model"].endpoint == {
        "kind": "gguf",
        "file": "x",
        "port": 0,
        "parallel": 4,
        "threads": 1,
        "context": 1536,
        "health": "/v1/models",
        "startup": 600,
    }


@pytest.mark.parametrize(
    ("path", "value", "sentences"),
    [
        ("colour", 1, ["At 'the top level': unknown 'colour'", "Known keys here are seed, published_universe"]),
        ("corpus/max_word", 9, ["At 'corpus': unknown 'max_word', did you mean 'max_words'?"]),
        ("balance/treshold", 1, ["At 'balance': unknown 'treshold', did you mean 'threshold'?"]),
        ("models/some-model/max_token", 9, ["At 'models.some-model': unknown 'max_token', did you mean 'max_tokens'?"]),
        ("models/some-model/endpoint/adress", "x", ["At 'models.some-model.endpoint': unknown 'adress'"]),
        ("datasets/by_gender/groups/Male/sex", "male", ["At 'datasets.by_gender.groups.Male': unknown 'sex'"]),
        ("seed", "abc", ["'seed' is 'abc'", "integer", "Every random choice of the workflow derives"]),
        ("seed", -1, ["'seed' is -1", "minimum of 0"]),
        ("balance/threshold", 0, ["'balance.threshold' is 0", "Lambda of Algorithm 1"]),
        (
            "balance/unmatched",
            "anybin",
            ["'balance.unmatched' is 'anybin'", "did you mean 'any_bin'?", "skip, any_bin"],
        ),
        ("evidence/embedding", "tfidf", ["'evidence.embedding' is 'tfidf'", "provider/model"]),
        (
            "demographics/sources",
            ["wikidatta"],
            ["'demographics.sources.0' is 'wikidatta'", "did you mean 'wikidata'?"],
        ),
        ("fame/sources", [], ["'fame.sources' is []", "Sources in the order"]),
        ("evaluation/top_p", 1.5, ["'evaluation.top_p' is 1.5", "Nucleus sampling"]),
        ("evaluation/max_missing", 2, ["'evaluation.max_missing' is 2"]),
        ("evaluation/evidence", ["yes"], ["'evaluation.evidence.0' is 'yes'", "boolean"]),
        (
            "datasets/by_gender/groups",
            {"One": {"gender": "female"}},
            ["'datasets.by_gender.groups' is", "does not have enough"],
        ),
        ("datasets", {}, ["'datasets' is {}"]),
        ("datasets", {"By Gender": {"groups": {}}}, ["'By Gender' is not allowed"]),
        ("models", {"Some Model": {}}, ["'Some Model' is not allowed"]),
        ("models/some-model/id", "some-model", ["'models.some-model.id' is 'some-model'", "provider/model"]),
        ("models/some-model/reasoning", "none", ["'models.some-model.reasoning' is 'none'", "Allowed: off, minimal"]),
        ("models/some-model/without", ["colour"], ["'models.some-model.without.0' is 'colour'"]),
        ("models/some-model/endpoint/kind", "urls", ["'models.some-model.endpoint.kind' is 'urls'", "'url'?"]),
        ("models/some-model/endpoint/url", "host:1", ["'models.some-model.endpoint.url' is not of the form"]),
        ("corpus", "quotes.csv", ["'corpus' is 'quotes.csv'", "object"]),
        ("corpus", None, ["'corpus' is None"]),
    ],
)
def test_a_wrong_value_is_named_with_its_place_and_what_was_expected(
    config: Config, path: str, value: object, sentences: list[str]
) -> None:
    message = said(put(config, path, value))
    for sentence in sentences:
        assert sentence in message


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("seed", "At 'the top level': 'seed' is missing (Every random choice of the workflow derives"),
        ("corpus/quotes", "At 'corpus': 'quotes' is missing (The corpus, a CSV file"),
        ("models/some-model/endpoint", "At 'models.some-model': 'endpoint' is missing (Where the model is asked)"),
        ("models/some-model/endpoint/kind", "At 'models.some-model.endpoint': 'kind' is missing"),
        ("datasets/by_gender/groups", "At 'datasets.by_gender': 'groups' is missing"),
        ("published_universe", "The source 'published' needs 'published_universe', which is missing"),
    ],
)
def test_what_is_missing_is_named_with_its_meaning(config: Config, path: str, sentence: str) -> None:
    assert sentence in said(without(config, path))


def test_each_missing_key_is_said_once(config: Config) -> None:
    message = said(without(without(config, "seed"), "corpus"))
    assert len(lines(message)) == 1, message
    assert "'seed' is missing" in message and "'corpus' is missing" in message


def test_several_mistakes_are_said_together(config: Config) -> None:
    config = put(put(config, "seed", "abc"), "evaluation/top_p", 2)
    assert len(lines(said(config))) == 2


SECRET = "sk-proj-Abcdef0123456789XYZ"


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("models/some-model/api_key", "whatever", "models.some-model.api_key"),
        ("models/some-model/endpoint/apikey", "whatever", "models.some-model.endpoint.apikey"),
        ("models/some-model/endpoint/API_KEY", "whatever", "models.some-model.endpoint.API_KEY"),
        ("openai_api_key", "whatever", "openai_api_key"),
        ("password", "whatever", "password"),
        ("dataforseo", {"login": "someone@example.org", "password": "x"}, "dataforseo.password"),
        ("models/some-model/endpoint/key_variable", SECRET, "models.some-model.endpoint.key_variable"),
        ("models/some-model/id", SECRET, "models.some-model.id"),
        ("evaluation/prompts", ["direct", SECRET], "evaluation.prompts[1]"),
        ("corpus/quotes", "gsk_0123456789abcdefghij", "corpus.quotes"),
        ("corpus/quotes", "hf_0123456789abcdefghij", "corpus.quotes"),
        ("corpus/quotes", "xai-0123456789abcdefghij", "corpus.quotes"),
        ("corpus/quotes", "AIzaSyA0123456789abcdefghijklmnopqrstuvw", "corpus.quotes"),
        ("models/some-model/endpoint/url", f"http://127.0.0.1/v1?key={SECRET}", "models.some-model.endpoint.url"),
        ("models/some-model/endpoint/command", f"serve --api-key {SECRET} m", "models.some-model.endpoint.command"),
        ("models/some-model/endpoint/command", f"serve --key '{SECRET}'", "models.some-model.endpoint.command"),
        ("models/some-model/endpoint/command", "env T=hf_0123456789abcdefghij x", "models.some-model.endpoint.command"),
    ],
)
def test_a_key_in_the_configuration_is_refused_and_not_repeated(
    config: Config, path: str, value: object, place: str
) -> None:
    message = said(put(config, path, value))
    assert f"'{place}' looks like the key of a service" in message
    assert "environment" in message
    for secret in (SECRET, "whatever", "someone@example.org", "0123456789abcdefghij"):
        assert secret not in message


def test_a_misspelt_value_beside_a_key_does_not_show_the_key(config: Config) -> None:
    config = put(put(config, "seed", "abc"), "models/some-model/api_key", SECRET)
    assert SECRET not in said(config)


def test_a_name_of_a_variable_and_a_count_of_tokens_are_no_keys(config: Config) -> None:
    config = put(config, "models/some-model/endpoint/key_variable", "SOME_API_KEY")
    config = put(config, "models/some-model/max_tokens", 20)
    read_settings(config)


@pytest.mark.parametrize(
    ("groups", "overlap"),
    [
        ({"Black": {"race": "black"}, "Female": {"gender": "female"}}, True),
        ({"Black": {"race": "black"}, "Black female": {"race": "black", "gender": "female"}}, True),
        ({"A": {"race": "black"}, "B": {"race": "black"}}, True),
        ({"A": {"race": "black", "gender": "male"}, "B": {"race": "black", "gender": "female"}}, False),
        ({"A": {"race": "black", "gender": "male"}, "B": {"race": "white"}}, False),
    ],
)
def test_groups_must_not_overlap(config: Config, groups: dict[str, Any], overlap: bool) -> None:
    config = put(config, "datasets/by_gender/groups", groups)
    if overlap:
        one, two = groups
        assert f"'datasets.by_gender.groups': an author could be in both '{one}' and '{two}'" in said(config)
    else:
        read_settings(config)


def test_the_reference_must_be_a_group(config: Config) -> None:
    assert "'datasets.by_gender.reference' is 'male', which is none of its groups: Female, Male." in said(
        put(config, "datasets/by_gender/reference", "male")
    )
    assert read_settings(put(config, "datasets/by_gender/reference", "Male")).datasets["by_gender"].reference == "Male"


def test_the_shortest_quote_must_not_be_longer_than_the_longest(config: Config) -> None:
    assert "'corpus.min_words' is 31, more than 'corpus.max_words' (30)" in said(put(config, "corpus/min_words", 31))


@pytest.mark.parametrize(
    ("endpoint", "sentence"),
    [
        ({"kind": "url"}, "is of the kind 'url' and needs 'url', which is missing"),
        ({"kind": "gguf"}, "is of the kind 'gguf' and needs 'file', which is missing"),
        ({"kind": "gguf", "file": "x"}, "endpoint.file' is 'x', but 'gguf_files' has only: nothing"),
        ({"kind": "hosted", "url": "http://h/v1"}, "endpoint.url' means nothing for an endpoint of the kind 'hosted'"),
        ({"kind": "hosted", "key_variable": "KEY"}, "endpoint.key_variable' means nothing"),
        ({"kind": "url", "url": "http://h/v1", "file": "x"}, "endpoint.file' means nothing"),
        ({"kind": "url", "url": "http://h/v1", "port": 81}, "endpoint.port' means nothing"),
    ],
)
def test_an_endpoint_that_contradicts_itself(config: Config, endpoint: dict[str, Any], sentence: str) -> None:
    assert sentence in said(put(config, "models/some-model/endpoint", endpoint))


def test_without_models_nothing_can_be_asked(config: Config) -> None:
    assert "'models' is {}" in said(put(config, "models", {}))


# The schema and the configurations that come with the workflow


def parts(schema: dict[str, Any], path: str = "", described: bool = False) -> list[tuple[str, bool]]:
    """Return every key that the schema knows, and whether it or the key above is described."""
    found = []
    for key, part in schema.get("properties", {}).items():
        here = "description" in part
        found.append((f"{path}/{key}", here or described))
        found += parts(part, f"{path}/{key}", here and "properties" not in part)
    for inside in ("additionalProperties", "items"):
        if isinstance(schema.get(inside), dict):
            found += parts(schema[inside], f"{path}/*", described)
    return found


def test_every_key_is_described() -> None:
    assert [path for path, described in parts(SCHEMA) if not described] == []


def closed(schema: dict[str, Any], path: str = "") -> list[str]:
    inside = [*schema.get("properties", {}).items()]
    for key in ("additionalProperties", "items"):
        if isinstance(schema.get(key), dict):
            inside.append(("*", schema[key]))
    here = [path] if schema.get("type") == "object" and "additionalProperties" not in schema else []
    return here + [found for key, part in inside for found in closed(part, f"{path}/{key}")]


def test_every_section_is_closed() -> None:
    assert closed(SCHEMA) == []


def keyed(value: object, path: str = "") -> set[str]:
    if not isinstance(value, dict):
        return set()
    return {f"{path}/{key}" for key in value} | {f for key, item in value.items() for f in keyed(item, f"{path}/{key}")}


@pytest.mark.parametrize("name", ["config.yaml", "config.paper.yaml", "config.rebuild.yaml"])
def test_no_key_stands_twice_in_our_configurations(name: str) -> None:
    """YAML takes the last one and says nothing."""

    def twice(node: yaml.Node, at: str = "") -> list[str]:
        if not isinstance(node, yaml.MappingNode):
            return []
        keys = [key.value for key, _ in node.value]
        inside = [found for key, value in node.value for found in twice(value, f"{at}.{key.value}")]
        return [f"{at}.{key}" for key in set(keys) if keys.count(key) > 1] + inside

    assert twice(yaml.compose((ROOT / name).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("name", ["config.yaml", "config.paper.yaml", "config.rebuild.yaml"])
def test_the_configurations_that_come_along_are_good(name: str) -> None:
    settings = read_settings(yaml.safe_load((ROOT / name).read_text(encoding="utf-8")))
    assert set(settings.datasets) >= {"intersectional", "multirace"}


def test_the_default_configuration_names_every_key_that_has_one_place() -> None:
    """A section of config.yaml shows each key that the schema describes there, so that it can be seen and changed.

    What only paid or remote sources of labels, fame and embeddings need is shown in their own docs.
    """
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    sections = ("corpus", "balance", "evidence", "evaluation", "analysis")
    known = {f"/{s}/{key}" for s in sections for key in SCHEMA["properties"][s]["properties"]}
    of_embedding_models = ("endpoint", "texts_per_call", "concurrency", "timeout", "attempts")
    assert known - keyed(config) == {f"/evidence/{key}" for key in of_embedding_models}


def test_sections_for_building_can_be_left_out_where_every_data_set_is_handed_in(config: Config) -> None:
    config = put(config, "datasets/by_gender/benchmark", "published.csv")
    for section in ("corpus", "demographics", "fame", "balance", "published_universe"):
        config = without(config, section)
    settings = read_settings(config)
    assert settings.datasets["by_gender"].benchmark == "published.csv"
    assert settings.balance["method"] == "algorithm_1", "defaults are there for rules that are not used"
    built = put(config, "datasets/built", {"groups": {"A": {"race": "a"}, "B": {"race": "b"}}})
    message = said(built)
    assert all(f"'{section}' is missing" in message for section in ("corpus", "demographics", "fame", "balance"))


def test_a_comparison_needs_two_sources(config: Config) -> None:
    message = said(put(config, "fame/compare", ["published"]))
    assert "'fame.compare' names only 'published'. Name two sources to compare" in message


def test_a_release_has_defaults_and_a_date(config: Config) -> None:
    assert read_settings(config).release["date_published"] == "2026"
    assert "release.date_published" in said(put(config, "release", {"date_published": "tomorrow"}))


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("url", "http://me:hunter2pass@host/v1"),
        ("url", "http://host/v1?api-key=0123456789abcdef0123456789abcdef"),
        ("key_variable", "0123456789abcdef0123456789abcdef"),
        ("key_variable", "LAB_CREDENTIAL"),  # its value would not be kept out of messages
    ],
)
def test_a_secret_in_an_endpoint_is_refused_and_not_shown(config: Config, key: str, secret: str) -> None:
    message = said(put(config, f"models/some-model/endpoint/{key}", secret))
    assert f"models.some-model.endpoint.{key}" in message
    assert secret not in message


@pytest.mark.parametrize("section", ["demographics/consensus/models", "audit/judge"])
@pytest.mark.parametrize(("key", "value"), [("batch", True), ("subset", 2)])
def test_what_only_models_can_have_is_refused_elsewhere(config: Config, section: str, key: str, value: object) -> None:
    entry = {"id": "openai/some-model", "endpoint": {"kind": "hosted"}}
    entries = {"asked": {**entry, key: value}}
    if section == "demographics/consensus/models":
        entries["other"] = entry
    above, _, last = section.rpartition("/")
    message = said(put(config, above, {last: entries}))
    assert f"'{section.replace('/', '.')}.asked.{key}' means nothing there" in message


def test_a_labeller_does_not_hide_a_model_of_its_name(config: Config) -> None:
    config = put(config, "models/gpt-4o-mini", {"id": "openai/gpt-4o-mini", "endpoint": {"kind": "url"}})
    assert "'models.gpt-4o-mini.endpoint' is of the kind 'url' and needs 'url'" in said(config)


@pytest.mark.parametrize(
    ("endpoint", "sentence"),
    [
        ({"kind": "command"}, "needs 'command', which is missing"),
        ({"kind": "command", "command": []}, "'models.some-model.endpoint.command'"),
        ({"kind": "command", "command": "serve", "url": "http://h/v1"}, "url' means nothing"),
        ({"kind": "hosted", "command": "serve"}, "command' means nothing"),
    ],
)
def test_a_command_that_contradicts_itself(config: Config, endpoint: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        read_settings(put(config, "models/some-model/endpoint", endpoint))


@pytest.mark.parametrize("command", ["vllm serve m --port {port}", ["vllm", "serve", "m", "--port", "{port}"]])
def test_a_command_has_defaults(config: Config, command: object) -> None:
    endpoint = {"kind": "command", "command": command}
    found = read_settings(put(config, "models/some-model/endpoint", endpoint)).models["some-model"].endpoint
    assert (found["port"], found["health"], found["startup"]) == (0, "/v1/models", 600)


class TestBatches:
    def settings_of(self, config: Config, model_id: str, endpoint: dict[str, Any]) -> bool:
        model = {"id": model_id, "endpoint": endpoint, "batch": True}
        return read_settings(put(config, "models/some-model", model)).models["some-model"].batch

    @pytest.mark.parametrize("model_id", ["openai/gpt-4o-mini", "gemini/gemini-2.5-flash"])
    def test_where_there_are_some(self, config: Config, model_id: str) -> None:
        assert self.settings_of(config, model_id, {"kind": "hosted"})

    @pytest.mark.parametrize(
        ("model_id", "endpoint"),
        [
            ("anthropic/claude-sonnet-4-6", {"kind": "hosted"}),
            ("together_ai/zai-org/GLM-5", {"kind": "hosted"}),
            ("openai/m", {"kind": "command", "command": "serve {port}"}),
            ("gemini/m", {"kind": "url", "url": "http://h/v1"}),
        ],
    )
    def test_where_there_are_none(self, config: Config, model_id: str, endpoint: dict[str, Any]) -> None:
        with pytest.raises(ConfigError, match=r"'models\.some-model\.batch' is true, but batches are not supported"):
            self.settings_of(config, model_id, endpoint)


class TestLimits:
    def test_models_of_a_provider_share_its_limits(self, config: Config) -> None:
        limits = {"openai": {"requests_per_minute": 600, "concurrency": 9, "jobs": 2}, "127.0.0.1:8000": {"jobs": 1}}
        config = put(config, "limits", limits)
        config["models"]["other"] = {"id": "openai/m", "endpoint": {"kind": "hosted"}}
        models = read_settings(config).models
        assert models["other"].limits == {"requests_per_minute": 300, "concurrency": 4}
        assert models["some-model"].provider == "127.0.0.1:8000", "a server of one's own is not OpenAI's"
        assert models["some-model"].limits == {}

    def test_parts_of_them_together_are_no_more(self, config: Config) -> None:
        of = {"requests_per_minute": 5, "concurrency": 5, "tokens_per_minute": 5}
        config = put(config, "limits", {"openai": of | {"jobs": 2}})
        config["models"]["other"] = {"id": "openai/m", "endpoint": {"kind": "hosted"}}
        of_each = {"requests_per_minute": 2, "concurrency": 2, "tokens_per_minute": 2.5}
        assert read_settings(config).models["other"].limits == of_each

    @pytest.mark.parametrize("key", ["requests_per_minute", "concurrency"])
    def test_more_jobs_than_calls_are_refused(self, config: Config, key: str) -> None:
        with pytest.raises(ConfigError, match=rf"'limits\.openai\.jobs' is 3, more than '{key}' \(2\)"):
            read_settings(put(config, "limits", {"openai": {key: 2, "jobs": 3}}))

    def test_whatever_is_served_here_has_none(self, config: Config) -> None:
        config = put(config, "limits", {"openai": {"requests_per_minute": 600}})
        endpoint = {"kind": "command", "command": "serve {port}"}
        model = read_settings(put(config, "models/some-model/endpoint", endpoint)).models["some-model"]
        assert model.limits == {}

    def test_an_embedding_model_has_its_providers(self, config: Config) -> None:
        config = put(config, "limits", {"openai": {"tokens_per_minute": 100}})
        evidence = read_settings(put(config, "evidence", {"embedding": "openai/text-embedding-3-small"})).evidence
        assert (evidence["provider"], evidence["limits"]) == ("openai", {"tokens_per_minute": 100})
        assert read_settings(config).evidence["limits"] == {}


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        ({"embedding": "word2vec"}, "'evidence.embedding'"),
        ({"embedding": "openai/m", "endpoint": {"kind": "url"}}, "needs 'url', which is missing"),
        ({"embedding": "openai/m", "endpoint": {"kind": "hosted", "url": "http://h/v1"}}, "means nothing"),
        ({"pool": "internet"}, "'evidence.pool'"),
    ],
)
def test_evidence_that_contradicts_itself(config: Config, evidence: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        read_settings(put(config, "evidence", evidence))


def test_a_benchmark_that_is_handed_in_has_no_corpus_to_find_evidence_in(config: Config) -> None:
    config = put(config, "datasets/by_gender/benchmark", "benchmark.csv")
    with pytest.raises(ConfigError, match=r"'evidence\.pool' is 'corpus', but the data set 'by_gender'"):
        read_settings(put(config, "evidence", {"pool": "corpus"}))
