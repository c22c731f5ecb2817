"""The ids and texts of a benchmark that is handed in are compared with the corpus."""

from pathlib import Path

import pandas as pd
import pytest

from attribench.balance.compare_with_corpus import compare, main
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.published_benchmark import DIFFERENCES

TEXTS = [
    "The first quote, as it was said.",
    "A second one; with a byline - Ann Petry",
    "The third was parted",
    "Nothing like the others",
    "Not in the benchmark",
]
AUTHORS = ["Ann Petry", "Ann Petry", "at its semicolon", "Nella Larsen, Passing", "Nella Larsen"]


@pytest.fixture
def corpus() -> pd.DataFrame:
    return pd.DataFrame({"quote": TEXTS, "author": AUTHORS, "category": ""})


def benchmark(*quotes: tuple[str, str]) -> pd.DataFrame:
    """Return BENCHMARK with these ids and texts."""
    rows = pd.DataFrame(quotes, columns=["quote_id", "quote"])
    rows = rows.assign(match_id=0, group="A", race="black", gender="female", author_id="a", author="A. Author")
    return rows.assign(aliases=[[] for _ in quotes], n_words=5, log10_hits=4.0)[BENCHMARK.names]


AS_IT_SHOULD_BE = [
    ("jstet_0", "the first quote as it was said"),
    ("jstet_1", "A second one; with a byline"),
    ("jstet_2", "The third was parted; at its semicolon"),
    ("jstet_3", "Nothing like the others"),
]


def test_what_cleaning_changes_is_no_difference(corpus: pd.DataFrame) -> None:
    assert compare(benchmark(*AS_IT_SHOULD_BE), corpus, "quotes.csv").empty


def test_ids_that_are_no_row_and_other_texts_are_counted(corpus: pd.DataFrame) -> None:
    found = compare(
        benchmark(*AS_IT_SHOULD_BE[:2], ("jstet_5", "Not in the benchmark"), ("x3", "Else"), ("jstet_4", "The others")),
        corpus,
        "quotes.csv",
    ).set_index("check")
    assert found["count"].to_dict() == {"quote ids exist": 2, "texts of the rows": 1}
    assert found.loc["quote ids exist", "expected"] == "jstet_0 to jstet_4, the rows of quotes.csv"
    assert found.loc["quote ids exist", "example"] == "jstet_5, A. Author: 'Not in the benchmark'"
    assert found.loc["texts of the rows", "example"].endswith("'The others', in the corpus 'Not in the benchmark'")


def test_a_part_of_a_word_is_no_text_of_the_row(corpus: pd.DataFrame) -> None:
    found = compare(benchmark(*AS_IT_SHOULD_BE[:1], ("jstet_3", "thing like the other")), corpus, "quotes.csv")
    assert found["check"].tolist() == ["texts of the rows"]


def test_another_corpus_is_one_line(corpus: pd.DataFrame, tmp_path: Path) -> None:
    write(benchmark(("jstet_0", "Something"), ("jstet_9", "Else")), tmp_path / "benchmark.parquet", BENCHMARK)
    corpus.to_csv(tmp_path / "quotes.csv", index=False)
    out = tmp_path / "corpus_differences.csv"
    main(
        benchmark_table=tmp_path / "benchmark.parquet",
        quotes_csv=tmp_path / "quotes.csv",
        corpus_differences=out,
    )
    found = read(out, DIFFERENCES)
    assert found[["check", "count"]].to_numpy().tolist() == [["made from the corpus", 2]]
    assert "another corpus" in found["consequence"].iloc[0]
