"""Standard errors clustered by author, the paired test, Holm's correction and the stars."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

from attribench.analysis.clustered import compare_clustered, mean_and_variance
from attribench.analysis.paired import compare_paired, matching_means
from attribench.analysis.stars import CONDITION, add_stars, correct


def test_with_one_quote_each_it_is_welch():
    rng = np.random.default_rng(1)
    one, other = rng.random(30), rng.random(20) * 0.8
    groups = {"a": mean_and_variance(one, np.arange(30)), "b": mean_and_variance(other, np.arange(20))}
    found = compare_clustered(groups, "a", "b")
    expected = stats.ttest_ind(one, other, equal_var=False)
    assert found["p_clustered"] == pytest.approx(expected.pvalue)
    low, high = expected.confidence_interval(0.95)
    assert (found["clustered_low"], found["clustered_high"]) == pytest.approx((low, high))


def test_copies_of_a_quote_by_one_author_add_nothing():
    rng = np.random.default_rng(2)
    values = rng.random(25)
    once = mean_and_variance(values, np.arange(25))
    often = mean_and_variance(np.repeat(values, 4), np.repeat(np.arange(25), 4))
    assert often == pytest.approx(once)


def test_the_variance_is_that_of_a_regression_on_the_group():
    rng = np.random.default_rng(3)
    author = np.repeat(np.arange(60), 3)
    group = (author >= 25).astype(float)
    values = rng.random(60)[author] + rng.random(180)
    fit = sm.OLS(values, sm.add_constant(group)).fit(
        cov_type="cluster", cov_kwds={"groups": author, "use_correction": False}
    )
    parts = {g: mean_and_variance(values[group == g], author[group == g]) for g in (0.0, 1.0)}
    # The correction for few clusters is made in each group apart.
    plain = sum(variance * (n - 1) / n for _, variance, n in parts.values())
    assert np.sqrt(plain) == pytest.approx(fit.bse[1])


@pytest.mark.parametrize(
    ("a", "b", "note"),
    [
        ((0.5, 0.1, 3), (np.nan, np.nan, 0), "no scored answer in b"),
        ((0.5, 0.1, 3), (0.4, np.nan, 1), "one author in b"),
        ((0.5, 0.0, 3), (0.4, 0.0, 3), "no variance"),
    ],
)
def test_what_cannot_be_tested_is_named(a, b, note):
    found = compare_clustered({"a": a, "b": b}, "a", "b")
    assert (found["note_clustered"], found["p_clustered"], found["se_clustered"]) == (note, None, None)


def test_a_group_without_variance_is_tested_and_noted():
    found = compare_clustered({"a": (0.5, 0.01, 9), "b": (0.0, 0.0, 9)}, "a", "b")
    assert found["note_clustered"] == "no variance in b"
    assert found["p_clustered"] == pytest.approx(2 * stats.t.sf(5, 8))


def test_the_paired_test_is_that_of_scipy_over_matchings():
    rng = np.random.default_rng(4)
    match = np.repeat(np.arange(40), 2)
    one = matching_means(rng.random(80), match, 41)
    other = matching_means(rng.random(40), np.arange(40), 41)
    assert np.isnan(one[40])
    found = compare_paired(one, other)
    expected = stats.ttest_rel(one[:40], other[:40])
    low, high = expected.confidence_interval(0.95)
    assert found["n_pairs"] == 40
    assert found["p_paired"] == pytest.approx(expected.pvalue)
    assert (found["paired_low"], found["paired_high"]) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("one", "other", "note"),
    [
        ([np.nan, 0.5], [0.5, np.nan], "no matching with both groups"),
        ([0.5, np.nan], [0.25, 1.0], "one matching"),
        ([0.5, 0.5], [0.25, 0.25], "no variance"),
    ],
)
def test_pairs_that_cannot_be_tested_are_named(one, other, note):
    found = compare_paired(np.array(one), np.array(other))
    assert (found["note_paired"], found["p_paired"]) == (note, None)


def pairs_of(p_values, notes=None):
    names = [("a", "b"), ("a", "c"), ("b", "c")]
    table = pd.DataFrame(names, columns=["group", "other"]).assign(**dict.fromkeys(CONDITION, "x"))
    for column in ("p_value", "p_clustered", "p_paired"):
        table[column] = p_values
    for column in ("note", "note_clustered", "note_paired"):
        table[column] = pd.Series(notes or [None] * 3, dtype=object)
    return table


def test_missing_p_values_are_no_tests_of_the_family():
    found = correct(pairs_of([0.01, np.nan, 0.04]), "all")
    assert found["p_holm"].tolist()[::2] == pytest.approx([0.02, 0.04])
    assert np.isnan(found["p_holm"][1])


def test_holm_as_statsmodels_has_it_within_each_family():
    rng = np.random.default_rng(5)
    table = pd.concat([pairs_of(rng.random(3) * 0.1).assign(model=model) for model in "xyz"])
    found = correct(table, "model")
    for model, part in found.groupby("model"):
        expected = multipletests(part["p_value"], method="holm")[1]
        assert part["p_holm"].tolist() == pytest.approx(list(expected))
        assert set(part["family"]) == {f"x, {model}"}
    assert correct(table, "all")["p_holm"].tolist() == pytest.approx(
        list(multipletests(table["p_value"], method="holm")[1])
    )


def stars(pairs, best=("a",)):
    groups = pd.DataFrame({"group": ["a", "b", "c"], **{key: ["x"] * 3 for key in CONDITION}})
    groups["is_best"] = groups["group"].isin(best)
    return add_stars(groups, correct(pairs, "condition")).set_index("group")


def test_a_star_needs_every_comparison():
    assert stars(pairs_of([0.01, 0.04, 0.9]))["is_star"].tolist() == [True, False, False]
    assert not stars(pairs_of([0.01, 0.06, 0.01]))["is_star"].any()
    assert not stars(pairs_of([0.01, np.nan, 0.01]))["is_star"].any()


def test_a_corrected_star_needs_corrected_p_values():
    found = stars(pairs_of([0.01, 0.04, 0.9]))
    assert not found["is_star_holm"].any(), "0.04 is 0.08 after the correction"
    assert stars(pairs_of([0.01, 0.02, 0.9]))["is_star_holm"].tolist() == [True, False, False]


def test_a_comparison_with_a_note_gives_no_star():
    found = stars(pairs_of([0.001, 0.001, 0.9], ["no variance in b", None, None]))
    assert not found[["is_star", "is_star_holm", "is_star_clustered", "is_star_clustered_holm"]].any(axis=None)


def test_groups_tied_for_best_have_no_star():
    assert not stars(pairs_of([0.001, 0.001, 0.001]), best=("a", "b"))["is_star"].any()
