"""Data sets are defined in the configuration alone."""

from pathlib import Path
from typing import Any

import pandas as pd


def test_a_third_data_set_needs_no_code(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    config["datasets"]["gender"] = {"groups": {"Female": {"gender": "female"}, "Male": {"gender": "male"}}}
    done = workflow.run("dataset", "evidence", config=config)
    assert done.code == 0, done.screen
    assert "clean_quotes" not in done.jobs
    assert "about intersectional" not in done.screen
    benchmark = pd.read_parquet(workflow.folder / "results/balance/gender/benchmark.parquet")
    assert set(benchmark["group"]) == {"Female", "Male"}
    assert benchmark.groupby("group").size().nunique() == 1
    assert (benchmark["group"].str.lower() == benchmark["gender"]).all()
    matchings = pd.read_parquet(workflow.folder / "results/balance/gender/matchings.parquet")
    assert (matchings.groupby("match_id")["group"].nunique() == 2).all()


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
