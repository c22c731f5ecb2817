"""What is known of a quote beside its group: length, ease, names in it, repeats, topic, fame."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from attribench.analysis.own_names import names_author, names_work, openings
from attribench.analysis.reading_ease import reading_ease
from attribench.tables.covariates import COVARIATES_OF_QUOTES
from attribench.text import normal_form

OPENING = 8
"""Words that two rows of the corpus have in common at their beginning if they are the same quote."""


def candidate_quotes(
    benchmark: pd.DataFrame,
    candidates: pd.DataFrame | None = None,
    quotes: pd.DataFrame | None = None,
    authors: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return all quotes that could have come into a data set, those of `benchmark` marked.

    Args:
        benchmark: the table BENCHMARK.
        candidates: the authors that could be matched; without them, only `benchmark` is known.
        quotes: the table QUOTES, with all their quotes.
        authors: the table AUTHORS, with their other names.

    Returns:
        One row per quote: `quote_id`, `author_id`, `author`, `aliases`, `group`, `quote`, `words`,
        `work`, `log10_hits`, `is_matched`.
    """
    own = benchmark.rename(columns={"n_words": "words"}).assign(is_matched=True)
    if candidates is None or quotes is None or authors is None:
        own = own.assign(work=None)
    else:
        own = own.merge(quotes[["quote_id", "work"]], on="quote_id", how="left", validate="one_to_one")
        others = quotes[~quotes["quote_id"].isin(own["quote_id"])].rename(columns={"n_words": "words"})
        others = others.merge(candidates[["author_id", "group", "log10_hits"]], on="author_id", validate="many_to_one")
        others = others.merge(authors[["author_id", "aliases"]], on="author_id", validate="many_to_one")
        own = pd.concat([own, others.assign(is_matched=False)], ignore_index=True)
    columns = ["quote_id", "author_id", "author", "aliases", "group", "quote", "words", "work", "log10_hits"]
    return own[[*columns, "is_matched"]]


def describe_quotes(
    quotes: pd.DataFrame,
    *,
    not_telling: frozenset[str],
    repeats: pd.Series | None,
    topics: pd.Series,
    birth_years: Mapping[str, float],
    years_on_record: pd.Series,
) -> pd.DataFrame:
    """Return COVARIATES_OF_QUOTES without the column `dataset`.

    Args:
        quotes: the result of `candidate_quotes`.
        not_telling: see `names_author`.
        repeats: the result of `count_repeats`, or None where the corpus is not known.
        topics: the topic of each quote that is embedded, by `quote_id`.
        birth_years: of authors, by the normal form of their names.
        years_on_record: of other authors, by `author_id`.
    """
    works = [work if isinstance(work, str) else None for work in quotes["work"]]
    table = quotes.assign(
        characters=quotes["quote"].str.len(),
        reading_ease=np.array([reading_ease(text) for text in quotes["quote"]], dtype="float64"),
        names_author=[
            names_author(text, author, aliases, not_telling)
            for text, author, aliases in zip(quotes["quote"], quotes["author"], quotes["aliases"], strict=True)
        ],
        names_work=pd.Series(
            [names_work(text, work) for text, work in zip(quotes["quote"], works, strict=True)],
            index=quotes.index,
            dtype="boolean",
        ),
        elsewhere=_elsewhere(quotes, repeats),
        birth_year=quotes["author"]
        .map(normal_form)
        .map(birth_years)
        .astype("float64")
        .fillna(quotes["author_id"].map(years_on_record).astype("float64")),
        topic=quotes["quote_id"].map(topics).astype(object),
    )
    names = [name for name in COVARIATES_OF_QUOTES.names if name != "dataset"]
    return table[names]


def count_repeats(corpus: pd.Series) -> pd.Series:
    """Return how many rows of the corpus begin with each opening.

    Args:
        corpus: the raw texts of all rows.
    """
    counts: pd.Series = pd.Series(openings(corpus.tolist(), OPENING)).value_counts()
    return counts


def _elsewhere(quotes: pd.DataFrame, repeats: pd.Series | None) -> pd.Series:
    """Return the number of rows with the quote's opening, less the quote's own row."""
    if repeats is None:
        return pd.Series(pd.NA, index=quotes.index, dtype="Int64")
    opening = pd.Series(openings(quotes["quote"].tolist(), OPENING), index=quotes.index)
    # Cleaning may have rewritten the quote's own row, so that its opening is not among them.
    return (opening.map(repeats).fillna(0) - 1).clip(lower=0).astype("Int64")
