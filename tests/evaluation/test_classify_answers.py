"""Answers get outcomes; what is no answer gets none."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from attribench.errors import InputError
from attribench.evaluation import decisions
from attribench.evaluation.classify_answers import classify_table, main
from attribench.evaluation.decisions import Question, decide_all
from attribench.tables import check, read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import CLASSIFIERS, OUTCOMES, RESPONSES

MAYA = "It was written by Maya Angelou."


def responses(*rows: tuple[str, str, str | None]) -> pd.DataFrame:
    """Return RESPONSES for (quote, status, text)."""
    table = pd.DataFrame(rows, columns=["quote_id", "status", "text"])
    table = table.assign(prompt="direct", evidence=False, generation=range(len(rows)), key="k", attempts=1)
    for column in RESPONSES.columns:
        if column.name not in table:
            table[column.name] = None
    return table[RESPONSES.names]


def outcome(benchmark: pd.DataFrame, *rows: tuple[str, str, str | None]) -> list[Any]:
    found = classify_table(responses(*rows), benchmark)
    assert check(found, OUTCOMES).num_rows == len(rows)
    return [None if pd.isna(value) else value for value in found["outcome"]]


def test_outcomes_of_answers(benchmark: pd.DataFrame) -> None:
    assert outcome(
        benchmark,
        ("jstet_0", "ok", MAYA),
        ("jstet_0", "ok", "Marguerite Johnson wrote this."),
        ("jstet_0", "ok", "It was written by Jane Austen."),
        ("jstet_1", "ok", MAYA),
        ("jstet_0", "ok", "It was written in hard times."),
    ) == ["correct", "correct", "incorrect", "incorrect", "none"]


@pytest.mark.parametrize("text", [None, "", "  \n", MAYA, "I cannot say."])
@pytest.mark.parametrize("status", ["refused", "failed", "empty"])
def test_no_answer_has_no_outcome(status: str, text: str | None, benchmark: pd.DataFrame) -> None:
    assert outcome(benchmark, ("jstet_0", status, text)) == [None]


def test_truncated_is_scored_by_its_text(benchmark: pd.DataFrame) -> None:
    assert outcome(
        benchmark,
        ("jstet_0", "truncated", MAYA),
        ("jstet_0", "truncated", None),
        ("jstet_0", "truncated", " "),
        ("jstet_0", "ok", None),
    ) == ["correct", None, None, None]


def test_names_are_recorded_with_their_rules(benchmark: pd.DataFrame) -> None:
    found = classify_table(responses(("jstet_0", "ok", MAYA), ("jstet_0", "refused", None)), benchmark)
    assert found["names"].tolist() == [["Maya Angelou"], []]
    assert all(len(row.names) == len(row.name_rules) for row in found.itertuples(index=False))
    assert all(len(row.passed_over) == len(row.passed_over_rules) for row in found.itertuples(index=False))


def test_no_answers_at_all(benchmark: pd.DataFrame) -> None:
    assert check(classify_table(responses(), benchmark), OUTCOMES).num_rows == 0


def test_the_step_keeps_every_row(benchmark: pd.DataFrame, tmp_path: Path) -> None:
    write(benchmark, tmp_path / "benchmark.parquet", BENCHMARK)
    table = responses(("jstet_1", "ok", "Jane Austen."), ("jstet_0", "refused", "No."), ("jstet_0", "ok", MAYA))
    write(table, tmp_path / "responses.parquet", RESPONSES)
    main(
        responses=tmp_path / "responses.parquet",
        benchmark_table=tmp_path / "benchmark.parquet",
        classifier="names",
        threads=1,
        outcomes=tmp_path / "outcomes.parquet",
    )
    found = read(tmp_path / "outcomes.parquet", OUTCOMES)
    assert found["quote_id"].tolist() == ["jstet_1", "jstet_0", "jstet_0"]
    assert found["status"].tolist() == ["ok", "refused", "ok"]
    assert found["outcome"].isna().tolist() == [False, True, False]
    assert found["outcome"].tolist()[::2] == ["correct", "correct"]


def test_outcomes_of_all_classifiers_are_on_record(benchmark: pd.DataFrame) -> None:
    table = responses(
        ("jstet_0", "ok", "It is not by Angelou; it recalls the Civil War."), ("jstet_0", "refused", None)
    )
    for classifier, wanted in (("names", "none"), ("strict", "incorrect"), ("published", "correct")):
        found = classify_table(table, benchmark, classifier)
        assert found["outcome"].tolist()[0] == found[f"outcome_{classifier}"].tolist()[0] == wanted
        assert found[[f"outcome_{name}" for name in CLASSIFIERS]].isna().all(axis="columns").tolist() == [False, True]


def test_answers_about_a_quote_that_is_not_there_are_refused(benchmark: pd.DataFrame) -> None:
    with pytest.raises(InputError, match="1 quotes that the benchmark does not hold, the first of them jstet_99"):
        classify_table(responses(("jstet_99", "ok", MAYA)), benchmark)


def test_processes_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "CHUNK", 2)
    questions = [Question("Maya Angelou", ("Marguerite Johnson",), "Still I rise."), Question("Jane Austen", (), "")]
    answers = [(0, MAYA), (1, MAYA), (0, None), (1, "Harlem Renaissance"), (0, MAYA)]
    found = [list(decide_all(answers, questions, processes)) for processes in (1, 2)]
    assert found[0] == found[1]
    assert [len(chunk) for chunk in found[0]] == [2, 2, 1]
    first, second, third, fourth, fifth = (row for chunk in found[0] for row in chunk.to_pylist())
    assert [row["outcome_names"] for row in (first, second, third, fourth)] == ["correct", "incorrect", None, "none"]
    assert (fourth["outcome_strict"], fourth["outcome_published"]) == ("incorrect", "incorrect")
    assert fifth == first
