"""A benchmark that is handed in: what it becomes, what differs, and what stops."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from attribench.balance.benchmark_file import read_benchmark_file
from attribench.balance.matching_ids import reconstruct_matchings
from attribench.balance.read_benchmark import main
from attribench.errors import InputError
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, MATCHINGS
from attribench.tables.published_benchmark import DIFFERENCES

GROUPS = {
    "Black female": {"race": "black", "gender": "female"},
    "Black male": {"race": "black", "gender": "male"},
    "White female": {"race": "white", "gender": "female"},
}
SIZES = [1, 1, 3, 2, 3]  # to_sample of the matchings
Taken = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]


@pytest.fixture
def published() -> pd.DataFrame:
    """Return a benchmark in the columns of the published files, rows shuffled, all as it should be."""
    rng = np.random.default_rng(11)
    rows = []
    for match, size in enumerate(SIZES):
        for labels in GROUPS.values():
            name = f"{labels['race'].title()} {labels['gender'].title()} {'ABCDE'[match]}."
            hits = 10.0 ** (4 + match / 4 + rng.uniform(0, 0.1))
            for _ in range(size):
                n = len(rows)
                rows.append(
                    {
                        "quote_id": f"jstet_{7 * n + 3}",
                        "author_clean": name,
                        "author_alt_name": f"{name} the Elder" if match == 2 else "",
                        "author_raw": f"{name}, A Book",
                        "quote": f'Don\'t say "saying number {n}", say what it means',
                        "quote_words": 10,
                        **labels,
                        "gender_source": "wikidata",
                        "race_source": "llm",
                        "google_hits": hits,
                        "log10_hits": np.log10(hits),
                        "to_sample": size,
                    }
                )
    return pd.DataFrame(rows).sample(frac=1, random_state=2)


@pytest.fixture
def take(tmp_path: Path) -> Callable[..., Taken]:
    """Return a function that runs the step on a file's rows, or on a file."""

    def run(rows: pd.DataFrame | Path, groups: Any = GROUPS, reference: str | None = None) -> Taken:
        file = rows if isinstance(rows, Path) else tmp_path / "published.csv"
        if isinstance(rows, pd.DataFrame):
            rows.to_csv(file)
        out = [tmp_path / "out" / name for name in ("benchmark.parquet", "matchings.parquet", "differences.csv")]
        main(
            file=file, groups=groups, reference=reference, benchmark_table=out[0], matchings=out[1], differences=out[2]
        )
        return read(out[0], BENCHMARK), read(out[1], MATCHINGS), read(out[2], DIFFERENCES)

    return run


def row(differences: pd.DataFrame, check: str) -> Any:
    found = differences[differences["check"] == check]
    assert len(found) == 1, differences
    return next(found.itertuples())


def test_a_published_file_becomes_a_benchmark(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    benchmark, matchings, differences = take(published)
    assert len(benchmark) == len(published) == 3 * sum(SIZES)
    assert set(benchmark["quote_id"]) == set(published["quote_id"])
    by_id = published.set_index("quote_id").loc[benchmark["quote_id"]]
    assert (benchmark["quote"].to_numpy() == by_id["quote"].to_numpy()).all()
    assert (benchmark["log10_hits"].to_numpy() == by_id["log10_hits"].to_numpy()).all(), "no digit is lost"
    assert (benchmark["author"].to_numpy() == by_id["author_clean"].to_numpy()).all()
    assert benchmark["n_words"].eq(10).all()
    elder = benchmark[benchmark["author"] == "Black Male C."].iloc[0]
    assert list(elder["aliases"]) == ["Black Male C. the Elder"]
    assert elder["group"] == "Black male"
    assert elder["author_id"] == "black-male-c"
    assert list(differences["check"]) == ["matchings are on record"]
    assert row(differences, "matchings are on record").count == len(SIZES)
    assert matchings.groupby("match_id")["group"].agg(list).map(lambda g: g == list(GROUPS)).all()
    assert set(matchings.loc[matchings["is_reference"], "group"]) == {"Black female"}


def test_authors_are_matched_by_rank_of_fame_within_to_sample(
    published: pd.DataFrame, take: Callable[..., Taken]
) -> None:
    _, matchings, _ = take(published)
    # Fame grows with the matching that the file was made from, so that every one is found again.
    letters = matchings.groupby("match_id")["author"].agg(lambda names: {name[-2] for name in names})
    assert letters.tolist() == [{"B"}, {"A"}, {"D"}, {"E"}, {"C"}]
    assert matchings.groupby("match_id")["to_sample"].first().tolist() == [1, 1, 2, 3, 3]
    assert (matchings["to_sample"] == matchings["n_quotes"]).all()


def test_pairing_by_rank_has_the_least_squared_distance() -> None:
    rng = np.random.default_rng(4)
    authors = pd.DataFrame(
        {"author_id": [f"a{i}" for i in range(10)], "group": ["x"] * 5 + ["y"] * 5, "to_sample": 2}
        | {"log10_hits": rng.normal(5, 1, 10)}
    )
    pairs = authors.assign(m=reconstruct_matchings(authors)).pivot(index="m", columns="group", values="log10_hits")
    cost = ((pairs["x"] - pairs["y"]) ** 2).sum()
    for _ in range(50):
        assert cost <= ((pairs["x"].to_numpy() - rng.permutation(pairs["y"].to_numpy())) ** 2).sum() + 1e-12


def test_the_order_of_rows_does_not_matter(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    one = take(published)[:2]
    other = take(published.sample(frac=1, random_state=9))[:2]
    for before, after in zip(one, other, strict=True):
        pd.testing.assert_frame_equal(before, after)


def test_our_own_benchmark_comes_back_as_it_was(
    published: pd.DataFrame, take: Callable[..., Taken], tmp_path: Path
) -> None:
    made, _, _ = take(published)
    made["match_id"] = made["match_id"].map({0: 4, 1: 0, 2: 3, 3: 1, 4: 2})
    order = made["group"].map(list(GROUPS).index)
    made = made.assign(order=order).sort_values(["match_id", "order"], kind="stable", ignore_index=True)
    made = made[BENCHMARK.names]
    write(made, tmp_path / "own.parquet", BENCHMARK)
    benchmark, matchings, differences = take(tmp_path / "own.parquet", reference="White female")
    pd.testing.assert_frame_equal(benchmark, made)
    assert differences.empty
    assert list(differences.columns) == DIFFERENCES.names
    assert set(matchings.loc[matchings["is_reference"], "group"]) == {"White female"}


def change(published: pd.DataFrame, column: str, place: int, value: object) -> pd.DataFrame:
    changed = published.astype({column: object})
    changed.iloc[place, changed.columns.get_loc(column)] = value  # type: ignore[index]
    return changed


@pytest.mark.parametrize(
    ("column", "value", "check", "count"),
    [
        ("quote_id", "x_1", "form of the quote ids", 1),
        ("race", "asian", "labels that fit a group", 1),
        ("race", "", "labels that fit a group", 1),
        ("quote_words", "many", "length in words", 1),
        ("quote_words", "", "length in words", 1),
        ("to_sample", "two", "to_sample is a number", 1),
        ("to_sample", "5", "quotes of each author equal to to_sample", 1),
    ],
)
def test_a_value_that_differs_is_named_with_its_row(
    published: pd.DataFrame, take: Callable[..., Taken], column: str, value: str, check: str, count: int
) -> None:
    changed = change(published, column, 4, value)
    _, _, differences = take(changed)
    found = row(differences, check)
    assert found.count == count
    assert "row 6: " in found.example, "the header is row 1"
    assert str(changed["author_clean"].iloc[4]) in found.example


def test_unequal_groups_are_counted(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    benchmark, _, differences = take(published[published["author_clean"] != "Black Male C."])
    assert len(benchmark) == len(published) - 3
    assert row(differences, "equal authors in groups").example == "Black male: 4 authors"
    assert row(differences, "equal quotes in groups").example == "Black male: 7 quotes"
    assert row(differences, "matchings are whole").count == 1


def test_repeated_texts_are_counted(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    text = str(published["quote"].iloc[0]).upper().replace(",", " ;")
    _, _, differences = take(change(published, "quote", 3, text))
    assert row(differences, "texts occur once").count == 1


def test_spellings_of_one_name_stay_apart(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    renamed = published.replace({"author_clean": {"Black Male A.": "J. R. Doe", "Black Male B.": "J.R. Doe"}})
    benchmark, _, differences = take(renamed)
    assert {"jr-doe", "jr-doe-2"} <= set(benchmark["author_id"])
    assert row(differences, "one author per name").count == 1
    assert benchmark.groupby("author_id")["match_id"].nunique().eq(1).all()


def test_an_author_with_two_fames_has_the_first(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    place = [i for i, name in enumerate(published["author_clean"]) if name == "Black Male E."][1]
    benchmark, _, differences = take(change(published, "log10_hits", place, 9.5))
    assert row(differences, "one fame per author").count == 1
    assert benchmark["log10_hits"].max() < 9


def test_match_ids_that_cannot_be_are_reconstructed(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    for match_id, why in ((0, "has two authors of the group"), ("none", "is no whole number")):
        _, matchings, differences = take(published.assign(match_id=match_id))
        assert why in row(differences, "matchings are on record").example
        assert matchings["match_id"].nunique() == len(SIZES)
    split = published.assign(match_id=range(len(published)))
    assert "is in several matchings" in row(take(split)[2], "matchings are on record").example


def test_the_files_groups_may_be_more_than_the_data_sets(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    fewer = {name: GROUPS[name] for name in ("Black female", "Black male")}
    benchmark, _, differences = take(published, groups=fewer)
    assert list(benchmark["group"].unique()) == list(fewer)
    assert row(differences, "labels that fit a group").count == sum(SIZES)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("quote", "", "has no 'quote' in 1 rows, the first of them row 6: "),
        ("author_clean", " ", "has no 'author_clean' in 1 rows, the first of them row 6: jstet_"),
        ("quote_id", "", "has no 'quote_id' in 1 rows, the first of them row 6: no quote_id"),
        ("log10_hits", "", "no number as 'log10_hits' in 1 rows, the first of them row 6: "),
        ("log10_hits", "famous", "log10_hits 'famous'"),
        ("log10_hits", "inf", "log10_hits 'inf'"),
    ],
)
def test_what_makes_evaluation_impossible_stops(
    published: pd.DataFrame, take: Callable[..., Taken], column: str, value: str, said: str
) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        take(change(published, column, 4, value))


def test_an_id_that_occurs_twice_stops(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    with pytest.raises(InputError, match=r"has 1 rows whose quote_id occurs in an earlier row.*row 6"):
        take(change(published, "quote_id", 4, published["quote_id"].iloc[0]))


def test_a_group_without_authors_stops(published: pd.DataFrame, take: Callable[..., Taken]) -> None:
    with pytest.raises(InputError, match=r"no author for the group 'Asian' \(race 'asian'\).*race: black, white;"):
        take(published, groups=GROUPS | {"Asian": {"race": "asian"}})


def test_a_file_that_is_none_is_told_in_a_sentence(published: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_benchmark_file(tmp_path / "nowhere.csv")
    published.drop(columns=["race", "quote"]).to_csv(tmp_path / "short.csv")
    with pytest.raises(InputError, match=r"lacks the columns quote, race; it has Unnamed: 0, quote_id"):
        read_benchmark_file(tmp_path / "short.csv")
    published.head(0).to_csv(tmp_path / "empty.csv")
    with pytest.raises(InputError, match="columns and no rows"):
        read_benchmark_file(tmp_path / "empty.csv")
    (tmp_path / "text.parquet").write_text("no table")
    with pytest.raises(InputError, match="cannot be read as a Parquet file"):
        read_benchmark_file(tmp_path / "text.parquet")
    (tmp_path / "latin.csv").write_bytes("quote_id\nCafé\n".encode("latin-1"))
    with pytest.raises(InputError, match="cannot be read as a CSV file in UTF-8"):
        read_benchmark_file(tmp_path / "latin.csv")


def test_published_columns_are_read_from_parquet_too(
    published: pd.DataFrame, take: Callable[..., Taken], tmp_path: Path
) -> None:
    from_csv = take(published)
    published.to_parquet(tmp_path / "published.parquet")
    from_parquet = take(tmp_path / "published.parquet")
    for one, other in zip(from_csv[:2], from_parquet[:2], strict=True):
        pd.testing.assert_frame_equal(one, other)
