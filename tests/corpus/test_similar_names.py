"""Planted misspellings are proposed for review; other people, and other initials, are not."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench import tables
from attribench.corpus.list_similar_names import main, proposals
from attribench.corpus.similar_names import bound, edits, similar_pairs
from attribench.tables.corpus import AUTHORS, SIMILAR_NAMES
from attribench.text import normal_form, slug


def authors(**n_quotes: int) -> pd.DataFrame:
    """Return a table of authors; underscores in the names stand for spaces."""
    shown = [name.replace("_", " ") for name in n_quotes]
    return pd.DataFrame(
        {
            "author_id": [slug(name) for name in shown],
            "author": shown,
            "aliases": [[] for _ in shown],
            "n_quotes": list(n_quotes.values()),
        }
    )


def pairs(found: pd.DataFrame) -> set[tuple[str, str]]:
    return set(zip(found["author"], found["similar_author"], strict=True))


@pytest.mark.parametrize(
    "misspelt",
    [
        "Chimamamda Ngozi Adichie",  # a letter replaced
        "Chimanada Ngozi Adichie",  # two letters out
        "Chimamandaa Ngozi Adichie",  # one too many
        "Chimamanda Nogzi Adichie",  # two changed round
        "Chimamanda Ngozi Adichei",  # the same in the surname
        "ChimamandaNgozi Adichie",  # a space out
        "Chimámanda Ngozzi Adichié",  # with marks, which do not count
    ],
)
def test_the_rarer_name_is_proposed_to_go_with_the_more_frequent(misspelt: str, tmp_path: Path) -> None:
    people = authors(**{"Chimamanda_Ngozi_Adichie": 10, misspelt: 1, "Ursula_K._Le_Guin": 10, "Ursuala_K._Le_Guin": 2})
    tables.write(people, tmp_path / "authors.parquet", AUTHORS)
    main(authors=tmp_path / "authors.parquet", similar_names=tmp_path / "similar_names.csv")
    found = tables.read(tmp_path / "similar_names.csv", SIMILAR_NAMES)
    assert pairs(found) == {(misspelt, "Chimamanda Ngozi Adichie"), ("Ursuala K. Le Guin", "Ursula K. Le Guin")}
    assert found["n_quotes"].isin([1, 2]).all()
    assert (found["similar_n_quotes"] == 10).all()
    # Listed only: the authors are as they were.
    assert tables.read(tmp_path / "authors.parquet", AUTHORS)["author"].tolist() == people["author"].tolist()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Chimamanda Ngozi Adichie", "Chimamanda Ngozi Idichie"),  # another initial of the surname
        ("Firoozeh Dumas", "Alexandre Dumas"),
        ("Alexandre Dumas", "Alexandre Dumas fils"),
        ("A. B. Longname", "A. C. Longname"),  # other initials
        ("Wilhelm Friedrich II", "Wilhelm Friedrich III"),  # another king
        ("Ann Lee", "Ann Lea"),  # too short to tell
        ("Mary Shelley", "Percy Shelley"),
    ],
)
def test_other_people_are_not_proposed(one: str, other: str) -> None:
    assert proposals(authors(**{one: 10, other: 1})).empty


def test_three_dumas_and_a_misspelling() -> None:
    people = authors(Alexandre_Dumas=10, Alexandre_Dumas_fils=4, Firoozeh_Dumas=3, Alexander_Dumas=2)
    assert pairs(proposals(people)) == {("Alexander Dumas", "Alexandre Dumas")}


def test_one_proposal_an_author_to_the_most_frequent() -> None:
    people = authors(Zora_Neale_Hurstan=1, Zora_Neale_Hurston=10, Zora_Neale_Hursten=3)
    found = proposals(people)
    assert pairs(found) == {
        ("Zora Neale Hurstan", "Zora Neale Hurston"),
        ("Zora Neale Hursten", "Zora Neale Hurston"),
    }


def test_of_two_as_frequent_the_first_id_stays() -> None:
    found = proposals(authors(Zora_Neale_Hurstun=2, Zora_Neale_Hurston=2))
    assert pairs(found) == {("Zora Neale Hurstun", "Zora Neale Hurston")}


def test_nobody_is_similar() -> None:
    assert proposals(authors(Ann_Petry=1)).empty
    assert tables.check(proposals(authors(Ann_Petry=1)), SIMILAR_NAMES).num_rows == 0


def test_the_order_of_the_authors_does_not_matter() -> None:
    people = authors(Zora_Neale_Hurston=10, Zora_Neale_Hurstan=1, Alexandre_Dumas=10, Alexander_Dumas=2)
    pd.testing.assert_frame_equal(proposals(people), proposals(people.iloc[::-1]))


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "xbc", 1), ("ca", "abc", 3)],
)
def test_edits(one: str, other: str, distance: int) -> None:
    assert edits(one, other, 9) == edits(other, one, 9) == distance
    assert edits(one, other, 0) == min(distance, 1)


def test_agrees_with_comparing_all_pairs() -> None:
    rng = np.random.default_rng(5)
    forms = sorted(
        {" ".join("".join(rng.choice(list("ab"), size=rng.integers(3, 8))) for _ in "12") for _ in range(400)}
    )
    expected = set()
    for i, one in enumerate(forms):
        for j, other in enumerate(forms[:i]):
            most = min(bound(one), bound(other))
            if one.split()[1][0] == other.split()[1][0] and edits(one, other, most) <= most:
                expected.add((j, i))
    assert len(expected) > 100
    assert {(i, j) for i, j, _ in similar_pairs(forms)} == expected


def test_normal_forms_are_compared() -> None:
    assert normal_form("C.S. Lewis") == normal_form("CS Lewis")
    people = authors(**{"Charlotte Brontë": 10, "Charlotte Bronté": 2})
    people["author_id"] = ["charlotte-bronte", "charlotte-bronte-2"]  # as under the published rules
    assert proposals(people)["distance"].tolist() == [0]
