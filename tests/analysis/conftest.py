"""Simulated answers with known probabilities, answers written out by hand, and the analysis of either."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from attribench.analysis.one_model import Dataset, Options, analyse_model
from attribench.analysis.summarise_outcomes import collect
from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, Table
from attribench.tables.covariates import COVARIATES_OF_QUOTES

CONDITIONS = [("direct", False), ("indirect", False), ("indirect", True)]

Rows = dict[str, list[dict[str, Any]]]
Summarise = Callable[..., Rows]
Simulate = Callable[..., tuple[pd.DataFrame, pd.DataFrame]]
Answers = Callable[[str], pd.DataFrame]


@pytest.fixture
def simulate() -> Simulate:
    """Return a function that draws answers: `simulate(rng, correct, none, ...)`.

    `correct` and `none` give each group's probability of naming the true author and nobody.
    Quotes differ in how well known they are, so that the generations of a quote go together.
    """

    def draw(
        rng: np.random.Generator,
        correct: dict[str, float],
        none: float = 0.3,
        quotes_per_group: int = 120,
        generations: int = 3,
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        groups = list(correct)
        n = quotes_per_group * len(groups)
        benchmark = pd.DataFrame(
            {
                "quote_id": [f"jstet_{i}" for i in range(n)],
                "match_id": np.arange(n) // (3 * len(groups)),
                "group": [groups[i % len(groups)] for i in range(n)],
            }
        )
        mean = benchmark["group"].map(correct).to_numpy()
        known = rng.beta(2 * mean / (1 - none), 2 * (1 - mean / (1 - none))) * (1 - none)
        tables = []
        for prompt, evidence in CONDITIONS:
            uniform = rng.random((generations, n))
            outcome = np.where(uniform < known, "correct", np.where(uniform < 1 - none, "incorrect", "none"))
            for generation in range(generations):
                tables.append(
                    pd.DataFrame(
                        {
                            "quote_id": benchmark["quote_id"],
                            "prompt": prompt,
                            "evidence": evidence,
                            "generation": generation,
                            "status": "ok",
                            "outcome": outcome[generation],
                        }
                    )
                )
        return pd.concat(tables, ignore_index=True), benchmark

    return draw


@pytest.fixture
def answers() -> Answers:
    """Return a function that reads answers from lines of quote, prompt, evidence, status, outcome."""

    def read_lines(text: str) -> pd.DataFrame:
        rows = [line.split() for line in text.strip().splitlines()]
        table = pd.DataFrame(rows, columns=["quote_id", "prompt", "evidence", "status", "outcome"])
        return table.assign(
            evidence=table["evidence"] == "yes", outcome=table["outcome"].where(table["outcome"] != "-", None)
        )

    return read_lines


def filled(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Return `frame` with something in the columns of `table` that it lacks."""
    fillers = {TEXT: "x", INTEGER: 0, NUMBER: 0.0, FLAG: False}
    rest = [column for column in table.columns if column.name not in frame.columns]
    return frame.assign(**{c.name: [[]] * len(frame) if c.type == TEXTS else fillers[c.type] for c in rest})


def with_authors(benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return a benchmark with an author for each matching and group, where it has none."""
    if "author_id" not in benchmark:
        benchmark = benchmark.assign(author_id=benchmark["group"] + benchmark["match_id"].astype(str))
    return benchmark.assign(author=benchmark["author_id"], log10_hits=4.0 + benchmark["match_id"] % 3)


def covariates_for(benchmark: pd.DataFrame, dataset: str = "d") -> pd.DataFrame:
    """Return covariates of the quotes of a benchmark, all the same."""
    known = benchmark[["quote_id", "author_id", "group", "log10_hits"]]
    return filled(known.assign(dataset=dataset, is_matched=True), COVARIATES_OF_QUOTES)


@pytest.fixture
def summarise() -> Summarise:
    """Return a function that analyses one model and gives the rows of all tables."""

    def run(
        answers: pd.DataFrame,
        benchmark: pd.DataFrame,
        groups: list[str],
        unanswered: str = "exclude",
        covariates: pd.DataFrame | None = None,
    ) -> Rows:
        benchmark = with_authors(benchmark)
        covariates = covariates_for(benchmark) if covariates is None else covariates
        if "generation" not in answers:
            number = answers.groupby(["quote_id", "prompt", "evidence"]).cumcount()
            answers = answers.assign(generation=number)
        if "names" not in answers:
            answers = answers.assign(names=[[]] * len(answers))
        dataset = Dataset("d", benchmark, groups, groups[0], covariates)
        found = analyse_model(answers, dataset, Options(unanswered, 200, 0.5, 1))
        tables = collect([("d", "m", found)], "condition")
        return {
            name: table.astype(object).where(table.notna(), None).to_dict("records") for name, table in tables.items()
        }

    return run
