"""Each step of the cleaning by itself, on small tables."""

import numpy as np
import pandas as pd
import pytest

from attribench.corpus import bylines, cap, duplicates, names, plain_text, shifted_rows
from attribench.corpus.funnel import Funnel


def series(*values: str) -> pd.Series:
    return pd.Series(list(values), dtype="str")


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Still I rise. - Maya Angelou", "Still I rise."),
        ("Still I rise. -Maya Angelou", "Still I rise."),
        ("Still I rise ~ Maya Angelou", "Still I rise"),
        ("Still I rise.”― Maya Angelou, And Still I Rise", "Still I rise.”"),
        ("Still I rise (by Maya Angelou)", "Still I rise"),
        ("Still I rise (Maya Angelou)", "Still I rise"),
        ("Still I rise. by Maya Angelou", "Still I rise."),
        ("Still I rise. Maya Angelou", "Still I rise."),
        ("Still I rise. - MAYA  ANGELOU (And Still I Rise)", "Still I rise."),
        ("Still I rise - Angelou", "Still I rise"),
        ("Still I rise. -M.A.", "Still I rise."),
        ("Still I rise - Marguerite Johnson", "Still I rise"),
        ("Still I rise. © Maya Angelou", "Still I rise."),
        ("Still I rise ©2014 by Maya Angelou", "Still I rise"),
        ("Still I rise. (c) Maya Angelou", "Still I rise."),
        ("Still I rise. Copyright 1978 Maya Angelou", "Still I rise."),
        ("Still I rise © Toni Morrison", "Still I rise © Toni Morrison"),
        ("Still I rise - Toni Morrison", "Still I rise - Toni Morrison"),
        ("I once met Maya Angelou", "I once met Maya Angelou"),
        ("- Maya Angelou", "- Maya Angelou"),
    ],
)
def test_byline_is_cut_only_if_it_names_the_author(quote: str, expected: str) -> None:
    assert bylines.without_byline(quote, ("Maya Angelou", "Marguerite Johnson")) == expected


@pytest.mark.parametrize(
    ("author", "aliases", "byline"),
    [
        ("Mark Twain", ["Samuel Clemens"], "- Samuel Clemens"),
        ("Charlotte Bronte", [], "~ Charlotte Brontë"),
        ("Charlotte Brontë", [], "~ Charlotte Bronte"),
        ("Martin Luther King, Jr.", [], "- Martin Luther King"),
        ("Martin Luther King, Jr.", [], "– Dr. Martin Luther King, Jr."),
        ("Maya Angelou", [], "- Dr. Maya Angelou"),
    ],
)
def test_a_byline_may_give_any_form_of_the_name(author: str, aliases: list[str], byline: str) -> None:
    cut = bylines.without_bylines([f"Still I rise. {byline}"], [author], {author: aliases})
    assert cut == ["Still I rise."]


def test_hyphen_inside_a_word_is_no_byline() -> None:
    assert bylines.without_byline("self-love is well-being", ("Ann Being",)) == "self-love is well-being"


def test_quotes_that_name_their_author() -> None:
    quotes = ["Angelou once told me to breathe.", "I am Will Young today", "We are young and free", "Nothing here"]
    authors = ["Maya Angelou", "Will Young", "Will Young", "Maya Angelou"]
    assert bylines.naming_their_author(quotes, authors) == [True, True, False, False]


def test_words_are_runs_of_letters_and_digits() -> None:
    assert plain_text.word_counts(series("Don't stop - now", "Élan vital", "")).tolist() == [4, 2, 0]


def test_foreign_script() -> None:
    found = plain_text.has_foreign_script(series("naïve café", "слово", "word слово", "a 1 — ‘b’ ﬂush", "日本"))
    assert found.tolist() == [False, True, True, False, True]


def test_plain_form_ignores_case_marks_punctuation_and_spacing() -> None:
    found = plain_text.plain(series("Don’t  STOP, Zoë!", "dont stop zoe", "...Don't stop: Zoë"))
    assert found.nunique() == 1


def test_single_spacing() -> None:
    found = plain_text.single_spaced(series("two\rlines ", "two\n lines", "two\u2028lines", "two  lines"))
    assert set(found) == {"two lines"}


def test_repeats_keep_the_first_row_of_each_author() -> None:
    author, text = series("a", "a", "b", "a"), series("x y", "x y", "x y", "z")
    assert duplicates.repeats(author, text).tolist() == [1]


def test_texts_of_several_authors_go_altogether() -> None:
    author, text = series("a", "b", "a", "b", "b"), series("x y", "x y", "x y", "z", "z")
    assert duplicates.shared(author, text).tolist() == [0, 1, 2]


def test_contained_texts_go_and_the_longest_stays() -> None:
    text = series("one two three", "zero one two three four", "two three four", "one two", "two three four five")
    author = series("a", "a", "b", "b", "a")
    assert duplicates.contained(author, text).tolist() == [0]


def test_contained_means_whole_words_in_a_row() -> None:
    text = series("art is long", "the art is longer", "art is not long", "art long")
    assert duplicates.contained(series("a", "a", "a", "a"), text).empty


def test_contained_agrees_with_comparing_all_pairs() -> None:
    rng = np.random.default_rng(3)
    text = pd.Series([" ".join(rng.choice(list("abc"), size=rng.integers(2, 9))) for _ in range(300)], dtype="str")
    author = pd.Series(rng.choice(["p", "q", "r"], size=300), dtype="str")
    rows = duplicates.repeats(author, text)
    author, text = author.drop(rows), text.drop(rows)
    expected = [
        i for i in text.index
        if any(i != j and author[i] == author[j] and f" {text[i]} " in f" {text[j]} " for j in text.index)
    ]  # fmt: skip
    assert duplicates.contained(author, text).tolist() == expected


def test_duplicates_of_nothing() -> None:
    assert duplicates.contained(series(), series()).empty


def test_cap_keeps_so_many_and_depends_on_no_other_author() -> None:
    many = pd.Series(["a"] * 30 + ["b"] * 5, dtype="str")
    gone = cap.drawn_beyond(many, 10, seed=1)
    assert len(gone) == 20
    assert set(many.drop(gone)) == {"a", "b"}
    shifted = pd.Series(["z"] * 40 + ["a"] * 30, dtype="str")
    again = cap.drawn_beyond(shifted, 10, seed=1)
    assert sorted(row - 40 for row in again if row >= 40) == sorted(gone)
    assert sorted(cap.drawn_beyond(many, 10, seed=2)) != sorted(gone)


def test_first_quotes_stay_by_the_published_rules() -> None:
    assert cap.later_beyond(series("a", "b", "a", "a"), 2).tolist() == [3]


def test_forms_of_a_name_are_one_author_shown_in_the_commonest() -> None:
    cells = pd.DataFrame({"name": ["Charlotte Bronte", "Charlotte Brontë", "Ann Petry", "charlotte brontë"]})
    found = names.judged_names(cells, pd.Series([0, 1, 1, 2, 3]), merge=True)
    assert found["author"].tolist() == ["Charlotte Brontë", "Charlotte Brontë", "Ann Petry", "Charlotte Brontë"]
    assert found["author_id"].tolist() == ["charlotte-bronte", "charlotte-bronte", "ann-petry", "charlotte-bronte"]


def test_a_tie_of_forms_goes_to_the_first() -> None:
    cells = pd.DataFrame({"name": ["Renée Gold", "Renee Gold"]})
    assert set(names.judged_names(cells, pd.Series([1, 0, 0, 1]), merge=True)["author"]) == {"Renee Gold"}


def test_forms_apart_have_ids_of_their_own() -> None:
    cells = pd.DataFrame({"name": ["Renée Gold", "Renee Gold"]})
    found = names.judged_names(cells, pd.Series([0, 1]), merge=False)
    assert found["author_id"].tolist() == ["renee-gold", "renee-gold-2"]
    assert found["author"].tolist() == ["Renée Gold", "Renee Gold"]


def test_three_dumas_are_three_people() -> None:
    cells = pd.DataFrame({"name": ["Alexandre Dumas", "Alexandre Dumas fils", "Firoozeh Dumas"]})
    assert names.judged_names(cells, pd.Series([0, 1, 2]), merge=True)["author_id"].nunique() == 3


def test_shifted_row_is_put_right_only_if_its_author_is_known() -> None:
    shifted = pd.DataFrame(
        {
            "quote": ["I never count sheep", "All is quiet", "It goes on"],
            "author": ["they count me.", "and nothing moves.", "it never ends."],
            "category": ["Nella Larsen, Passing", "Somebody Else, A Book", "life, sleep"],
        }
    )
    found = shifted_rows.put_right(shifted, frozenset({"nella larsen"}))
    assert found["quote"].tolist() == ["I never count sheep; they count me."]
    assert found["author"].tolist() == ["Nella Larsen, Passing"]


def test_funnel_counts_what_each_step_took() -> None:
    funnel = Funnel()
    funnel.record("read", "s", series("a", "a", "b"), "why")
    funnel.record("filter", "s", series("a"), "why", changed=1)
    table = funnel.table()
    assert table["rows_removed"].tolist() == [0, 2]
    assert table["authors_removed"].tolist() == [0, 1]
    assert table["rows_changed"].tolist() == [0, 1]


def test_a_second_name_that_is_another_authors_own_is_no_alias() -> None:
    cells = pd.DataFrame(
        {
            "author_id": ["duckman", "jason-alexander", "mark-twain"],
            "author": ["Duckman", "Jason Alexander", "Mark Twain"],
            "name": ["Duckman", "Jason Alexander", "Mark Twain"],
            "written": ["Duckman", "Jason Alexander", "Mark Twain"],
            "alternative": ["Jason Alexander", None, "Samuel Clemens"],
        }
    )
    found = names.aliases(cells, pd.Series([0, 1, 2]))
    assert found.to_dict() == {"mark-twain": ["Samuel Clemens"]}
