"""Gaps between groups and their bootstrap, fame, power, generations."""

import numpy as np
import pandas as pd
import pytest

from attribench.analysis.bootstrap import AuthorBootstrap, interval
from attribench.analysis.disparity import measure_disparity
from attribench.analysis.fame import bin_fame, correlate_fame
from attribench.analysis.generations import measure_generations
from attribench.analysis.power import measure_power, smallest_gap


def people(n, groups):
    return pd.DataFrame({"author_code": range(n * len(groups)), "group": np.repeat(groups, n)})


def quotes(authors, per_author, rng):
    code = np.repeat(authors["author_code"].to_numpy(), per_author)
    return pd.DataFrame({"author_code": code, "value": rng.random(len(code))})


def test_the_bootstrap_has_the_error_of_authors_not_of_quotes():
    rng = np.random.default_rng(1)
    authors = people(200, ["a"])
    cell = quotes(authors, 5, rng)
    cell["value"] = rng.random(200)[cell["author_code"]]  # all quotes of an author alike
    drawn, overall = AuthorBootstrap(authors, 2000, np.random.default_rng(2)).draw(cell)
    expected = cell.groupby("author_code")["value"].first().std(ddof=0) / np.sqrt(200)
    assert drawn["a"].std() == pytest.approx(expected, rel=0.06)
    np.testing.assert_array_equal(drawn["a"], overall)


def test_authors_without_a_scored_quote_drop_out_of_the_draws():
    authors = people(3, ["a"])
    cell = pd.DataFrame({"author_code": [0, 1, 2], "value": [1.0, 1.0, np.nan]})
    drawn, _ = AuthorBootstrap(authors, 200, np.random.default_rng(2)).draw(cell)
    assert set(drawn["a"][~np.isnan(drawn["a"])]) == {1.0}
    assert interval(drawn["a"]) == (None, None)


def test_the_same_seed_gives_the_same_draws():
    cell = quotes(people(20, ["a", "b"]), 2, np.random.default_rng(1))
    one, other = (AuthorBootstrap(people(20, ["a", "b"]), 50, np.random.default_rng(7)).draw(cell)[1] for _ in range(2))
    np.testing.assert_array_equal(one, other)


def disparity(means, sign, authors=50):
    rng = np.random.default_rng(3)
    draws = {g: (m if m is not None else np.nan) + rng.normal(0, 0.01, 4000) for g, m in means.items()}
    rows = measure_disparity(means, dict.fromkeys(means, authors), draws, sign, "a")
    return {(row["measure"], row["group"], row["other"]): row for row in rows}


def test_gap_and_ratio_are_of_the_best_and_the_worst():
    found = disparity({"a": 0.2, "b": 0.5, "c": 0.3}, 1)
    assert found["gap", "b", "a"]["value"] == pytest.approx(0.3)
    assert found["gap", "b", "a"]["ci_low"] == pytest.approx(0.3 - 1.96 * 0.01 * np.sqrt(2), abs=0.002)
    assert found["ratio", "b", "a"]["value"] == pytest.approx(0.4)
    assert found["gap_to_reference", "c", "a"]["value"] == pytest.approx(0.1)


def test_where_lower_is_better_the_lowest_is_best():
    found = disparity({"a": 0.2, "b": 0.5, "c": 0.3}, -1)
    assert found["gap", "a", "b"]["value"] == pytest.approx(0.3)
    assert found["gap_to_reference", "b", "a"]["value"] == pytest.approx(-0.3)


def test_groups_that_share_a_place_are_named():
    assert disparity({"a": 0.6, "b": 0.2, "c": 0.6, "d": 0.3}, 1)["gap", "a", "b"]["note"] == "tied as best: a, c"
    assert disparity({"a": 0.6, "b": 0.2, "c": 0.2}, -1)["gap", "b", "a"]["note"] == "tied as best: b, c"
    alike = disparity(dict.fromkeys("abc", 0.4), 1)
    assert alike["gap", "a", "c"]["note"] == "all groups alike"
    assert alike["gap_to_reference", "b", "a"]["note"] is None


def test_chance_alone_makes_a_gap():
    row = disparity(dict.fromkeys("abcd", 0.5), 1)["gap", "a", "d"]
    # The 95 % quantile of the range of four standard normal variables is 3.633 (tables of the studentised range).
    assert row["chance"] == pytest.approx(0.01 * 3.633, rel=0.05)
    assert row["value"] < row["chance"]


def test_what_cannot_be_measured_is_named():
    found = disparity({"a": 0.2, "b": None}, 1)
    assert all(row["value"] is None for row in found.values())
    assert found["gap", "a", "a"]["note"] == "fewer than two groups with a scored answer"
    assert found["gap_to_reference", "b", "a"]["note"] == "no scored answer in b"
    zero = disparity({"a": 0.0, "b": 0.0}, 1)["ratio", "a", "b"]
    assert (zero["value"], zero["note"]) == (None, "all groups alike; undefined (a mean is 0)")
    single = disparity({"a": 0.2, "b": 0.4}, 1, authors=1)["gap", "b", "a"]
    assert (single["ci_low"], single["note"]) == (None, "one author in a and b")


def test_bins_of_fame_are_closed_below():
    cell = pd.DataFrame(
        {"author_code": [1, 2, 3], "log10_hits": [4.3, 4.4, 4.39999], "value": [1.0, 0.0, np.nan]},
    ).assign(n_asked=3, n_truncated=0, n_unanswered=0, n_missing=[0, 0, 3])
    rows = bin_fame(cell, 0.1)
    assert [(r["bin_low"], r["bin_high"], r["n_quotes"], r["mean"]) for r in rows] == [
        (4.3, 4.4, 1, 1.0),
        (4.4, 4.5, 1, 0.0),
    ]
    assert [(r["n_asked"], r["n_missing"], r["n_authors"]) for r in rows] == [(6, 3, 1), (3, 0, 1)]
    unscored = bin_fame(cell.tail(1), 0.1)[0]
    assert (unscored["n_quotes"], unscored["mean"], unscored["n_missing"]) == (0, None, 3)


def test_the_rank_correlation_is_over_authors():
    rng = np.random.default_rng(4)
    fame = rng.random(50)
    code = np.repeat(np.arange(50), 3)
    cell = pd.DataFrame({"author_code": code, "log10_hits": fame[code], "value": fame[code] + rng.normal(0, 0.3, 150)})
    found = correlate_fame(cell)
    by_author = cell.groupby("author_code").mean()
    assert found["n_authors"] == 50
    assert found["rank_correlation"] == pytest.approx(by_author["log10_hits"].corr(by_author["value"], "spearman"))
    assert found["ci_low"] < found["rank_correlation"] < found["ci_high"]
    assert correlate_fame(cell.assign(value=0.0))["note"] == "no variance in the outcome"
    assert correlate_fame(cell.head(6))["note"] == "only 2 authors with a scored answer"


def test_the_smallest_gap_is_found_in_four_samples_of_five():
    gap = smallest_gap(pd.Series([0.02]))[0]
    z = np.random.default_rng(5).normal(gap / 0.02, 1, 100_000)
    assert (np.abs(z) > 1.959964).mean() == pytest.approx(0.8, abs=0.005)


def test_power_takes_the_errors_that_were_found():
    pairs = pd.DataFrame(
        {"se_clustered": [0.02, 0.04, None], "se": [0.02, 0.02, None], "p_clustered": [0.1, 0.2, None]}
    )
    pairs = pairs.assign(dataset="d", metric="accuracy", family="f")
    pairs = pairs.assign(n_group=10, n_other=8, authors_group=4, authors_other=5)
    table = measure_power(pairs, ["accuracy", "s_omit"]).set_index("metric")
    assert table.loc["accuracy", "n_comparisons"] == 2
    assert table.loc["accuracy", "design_effect"] == pytest.approx((1 + 4) / 2)
    assert table.loc["accuracy", "smallest_gap"] == pytest.approx(2.8016 * 0.03, abs=1e-4)
    assert table.loc["accuracy", "smallest_gap_corrected"] > table.loc["accuracy", "smallest_gap"]
    assert (table.loc["accuracy", "quotes_per_group"], table.loc["accuracy", "authors_per_group"]) == (8, 4)
    assert table.loc["s_omit", "note"] == "not measured"


def test_generations_by_hand():
    answers = pd.DataFrame(
        {
            "quote_id": list("aabbcc"),
            "generation": [0, 1] * 3,
            "n_scored": [1, 1, 1, 1, 1, 0],
            "value": [1, 1, 1, 0, 1, 0],
        }
    )
    found = measure_generations(answers)
    assert (found["n_generations"], found["n_quotes"], found["agreement"]) == (2, 2, 0.5)
    assert found["sd_within"] == pytest.approx(np.sqrt((0 + 0.5) / 2))
    assert (found["mean_lowest"], found["mean_highest"]) == (0.5, 1.0)
    assert measure_generations(answers[answers["generation"] == 0])["note"] == "one generation"
