"""The committed sample keeps the promises its README makes."""

import re
from pathlib import Path

import pandas as pd
import pytest

from attribench.text import fold, normal_form

SAMPLE = Path(__file__).parents[2] / "resources" / "sample"
INTERSECTIONAL = [("black", "female"), ("black", "male"), ("white", "female"), ("white", "male")]
# A closing mark, perhaps a quotation mark, then more text: a second sentence.
SECOND_SENTENCE = re.compile(r"[.!?…][\"”'’)]*\s+\S")


def read(name: str) -> pd.DataFrame:
    return pd.read_csv(SAMPLE / name, dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def quotes() -> pd.DataFrame:
    return read("quotes.csv")


@pytest.fixture(scope="module")
def sources() -> pd.DataFrame:
    return read("SOURCES.csv")


@pytest.fixture(scope="module")
def universe() -> pd.DataFrame:
    return read("universe.csv").astype({"log10_hits": float, "count": int})


@pytest.fixture(scope="module")
def usable(quotes: pd.DataFrame, sources: pd.DataFrame, universe: pd.DataFrame) -> pd.DataFrame:
    """The rows that are expected to survive the cleaning, with race, gender and fame."""
    kept = (sources["exercises"] == "") | sources["expected"].str.startswith("kept")
    rows = sources[kept].join(quotes["quote"])
    return rows.merge(universe, left_on="author", right_on="author_clean", how="left", validate="many_to_one")


def test_quotes_have_the_form_of_the_corpus(quotes: pd.DataFrame) -> None:
    assert list(quotes.columns) == ["quote", "author", "category"]
    assert len(quotes) >= 240
    assert (quotes["quote"].str.strip() != "").all()
    assert (quotes["author"].str.strip() != "").all()
    tags = quotes["category"].str.split(",").map(len)
    # A shifted row has its author and work, which may hold commas, where the tags belong.
    assert (tags <= 3).all()


@pytest.mark.parametrize("name", ["quotes.csv", "SOURCES.csv", "universe.csv"])
def test_files_are_utf8_with_plain_line_ends(name: str) -> None:
    content = (SAMPLE / name).read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"\n")
    content.decode("utf-8")


def test_sources_line_up_row_by_row(quotes: pd.DataFrame, sources: pd.DataFrame) -> None:
    assert list(sources.columns) == ["row", "author", "work", "year", "in_corpus", "exercises", "expected"]
    assert sources["row"].tolist() == [str(row) for row in range(len(quotes))]
    assert set(sources["in_corpus"]) == {"true", "false"}
    # The author is named in the author cell, or, in a shifted row, in the category cell.
    for (_, quote), source in zip(quotes.iterrows(), sources["author"], strict=True):
        cells = fold(f"{quote['author']} {quote['category']}").replace(" ", "")
        assert fold(source).replace(" ", "") in cells, f"{source} is not named in: {quote['author']}"


def test_ordinary_rows_are_of_usable_length_and_script(quotes: pd.DataFrame, sources: pd.DataFrame) -> None:
    texts = quotes.loc[sources["exercises"] == "", "quote"]
    assert texts.str.split().map(len).between(5, 30).all()
    assert not texts.str.contains(r"[\u0370-\u1dff\u3040-\uffff]", regex=True).any()
    assert texts.is_unique


def test_every_quote_is_old_or_short(quotes: pd.DataFrame, sources: pd.DataFrame) -> None:
    year = pd.to_numeric(sources["year"])
    recent = quotes.loc[year >= 1930, "quote"]
    assert (recent.str.split().map(len) <= 25).all()
    several = recent[recent.map(lambda text: SECOND_SENTENCE.search(text.strip()) is not None)]
    assert several.empty, several.tolist()


def test_year_is_missing_only_for_made_up_rows(sources: pd.DataFrame) -> None:
    undated = sources[sources["year"] == ""]
    assert (undated["exercises"] != "").all()
    assert (undated["in_corpus"] == "false").all()
    assert undated["expected"].str.startswith("removed").all()


def test_cleaning_is_exercised(sources: pd.DataFrame) -> None:
    exercises = sources[sources["exercises"] != ""]
    assert len(exercises) >= 30
    assert exercises["expected"].str.match(r"(kept|removed): \S").all()
    assert (sources.loc[sources["exercises"] == "", "expected"] == "").all()
    # Mixed into the file: some in each quarter.
    quarters = pd.cut(exercises["row"].astype(int), 4, labels=False)
    assert quarters.value_counts().min() >= 5


def test_one_author_is_over_the_cap(usable: pd.DataFrame) -> None:
    per_author = usable["author"].value_counts()
    assert (per_author > 10).sum() == 1


def test_contained_and_shared_texts_are_what_they_say(quotes: pd.DataFrame, sources: pd.DataFrame) -> None:
    def of(case: str) -> pd.DataFrame:
        return quotes.assign(person=sources["author"])[sources["exercises"] == case]

    for _, texts in of("text contained in a longer one").groupby("person")["quote"]:
        short, long = sorted(texts, key=len)
        assert fold(short) in fold(long)
    twice = of("same text twice for one author")
    assert len(twice) == 2 and twice["quote"].nunique() == 1 and twice["person"].nunique() == 1
    shared = of("one text under two different authors")
    assert len(shared) == 2 and shared["quote"].nunique() == 1 and shared["person"].nunique() == 2


def test_universe_has_the_published_columns_and_no_gaps() -> None:
    universe = read("universe.csv")
    assert list(universe.columns) == ["author_clean", "race", "gender", "log10_hits", "count"]
    assert not (universe == "").any(axis=None)
    assert universe["author_clean"].is_monotonic_increasing
    assert universe["author_clean"].map(normal_form).is_unique
    assert set(universe["race"]) == {"asian", "black", "latino", "white"}
    assert set(universe["gender"]) == {"female", "male"}


def test_every_usable_author_is_in_the_universe(usable: pd.DataFrame, universe: pd.DataFrame) -> None:
    missing = usable.loc[usable["author_clean"].isna(), "author"]
    assert missing.empty, missing.unique().tolist()
    assert set(universe["author_clean"]) == set(usable["author"])
    assert (universe["log10_hits"] >= 3).all()


def test_groups_are_large_enough_to_match(usable: pd.DataFrame) -> None:
    authors = usable.groupby(["race", "gender"])["author"].nunique()
    assert all(authors[group] >= 12 for group in INTERSECTIONAL)
    assert min(INTERSECTIONAL, key=lambda group: authors[group]) == ("black", "female")
    by_race = authors.groupby("race").sum()
    assert by_race["asian"] >= 12
    assert by_race["latino"] >= 10
    assert by_race.idxmin() == "latino"


def test_fame_ranges_of_the_groups_overlap(usable: pd.DataFrame) -> None:
    people = usable.drop_duplicates("author")
    groups = [people[(people["race"] == race) & (people["gender"] == gender)] for race, gender in INTERSECTIONAL]
    groups += [people[people["race"] == race] for race in ("asian", "latino")]
    # Common to all groups: at least a hundredfold range of search hits, with most of each group's authors in it.
    low = max(group["log10_hits"].min() for group in groups)
    high = min(group["log10_hits"].max() for group in groups)
    assert high - low >= 1.9
    for group in groups:
        assert group["log10_hits"].between(low, high).mean() >= 0.6
