"""Errors of the classifier itself, by group: what was planted is what the table shows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from statsmodels.stats.proportion import proportion_confint

from attribench.errors import InputError
from attribench.evaluation import measure_instrument_error
from attribench.evaluation.decisions import decide_all
from attribench.evaluation.measure_instrument_error import NOT_ON_RECORD, main, tabulate
from attribench.tables import check, read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import AUDIT_SAMPLE, AUDIT_SHEET, CLASSIFIERS, INSTRUMENT_ERROR, JUDGE_ANSWERS


def make_cases(rates: dict[str, tuple[int, int]], expected: str = "correct", outcome: str = "none") -> pd.DataFrame:
    """Return cases with so many errors in so many answers of each group, all of them `expected` taken for `outcome`."""
    rows = [
        (f"{group}-{i % 10}", group, expected, outcome if i < errors else expected)
        for group, (errors, n) in rates.items()
        for i in range(n)
    ]
    cases = pd.DataFrame(rows, columns=["author_id", "group in d", "expected", "outcome"])
    return cases.assign(race=cases["group in d"].str.lower(), gender=None, **{"name form": "plain"})


def table_of(cases: pd.DataFrame, datasets: tuple[str, ...] = ("d",)) -> pd.DataFrame:
    found = pd.DataFrame(tabulate(cases, datasets)).assign(source="planted", classifier="names")
    check(found, INSTRUMENT_ERROR)
    return found.set_index(["attribute", "value", "expected"])


def test_the_planted_errors_come_out() -> None:
    found = table_of(make_cases({"Asian": (20, 400), "Black": (8, 200), "White": (5, 500)}))
    asian = found.loc[("group", "Asian", "all")]
    assert asian[["n", "n_authors", "errors"]].tolist() == [400, 10, 20]
    assert asian["error_rate"] == 0.05
    assert (asian["ci_low"], asian["ci_high"]) == pytest.approx(proportion_confint(20, 400, method="wilson"))
    assert asian["difference"] == pytest.approx(0.04)
    assert 0 < asian["difference_low"] < 0.04 < asian["difference_high"]
    assert asian["excess_correct"] == pytest.approx(-0.05) and asian["excess_none"] == pytest.approx(0.05)
    white = found.loc[("group", "White", "all")]
    assert white["difference"] == 0 and pd.isna(white["difference_low"])
    assert found.loc[("race", "asian", "correct"), "errors"] == 20
    assert found.loc[("all", "all", "all"), "errors"] == 33
    assert found.loc[("gender", NOT_ON_RECORD, "all"), "n"] == 1100
    assert "none" not in found.index.get_level_values("expected"), "no row where there is nothing"


def test_newcombes_interval_is_that_of_his_paper() -> None:
    """Newcombe, Statistics in Medicine 17 (1998), p. 878, Table II: 56/70 - 48/80 by method 10: 0.0524 to 0.3339."""
    found = table_of(make_cases({"a": (56, 70), "b": (48, 80)}))
    row = found.loc[("group", "a", "all")]
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((0.0524, 0.3339), abs=1e-4)


def test_a_value_of_few_answers_is_not_the_best_of_many() -> None:
    found = table_of(make_cases({"few": (0, 5), "many": (10, 500), "more": (30, 500)}))
    assert found.loc[("group", "many", "all"), "difference"] == 0
    assert found.loc[("group", "more", "all"), "difference"] == pytest.approx(0.04)
    assert found.loc[("group", "few", "all"), "difference"] == pytest.approx(-0.02)
    assert found.loc[("group", "few", "all"), "note"] == "rests on 5 answers"
    assert table_of(make_cases({"few": (0, 5), "also": (1, 5)})).loc[("group", "also", "all"), "difference"] == 0.2


def test_errors_that_cancel_leave_no_excess() -> None:
    cases = pd.concat([make_cases({"a": (10, 100)}), make_cases({"a": (10, 100)}, "none", "correct")])
    row = table_of(cases.reset_index(drop=True)).loc[("group", "a", "all")]
    assert row["error_rate"] == 0.1 and row["excess_correct"] == row["excess_none"] == 0


def make_benchmark(authors: list[tuple[str, str, str]]) -> pd.DataFrame:
    rows = [
        {
            "quote_id": f"jstet_{number}",
            "match_id": number,
            "group": group,
            "race": race,
            "gender": "female",
            "author_id": author.lower().replace(" ", "-"),
            "author": author,
            "aliases": [],
            "quote": f"Saying number {number} of all",
            "n_words": 5,
            "log10_hits": 5.0,
        }
        for number, (author, race, group) in enumerate(authors)
    ]
    return pd.DataFrame(rows)


AUTHORS = [
    ("Latoya Washington", "black", "Black"),
    ("Chukwuemeka Okafor", "black", "Black"),
    ("Margaret Whitfield", "white", "White"),
    ("Zoë Ashworth", "white", "White"),
]


@pytest.fixture
def step(tmp_path: Path) -> dict[str, Any]:
    benchmark = make_benchmark(AUTHORS)
    write(benchmark, tmp_path / "one.parquet", BENCHMARK)
    write(benchmark.iloc[1:].assign(group="Any"), tmp_path / "two.parquet", BENCHMARK)
    said = [("Zoë Ashworth", "It was Zoë Ashworth.", "none"), ("Latoya Washington", "Nobody knows.", "none")]
    lines = [{"author": a, "aliases": [], "quote": "", "output": o, "outcome": label} for a, o, label in said]
    (tmp_path / "labelled.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "people.csv").write_text("author,race,gender\nZoë Ashworth,,female\nLatoya Washington,black,female\n")
    return {
        "benchmarks": [tmp_path / "one.parquet", tmp_path / "two.parquet"],
        "labelled": [tmp_path / "labelled.jsonl"],
        "labelled_latino": [tmp_path / "labelled.jsonl"],
        "people": tmp_path / "people.csv",
        "sample": [],
        "judge_answers": [],
        "filled_sheet": None,
        "datasets": ["gender", "expected"],  # names of columns, which a data set may have
        "classifier": "names",
        "per_author": 12,
        "seed": 7,
        "threads": 1,
        "instrument_error": tmp_path / "instrument_error.csv",
    }


def measured(step: dict[str, Any], **changed: Any) -> pd.DataFrame:
    """Return what the table says of our rules."""
    main(**{**step, **changed})
    found = read(step["instrument_error"], INSTRUMENT_ERROR)
    own = found[found["classifier"] == "names"].drop(columns="classifier")
    return own.set_index(["source", "dataset", "attribute", "value", "expected"]).sort_index()


def test_every_author_is_planted_once_and_counts_in_each_data_set(step: dict[str, Any]) -> None:
    found = measured(step)
    whole = found.loc[("planted", "all", "all", "all", "all")]
    assert whole["n_authors"] == 4 and whole["n"] > 4 * 12 * 2
    assert found.loc[("planted", "gender", "group"), "n"].xs("all", level="expected").sum() == whole["n"]
    assert found.loc[("planted", "expected", "group", "Any", "all"), "n_authors"] == 3
    assert set(found.loc[("planted", "all", "race")].index.get_level_values("value")) == {"black", "white"}
    first = step["instrument_error"].read_bytes()
    assert measured(step) is not None and step["instrument_error"].read_bytes() == first


def test_a_classifier_that_overlooks_a_group_is_caught(step: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Overlook one author's name: the errors are hers, whether she is the true author or somebody else."""

    def decide(answers: list[Any], questions: list[Any], processes: int) -> Iterator[pa.Table]:
        for decided in decide_all(answers, questions, processes):
            texts = [text.lower() for _, text in answers]
            overlooked = ["okafor" in text and "ashworth" not in text for text in texts]
            named = [
                "none" if o else name for o, name in zip(overlooked, decided["outcome_names"].to_pylist(), strict=True)
            ]
            yield decided.set_column(0, "outcome_names", pa.array(named, pa.string()))

    honest = measured(step)
    monkeypatch.setattr(measure_instrument_error, "decide_all", decide)
    found = measured(step)
    assert (honest.loc[("planted", "gender", "group"), "error_rate"] < 0.05).all()
    for expected in ("correct", "incorrect"):
        overlooked = found.loc[("planted", "gender", "group", "Black", expected)]
        assert overlooked["error_rate"] > 0.3 and overlooked["excess_none"] > 0.3
        assert found.loc[("planted", "gender", "group", "White", expected), "error_rate"] < 0.2


def test_every_classifier_is_measured_on_the_same_answers(step: dict[str, Any]) -> None:
    main(**step)
    found = read(step["instrument_error"], INSTRUMENT_ERROR).query(
        "attribute == 'all' and expected == 'all' and source == 'planted'"
    )
    assert found["classifier"].tolist() == list(CLASSIFIERS)
    assert found["n"].nunique() == 1
    assert (found.set_index("classifier")["errors"].loc[["strict", "published"]] > found["errors"].iloc[0]).all()


def test_labelled_answers_count_for_what_is_known_of_their_authors(step: dict[str, Any]) -> None:
    found = measured(step).loc["labelled", "all"]
    assert found.loc[("all", "all", "all"), ["n", "n_authors", "errors"]].tolist() == [2, 2, 1]
    assert found.loc[("race", "black", "all"), ["n", "errors"]].tolist() == [1, 0]
    assert found.loc[("race", NOT_ON_RECORD, "all"), ["n", "errors"]].tolist() == [1, 1]
    assert found.loc[("name form", "marks", "none"), "excess_correct"] == 1
    step["people"].write_text("author,race,gender\nZoë Ashworth,,female\n")
    with pytest.raises(InputError, match=r"people\.csv lacks the authors Latoya Washington"):
        main(**step)


def test_judged_answers_count_for_the_group_of_the_true_author(step: dict[str, Any], tmp_path: Path) -> None:
    people = make_benchmark(AUTHORS)[["quote_id", "author_id", "author", "race", "gender", "aliases", "group", "quote"]]
    sample = people.assign(
        case=[f"case-{i}" for i in range(4)], dataset=["gender", "gender", "expected", "gender"], model="m", prompt="p",
        evidence=False, generation=0, answer="x", outcome=["correct", "none", "none", "incorrect"],
        weight=[1.0, 3.0, 1.0, 2.0],
    )  # fmt: skip
    lists = ["names", "name_rules", "passed_over", "passed_over_rules"]
    sample = sample.assign(**{name: [[] for _ in range(4)] for name in lists})[AUDIT_SAMPLE.names]
    write(sample, tmp_path / "sample.parquet", AUDIT_SAMPLE)
    said = {"case": sample["case"], "judge": "j", "request": 0, "status": "ok", "text": "t", "key": "k"}
    answers = pd.DataFrame({**said, "judgement": ["correct", "correct", None, "incorrect"]})
    for name in ("cause", "served_model", "cost", "asked_at"):
        answers[name] = None
    write(answers, tmp_path / "answers.parquet", JUDGE_ANSWERS)
    sheet = sample[["case", "quote", "author", "answer"]].assign(other_names="", judgement="none", note="")
    write(sheet, tmp_path / "filled.csv", AUDIT_SHEET)
    found = measured(
        step,
        sample=[tmp_path / "sample.parquet"],
        judge_answers=[tmp_path / "answers.parquet"],
        filled_sheet=str(tmp_path / "filled.csv"),
    )
    assert found.loc[("judge", "all", "all", "all", "all"), ["n", "errors"]].tolist() == [3, 1]
    weighted = found["weighted_error_rate"]
    assert weighted.loc[("judge", "all", "all", "all", "all")] == pytest.approx(3 / 6), "the error stands for 3 of 6"
    assert weighted.loc["planted"].isna().all()
    assert found.loc[("judge", "all", "race", "black", "all"), ["n", "errors"]].tolist() == [2, 1]
    assert found.loc[("judge", "gender", "group", "White", "all"), ["n", "errors"]].tolist() == [1, 0]
    assert found.loc[("judge", "all", "name form", "marks", "all"), "n"] == 1
    assert found.loc[("hand", "all", "all", "all", "none"), ["n", "errors"]].tolist() == [4, 2]
    assert found.loc[("hand", "expected", "group", "White", "all"), "n"] == 1
    assert found.loc[("hand", "all", "all", "all", "all"), "excess_none"] == pytest.approx(-0.5)
