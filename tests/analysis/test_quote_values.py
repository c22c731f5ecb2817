"""A quote's value is the mean over its scored generations, and what is scored is said."""

import pandas as pd
import pytest

from attribench.analysis.quote_values import metric_values, quote_values
from attribench.errors import InputError

MIXED = """
q1 direct   no  ok        correct
q1 direct   no  ok        none
q1 direct   no  refused   -
q2 direct   no  failed    -
q2 direct   no  truncated incorrect
q2 direct   no  empty     -
q3 direct   no  refused   -
q3 direct   no  refused   -
q3 direct   no  failed    -
"""


def test_answers_without_text_are_left_out_by_default(answers):
    quotes = quote_values(answers(MIXED), "exclude").set_index("quote_id")
    assert quotes["correct"].tolist()[:2] == [0.5, 0.0]
    assert quotes["none"].tolist()[:2] == [0.5, 0.0]
    assert quotes.loc["q3", ["correct", "none"]].isna().all()
    assert quotes["n_scored"].tolist() == [2, 1, 0]
    assert quotes["n_unanswered"].tolist() == [1, 1, 2]
    assert quotes["n_missing"].tolist() == [0, 1, 1]


def test_answers_without_text_count_as_naming_nobody_where_asked(answers):
    quotes = quote_values(answers(MIXED), "none").set_index("quote_id")
    assert quotes["correct"].tolist() == [1 / 3, 0.0, 0.0]
    assert quotes["none"].tolist() == [2 / 3, 1 / 2, 1.0]
    assert quotes["n_unanswered"].tolist() == [1, 1, 2]


def test_a_failed_call_is_never_scored_even_with_an_outcome(answers):
    quotes = quote_values(answers("q1 direct no failed none\nq1 direct no ok correct"), "none")
    assert quotes["correct"].tolist() == [1.0]
    assert quotes["n_missing"].tolist() == [1]


def test_metrics_and_their_conditions(answers):
    lines = """
q1 direct   no  ok correct
q1 indirect no  ok none
q1 indirect yes ok incorrect
q1 overt    yes ok correct
q2 indirect no  ok incorrect
q2 indirect yes ok none
"""
    values = {
        (metric, prompt, evidence): rows["value"].tolist()
        for metric, prompt, evidence, rows in metric_values(quote_values(answers(lines), "exclude"))
    }
    assert values == {
        ("accuracy", "direct", False): [1.0],
        ("accuracy", "indirect", False): [0.0, 0.0],
        ("accuracy", "indirect", True): [0.0, 0.0],
        ("accuracy", "overt", True): [1.0],
        ("s_omit", "indirect", False): [1.0, 0.0],
        ("s_evid", "indirect", True): [1.0, 1.0],
    }


@pytest.mark.parametrize(
    ("line", "word"), [("q1 direct no ok corect", "'corect' is no outcome"), ("q1 direct no okay none", "'okay'")]
)
def test_unknown_words_are_refused(answers, line, word):
    with pytest.raises(InputError, match=word):
        quote_values(answers(line), "exclude")


def test_no_answers_at_all():
    nothing = pd.DataFrame(columns=["quote_id", "prompt", "evidence", "status", "outcome"])
    assert list(metric_values(quote_values(nothing, "exclude"))) == []
