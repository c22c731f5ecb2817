"""The same answers by three instruments: the rows and their means."""

import pandas as pd
import pytest

from attribench.analysis.compare_instruments import CLASSIFIERS, compare_instruments, main
from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, read, write
from attribench.tables.analysis import INSTRUMENTS
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import OUTCOMES

FILLERS = {TEXT: "x", INTEGER: 0, NUMBER: 0.0, FLAG: False}


def filled(frame, table):
    rest = [column for column in table.columns if column.name not in frame.columns]
    return frame.assign(**{c.name: [[]] * len(frame) if c.type == TEXTS else FILLERS[c.type] for c in rest})


@pytest.fixture
def answers():
    """Return four answers without evidence and one with, in which the instruments differ."""
    rows = [
        ("q1", False, "none", "incorrect", "incorrect"),
        ("q2", False, "correct", "none", "correct"),
        ("q3", False, "none", "none", "incorrect"),
        ("q4", False, None, None, None),
        ("q1", True, "correct", "incorrect", "correct"),
    ]
    columns = ["quote_id", "evidence", *(f"outcome_{name}" for name in CLASSIFIERS)]
    table = pd.DataFrame(rows, columns=columns).assign(prompt="indirect", generation=0)
    return table.assign(status=["ok", "ok", "ok", "empty", "ok"])


BENCHMARK_ROWS = pd.DataFrame({"quote_id": ["q1", "q2", "q3", "q4"], "group": ["a", "a", "b", "b"]})


def means(rows, metric, group):
    return {r["classifier"]: r["mean"] for r in rows if (r["metric"], r["group"]) == (metric, group)}


def test_means_of_each_instrument(answers):
    rows = compare_instruments(answers, BENCHMARK_ROWS, ["a", "b"], "exclude")
    assert means(rows, "s_omit", "all") == pytest.approx({"names": 2 / 3, "strict": 2 / 3, "published": 0})
    assert means(rows, "s_omit", "a") == {"names": 0.5, "strict": 0.5, "published": 0}
    assert means(rows, "s_omit", "b") == {"names": 1, "strict": 1, "published": 0}
    assert means(rows, "s_evid", "all") == {"names": 0, "strict": 1, "published": 0}
    assert means(rows, "s_evid", "b") == {"names": None, "strict": None, "published": None}


def test_unanswered_count_where_asked(answers):
    rows = compare_instruments(answers, BENCHMARK_ROWS, ["a", "b"], "none")
    assert means(rows, "s_omit", "b") == {"names": 1, "strict": 1, "published": 0.5}


def test_the_step_writes_the_table(answers, tmp_path):
    write(filled(BENCHMARK_ROWS, BENCHMARK), tmp_path / "benchmark.parquet", BENCHMARK)
    write(filled(answers.assign(outcome=None), OUTCOMES), tmp_path / "outcomes.parquet", OUTCOMES)
    main(
        benchmarks=[tmp_path / "benchmark.parquet"],
        outcomes=[tmp_path / "outcomes.parquet"],
        groups={"d": ["a", "b"]},
        models=["m"],
        unanswered="exclude",
        instruments=tmp_path / "instruments.csv",
    )
    table = read(tmp_path / "instruments.csv", INSTRUMENTS)
    conditions = 4  # accuracy in two conditions, and both kinds of suppression
    assert len(table) == conditions * 3 * len(CLASSIFIERS)
    assert set(table["group"]) == {"all", "a", "b"}
