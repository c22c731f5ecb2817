"""The main job: `snakemake --cores 8 all` on the sample, with the real local model."""

import asyncio
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from attribench import rulegraph
from attribench.chat.endpoint import open_endpoint
from attribench.ledger.store import Question

MODEL = "smollm2-135m-instruct"
DATASETS = ("intersectional", "multirace")


@pytest.fixture
def results(finished: Any) -> Any:
    workflow, done = finished
    assert done.code == 0, done.screen
    return workflow.folder / "results"


def test_it_shows_progress(finished: Any) -> None:
    _, done = finished
    assert re.search(rf"{MODEL}, intersectional: \d+ of \d+ answers, .* a second, .*about \d+:\d\d left", done.screen)
    assert "(100%) done" in done.screen


def test_the_drawing_in_the_docs_has_the_rules_that_ran(finished: Any) -> None:
    _, done = finished
    drawn = rulegraph.drawn(rulegraph.PAGE.read_text(encoding="utf-8"))
    ran = done.jobs.keys() - {"all"}
    assert {rule for rules in drawn.values() for rule in rules} == ran, f"mend it with: {rulegraph.COMMAND}"


def test_every_question_has_an_answer_and_an_outcome(results: Any) -> None:
    for dataset in DATASETS:
        responses = pd.read_parquet(results / f"evaluation/{dataset}/{MODEL}/responses.parquet")
        outcomes = pd.read_parquet(results / f"evaluation/{dataset}/{MODEL}/outcomes.parquet")
        conditions = responses.groupby("quote_id").size()
        assert (conditions == 3 * 2).all(), "three prompts, without and with evidence"
        assert set(responses["status"]) <= {"ok", "truncated"}
        assert len(outcomes) == len(responses)
        assert outcomes["outcome"].isin(["correct", "incorrect", "none"]).all()
        assert responses["key"].is_unique


def test_the_model_says_the_same_again(finished: Any, tmp_path: Path) -> None:
    """Asked anew by the seeds on record, in another order and one at a time instead of several."""
    cache = finished[0].folder / "resources/cache"
    with sqlite3.connect(cache / f"evaluation/{MODEL}.sqlite") as store:
        said = store.execute("SELECT question, text FROM answers").fetchall()
    assert len({json.loads(question)["sampling"]["seed"] for question, _ in said}) == 1
    again = [*said[::12], said[1], said[2]][::-1]
    endpoint = {"kind": "gguf", "port": 0, "parallel": 1, "threads": 1, "context": 1536}
    model = {"name": MODEL, "endpoint": endpoint, "timeout": 120}

    async def ask_again() -> list[str | None]:
        with open_endpoint(model, cache / f"models/{MODEL}.gguf", 1) as ask:
            return [(await ask(Question(json.loads(question)))).text for question, _ in again]

    assert asyncio.run(ask_again()) == [text for _, text in again]


def test_evidence_holds_the_true_author_first(results: Any) -> None:
    for dataset in DATASETS:
        evidence = pd.read_parquet(results / f"evidence/{dataset}.parquet")
        first = evidence[evidence["rank"] == 1]
        assert (first["quote_id"] == first["evidence_quote_id"]).all()
        assert (first["similarity"] == 1.0).all()
        assert (evidence.groupby("quote_id").size() == 5).all()


def test_groups_are_balanced(results: Any) -> None:
    for dataset in DATASETS:
        benchmark = pd.read_parquet(results / f"balance/{dataset}/benchmark.parquet")
        groups = benchmark.groupby("group")
        assert groups.size().nunique() == 1
        assert groups["author_id"].nunique().nunique() == 1
        assert len(groups) == 4


def test_every_run_is_on_record(results: Any) -> None:
    for dataset in DATASETS:
        runs = pd.read_csv(results / f"balance/{dataset}/runs.csv")
        assert runs["run"].tolist() == list(range(100))
        assert runs["selected"].sum() == 1
        assert runs.loc[runs["selected"], "rank_sum"].item() == runs["rank_sum"].min()


def test_the_report_is_one_file_with_every_figure(results: Any) -> None:
    report = (results / "report/report.html").read_text(encoding="utf-8")
    for name in ("figure_4", "figure_5", "figure_6", "figure_7", f"{MODEL}.png", "accuracy.csv", "funnel.csv"):
        assert name in report
    assert not re.search(r"<(script|img)[^>]+src=[\"']https?://", report)
    assert not re.search(r"<link[^>]+href=[\"']https?://[^\"']+\.css", report)


def test_figures_and_tables_are_there(results: Any) -> None:
    report = results / "report"
    for name in ("figure_4_overall_accuracy", "figure_5_subgroup_accuracy", "figure_6_s_omit", "figure_7_s_evid"):
        assert (report / f"figures/{name}.png").stat().st_size > 10_000
        assert (report / f"figures/{name}.pdf").read_bytes().startswith(b"%PDF")
    for name in ("figure_8_fame", "figure_11_accuracy_with_evidence", "figure_13_indirect_overt", "covariate_balance"):
        assert (report / f"figures/{name}.png").stat().st_size > 10_000
    assert (report / f"models/{MODEL}.png").stat().st_size > 10_000
    assert "Examples" in (report / f"models/{MODEL}.html").read_text(encoding="utf-8")
    index = (report / "index.html").read_text(encoding="utf-8")
    assert index.count("data:image/png;base64,") >= 12
    for name in ("table_2_selected_runs", "table_4_models", "power", "groups_multirace"):
        assert all((report / f"tables/{name}.{kind}").stat().st_size > 100 for kind in ("csv", "md", "tex"))
    table = pd.read_csv(report / "tables/accuracy.csv")
    assert len(table) == 2 * 3 * 2, "two data sets, three prompts, without and with evidence"
    assert MODEL in (report / "tables/accuracy.md").read_text(encoding="utf-8")


def test_the_manifest_says_what_was_sent(results: Any) -> None:
    manifest = json.loads((results / f"evaluation/multirace/{MODEL}/manifest.json").read_text(encoding="utf-8"))
    assert manifest["parameters_sent"]["temperature"] == 0.7
    assert manifest["parameters_sent"]["top_p"] == 0.95
    assert "seed" in manifest["parameters_sent"]
    assert sum(manifest["status"].values()) == manifest["answers"]
    assert manifest["cost_usd"] == 0.0
