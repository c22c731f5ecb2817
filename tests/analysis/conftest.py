"""Simulated answers with known probabilities, and answers written out by hand."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

CONDITIONS = [("direct", False), ("indirect", False), ("indirect", True)]

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
