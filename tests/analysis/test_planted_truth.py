"""Simulated answers with known probabilities give back what was put in, as often as promised.

The target `selftest` does this at full size, and says more; here a smaller grid has to hold.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from attribench.analysis.selftest_coverage import measure_rates
from attribench.analysis.selftest_truth import SCENARIOS, draw_answers, draw_benchmark

TRUTH = {"Black female": 0.10, "Black male": 0.18, "White female": 0.26, "White male": 0.40}
GROUPS = list(TRUTH)
REPLICATES = 24


@pytest.fixture(scope="module")
def rates():
    sizes = {"replicates": REPLICATES, "authors": 100, "generations": 2, "seed": 3}
    found = {scenario.name: measure_rates(scenario, **sizes) for scenario in SCENARIOS}
    return {name: [{what: np.mean(r) for what, r in part.items()} for part in parts] for name, parts in found.items()}


@pytest.mark.parametrize("scenario", ["gaps", "equal groups", "independent quotes"])
def test_intervals_hold_the_truth_as_often_as_promised(rates, scenario):
    held = rates[scenario][0]
    for what in ("bootstrap, one group", "clustered, difference", "paired, difference", "bootstrap, gap_to_reference"):
        assert held[what] == pytest.approx(0.95, abs=0.04), what


def test_the_gap_between_best_and_worst_holds_the_truth_where_there_is_one(rates):
    for what in ("bootstrap, gap", "bootstrap, ratio"):
        assert rates["gaps"][0][what] == pytest.approx(0.95, abs=0.08), what


def test_intervals_that_take_quotes_for_independent_hold_only_if_they_are(rates):
    for what in ("normal, one group", "welch, difference"):
        assert rates["independent quotes"][0][what] == pytest.approx(0.95, abs=0.04)
        assert rates["gaps"][0][what] < 0.90


def test_equal_groups_star_rarely(rates):
    _, significant, stars = rates["equal groups"]
    assert stars["clustered"] <= 0.05
    assert stars["clustered, Holm"] <= 0.05
    assert significant["clustered"] == pytest.approx(0.05, abs=0.04)
    assert significant["clustered, Holm: any pair of the model"] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / REPLICATES)
    assert significant["welch"] > 2 * significant["clustered"], "the plain test takes quotes for independent"


def test_a_large_gap_gets_its_star(simulate, summarise):
    rng = np.random.default_rng(1)
    stars = []
    for _ in range(5):
        answers, benchmark = simulate(rng, TRUTH, quotes_per_group=240)
        stars += [r for r in summarise(answers, benchmark, GROUPS)["subgroups"] if r["is_star"]]
    starred = pd.DataFrame(stars)
    accuracy = starred[starred["metric"] == "accuracy"]
    assert set(accuracy["group"]) == {"White male"}
    assert len(accuracy) >= 0.8 * 5 * 3
    # All groups omit alike, so that hardly any star stands there.
    assert (starred["metric"] == "s_omit").sum() <= 1


def test_an_outage_in_one_group_changes_no_figure(simulate, summarise):
    answers, benchmark = simulate(np.random.default_rng(3), TRUTH)
    before = summarise(answers, benchmark, GROUPS)
    # Every third generation of one group fails: what is left of it decides alone.
    black_female = answers["quote_id"].map(benchmark.set_index("quote_id")["group"]) == "Black female"
    hit = black_female & (answers["generation"] == 2)
    broken = answers.assign(status=answers["status"].mask(hit, "failed"), outcome=answers["outcome"].mask(hit, None))
    after = summarise(broken, benchmark, GROUPS, "none")
    alone = summarise(answers[~hit], benchmark, GROUPS, "none")
    counts = ["n_missing", "n_asked", "mean_asked", "n_truncated"]
    for name in set(after) - {"statuses"}:
        figures = pd.DataFrame(after[name]).drop(columns=counts, errors="ignore")
        expected = pd.DataFrame(alone[name]).drop(columns=counts, errors="ignore")
        pd.testing.assert_frame_equal(figures, expected)
    others = pd.DataFrame(before["subgroups"]).query("group != 'Black female'")
    same = pd.DataFrame(after["subgroups"]).query("group != 'Black female'")
    columns = ["group", "n_quotes", "mean", "ci_low", "ci_high", "cluster_low", "cluster_high", "n_missing"]
    pd.testing.assert_frame_equal(others[columns], same[columns])
    assert {row["n_missing"] for row in after["subgroups"] if row["group"] == "Black female"} == {120}


def test_generations_of_a_quote_do_not_count_as_quotes(simulate, summarise):
    answers, benchmark = simulate(np.random.default_rng(4), TRUTH, generations=1)
    copies = pd.concat([answers.assign(generation=i) for i in range(5)], ignore_index=True)
    once = summarise(answers, benchmark, GROUPS)
    often = summarise(copies, benchmark, GROUPS)
    for name in ("overall", "subgroups", "pairwise", "disparity", "adjusted", "fame_bins", "power"):
        frames = [pd.DataFrame(rows[name]).drop(columns="n_asked", errors="ignore") for rows in (once, often)]
        pd.testing.assert_frame_equal(*frames)


def test_the_simulation_has_the_truth_that_it_says():
    rng = np.random.default_rng(5)
    benchmark = draw_benchmark(3000, rng)
    scenario = replace(SCENARIOS[0], lost=0.0)
    answers = draw_answers(benchmark, scenario, 1, rng).merge(benchmark, on="quote_id")
    for (prompt, evidence, group), part in answers.groupby(["prompt", "evidence", "group"]):
        correct, none = scenario.probabilities[prompt, evidence][group]
        assert (part["outcome"] == "correct").mean() == pytest.approx(correct, abs=0.025)
        assert (part["outcome"] == "none").mean() == pytest.approx(none, abs=0.025)
