"""How often intervals hold the truth, and stars stand where there is nothing to find.

Each replicate draws new authors, quotes and answers, and goes through the same functions as real
answers do.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from attribench.analysis.bootstrap import AuthorBootstrap
from attribench.analysis.one_condition import Compared, compare_condition
from attribench.analysis.quote_values import average_quotes, judge_answers, metric_values
from attribench.analysis.selftest_truth import GROUPS, Scenario, draw_answers, draw_benchmark
from attribench.analysis.stars import CONDITION, SIGNIFICANCE, add_stars, correct
from attribench.tables.analysis import BETTER

DRAWS = 400
"""Draws of the bootstrap in each replicate."""

Rates = dict[str, list[float]]

# The intervals of a mean, of a difference, and of a disparity, by the names of their columns.
_MEANS = {"normal": "ci", "wilson": "wilson", "bootstrap": "cluster"}
_DIFFERENCES = {"welch": "ci", "clustered": "clustered", "paired": "paired"}
_TESTS = {
    "welch": "p_value",
    "clustered": "p_clustered",
    "paired": "p_paired",
    "welch, Holm": "p_holm",
    "clustered, Holm": "p_clustered_holm",
    "paired, Holm": "p_paired_holm",
}
STARS = {
    "plain t-test": "is_star",
    "plain t-test, Holm": "is_star_holm",
    "clustered": "is_star_clustered",
    "clustered, Holm": "is_star_clustered_holm",
}


def measure_rates(
    scenario: Scenario, *, replicates: int, authors: int, generations: int, seed: int
) -> tuple[Rates, Rates, Rates]:
    """Return how often intervals held the truth, tests were significant, and stars stood, in each replicate.

    Args:
        scenario: what is true.
        replicates: simulated models.
        authors: authors in each group.
        generations: answers per question.
        seed: where chance comes from.

    Returns:
        Three mappings from what is measured to its rate in each replicate: shares of intervals
        that hold the truth; of replicates with any pair of groups significant in a condition; and
        of conditions with a star.
    """
    held: Rates = defaultdict(list)
    significant: Rates = defaultdict(list)
    stars: Rates = defaultdict(list)
    for replicate in range(replicates):
        rng = np.random.default_rng([seed, replicate, *scenario.name.encode()])
        benchmark = draw_benchmark(authors, rng)
        conditions = list(_analyse(benchmark, scenario, generations, rng))
        for what, hits in _held(conditions, scenario).items():
            held[what].append(float(np.mean(hits)))
        subgroups, pairs = _with_stars(conditions)
        for what, column in _TESTS.items():
            hit = pairs[column].astype("float64") < SIGNIFICANCE
            significant[what].append(float(hit.mean()))
            significant[f"{what}: any pair of the model"].append(float(hit.any()))
        for what, column in STARS.items():
            stars[what].append(float(subgroups.groupby(CONDITION)[column].any().mean()))
    return dict(held), dict(significant), dict(stars)


def _analyse(
    benchmark: pd.DataFrame, scenario: Scenario, generations: int, rng: np.random.Generator
) -> Iterator[tuple[dict[str, Any], Compared]]:
    answers = draw_answers(benchmark, scenario, generations, rng)
    answers = answers.astype(dict.fromkeys(["quote_id", "prompt", "status", "outcome"], "category"))
    quotes = average_quotes(judge_answers(answers, "exclude")).merge(benchmark, on="quote_id")
    people = benchmark[["author_code", "group"]].drop_duplicates("author_code")
    bootstrap = AuthorBootstrap(people, DRAWS, rng)
    for metric, prompt, evidence, cell in metric_values(quotes):
        condition = {"dataset": "d", "model": "m", "metric": metric, "prompt": prompt, "evidence": evidence}
        yield condition, compare_condition(cell, list(GROUPS), GROUPS[0], BETTER[metric], bootstrap)


def _with_stars(conditions: list[tuple[dict[str, Any], Compared]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    pairs = correct(pd.DataFrame([c | row for c, found in conditions for row in found.pairwise]), "model")
    subgroups = pd.DataFrame([c | row for c, found in conditions for row in found.subgroups])
    return add_stars(subgroups, pairs), pairs


def _held(conditions: list[tuple[dict[str, Any], Compared]], scenario: Scenario) -> dict[str, list[bool]]:
    """Return for every kind of interval whether each of them holds the truth; one that is missing does not."""
    held: dict[str, list[bool]] = defaultdict(list)
    for condition, found in conditions:
        metric = condition["metric"]
        truth = scenario.truth(metric, condition["prompt"], condition["evidence"])
        sign, values = BETTER[metric], list(truth.values())
        for kind, column in _MEANS.items():
            held[f"{kind}, all groups"].append(_holds(found.overall, column, float(np.mean(values))))
            held[f"{kind}, one group"] += [_holds(row, column, truth[row["group"]]) for row in found.subgroups]
        for row in found.pairwise:
            difference = truth[row["group"]] - truth[row["other"]]
            for kind, column in _DIFFERENCES.items():
                held[f"{kind}, difference"].append(_holds(row, column, difference))
        for row in found.disparity:
            measure = row["measure"]
            value = {
                "gap": max(values) - min(values),
                "ratio": min(values) / max(values),
                "gap_to_reference": sign * (truth[row["group"]] - truth[row["other"]]),
            }[measure]
            held[f"bootstrap, {measure}"].append(_holds(row, "ci", value))
    return held


def _holds(row: dict[str, Any], column: str, truth: float) -> bool:
    low, high = row[f"{column}_low"], row[f"{column}_high"]
    return low is not None and high is not None and low <= truth <= high
