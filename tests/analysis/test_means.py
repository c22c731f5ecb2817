"""The mean of quotes and its interval."""

import math

import numpy as np
import pytest

from attribench.analysis.means import describe_mean


def test_by_hand():
    found = describe_mean(np.array([0.0, 0.5, 1.0, 0.5]))
    # sd = sqrt((0.25 + 0 + 0.25 + 0) / 3), over the root of 4 quotes.
    half = 1.959964 * math.sqrt(0.5 / 3) / 2
    assert found["n_quotes"] == 4
    assert found["mean"] == 0.5
    assert found["ci_low"] == pytest.approx(0.5 - half, abs=1e-6)
    assert found["ci_high"] == pytest.approx(0.5 + half, abs=1e-6)
    assert found["note"] is None


def test_wilson_as_the_textbook_has_it():
    found = describe_mean(np.array([1.0] * 3 + [0.0] * 7))
    z2 = 1.959964**2
    centre, half = (0.3 + z2 / 20) / (1 + z2 / 10), 1.959964 * math.sqrt(0.021 + z2 / 400) / (1 + z2 / 10)
    assert (found["wilson_low"], found["wilson_high"]) == pytest.approx((centre - half, centre + half), abs=1e-6)
    nobody = describe_mean(np.zeros(10))
    assert nobody["wilson_low"] == 0.0
    assert nobody["wilson_high"] == pytest.approx(0.2775, abs=1e-4)


def test_the_interval_ends_at_zero_and_one():
    found = describe_mean(np.array([0.0, 0.0, 0.0, 1.0]))
    assert found["ci_low"] == 0.0
    assert describe_mean(np.array([1.0, 1.0, 0.0]))["ci_high"] == 1.0


def test_missing_values_are_dropped_and_do_not_count():
    found = describe_mean(np.array([0.5, np.nan, 0.3]))
    assert (found["n_quotes"], found["mean"]) == (2, pytest.approx(0.4))


@pytest.mark.parametrize(
    ("values", "mean", "note"),
    [
        ([], None, "no scored answer"),
        ([np.nan, np.nan], None, "no scored answer"),
        ([0.25], 0.25, "one quote"),
        ([1 / 3, 1 / 3, 1 / 3], 1 / 3, "no variance"),
        ([0.0] * 10, 0.0, "no variance"),
    ],
)
def test_degenerate_cases_are_named_and_have_no_interval(values, mean, note):
    found = describe_mean(np.array(values, dtype=float))
    assert found["mean"] == (mean if mean is None else pytest.approx(mean))
    assert (found["ci_low"], found["ci_high"], found["note"]) == (None, None, note)
