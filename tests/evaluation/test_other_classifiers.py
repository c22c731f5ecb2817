"""The two classifiers that ours is compared with: the paper's words, and the published code's way."""

import pytest

from attribench.evaluation import published, strict

JORDAN = "June Jordan"


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("It was june jordan who wrote it.", "correct"),
        ("A poem by JJ.", "correct"),
        ("Jordan read the poem.", "none"),
        ("Jordan, June", "none"),
        ("It was not written by June Jordan.", "correct"),
        ("A line by Alice Walker.", "incorrect"),
        ("A line by W. E. B. Du Bois.", "incorrect"),
        ("It belongs to the Harlem Renaissance.", "incorrect"),
        ("A line by Voltaire.", "none"),
        ("June Jordanov", "incorrect"),
        ("", "none"),
    ],
)
def test_strict(output: str, outcome: str) -> None:
    assert strict.classify(output, JORDAN, ("JJ",)) == outcome


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ("It was june jordan who wrote it.", "correct"),
        ("Jordan June", "correct"),
        ("Jordan, June", "correct"),
        ("The river jordan is a symbol.", "correct"),
        ("A line by Walker.", "incorrect"),
        ("They walk through a forest; the walker rests.", "incorrect"),
        ("It belongs to the Harlem Renaissance.", "incorrect"),
        ("It is an old saying.", "none"),
        ("A stone of hope.", "none"),
        ("A line by Lee.", "none"),
        ("The anthropologist lévi-strauss is behind it.", "incorrect"),
    ],
)
def test_published(output: str, outcome: str) -> None:
    authors = [JORDAN, "Alice Walker", "Sharon Stone", "Harper Lee", "Claude Lévi-Strauss"]
    assert published.classifier(authors)(output, JORDAN, (), "") == outcome


def test_published_without_a_data_set_knows_no_other_surname() -> None:
    assert published.classify("A line by Walker.", JORDAN) == "none"
    assert published.classify("A line by Alice Walker.", JORDAN) == "incorrect"


@pytest.mark.parametrize("author", ["", "Rumi", "X"])
def test_odd_names_do_no_harm(author: str) -> None:
    assert published.classify("nobody knows", author) == strict.classify("nobody knows", author) == "none"
