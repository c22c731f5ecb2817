"""Step: draw the same number of quotes for every author of a matching."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, MATCHINGS
from attribench.tables.corpus import AUTHORS, QUOTES
from attribench.tables.demographics import LABELS, WIKIDATA


def draw_quotes(matchings: pd.DataFrame, quotes: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return `to_sample` quotes of each matched author, drawn without replacement.

    Args:
        matchings: the table MATCHINGS.
        quotes: the table QUOTES.
        rng: decides which quotes are drawn.

    Returns:
        The drawn rows of `quotes` with the columns of `matchings` beside them, by matching, then
        group in the order of `matchings`, then quote.
    """
    order = matchings.reset_index(drop=True).rename_axis("place").reset_index()
    pool = order.merge(quotes.drop(columns="author"), on="author_id", validate="one_to_many")
    pool["number"] = pool["quote_id"].str.removeprefix("jstet_").astype("int64")
    pool = pool.sort_values(["place", "number"], ignore_index=True)  # the draw must not hang on the corpus's order
    lot = rng.permutation(len(pool))
    chance = pd.Series(lot, index=pool.index).groupby(pool["place"]).rank(method="first")
    return pool[chance <= pool["to_sample"]].reset_index(drop=True)


def join_aliases(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return `author_id` and `aliases`: the names that any of the tables has, each once, in their order."""
    names = pd.concat(tables).explode("aliases").drop_duplicates()
    listed = names.groupby("author_id", sort=False)["aliases"].agg(lambda column: column.dropna().tolist())
    return listed.reset_index()


def main(
    *,
    matchings: Path,
    quotes: Path,
    authors: Path,
    labels: Path,
    wikidata: list[Path],
    dataset: str,
    seed: int,
    benchmark_table: Path,
) -> None:
    """Draw the quotes of the matched authors and write BENCHMARK to `benchmark_table`.

    `wikidata` is the table WIKIDATA, whose aliases join those of the corpus, or nothing.
    """
    rng = np.random.default_rng([seed, *dataset.encode()])
    drawn = draw_quotes(read(matchings, MATCHINGS), read(quotes, QUOTES), rng)
    drawn = drawn.merge(read(labels, LABELS, ["author_id", "race", "gender"]), on="author_id")
    names = [read(authors, AUTHORS, ["author_id", "aliases"])]
    names += [read(path, WIKIDATA, ["author_id", "aliases"]) for path in wikidata]
    drawn = drawn.merge(join_aliases(names), on="author_id")
    drawn = drawn.sort_values(["place", "number"])
    write(drawn[BENCHMARK.names], benchmark_table, BENCHMARK)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
