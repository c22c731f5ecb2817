"""Equal forms of a name become equal, and different people stay different."""

import itertools

import pytest

from attribench.text import fold, normal_form, slug

SAME = [
    ["C.S. Lewis", "C. S.  Lewis", "CS Lewis", "c.s. lewis", "C S Lewis"],
    ["J.R.R. Tolkien", "J. R. R. Tolkien", "JRR Tolkien", "J.R. R. Tolkien"],
    ["Charlotte Brontë", "charlotte bronte", "Charlotte Bronte\u0308", "CHARLOTTE  BRONTË"],
    ["Søren Kierkegaard", "Soren Kierkegaard", "SØREN KIERKEGAARD"],
    ["Flannery O'Connor", "Flannery O’Connor", "Flannery O`Connor", "Flannery OConnor"],
    ["Martin Luther King, Jr.", "Martin Luther King Jr", "martin luther king jr."],
    ["Antoine de Saint-Exupéry", "Antoine de Saint Exupery", "antoine_de_saint–exupéry"],
    ["W.E.B. Du Bois", "WEB Du Bois", "W. E. B. Du Bois"],
    ["Stanisław Lem", "Stanislaw Lem"],
    ["Ｍａｙａ Angelou", "Maya Angelou", "Maya\u00a0Angelou", "Maya\u200b Angelou"],
    ["Günter Strauß", "Gunter Strauss", "GÜNTER STRAUSS"],
    ["Nâzım Hikmet", "Nazim Hikmet"],
]


@pytest.mark.parametrize("spellings", SAME, ids=lambda spellings: spellings[0])
def test_spellings_of_a_name_have_one_normal_form(spellings: list[str]) -> None:
    assert len({normal_form(spelling) for spelling in spellings}) == 1
    assert len({slug(spelling) for spelling in spellings}) == 1


def test_different_people_stay_different() -> None:
    people = [spellings[0] for spellings in SAME] + [
        "Martin Luther",
        "Martin Luther King",
        "Martin Luther King Sr.",
        "Emily Brontë",
        "C. Lewis",
        "S.C. Lewis",
        "Samuel Butler 1612",
        "Samuel Butler 1835",
        "村上 春樹",
        "村上 龍",
        "Лев Толстой",
        "Алексей Толстой",
        "محمود درويش",
        "ما",
        "मीरा",
        "मीर तक़ी",
    ]
    for one, two in itertools.combinations(people, 2):
        assert normal_form(one) != normal_form(two), (one, two)


def test_words_of_one_letter_beside_a_word_stay_apart() -> None:
    assert normal_form("Malcolm X") == "malcolm x"
    assert normal_form("Harry S. Truman") == "harry s truman"
    assert fold("C. S. Lewis") == "c s lewis"


@pytest.mark.parametrize("name", [spelling for spellings in SAME for spelling in spellings])
def test_a_normal_form_is_its_own_normal_form(name: str) -> None:
    form = normal_form(name)
    assert normal_form(form) == form
    assert form == form.strip() and "  " not in form and form == form.lower()


def test_plain_letters_take_no_other_way_than_the_rest() -> None:
    """The quick way for ASCII text gives what the slow way gives."""
    for text in ["O'Neil `x` a_b-c, D. 12", "  ", "", "A.B", "AT&T's 'n' more", "tab\tnew\nline"]:
        slow = fold(text + "é").removesuffix("e").strip()
        assert fold(text) == slow


def test_a_slug_is_fit_for_a_file_name() -> None:
    assert slug("W.E.B. Du Bois / \\ : *?") == "web-du-bois"
    assert slug("Malcolm X") == "malcolm-x"
