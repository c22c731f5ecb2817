"""Making the table BENCHMARK out of the rows of a file, and saying what differs from what is expected.

Two kinds of fault are told apart. Without an id, a text, an author or a fame no row of BENCHMARK can
be made, and without an author in every group nothing can be compared: these stop with a sentence. All
else is recorded in DIFFERENCES, with what was done about it.
"""

import pandas as pd

from attribench.balance import handed_in_authors as of_authors
from attribench.balance import handed_in_rows as of_rows
from attribench.balance.differences import Differences
from attribench.balance.handed_in_rows import Groups
from attribench.tables.balance import BENCHMARK, MATCHINGS


def accept(
    rows: pd.DataFrame, groups: Groups, reference: str | None, name: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return BENCHMARK, MATCHINGS and DIFFERENCES.

    Args:
        rows: what `read_benchmark_file` returns.
        groups: the groups of the data set, by race and gender.
        reference: the reference group; None takes the first of `groups`.
        name: what messages call the file.

    Raises:
        InputError: a row lacks what evaluation needs, an id occurs twice, or a group has no author.
    """
    of_rows.refuse_unusable(rows, name)
    differences = Differences()
    rows = rows.assign(log10_hits=of_rows.numbers(rows["log10_hits"]))
    rows = of_rows.with_groups(rows, groups, name, differences)
    rows["author_id"] = of_rows.author_ids(rows, differences)
    rows["n_words"] = of_rows.lengths(rows, differences)
    rows["to_sample"] = of_rows.numbers_to_sample(rows, differences)
    of_rows.check_texts_and_ids(rows, differences)
    authors = of_authors.authors_of(rows, groups, differences)
    authors["match_id"] = of_authors.match_ids(rows, authors, groups, differences)
    of_authors.check_balance(rows, authors, groups, differences)
    benchmark = rows.drop(columns=["match_id", "log10_hits", "aliases"], errors="ignore").merge(
        authors[["author_id", "match_id", "log10_hits", "aliases"]], on="author_id", validate="many_to_one"
    )
    benchmark = benchmark.rename(columns={"author_clean": "author"})
    benchmark["number"] = pd.to_numeric(benchmark["quote_id"].str.extract(r"(\d+)$")[0])
    order = benchmark["group"].map({group: number for number, group in enumerate(groups)})
    benchmark = benchmark.assign(order=order).sort_values(
        ["match_id", "order", "author_id", "number", "quote_id"], ignore_index=True
    )
    authors = authors.assign(is_reference=authors["group"] == (reference or next(iter(groups))))
    authors = authors.rename(columns={"author_clean": "author"}).sort_values(["match_id", "order"], ignore_index=True)
    return benchmark[BENCHMARK.names], authors[MATCHINGS.names], differences.table
