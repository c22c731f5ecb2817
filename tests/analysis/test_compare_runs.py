"""Two runs, quote by quote."""

import pandas as pd
import pytest
from scipy import stats

from attribench.analysis.compare_runs import main
from attribench.errors import InputError
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.comparison import COMPARED_QUOTES, COMPARISON
from attribench.tables.evaluation import OUTCOMES

from .conftest import filled

FIRST = """
q1 direct no ok      none
q2 direct no ok      none
q3 direct no ok      correct
q4 direct no ok      none
q5 direct no refused -
"""
SECOND = """
q1 direct no ok      correct
q2 direct no ok      correct
q3 direct no ok      correct
q4 direct no failed  -
q5 direct no ok      none
"""


def run(folder, answers, first=FIRST, second=SECOND, comparisons=None):
    quotes = [f"q{i}" for i in range(1, 6)]
    benchmark = pd.DataFrame({"quote_id": quotes, "author_id": list("abccd"), "group": list("xxyyy")})
    write(filled(benchmark, BENCHMARK), folder / "benchmark.parquet", BENCHMARK)
    for name, lines in (("old", first), ("new", second)):
        outcomes = answers(lines)
        number = outcomes.groupby(["quote_id", "prompt", "evidence"]).cumcount()
        write(
            filled(outcomes.assign(generation=number), OUTCOMES),
            folder / f"r/evaluation/d/{name}/outcomes.parquet",
            OUTCOMES,
        )
    runs = {
        side: {"results": str(folder / "r"), "model": model} for side, model in (("first", "old"), ("second", "new"))
    }
    main(
        benchmarks=[folder / "benchmark.parquet"],
        comparisons={"versions": runs} if comparisons is None else comparisons,
        groups={"d": ["x", "y"]},
        unanswered="exclude",
        comparison=folder / "comparison.csv",
        compared_quotes=folder / "quotes.parquet",
    )
    return read(folder / "comparison.csv", COMPARISON), read(folder / "quotes.parquet", COMPARED_QUOTES)


def test_by_hand(tmp_path, answers):
    table, quotes = run(tmp_path, answers)
    assert quotes.set_index("quote_id")["difference"].to_dict() == {"q1": 1.0, "q2": 1.0, "q3": 0.0}
    rows = table.set_index("group")
    both = rows.loc["all"]
    assert (both["n_quotes"], both["n_only_first"], both["n_only_second"]) == (3, 1, 1)
    assert (both["mean_first"], both["mean_second"]) == pytest.approx((1 / 3, 1.0))
    assert (both["n_higher"], both["n_lower"]) == (2, 0)
    expected = stats.ttest_1samp([1, 1, 0], 0)  # one quote by each author: the clustered error is the plain one
    assert both["p_value"] == pytest.approx(expected.pvalue)
    assert (both["ci_low"], both["ci_high"]) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert rows.loc["x", "note"] == "every quote differs by the same"
    assert rows.loc["y", "note"] == "one author"


def test_the_same_run_differs_in_nothing(tmp_path, answers):
    table, _ = run(tmp_path, answers, second=FIRST)
    assert (table["difference"] == 0).all()
    assert table["p_value"].isna().all()


def test_what_cannot_be_compared_is_said(tmp_path, answers):
    with pytest.raises(InputError, match="names no comparison"):
        run(tmp_path, answers, comparisons={})
    gone = {"first": {"results": "gone", "model": "m"}, "second": {"results": "gone", "model": "n"}}
    with pytest.raises(InputError, match=r"'compare.x' have no scored quote in common.*gone/evaluation/d/m"):
        run(tmp_path, answers, comparisons={"x": gone})
