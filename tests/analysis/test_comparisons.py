"""The best group and its tests."""

import numpy as np
import pytest
from scipy import stats

from attribench.analysis.comparisons import best_groups, compare_groups, compare_means

NAMES = ("a", "b")


def array(*values):
    return np.array(values, dtype=float)


def test_welch_as_scipy_has_it():
    rng = np.random.default_rng(3)
    first, second = rng.binomial(3, 0.5, 40) / 3, rng.binomial(3, 0.2, 25) / 3
    found = compare_means(first, second, NAMES)
    expected = stats.ttest_ind(first, second, equal_var=False)
    interval = expected.confidence_interval(0.95)
    assert found["t"] == pytest.approx(expected.statistic)
    assert found["df"] == pytest.approx(expected.df)
    assert found["p_value"] == pytest.approx(expected.pvalue)
    assert (found["ci_low"], found["ci_high"]) == (pytest.approx(interval.low), pytest.approx(interval.high))
    assert (found["n_group"], found["n_other"], found["note"]) == (40, 25, None)


@pytest.mark.parametrize(
    ("first", "second", "difference", "note"),
    [
        (array(1, 1, 1), array(1, 1, 1), 0.0, "undefined (no variance)"),
        (array(1, 1, 1), array(0, 0, 0), 1.0, "degenerate (no variance)"),
        (array(1), array(0, 1, 0), 2 / 3, "one quote in a"),
        (array(1), array(0), 1.0, "one quote in a and b"),
        (array(), array(0, 1, 0), None, "no scored answer in a"),
        (array(0, 1), array(), None, "no scored answer in b"),
    ],
)
def test_degenerate_cases_have_no_test(first, second, difference, note):
    found = compare_means(first, second, NAMES)
    assert found["note"] == note
    assert found["difference"] == (None if difference is None else pytest.approx(difference))
    assert [found[name] for name in ("t", "df", "p_value", "ci_low", "ci_high")] == [None] * 5


def test_one_group_without_variance_is_tested_and_noted():
    values = {"a": array(*[1, 0] * 200), "b": array(*[0] * 400)}
    pairs = compare_groups(values, 1)
    assert pairs[0]["p_value"] < 1e-20
    assert pairs[0]["note"] == "no variance in b"


def test_the_better_group_comes_first():
    values = {"a": array(0, 0, 1), "b": array(1, 1, 0), "c": array()}
    higher = [(pair["group"], pair["other"]) for pair in compare_groups(values, 1)]
    lower = [(pair["group"], pair["other"]) for pair in compare_groups(values, -1)]
    assert higher == [("b", "a"), ("a", "c"), ("b", "c")]
    assert lower == [("a", "b"), ("a", "c"), ("b", "c")]


def test_missing_values_are_dropped_before_the_test():
    values = {"a": array(0.5, np.nan, 0.3), "b": array(0.1, 0.2, 0.4)}
    (pair,) = compare_groups(values, 1)
    assert (pair["n_group"], pair["n_other"]) == (2, 3)
    assert pair["difference"] == pytest.approx(0.4 - 0.7 / 3)
    assert np.isfinite(pair["p_value"])


@pytest.mark.parametrize(
    ("means", "sign", "best"),
    [
        ({"a": 0.2, "b": 0.3, "c": 0.1}, 1, ["b"]),
        ({"a": 0.2, "b": 0.3, "c": 0.1}, -1, ["c"]),
        ({"a": 0.3, "b": 0.1 + 0.2, "c": 0.1}, 1, ["a", "b"]),
        ({"a": 0.0, "b": 0.0}, 1, []),
        ({"a": 0.3, "b": None}, 1, []),
        ({"a": 0.3, "b": 0.2, "c": None}, 1, ["a"]),
        ({"a": None}, 1, []),
        ({}, 1, []),
    ],
)
def test_best_groups(means, sign, best):
    assert best_groups(means, sign) == best
