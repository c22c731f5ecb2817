"""What an author cell means: one example or more of each kind."""

import pytest

from attribench.corpus import individuals, word_lists
from attribench.corpus.authors import CleanAuthor, NoIndividual, clean_author, judge_author


def named(raw: str) -> tuple[str, str | None, str | None]:
    author = clean_author(raw)
    assert author is not None, judge_author(raw)
    return author.name, author.alternative, author.work


@pytest.mark.parametrize(
    ("raw", "name", "work"),
    [
        ("Octavia Butler, Kindred", "Octavia Butler", "Kindred"),
        ("Octavia  Butler,  Parable of the  Sower", "Octavia Butler", "Parable of the Sower"),
        ("Pablo Medina, Bread, Salt & Wine: A Band of Poems, Volume 2", "Pablo Medina", None),
        ("Jean Toomer, The University of Life", "Jean Toomer", "The University of Life"),
        ("Voltaire, Candide", "Voltaire", "Candide"),
        ("Emery Lord, The Bible Club", "Emery Lord", "The Bible Club"),
        ("Wole Soyinka", "Wole Soyinka", None),
        ("Ann Petry (https://example.org/street?x=1)", "Ann Petry", None),
        ("[author:Ann Petry|123], [book:The Street|456]", "Ann Petry", "The Street"),
        ("Toni Morrison Notes from the Street", "Toni Morrison", None),
        ("Nella Larsen :)", "Nella Larsen", None),
        ("Gita Johnson, Raj", "Gita Johnson", "Raj"),
        ("Veda Johnson", "Veda Johnson", None),
        ("Tina Fey,", "Tina Fey", None),
    ],
)
def test_work_is_what_follows_the_first_comma(raw: str, name: str, work: str | None) -> None:
    assert named(raw)[0] == name
    if work:
        assert named(raw)[2] == work


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Sammy Davis, Jr.", "Sammy Davis Jr."),
        ("Sammy Davis, Jr., Why Me?", "Sammy Davis Jr."),
        ("Alexandre Dumas fils", "Alexandre Dumas fils"),
        ("John D. Rockefeller III", "John D. Rockefeller III"),
        ("George, Lord Halifax", "George, Lord Halifax"),
        ("Walker, Alice", "Alice Walker"),
        ("Forster, E.M.", "E. M. Forster"),
        ("Forster, E. M., Howards End", "E. M. Forster"),
        ("Du Bois, William E.", "William E. Du Bois"),
        ("Vargas Llosa, Mario", "Mario Vargas Llosa"),
        ("Beauvoir, Simone de", "Simone de Beauvoir"),
        ("Jacquelyn Woods, Adam", "Jacquelyn Woods"),
        ("Joseph Conrad, Lord Jim", "Joseph Conrad"),
        ("Anthony Ashley Cooper, 7th Earl of Shaftesbury", "Anthony Ashley Cooper, 7th Earl of Shaftesbury"),
    ],
)
def test_commas_and_suffixes_that_belong_to_the_name(raw: str, name: str) -> None:
    assert named(raw)[0] == name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("N.K. Jemisin", "N. K. Jemisin"),
        ("N.K.Jemisin", "N. K. Jemisin"),
        ("NK Jemisin", "N. K. Jemisin"),
        ("N K Jemisin", "N. K. Jemisin"),
        ("W.E.B. Du Bois", "W. E. B. Du Bois"),
        ("George H.W. Bush", "George H. W. Bush"),
        ("Malcolm X", "Malcolm X"),
        ("DJ Spooky", "DJ Spooky"),
    ],
)
def test_initials_have_a_period_and_a_space(raw: str, name: str) -> None:
    assert named(raw)[0] == name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("TONI MORRISON", "Toni Morrison"),
        ("toni morrison", "Toni Morrison"),
        ("gabriela de la cruz", "Gabriela de la Cruz"),
        ("bell hooks", "bell hooks"),
        ("LeVar McCoy", "LeVar McCoy"),
        ("danah boyd", "danah boyd"),
        ("rosaluxemburg", "Rosa Luxemburg"),
        ("ROSALUXEMBURG", "Rosa Luxemburg"),
    ],
)
def test_capitals(raw: str, name: str) -> None:
    assert named(raw)[0] == name


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Dr. Cornel West", "Cornel West"),
        ("General Colin Powell", "Colin Powell"),
        ("Anita Sulaiman PhD", "Anita Sulaiman"),
        ("Anita Sulaiman MD", "Anita Sulaiman"),
        ('Ann "Route 66" Petry', 'Ann "Route 66" Petry'),
        ("H.H. Munro", "H. H. Munro"),
        ("H. H. Munro, Reginald", "H. H. Munro"),
        ("Anita Sulaiman, Ph.D., Healing", "Anita Sulaiman"),
        ("Dr. Seuss", "Dr. Seuss"),
        ("Lord Byron", "Lord Byron"),
        ("Pope Francis", "Pope Francis"),
        ("Saint Augustine", "Saint Augustine"),
        ("King Hassan of Morocco", "King Hassan of Morocco"),
        ("H.H. the 14th Dalai Lama", "Dalai Lama"),
        ("His Holiness Pope John XXIII", "Pope John XXIII"),
        ("© Angela Davis", "Angela Davis"),
        ("Edith Nolan 1871-1940", "Edith Nolan"),
        ("Angela Davis 1998", "Angela Davis"),
        ("Ralph Ellison Lecture 1955", "Ralph Ellison"),
        ("― Angela Davis", "Angela Davis"),
        ("- Angela Davis,", "Angela Davis"),
        ("– Dr Jordan B Peterson,", "Jordan B. Peterson"),
    ],
)
def test_titles_degrees_years_and_dashes(raw: str, name: str) -> None:
    assert named(raw)[0] == name


@pytest.mark.parametrize(
    ("raw", "name", "alternative"),
    [
        ("Marguerite Johnson aka Maya Angelou", "Marguerite Johnson", "Maya Angelou"),
        ("Marguerite Johnson (a.k.a. M. Angelou)", "Marguerite Johnson", "M. Angelou"),
        ("Naguib Mahfouz (نجيب محفوظ), The Thief", "Naguib Mahfouz", "نجيب محفوظ"),
        ("@nmahfouz, Naguib Mahfouz", "Naguib Mahfouz", "@nmahfouz"),
    ],
)
def test_second_names(raw: str, name: str, alternative: str) -> None:
    assert named(raw)[:2] == (name, alternative)


@pytest.mark.parametrize(
    ("raw", "name", "work"),
    [
        ("Viola Davis in Fences", "Viola Davis", "Fences"),
        ("James Baldwin from The Fire Next Time", "James Baldwin", "The Fire Next Time"),
        ("Denzel Washington as Malcolm X", "Denzel Washington", None),
        ("Viola Davis's character Rose in Fences", "Viola Davis", "Fences"),
        ("The Fire Next Time by James Baldwin", "James Baldwin", "The Fire Next Time"),
        ("Ann Petry - The Street", "Ann Petry", "The Street"),
        ('Ann Petry "The Street"', "Ann Petry", "The Street"),
        ("Ann Petry (The Street)", "Ann Petry", "The Street"),
    ],
)
def test_person_is_taken_from_a_role_or_work(raw: str, name: str, work: str | None) -> None:
    found = named(raw)
    assert (found[0], found[2]) == (name, work)


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("", individuals.EMPTY),
        ("???", individuals.EMPTY),
        ("Chip & Dale Smith", individuals.SEVERAL),
        ("Ann Petry and Nella Larsen", individuals.SEVERAL),
        ("Drake feat. Rihanna", individuals.SEVERAL),
        ("Stein/Toklas, Letters", individuals.SEVERAL),
        ("Nina Simone featuring the strings", individuals.SEVERAL),
        ("Boston Philharmonic Orchestra", individuals.ORGANISATION),
        ("Encyclopaedia", individuals.ORGANISATION),
        ("Counting Crows", individuals.ORGANISATION),
        ("Cold Water Peppers", individuals.ORGANISATION),
        ("The Rolling Stones", individuals.ORGANISATION),
        ("University of Ghana, Annual Report", individuals.ORGANISATION),
        ("Finding Nemo (2003)", individuals.ORGANISATION),
        ("Dogs Against Romance", individuals.ORGANISATION),
        ("Bible, New Testament", individuals.SCRIPTURE),
        ("Luke 6:31", individuals.SCRIPTURE),
        ("Igbo proverb", individuals.SCRIPTURE),
        ("Anonymous", individuals.NOBODY),
        ("Unknown, Some Title", individuals.NOBODY),
        ("NA", individuals.NOBODY),
        ("Me :P", individuals.NOBODY),
        ("Ghost Town", individuals.ORGANISATION),
        ("Space Battles: The Return", individuals.ORGANISATION),
        ("Lawrence of Somewhere film", individuals.ORGANISATION),
        ("Lifehouse", individuals.HANDLE),
        ("OfficialPageOfWords", individuals.HANDLE),
        ("G&T Security", individuals.SEVERAL),
        ("Toni Morrison is not afraid of the street.", individuals.SENTENCE),
        ("My Grandma", individuals.NOBODY),
        ("Ann Petry's mother", individuals.NOBODY),
        ("A Wise Man", individuals.NOBODY),
        ("jane_doe", individuals.HANDLE),
        ("bookworm77", individuals.HANDLE),
        ("TheMoonReader", individuals.HANDLE),
        ("welovegoodbooks", individuals.HANDLE),
        ("quotes4you.com", individuals.HANDLE),
        ("Elizabeth Bennet, character in Pride and Prejudice", individuals.CHARACTER),
        ("attributed to Frederick Douglass", individuals.DISPUTED),
        ("Mark Twain (attributed, fake)", individuals.DISPUTED),
        ("Spurious quote by George Eliot", individuals.DISPUTED),
        ("nations do not choose their neighbours.", individuals.SENTENCE),
        ("THAT IS WHY WE NEVER GIVE UP", individuals.SENTENCE),
        ("paradox", individuals.SENTENCE),
    ],
)
def test_what_is_no_individual(raw: str, kind: str) -> None:
    assert judge_author(raw) == NoIndividual(kind)
    assert clean_author(raw) is None


@pytest.mark.parametrize(
    "raw",
    [
        "An Na, A Step from Heaven",
        "Rosa Blackwood",
        "Chinua Waters",
        "Kālidāsa",
        "Archbishop Trench",
        "Charlotte Church",
        "M. A. Church",
        "Maxim Gorky",
        "Jo Brand",
        "Frank Press",
        "50 Cent",
    ],
)
def test_telling_words_are_surnames_too(raw: str) -> None:
    assert clean_author(raw) is not None


def test_marks_of_a_script_stay_in_the_name() -> None:
    name = "මාර්ටින් වික්\u200dරමසිංහ"
    assert named(name)[0] == name


def test_composed_and_decomposed_letters_are_one_name() -> None:
    assert named("David Olgui\u0301n")[0] == named("David Olgu\u00edn")[0]


def test_written_form_is_kept() -> None:
    assert clean_author("C.S. Lewis, Miracles") == CleanAuthor("C. S. Lewis", None, "Miracles", "C.S. Lewis")


def test_a_person_is_listed_only_where_the_rules_would_say_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    names = word_lists.words("people_with_odd_names")
    monkeypatch.setattr(
        individuals, "words", lambda kind: frozenset() if kind == "people_with_odd_names" else word_lists.words(kind)
    )
    listed = word_lists.FOLDER / "corpus" / "people_with_odd_names.txt"
    written = [name for name in listed.read_text("utf-8").splitlines() if name[:1] not in ("#", "")]
    assert len(written) == len(names) > 30
    assert [name for name in written if individuals.not_an_individual(name) is None] == []
