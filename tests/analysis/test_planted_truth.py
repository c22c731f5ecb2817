"""Simulated answers with known probabilities give back what was put in, as often as promised."""

import numpy as np
import pandas as pd
import pytest

from attribench.analysis.summarise_outcomes import summarise

TRUTH = {"Black female": 0.10, "Black male": 0.18, "White female": 0.26, "White male": 0.40}
GROUPS = list(TRUTH)


def test_intervals_hold_the_truth_as_often_as_promised(simulate):
    rng = np.random.default_rng(20260406)
    held, held_overall, held_differences = [], [], []
    for _ in range(60):
        answers, benchmark = simulate(rng, TRUTH)
        found = summarise(answers, benchmark, GROUPS, "exclude")
        for row in found["subgroups"]:
            truth = {"accuracy": TRUTH[row["group"]], "s_omit": 0.3, "s_evid": 1 - TRUTH[row["group"]]}
            held.append(row["ci_low"] <= truth[row["metric"]] <= row["ci_high"])
        for row in found["overall"]:
            mean = np.mean(list(TRUTH.values()))
            truth = {"accuracy": mean, "s_omit": 0.3, "s_evid": 1 - mean}
            held_overall.append(row["ci_low"] <= truth[row["metric"]] <= row["ci_high"])
        for row in found["pairwise"]:
            if row["metric"] == "accuracy":
                truth = TRUTH[row["group"]] - TRUTH[row["other"]]
                held_differences.append(row["ci_low"] <= truth <= row["ci_high"])
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)
    assert np.mean(held_overall) >= 0.93  # groups are sampled evenly, which the interval does not know
    assert np.mean(held_differences) == pytest.approx(0.95, abs=0.02)


def test_a_large_gap_gets_its_star(simulate):
    rng = np.random.default_rng(1)
    stars = []
    for _ in range(30):
        answers, benchmark = simulate(rng, TRUTH)
        stars += [r for r in summarise(answers, benchmark, GROUPS, "exclude")["subgroups"] if r["is_star"]]
    starred = pd.DataFrame(stars)
    accuracy = starred[starred["metric"] == "accuracy"]
    assert set(accuracy["group"]) == {"White male"}
    assert len(accuracy) >= 0.8 * 30 * 3
    # All groups omit alike, so that hardly any star stands there.
    assert (starred["metric"] == "s_omit").sum() <= 3


def test_equal_groups_star_rarely(simulate):
    rng = np.random.default_rng(2)
    stars = conditions = 0
    for _ in range(60):
        answers, benchmark = simulate(rng, dict.fromkeys(GROUPS, 0.2), quotes_per_group=60)
        rows = summarise(answers, benchmark, GROUPS, "exclude")["subgroups"]
        stars += sum(row["is_star"] for row in rows)
        conditions += len(rows) // len(GROUPS)
    assert stars / conditions <= 0.05


def test_an_outage_in_one_group_changes_no_figure(simulate):
    answers, benchmark = simulate(np.random.default_rng(3), TRUTH)
    before = summarise(answers, benchmark, GROUPS, "exclude")
    # Every third generation of one group fails: what is left of it decides alone.
    black_female = answers["quote_id"].map(benchmark.set_index("quote_id")["group"]) == "Black female"
    hit = black_female & (answers["generation"] == 2)
    broken = answers.assign(status=answers["status"].mask(hit, "failed"), outcome=answers["outcome"].mask(hit, None))
    after = summarise(broken, benchmark, GROUPS, "none")
    alone = summarise(answers[~hit], benchmark, GROUPS, "none")
    for name in ("subgroups", "pairwise"):
        figures = pd.DataFrame(after[name]).drop(columns="n_missing", errors="ignore")
        expected = pd.DataFrame(alone[name]).drop(columns="n_missing", errors="ignore")
        pd.testing.assert_frame_equal(figures, expected)
    others = pd.DataFrame(before["subgroups"]).query("group != 'Black female'")
    same = pd.DataFrame(after["subgroups"]).query("group != 'Black female'")
    columns = ["group", "n_quotes", "mean", "ci_low", "ci_high", "n_missing"]
    pd.testing.assert_frame_equal(others[columns], same[columns])
    assert {row["n_missing"] for row in after["subgroups"] if row["group"] == "Black female"} == {120}


def test_generations_of_a_quote_do_not_count_as_quotes(simulate):
    answers, benchmark = simulate(np.random.default_rng(4), TRUTH, generations=1)
    copies = pd.concat([answers.assign(generation=i) for i in range(5)])
    once = summarise(answers, benchmark, GROUPS, "exclude")
    often = summarise(copies, benchmark, GROUPS, "exclude")
    for name in ("overall", "subgroups", "pairwise"):
        pd.testing.assert_frame_equal(pd.DataFrame(once[name]), pd.DataFrame(often[name]))
