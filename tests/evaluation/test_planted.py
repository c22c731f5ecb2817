"""Planted truth: the same sentences, with authors of different groups, are decided equally well."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.evaluation.known import NOBODY_KNOWN, Known, known_names
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


def decided(planted: pd.DataFrame, benchmark: pd.DataFrame, known: Known = NOBODY_KNOWN) -> pd.DataFrame:
    """Return `planted` with the column `wrong`, and race and gender of the subject."""
    about = benchmark.set_index("quote_id")
    wrong = [
        classify(row.text, about.at[row.quote_id, "author"], (), about.at[row.quote_id, "quote"], known) != row.expected
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


ODD_NAMES = {
    "plain": ["Maria Alvarez", "James Porter", "Wanda Kowalska", "Peter Lindqvist", "Ruth Feldman", "Ian McCall"],
    "odd": ["Slow Thunder", "vicky oduya", "50 Rivers", "The Quiet Hour", "Young Marble", "kyo"],
}
"""Names that look like a person's, and such as only a list of persons can tell."""


def test_odd_names_of_the_data_set_are_known_as_somebody_else() -> None:
    rows = [(slug(name), name, kind) for kind, names in ODD_NAMES.items() for name in names]
    table = pd.DataFrame(rows, columns=["quote_id", "author", "race"]).assign(author_id=lambda t: t["quote_id"])
    table = table.assign(aliases=[[]] * len(table), quote="Rain falls on the roof of everybody.", gender="x")
    planted = planted_answers(table, rng=np.random.default_rng(5), per_author=40)
    planted = planted[(planted["role"] == "other") & ~planted["kind"].isin(["denied", "setting", "named after"])]
    unknown, known = (
        decided(planted, table, known).groupby("race")["wrong"].mean()
        for known in (NOBODY_KNOWN, known_names(table["author"]))
    )
    assert unknown["odd"] > 0.2
    assert known["odd"] <= 0.02
    assert known["plain"] == 0


def test_a_known_name_that_is_an_ordinary_word_counts_only_where_it_is_used_as_a_name() -> None:
    known = known_names(["Future", "Prince", "Slow Thunder"])
    about = ("Maria Alvarez", (), "Rain falls.", known)
    for text in ("Future", "The line is by Prince.", "It comes from a song by Slow Thunder."):
        assert classify(text, *about) == "incorrect", text
    for text in ("Future generations will read it.", "The Prince of Denmark says this.", "It was not by Slow Thunder."):
        assert classify(text, *about) == "none", text


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
