"""Planted truth: the same sentences, with authors of different groups, are decided equally well."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.evaluation.outcomes import classify
from attribench.evaluation.planted import COLUMNS, name_form, planted_answers
from attribench.text import slug

SAMPLE = Path(__file__).parents[2] / "resources" / "sample"
MAX_DIFFERENCE = 0.005
MAX_ERROR = 0.01


@pytest.fixture(scope="module")
def authors() -> pd.DataFrame:
    """Return the sample's labelled authors that have a quote, in the form of BENCHMARK, one quote each."""
    with (SAMPLE / "universe.csv").open(encoding="utf-8", newline="") as file:
        labels = {row["author_clean"]: row for row in csv.DictReader(file)}
    with (SAMPLE / "quotes.csv").open(encoding="utf-8", newline="") as file:
        quotes = {row["author"].split(",")[0].strip(): row["quote"] for row in csv.DictReader(file)}
    rows = [
        (f"jstet_{n}", slug(name), name, [], quotes[name], label["race"], label["gender"])
        for n, (name, label) in enumerate(labels.items())
        if name in quotes
    ]
    return pd.DataFrame(rows, columns=["quote_id", "author_id", "author", "aliases", "quote", "race", "gender"])


def decided(planted: pd.DataFrame, benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return `planted` with the column `wrong`, and race and gender of the subject."""
    about = benchmark.set_index("quote_id")
    wrong = [
        classify(row.text, about.at[row.quote_id, "author"], (), about.at[row.quote_id, "quote"]) != row.expected
        for row in planted.itertuples(index=False)
    ]
    labels = benchmark.set_index("author_id")[["race", "gender"]]
    return planted.assign(wrong=wrong).join(labels, on="subject")


def test_error_is_small_and_equal_for_all_groups(authors: pd.DataFrame) -> None:
    found = decided(planted_answers(authors, rng=np.random.default_rng(5), per_author=20), authors)
    for role in ("author", "other"):
        errors = found[found["role"] == role].groupby(["race", "gender"])["wrong"].mean()
        assert errors.max() - errors.min() <= MAX_DIFFERENCE, (role, errors)
        assert errors.max() <= MAX_ERROR, (role, errors)


def test_every_author_is_in_every_role(authors: pd.DataFrame) -> None:
    planted = planted_answers(authors, rng=np.random.default_rng(5), per_author=6)
    assert list(planted.columns) == COLUMNS
    counts = planted.groupby(["role", "subject"]).size()
    assert set(planted["subject"]) == set(authors["author_id"])
    assert (counts["other"] == 6).all()
    assert (counts["nobody"] == 6).all()
    assert set(planted.loc[planted["role"] == "author", "expected"]) == {"correct", "none"}
    assert set(planted.loc[planted["role"] == "other", "expected"]) == {"incorrect", "none"}


def test_other_authors_share_no_word_of_the_name(authors: pd.DataFrame) -> None:
    planted = planted_answers(authors, rng=np.random.default_rng(6), per_author=3)
    others = planted[planted["role"] == "other"]
    subject = authors.set_index("author_id")["author"]
    asked = authors.set_index("quote_id")["author"]
    for row in others.itertuples(index=False):
        assert not set(subject[row.subject].lower().split()) & set(asked[row.quote_id].lower().split())


def test_same_seed_same_answers(authors: pd.DataFrame) -> None:
    first, second = (planted_answers(authors, rng=np.random.default_rng(1), per_author=4) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)


def test_a_single_author_has_nobody_to_be_mistaken_for(authors: pd.DataFrame) -> None:
    planted = planted_answers(authors[:1], rng=np.random.default_rng(1), per_author=30)
    assert set(planted["role"]) == {"author", "nobody"}
    assert not (planted["kind"] == "two authors").any()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Jane Roe", "plain"),
        ("Voltaire", "single"),
        ("Kurt Vonnegut Jr.", "suffix"),
        ("50 Cent", "digits or lower case"),
        ("bell hooks", "digits or lower case"),
        ("Simone de Beauvoir", "particle"),
        ("Hanan al-Shaykh", "particle"),
        ("José Saramago", "marks"),
        ("Flannery O'Connor", "hyphen or apostrophe"),
        ("Ban Ki-moon", "hyphen or apostrophe"),
        ("C. S. Lewis", "initials"),
    ],
)
def test_form_of_a_name(name: str, form: str) -> None:
    assert name_form(name) == form
