"""The step: from files to the three tables."""

import numpy as np
import pandas as pd
import pytest

from attribench.analysis.summarise_outcomes import TABLES, main
from attribench.errors import InputError
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, MATCHINGS
from attribench.tables.covariates import COVARIATES_OF_QUOTES
from attribench.tables.evaluation import OUTCOMES

from .conftest import covariates_for, filled, with_authors

BY_HAND = """
q1 direct no ok      correct
q1 direct no ok      none
q2 direct no ok      correct
q3 direct no ok      incorrect
q3 direct no refused -
q4 direct no failed  -
q4 direct no ok      none
"""


def benchmark_of(groups):
    quotes = [f"q{i + 1}" for i in range(len(groups))]
    return pd.DataFrame({"quote_id": quotes, "match_id": [0] * len(groups), "group": groups})


def write_inputs(folder, answers, benchmark):
    benchmark = with_authors(benchmark)
    generation = answers.groupby(["quote_id", "prompt", "evidence"]).cumcount()
    write(filled(benchmark, BENCHMARK), folder / "benchmark.parquet", BENCHMARK)
    authors = filled(benchmark.drop_duplicates(["match_id", "group"]).drop(columns="quote_id"), MATCHINGS)
    write(authors.assign(is_reference=authors["group"] == "y"), folder / "matchings.parquet", MATCHINGS)
    write(covariates_for(benchmark), folder / "covariates.parquet", COVARIATES_OF_QUOTES)
    write(filled(answers.assign(generation=generation), OUTCOMES), folder / "outcomes.parquet", OUTCOMES)


def run(folder, answers, benchmark, groups, models=("m",), unanswered="exclude", threads=1):
    write_inputs(folder, answers, benchmark)
    paths = {name: folder / f"{name}.csv" for name in TABLES}
    main(
        benchmarks=[folder / "benchmark.parquet"], matchings=[folder / "matchings.parquet"],
        outcomes=[folder / "outcomes.parquet"] * len(models), covariates=folder / "covariates.parquet",
        groups={"d": groups}, models=list(models), unanswered=unanswered, family="model", bootstrap=200,
        fame_bin_width=0.5, seed=1, threads=threads, tables=list(paths.values()),
    )  # fmt: skip
    return {name: read(path, TABLES[name]) for name, path in paths.items()}


def test_a_small_case_by_hand(tmp_path, answers):
    tables = run(tmp_path, answers(BY_HAND), benchmark_of(["x", "x", "y", "y", "y"]), ["x", "y"])
    (overall,) = tables["overall"].to_dict("records")
    assert (overall["dataset"], overall["model"], overall["metric"]) == ("d", "m", "accuracy")
    assert (overall["n_quotes"], overall["n_unanswered"], overall["n_missing"]) == (4, 1, 1)
    assert overall["mean"] == pytest.approx((0.5 + 1 + 0 + 0) / 4)
    assert overall["is_subset"]  # the fifth quote was not asked about
    x, y = tables["subgroups"].to_dict("records")
    assert (x["group"], x["mean"], x["n_quotes"], x["is_best"], x["is_star"]) == ("x", 0.75, 2, True, False)
    assert (y["group"], y["mean"], y["n_quotes"], y["is_best"]) == ("y", 0.0, 2, False)
    assert [(row["model_mean"], row["is_subset"], row["n_matchings"]) for row in (x, y)] == [
        (overall["mean"], True, overall["n_matchings"])
    ] * 2
    assert y["note"] == "no variance; one author"
    assert (y["n_asked"], y["n_unanswered"], y["n_missing"], y["n_truncated"]) == (4, 1, 1, 0)
    assert (x["mean"], x["mean_asked"]) == (0.75, 2 / 3)
    (pair,) = tables["pairwise"].to_dict("records")
    assert (pair["group"], pair["other"], pair["difference"]) == ("x", "y", 0.75)
    assert (pair["n_group"], pair["n_other"], pair["note"]) == (2, 2, "no variance in y")


def test_models_and_groups_keep_their_order(tmp_path, simulate):
    answers, benchmark = simulate(np.random.default_rng(0), {"b": 0.2, "a": 0.3}, quotes_per_group=20)
    columns = ["quote_id", "prompt", "evidence", "status", "outcome"]
    tables = run(tmp_path, answers[columns], benchmark, ["b", "a"], models=["z", "y"])
    assert list(dict.fromkeys(tables["overall"]["model"])) == ["z", "y"]
    assert list(dict.fromkeys(tables["subgroups"]["group"])) == ["b", "a"]
    assert list(dict.fromkeys(tables["overall"]["metric"])) == ["accuracy", "s_omit", "s_evid"]
    assert not tables["overall"]["is_subset"].any()
    first, second = (tables["overall"].query("model == @m").drop(columns="model") for m in ("z", "y"))
    pd.testing.assert_frame_equal(first.reset_index(drop=True), second.reset_index(drop=True))


def test_a_group_without_quotes_is_named(answers, summarise):
    rows = summarise(answers(BY_HAND), benchmark_of(["x", "x", "y", "y"]), ["x", "y", "z"], "exclude")
    z = rows["subgroups"][-1]
    assert (z["group"], z["n_quotes"], z["mean"], z["note"]) == ("z", 0, None, "no scored answer")
    assert not any(row["is_star"] for row in rows["subgroups"])
    assert [row["note"] for row in rows["pairwise"] if row["other"] == "z"] == ["no scored answer in z"] * 2


def test_groups_tied_for_best_are_all_best_without_a_star(answers, summarise):
    lines = "\n".join(f"q{i + 1} direct no ok {o}" for i, o in enumerate(["correct", "none"] * 2 + ["none"] * 2))
    rows = summarise(answers(lines), benchmark_of(["x", "x", "y", "y", "z", "z"]), ["x", "y", "z"], "exclude")
    assert [row["is_best"] for row in rows["subgroups"]] == [True, True, False]
    assert [row["note"] for row in rows["subgroups"]] == [
        "one author; tied for best",
        "one author; tied for best",
        "no variance; one author",
    ]
    assert not any(row["is_star"] for row in rows["subgroups"])


def test_no_group_is_best_where_nobody_is_ever_named(answers, summarise):
    lines = "\n".join(f"q{i + 1} indirect no ok none" for i in range(4))
    rows = summarise(answers(lines), benchmark_of(["x", "x", "y", "y"]), ["x", "y"], "exclude")
    assert not any(row["is_best"] or row["is_star"] for row in rows["subgroups"])
    assert {row["note"] for row in rows["pairwise"]} == {"undefined (no variance)"}


def test_no_answer_at_all_gives_rows_without_figures(tmp_path, answers):
    lines = "q1 direct no refused -\nq2 direct no failed -"
    tables = run(tmp_path, answers(lines), benchmark_of(["x", "y"]), ["x", "y"])
    assert tables["overall"][["mean", "ci_low", "ci_high"]].isna().all(axis=None)
    assert tables["subgroups"]["note"].tolist() == ["no scored answer"] * 2
    as_none = run(tmp_path, answers(lines), benchmark_of(["x", "y"]), ["x", "y"], unanswered="none")
    assert as_none["subgroups"]["n_quotes"].tolist() == [1, 0]


def test_a_group_that_the_config_does_not_name(tmp_path, answers):
    with pytest.raises(InputError, match="group 'y', but the data set 'd' has the groups x"):
        run(tmp_path, answers(BY_HAND), benchmark_of(["x", "x", "y", "y"]), ["x"])


def test_answers_about_other_quotes(tmp_path, answers):
    with pytest.raises(InputError, match="1 quotes that the benchmark does not hold, the first of them q4"):
        run(tmp_path, answers(BY_HAND), benchmark_of(["x", "x", "y"]), ["x", "y"])


def test_the_same_answers_give_the_same_bytes(tmp_path, simulate):
    answers, benchmark = simulate(np.random.default_rng(0), {"a": 0.2, "b": 0.3}, quotes_per_group=20)
    columns = ["quote_id", "prompt", "evidence", "status", "outcome"]
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    run(tmp_path / "1", answers[columns], benchmark, ["a", "b"])
    run(tmp_path / "2", answers[columns], benchmark, ["a", "b"])
    for name in TABLES:
        assert (tmp_path / "1" / f"{name}.csv").read_bytes() == (tmp_path / "2" / f"{name}.csv").read_bytes()
