"""Step: check that the ids of a benchmark that was handed in are rows of the corpus, and the texts those rows'."""

from pathlib import Path

import pandas as pd

from attribench.balance.differences import Differences
from attribench.corpus_file import read_corpus
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.published_benchmark import DIFFERENCES
from attribench.text import fold


def main(*, benchmark_table: Path, quotes_csv: Path, corpus_differences: Path) -> None:
    """Write to `corpus_differences` what in the benchmark differs from the corpus `quotes_csv`."""
    found = compare(read(benchmark_table, BENCHMARK), read_corpus(quotes_csv), quotes_csv.name)
    for row in found.itertuples():
        print(f"{row.check}: {row.count} {row.counted}, the first {row.example}; {row.consequence}.")
    write(found, corpus_differences, DIFFERENCES)


def compare(benchmark: pd.DataFrame, corpus: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the table DIFFERENCES.

    A text is its row's if that holds it but for case, marks, punctuation and spacing: cleaning cuts a
    byline off, and joins a shifted row with the rest of the quote in its author cell.

    Args:
        benchmark: the table BENCHMARK.
        corpus: the rows of the corpus file, as `read_corpus` returns them.
        name: what the corpus is called.
    """
    number = pd.to_numeric(benchmark["quote_id"].str.extract(r"^jstet_(\d{1,15})$")[0])
    is_row = number.isin(corpus.index)
    rows = corpus.reindex(number[is_row].astype("int64")).set_index(number.index[is_row])
    texts = (rows["quote"] + " " + rows["author"]).map(fold)
    own = benchmark.loc[is_row, "quote"].map(fold)
    is_same = pd.Series(
        [f" {text} " in f" {row} " for text, row in zip(own, texts, strict=True)], own.index, dtype=bool
    )
    differences = Differences()
    if not is_same.any():
        differences.record(
            "made from the corpus",
            len(benchmark),
            "quotes",
            f"ids and texts of rows of {name}",
            _example(benchmark),
            "kept; the benchmark was made from another corpus than corpus.quotes names",
        )
        return differences.table
    differences.record(
        "quote ids exist",
        int((~is_row).sum()),
        "quotes",
        f"jstet_0 to jstet_{len(corpus) - 1}, the rows of {name}",
        _example(benchmark[~is_row]),
        "kept; such quotes do not line up with the corpus",
    )
    other = own.index[~is_same]
    differences.record(
        "texts of the rows",
        len(other),
        "quotes",
        f"the text of this row of {name}, but for case, punctuation, spacing and a byline",
        f"{_example(benchmark.loc[other])}, in the corpus '{rows.loc[other[0], 'quote'][:80]}'" if len(other) else "",
        "kept; the text of the benchmark counts",
    )
    return differences.table


def _example(rows: pd.DataFrame) -> str:
    if rows.empty:
        return ""
    first = rows.iloc[0]
    return f"{first['quote_id']}, {first['author']}: '{first['quote'][:80]}'"


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
