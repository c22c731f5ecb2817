"""Data sets are defined in the configuration alone."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pandas as pd
from ecosystem.tools import PYTHON, load_dataset


def test_a_third_data_set_needs_no_code_and_can_be_released(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    config["datasets"]["gender"] = {"groups": {"Female": {"gender": "female"}, "Male": {"gender": "male"}}}
    done = workflow.run(
        "dataset", "evidence", "results/release/gender/SHA256SUMS", "results/tasks/gender", config=config
    )
    assert done.code == 0, done.screen
    assert "clean_quotes" not in done.jobs
    assert "about intersectional" not in done.screen
    benchmark = pd.read_parquet(workflow.folder / "results/balance/gender/benchmark.parquet")
    assert set(benchmark["group"]) == {"Female", "Male"}
    assert benchmark.groupby("group").size().nunique() == 1
    assert (benchmark["group"].str.lower() == benchmark["gender"]).all()
    matchings = pd.read_parquet(workflow.folder / "results/balance/gender/matchings.parquet")
    assert (matchings.groupby("match_id")["group"].nunique() == 2).all()
    released(workflow.folder, benchmark)
    questions = pd.read_json(workflow.folder / "results/tasks/gender/questions.jsonl", lines=True)
    assert (questions["condition"].value_counts() == len(benchmark)).all()
    assert questions["condition"].nunique() == 3 * 2


def released(folder: Path, benchmark: pd.DataFrame) -> None:
    """Check what was released: the data as they were, sums that are right, and a card that says where they are from."""
    place = folder / "results/release/gender"
    sums = [line.split("  ") for line in (place / "SHA256SUMS").read_text().splitlines()]
    assert len(sums) == len(list(place.iterdir())) - 1 == 5
    assert all(hashlib.sha256((place / name).read_bytes()).hexdigest() == digest for digest, name in sums)
    assert (pd.read_csv(place / "benchmark.csv")["quote_id"] == benchmark["quote_id"]).all()
    card = (place / "README.md").read_text(encoding="utf-8")
    corpus = folder / "resources/sample/quotes.csv"
    assert f"| sha256 of the file | {hashlib.sha256(corpus.read_bytes()).hexdigest()} |" in card
    assert f"| Rows of the file | {len(pd.read_csv(corpus))} |" in card
    assert f"| Source of race | published ({benchmark['author_id'].nunique()} authors) |" in card
    assert "| reference group | the smallest |" in card and "| corpus.min\\_words | " in card
    assert "stop alphabetically at M" in card
    if PYTHON:
        loaded = load_dataset(place, folder)
        assert list(loaded) == ["train"]
        assert loaded["train"] == json.loads(benchmark.to_json(orient="records", double_precision=15))


def test_the_spread_over_jobs_does_not_change_the_result(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    config["balance"]["jobs"] = 5
    place = workflow.folder / "results/balance/multirace"
    before = [(place / name).read_bytes() for name in ("runs.csv", "benchmark.parquet")]
    for name in ("runs.csv", "matchings.parquet", "benchmark.parquet"):
        (place / name).unlink()
    done = workflow.run("results/balance/multirace/benchmark.parquet", config=config)
    assert done.code == 0, done.screen
    assert done.jobs["match_authors"] == 5
    assert [(place / name).read_bytes() for name in ("runs.csv", "benchmark.parquet")] == before
