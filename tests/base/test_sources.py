"""Several sources in order: the first that knows decides, and is recorded."""

import numpy as np
import pandas as pd

from attribench.sources import first_answer, why_missing


def test_first_source_that_knows_decides() -> None:
    answers = {
        "one": pd.DataFrame({"race": ["black", None, None, None]}),
        "two": pd.DataFrame({"race": ["white", "asian", None, None]}),
        "three": pd.DataFrame({"race": ["latino", "latino", "latino", None]}),
    }
    values, source = first_answer(answers, "race")
    assert values.tolist()[:3] == ["black", "asian", "latino"]
    assert source.tolist()[:3] == ["one", "two", "three"]
    assert values.isna().tolist() == source.isna().tolist() == [False, False, False, True]


def test_numbers_stay_numbers_and_zero_is_known() -> None:
    answers = {
        "one": pd.DataFrame({"log10_hits": [0.0, np.nan]}),
        "two": pd.DataFrame({"log10_hits": [5.0, 4.5]}),
    }
    values, source = first_answer(answers, "log10_hits")
    assert values.tolist() == [0.0, 4.5]
    assert values.dtype == float
    assert source.tolist() == ["one", "two"]


def test_no_rows_is_no_error() -> None:
    values, source = first_answer({"one": pd.DataFrame({"race": pd.Series([], dtype=object)})}, "race")
    assert len(values) == len(source) == 0
    reasons = why_missing({"one": pd.DataFrame({"reason": pd.Series([], dtype=object)})}, pd.Series([], dtype=bool))
    assert len(reasons) == 0


def test_reasons_are_joined_source_by_source_and_only_where_a_value_is_missing() -> None:
    answers = {
        "one": pd.DataFrame({"reason": ["not there", "not there", "", ""]}),
        "two": pd.DataFrame({"reason": ["two labels", "", "", "two labels"]}),
    }
    reasons = why_missing(answers, pd.Series([True, True, False, False]))
    assert reasons.tolist() == ["one: not there; two: two labels", "one: not there", "", ""]
