"""Simulated answers with known probabilities, on a benchmark of real size.

An author is known well or badly, and so is each quote: the probabilities of an author's answers
are drawn around those of the group (a Dirichlet distribution), those of a quote around its author's.
The mean over authors is the group's probability exactly, whatever the spread; that is the truth
that intervals have to hold. The spread between authors makes the quotes of one author alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from attribench.tables.evaluation import OUTCOME_CLASSES

GROUPS = ("Black female", "Black male", "White female", "White male")
MOST_QUOTES = 10

Condition = tuple[str, bool]
Probabilities = Mapping[Condition, Mapping[str, tuple[float, float]]]


@dataclass(frozen=True)
class Scenario:
    """What is true of the simulated model.

    Attributes:
        name: how the report calls it.
        probabilities: for each condition and group, those of naming the true author and of naming nobody.
        spread: of authors around their group: 1 / (concentration + 1), the share of the largest
            possible variance; 0 makes all authors of a group alike.
        lost: share of answers that fail, and the same share again that have no text.
    """

    name: str
    probabilities: Probabilities
    spread: float
    lost: float = 0.01

    def truth(self, metric: str, prompt: str, evidence: bool) -> dict[str, float]:
        """Return the true value of a metric for each group."""
        pairs = self.probabilities[prompt, evidence]
        values = {"accuracy": lambda p: p[0], "s_omit": lambda p: p[1], "s_evid": lambda p: 1 - p[0]}
        return {group: values[metric](pair) for group, pair in pairs.items()}


def _by_group(correct: tuple[float, ...], none: tuple[float, ...]) -> dict[str, tuple[float, float]]:
    return dict(zip(GROUPS, zip(correct, none, strict=True), strict=True))


GAPS: Probabilities = {
    ("direct", False): _by_group((0.10, 0.14, 0.19, 0.27), (0.20, 0.16, 0.12, 0.08)),
    ("indirect", False): _by_group((0.05, 0.07, 0.10, 0.15), (0.60, 0.53, 0.47, 0.40)),
    ("direct", True): _by_group((0.84, 0.87, 0.89, 0.92), (0.08, 0.06, 0.05, 0.04)),
    ("indirect", True): _by_group((0.60, 0.65, 0.70, 0.76), (0.25, 0.21, 0.18, 0.14)),
}
EQUAL: Probabilities = {
    ("direct", False): _by_group((0.18,) * 4, (0.14,) * 4),
    ("indirect", False): _by_group((0.09,) * 4, (0.50,) * 4),
    ("direct", True): _by_group((0.88,) * 4, (0.06,) * 4),
    ("indirect", True): _by_group((0.68,) * 4, (0.19,) * 4),
}
SCENARIOS = (
    Scenario("gaps", GAPS, spread=0.25),
    Scenario("equal groups", EQUAL, spread=0.25),
    Scenario("independent quotes", GAPS, spread=0.0),
)


def draw_benchmark(authors: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return a benchmark with `authors` in each group: about 2.7 quotes each, equally many in a matching."""
    sizes = np.minimum(rng.geometric(0.36, authors), MOST_QUOTES)
    matching = np.repeat(np.arange(authors), sizes * len(GROUPS))
    group = np.concatenate([np.repeat(np.arange(len(GROUPS)), size) for size in sizes])
    code = matching * len(GROUPS) + group
    return pd.DataFrame(
        {
            "quote_id": [f"jstet_{number}" for number in range(len(code))],
            "match_id": matching,
            "group": np.array(GROUPS)[group],
            "author_code": code,
            "log10_hits": rng.normal(5.0, 0.9, authors).clip(3)[matching],
        }
    )


def draw_answers(
    benchmark: pd.DataFrame, scenario: Scenario, generations: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Return one row per answer, with what the table OUTCOMES has of it but for the names."""
    parts = []
    n = len(benchmark)
    for (prompt, evidence), by_group in scenario.probabilities.items():
        quotes = _probabilities(benchmark, by_group, scenario.spread, rng)
        limits = np.cumsum(quotes, axis=1)
        for generation in range(generations):
            outcome = (rng.random(n)[:, None] > limits[:, :2]).sum(axis=1)
            luck = rng.random(n)
            status = np.where(luck < scenario.lost, 4, np.where(luck < 2 * scenario.lost, 1, 0))
            parts.append(
                pd.DataFrame(
                    {
                        "quote_id": benchmark["quote_id"],
                        "prompt": prompt,
                        "evidence": evidence,
                        "generation": generation,
                        "status": np.array(["ok", "refused", "", "", "failed"])[status],
                        "outcome": np.where(status == 0, np.array(OUTCOME_CLASSES, dtype=object)[outcome], None),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def _probabilities(
    benchmark: pd.DataFrame, pairs: Mapping[str, tuple[float, float]], spread: float, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return the probabilities of OUTCOME_CLASSES for each quote, an array of shape (quotes, 3)."""
    means = {group: (correct, 1 - correct - none, none) for group, (correct, none) in pairs.items()}
    own = np.array([means[group] for group in benchmark["group"]])
    if spread:
        _, first, code = np.unique(benchmark["author_code"], return_index=True, return_inverse=True)
        own = _around(own[first], 1 / spread - 1, rng)[code]
    return _around(own, 3.0, rng)


def _around(means: npt.NDArray[np.float64], concentration: float, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return a draw from the Dirichlet distribution around each row of `means`."""
    drawn = rng.standard_gamma(np.maximum(means * concentration, 1e-6)) + 1e-300
    result: npt.NDArray[np.float64] = drawn / drawn.sum(axis=1, keepdims=True)
    return result
