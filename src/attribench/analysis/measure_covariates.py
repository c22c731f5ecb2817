"""Step: measure what quotes differ in beside the group, and whether groups are alike in it."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attribench.analysis.covariate_balance import measure_balance
from attribench.analysis.quote_covariates import candidate_quotes, count_repeats, describe_quotes
from attribench.analysis.topics import find_topics
from attribench.corpus_file import read_corpus
from attribench.errors import InputError
from attribench.step import run
from attribench.tables import read, typed, write
from attribench.tables.balance import BENCHMARK, CANDIDATES, MATCHINGS
from attribench.tables.corpus import AUTHORS, QUOTES
from attribench.tables.covariates import COVARIATES, COVARIATES_OF_QUOTES
from attribench.tables.demographics import WIKIDATA
from attribench.tables.evidence import EMBEDDINGS
from attribench.text import normal_form


def main(
    *,
    benchmarks: list[Path],
    matchings: list[Path],
    embeddings: list[Path],
    candidates: list[Path],
    corpus: list[Path],
    words: list[Path],
    birth_years: list[Path],
    wikidata: list[Path],
    groups: dict[str, list[str]],
    built: list[str],
    topics: int,
    seed: int,
    covariates_of_quotes: Path,
    covariates: Path,
) -> None:
    """Write COVARIATES_OF_QUOTES and COVARIATES.

    Args:
        benchmarks: the benchmark of each data set, in the order of `groups`.
        matchings: its matchings: they say which group is the reference.
        embeddings: its file of embeddings; several may have the same.
        candidates: of the data sets in `built`, the authors that could be matched.
        corpus: where any is built, the tables QUOTES and AUTHORS, and the raw corpus; else nothing.
        words: word lists: names in them are no sign of an author.
        birth_years: a CSV file with the columns `name` and `birth_year`, or nothing.
        wikidata: where it was asked, the table WIKIDATA, for authors that are not in that file; else nothing.
        groups: the groups of each data set, in order.
        built: the data sets that are built from the corpus.
        topics: number of topics.
        seed: where chance comes from.
        covariates_of_quotes: where the table goes that has a row for each quote.
        covariates: where the table goes that compares groups.

    Raises:
        InputError: a table or file is not what it should be.
    """
    not_telling = frozenset(word for path in words for word in path.read_text(encoding="utf-8").split("\n") if word)
    years = read_birth_years(birth_years[0]) if birth_years else {}
    on_record = pd.Series(dtype="float64")
    if wikidata:
        on_record = read(wikidata[0], WIKIDATA, ["author_id", "birth_year"]).set_index("author_id")["birth_year"]
    quotes = read(corpus[0], QUOTES) if corpus else None
    authors = read(corpus[1], AUTHORS) if corpus else None
    repeats = count_repeats(read_corpus(corpus[2])["quote"]) if corpus else None
    texts = [read(path, BENCHMARK, ["quote_id", "quote"]) for path in benchmarks]
    topic_of = {}
    for path in dict.fromkeys(embeddings):
        own = [text for text, its in zip(texts, embeddings, strict=True) if its == path]
        topic_of[path] = _topics(path, pd.concat([*own, *([] if quotes is None else [quotes])]), topics, seed)
    candidates_of = dict(zip(built, candidates, strict=True))
    parts: list[pd.DataFrame] = []
    rows: list[dict[str, Any]] = []
    for name, benchmark, matched, embedding in zip(groups, benchmarks, matchings, embeddings, strict=True):
        is_built = name in candidates_of
        found = candidate_quotes(
            read(benchmark, BENCHMARK),
            *((read(candidates_of[name], CANDIDATES), quotes, authors) if is_built else ()),
        )
        table = describe_quotes(
            found,
            not_telling=not_telling,
            repeats=repeats if is_built else None,
            topics=topic_of[embedding],
            birth_years=years,
            years_on_record=on_record,
        )
        parts.append(table.assign(dataset=name))
        roles = read(matched, MATCHINGS, ["group", "is_reference"])
        reference = roles.loc[roles["is_reference"], "group"].iloc[0]
        for matching in ("before", "after") if is_built else ("after",):
            chosen = table if matching == "before" else table[table["is_matched"]]
            if chosen["topic"].isna().any():  # known of the data set's own quotes: no picture of all candidates
                chosen = chosen.assign(topic=None)
            balance = measure_balance(chosen, groups[name], reference)
            rows.extend({"dataset": name, "matching": matching, **row} for row in balance)
    write(pd.concat(parts, ignore_index=True), covariates_of_quotes, COVARIATES_OF_QUOTES)
    write(typed(pd.DataFrame(rows), COVARIATES), covariates, COVARIATES)


def _topics(path: Path, texts: pd.DataFrame, topics: int, seed: int) -> pd.Series:
    """Return the topic of each of `texts` that has an embedding in the file `path`, by `quote_id`."""
    texts = texts[["quote_id", "quote"]].drop_duplicates("quote_id")
    vectors = read(path, EMBEDDINGS).merge(texts, on="quote_id", validate="one_to_one")
    found = find_topics(vectors["quote"], np.stack(vectors["vector"].to_list()), topics, seed)
    return pd.Series(found.to_numpy(), index=vectors["quote_id"].to_numpy())


def read_birth_years(path: Path) -> dict[str, float]:
    """Return the year of birth by the normal form of the name; a name with several years is left out.

    Raises:
        InputError: the file lacks a column, or a year is no number.
    """
    table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    missing = {"name", "birth_year"} - set(table.columns)
    if missing:
        raise InputError(
            f"{path} has the columns {', '.join(table.columns)}; 'analysis.birth_years' needs name and birth_year."
        )
    table = table[table["birth_year"].str.strip() != ""]
    years = pd.to_numeric(table["birth_year"], errors="coerce")
    if years.isna().any():
        first = table[years.isna()].iloc[0]
        raise InputError(f"{path}: the birth_year of {first['name']} is '{first['birth_year']}', which is no number.")
    by_name = years.groupby(table["name"].map(normal_form)).agg(["min", "max"])
    same = by_name[by_name["min"] == by_name["max"]]
    return {str(name): float(year) for name, year in same["min"].items()}


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
