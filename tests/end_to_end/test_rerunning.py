"""What runs again, and what does not: told from the jobs of a dry run after the main job."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

MODEL = "smollm2-135m-instruct"


@pytest.fixture
def workflow(finished: Any) -> Any:
    made, done = finished
    assert done.code == 0, done.screen
    return made


@contextmanager
def edited(file: Path) -> Iterator[None]:
    """Add a comment to a module, and take it away again."""
    before = file.read_bytes()
    file.write_bytes(before + b"\n# edited\n")
    try:
        yield
    finally:
        file.write_bytes(before)


def test_a_second_run_does_nothing(workflow: Any) -> None:
    done = workflow.run("all")
    assert done.code == 0, done.screen
    assert "Nothing to be done" in done.screen
    assert done.jobs == {}
    assert "report" not in done.screen.partition("Nothing to be done")[2], "Snakemake's own report is left as it is"


def test_a_second_model_runs_alone(workflow: Any) -> None:
    config = workflow.config
    config["models"]["second"] = config["models"][MODEL] | {"temperature": 0.1}
    done = workflow.run("all", "--dry-run", config=config)
    assert done.code == 0, done.screen
    assert done.jobs["ask_model"] == 2
    assert done.jobs["classify_answers"] == 2
    assert done.jobs["show_model"] == 2, "the tables that the first model's page is made from change too"
    assert f"Asking {MODEL} about" not in done.screen
    assert not {"clean_quotes", "match_authors", "embed_quotes"} & set(done.jobs)


def test_max_tokens_of_one_model_reruns_that_model_alone(workflow: Any) -> None:
    config = workflow.config
    config["models"]["second"] = config["models"][MODEL] | {"temperature": 0.1}
    before = workflow.run("all", "--dry-run", config=config)
    config["models"][MODEL] = config["models"][MODEL] | {"max_tokens": 7}
    after = workflow.run("all", "--dry-run", config=config)
    assert (before.jobs["ask_model"], after.jobs["ask_model"]) == (2, 4), "the second model had not run yet"
    assert f"Asking {MODEL} about" in after.screen
    config["models"].pop("second")
    alone = workflow.run("all", "--dry-run", config=config)
    assert alone.jobs["ask_model"] == 2
    assert not {"clean_quotes", "match_authors", "embed_quotes"} & set(alone.jobs)


@pytest.mark.parametrize(
    ("module", "steps"),
    [
        ("corpus/bylines.py", {"clean_quotes"}),
        ("universe.py", {"label_authors", "measure_fame"}),
        ("balance/quote_shelves.py", {"match_authors", "select_run"}),
        ("chat/completion.py", {"ask_model"}),
        ("balance/rank_aggregation.py", {"select_run"}),
        ("evidence/neighbours.py", {"retrieve_evidence"}),
        ("ledger/runner.py", {"ask_model"}),
        ("evaluation/outcomes.py", {"classify_answers", "measure_instrument_error"}),
        ("evidence/lsa.py", {"embed_quotes", "retrieve_evidence"}),
        ("text.py", {"clean_quotes", "label_authors", "measure_fame", "classify_answers", "measure_instrument_error"}),
    ],
)
def test_an_edited_module_reruns_the_steps_that_use_it(workflow: Any, module: str, steps: set[str]) -> None:
    """Snakemake names the reason of a step only where nothing before it runs again."""
    with edited(workflow.folder / "src/attribench" / module):
        done = workflow.run("all", "--dry-run")
    assert done.code == 0, done.screen
    assert steps <= set(done.jobs)
    assert done.changed
    assert done.changed <= steps


def test_an_edited_table_of_the_analysis_asks_and_builds_nothing_again(workflow: Any) -> None:
    with edited(workflow.folder / "src/attribench/tables/analysis.py"):
        done = workflow.run("all", "--dry-run")
    assert "summarise_outcomes" in done.changed
    assert not {"clean_quotes", "match_authors", "embed_quotes", "ask_model", "classify_answers"} & set(done.jobs)


def test_an_edited_prompt_asks_again_and_builds_nothing_again(workflow: Any) -> None:
    with edited(workflow.folder / "resources/prompts/paper.yaml"):
        done = workflow.run("all", "--dry-run")
    assert done.jobs["ask_model"] == 2
    assert not {"clean_quotes", "match_authors", "embed_quotes"} & set(done.jobs)


def test_results_come_back_from_the_ledger_and_byte_for_byte(workflow: Any, tmp_path: Path) -> None:
    copy = workflow.duplicate(tmp_path / "copy")
    before = tmp_path / "before"
    shutil.move(copy.folder / "results", before)
    # A model that cannot be served: whoever asked it would fail.
    (copy.folder / f"resources/cache/models/{MODEL}.gguf").touch()
    done = copy.run("all")
    assert done.code == 0, done.screen
    assert ", 0 to ask" in done.screen
    for dataset in ("intersectional", "multirace"):
        for table in (f"balance/{dataset}/runs.csv", f"balance/{dataset}/benchmark.parquet"):
            assert (copy.folder / "results" / table).read_bytes() == (before / table).read_bytes()
        for table in ("responses.parquet", "outcomes.parquet"):
            place = f"evaluation/{dataset}/{MODEL}/{table}"
            assert (copy.folder / "results" / place).read_bytes() == (before / place).read_bytes()
    figures = [file for file in (before / "report/figures").rglob("*") if file.is_file()]
    assert len(figures) > 20
    for figure in figures:
        assert (copy.folder / "results" / figure.relative_to(before)).read_bytes() == figure.read_bytes()
