"""A benchmark that is handed in needs neither a corpus, nor labels, nor matching."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

GROUPS = {"Women": {"race": "black", "gender": "female"}, "Men": {"race": "black", "gender": "male"}}
WORDS = ("river", "stone", "light", "morning", "window", "garden", "letter", "silence", "thunder", "bread", "winter")


def published_file(file: Path) -> None:
    """Write a benchmark in the published columns: six matchings of two authors."""
    rng = np.random.default_rng(3)
    rows = []
    for match in range(6):
        for gender in ("female", "male"):
            for _ in range(1 + match % 2):
                hits = 10.0 ** (4 + match / 5)
                rows.append(
                    {
                        "quote_id": f"jstet_{len(rows)}",
                        "author_clean": f"{'Anna' if gender == 'female' else 'Otto'} Surname{'abcdef'[match]}",
                        "author_alt_name": "",
                        "author_raw": "",
                        "quote": f"The {' '.join(rng.permutation(WORDS)[:6])}",
                        "quote_words": 7,
                        "race": "black",
                        "gender": gender,
                        "gender_source": "wikidata",
                        "race_source": "llm",
                        "google_hits": hits,
                        "log10_hits": np.log10(hits),
                        "to_sample": 1 + match % 2,
                    }
                )
    pd.DataFrame(rows).to_csv(file)


def test_it_is_evaluated_without_a_corpus(workflow: Any, chat: Any, asked_at: Any) -> None:
    published_file(workflow.folder / "published.csv")
    config = asked_at(workflow.config, chat.url, subset=3)
    config["datasets"] = {"gender": {"groups": GROUPS, "benchmark": "published.csv"}}
    for section in ("corpus", "demographics", "fame", "balance", "published_universe"):
        del config[section]
    done = workflow.run("all", "release", config=config)
    assert done.code == 0, done.screen
    results = workflow.folder / "results"
    assert set(done.jobs) & {"clean_quotes", "label_authors", "measure_fame", "match_authors", "embed_quotes"} == set()
    stages = ["analysis", "balance", "evaluation", "evidence", "release", "report"]
    assert sorted(path.name for path in results.iterdir()) == stages
    assert {path.name for path in (results / "balance/gender").iterdir()} == {
        "benchmark.parquet",
        "matchings.parquet",
        "differences.csv",
        "matching_quality.csv",
    }
    outcomes = pd.read_parquet(results / "evaluation/gender/loopback/outcomes.parquet")
    benchmark = pd.read_parquet(results / "balance/gender/benchmark.parquet")
    asked = benchmark[benchmark["quote_id"].isin(outcomes["quote_id"])]
    assert asked["match_id"].nunique() == 3
    assert asked["group"].value_counts().nunique() == 1
    assert (results / "report/figures/figure_10_fame_distribution.png").is_file()
    assert not (results / "report/figures/figure_9_demographics.png").exists()
    assert not (results / "report/tables/table_3_group_fame.csv").exists()
    differences = pd.read_csv(results / "balance/gender/differences.csv")
    assert list(differences["check"]) == ["matchings are on record"]
    sums = [line.split("  ") for line in (results / "release/gender/SHA256SUMS").read_text().splitlines()]
    assert len(sums) == 5
    for digest, name in sums:
        assert hashlib.sha256((results / "release/gender" / name).read_bytes()).hexdigest() == digest
    again = workflow.run("all", "release", "--dry-run", config=config)
    assert "Nothing to be done" in again.screen, again.screen
    beside(workflow, config)
    fail_in_a_sentence(workflow, config)


def beside(workflow: Any, config: Any) -> None:
    """A data set that is built stands beside it, and its evidence stays as it is."""
    whole = yaml.safe_load((workflow.folder / "config.yaml").read_text(encoding="utf-8"))
    whole["models"] = config["models"]
    whole["datasets"] = {"multirace": whole["datasets"]["multirace"], **config["datasets"]}
    done = workflow.run("all", "--dry-run", config=whole)
    assert done.code == 0, done.screen
    assert done.jobs["clean_quotes"] == done.jobs["embed_quotes"] == done.jobs["sample_quotes"] == 1
    assert done.jobs["ask_model"] == 1, "the one that was handed in has its answers"
    assert {"draw_datasets", "write_report"} <= set(done.jobs)
    assert {"read_benchmark", "embed_benchmark"}.isdisjoint(done.jobs)


def fail_in_a_sentence(workflow: Any, config: Any) -> None:
    """A file that cannot be evaluated stops with what is wrong with it."""
    file = workflow.folder / "published.csv"
    table = pd.read_csv(file, index_col=0)
    table.loc[2, "quote"] = None
    table.to_csv(file)
    done = workflow.run("dataset", config=config)
    assert done.code != 0
    assert "The benchmark published.csv has no 'quote' in 1 rows, the first of them row 4: jstet_2" in done.screen
