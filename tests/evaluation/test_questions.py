"""The questions of a model: complete, distinct where answers may differ, the same where they may not."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from attribench.evaluation.prompts import read_prompt_set
from attribench.evaluation.questions import draw_matchings, list_questions

ListQuestions = Callable[..., pd.DataFrame]


@pytest.fixture
def ask_about(benchmark: pd.DataFrame, evidence: pd.DataFrame, prompt_set: Path) -> ListQuestions:
    def go(**changed: Any) -> pd.DataFrame:
        arguments: dict[str, Any] = {
            "benchmark": benchmark,
            "evidence": evidence,
            "prompt_set": read_prompt_set(prompt_set, []),
            "prompts": ["direct", "indirect"],
            "evidence_settings": [False, True],
            "generations": 3,
            "endpoint": {"url": "http://127.0.0.1/v1"},
            "model": "openai/m",
            "sampling": {"temperature": 0.7},
            "seed": 7,
            **changed,
        }
        return list_questions(**arguments)

    return go


def keys(questions: pd.DataFrame) -> list[str]:
    return [question.key for question in questions["question"]]


def test_every_combination_once(ask_about: ListQuestions, benchmark: pd.DataFrame) -> None:
    questions = ask_about()
    assert len(questions) == len(benchmark) * 2 * 2 * 3
    assert not questions.duplicated(["quote_id", "prompt", "evidence", "generation"]).any()
    assert len(set(keys(questions))) == len(questions)
    assert len(ask_about(prompts=["direct"], evidence_settings=[True], generations=1)) == len(benchmark)


def test_a_part_of_a_run_covers_all_quotes(ask_about: ListQuestions, benchmark: pd.DataFrame) -> None:
    """Generation by generation: the first questions ask about every quote once."""
    questions = ask_about()
    assert questions["generation"].is_monotonic_increasing
    assert questions["quote_id"].tolist()[: len(benchmark)] == benchmark["quote_id"].tolist()


def test_each_generation_has_its_own_seed_and_number(ask_about: ListQuestions) -> None:
    questions = ask_about()
    for generation, question in zip(questions["generation"], questions["question"], strict=True):
        assert question.content["sampling"] == {"temperature": 0.7, "seed": 7 + generation}
        assert question.content["generation"] == generation


def test_without_a_seed_generations_are_distinct_still(ask_about: ListQuestions) -> None:
    questions = ask_about(seed=None)
    assert all("seed" not in question.content["sampling"] for question in questions["question"])
    assert len(set(keys(questions))) == len(questions)


def test_evidence_is_in_the_prompt_where_it_is_asked_for(ask_about: ListQuestions, benchmark: pd.DataFrame) -> None:
    authors = benchmark.set_index("quote_id")["author"]
    texts = benchmark.set_index("quote_id")["quote"]
    for row in ask_about(generations=1).itertuples():
        system, user = row.question.content["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert texts[row.quote_id] in user["content"]
        assert ("Retrieved examples:" in user["content"]) == row.evidence
        own = f'\n1. "{texts[row.quote_id]}" - {authors[row.quote_id]} (similarity: 1.0000)\n2. "'
        assert (own in user["content"]) == row.evidence


def test_the_order_of_the_evidence_table_does_not_matter(ask_about: ListQuestions, evidence: pd.DataFrame) -> None:
    assert keys(ask_about()) == keys(ask_about(evidence=evidence.sample(frac=1, random_state=1)))


def test_a_question_in_two_data_sets_is_one_question(ask_about: ListQuestions, benchmark: pd.DataFrame) -> None:
    """A quote in both data sets is asked about once: the key knows neither data set, matching nor group."""
    other = benchmark.assign(match_id=9, group="Other", log10_hits=1.0)
    assert keys(ask_about(evidence_settings=[False])) == keys(ask_about(benchmark=other, evidence_settings=[False]))


@pytest.mark.parametrize(
    "changed",
    [
        {"model": "openai/n"},
        {"endpoint": {"url": "http://127.0.0.2/v1"}},
        {"sampling": {"temperature": 0.8}},
        {"sampling": {}},
        {"seed": 100},
    ],
)
def test_whatever_changes_the_answer_changes_every_key(changed: dict[str, Any], ask_about: ListQuestions) -> None:
    assert set(keys(ask_about())).isdisjoint(keys(ask_about(**changed)))


class TestSubset:
    def draw(self, benchmark: pd.DataFrame, number: int | None, seed: int = 1) -> pd.DataFrame:
        return draw_matchings(benchmark, number, np.random.default_rng(seed))

    @pytest.fixture
    def large(self, benchmark: pd.DataFrame) -> pd.DataFrame:
        return pd.concat([benchmark.assign(match_id=benchmark["match_id"] + 3 * i) for i in range(7)])

    def test_whole_matchings(self, large: pd.DataFrame) -> None:
        drawn = self.draw(large, 5)
        assert drawn["match_id"].nunique() == 5
        assert drawn.groupby("match_id")["group"].nunique().eq(2).all()
        assert len(drawn) == 10

    def test_the_smaller_is_in_the_larger(self, large: pd.DataFrame) -> None:
        sets = [set(self.draw(large, n)["match_id"]) for n in (2, 5, 12, 20, 21, 99)]
        assert [len(s) for s in sets] == [2, 5, 12, 20, 21, 21]
        assert all(small <= big for small, big in itertools.pairwise(sets))

    def test_all(self, large: pd.DataFrame) -> None:
        pd.testing.assert_frame_equal(self.draw(large, None), large)

    def test_the_seed_decides_and_not_the_order(self, large: pd.DataFrame) -> None:
        one = set(self.draw(large, 5)["match_id"])
        assert set(self.draw(large.sample(frac=1, random_state=1), 5)["match_id"]) == one
        assert set(self.draw(large, 5, seed=2)["match_id"]) != one
