"""The tables of the stage fame: how often each author is referred to."""

import pyarrow as pa

from attribench.tables import INTEGER, NUMBER, TEXT, TEXTS, Column, Table
from attribench.tables.columns import author, author_id

FAME = Table(
    "fame",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("log10_hits", NUMBER, "fame", "log10 of what its source counts", optional=True),
        Column("fame_source", TEXT, "the source that gave the fame", optional=True),
        Column("reason", TEXT, "why the fame is missing, source by source; empty if it is not", optional=True),
    ),
)

FAME_BY_SOURCE = Table(
    "fame by source",
    "author × source",
    ("author_id", "fame_source"),
    (
        author_id(),
        Column("fame_source", TEXT, "the source"),
        Column("log10_hits", NUMBER, "what it says", "log10 of what the source counts", optional=True),
        Column("reason", TEXT, "why it says nothing; empty if it does", optional=True),
    ),
)

SEARCH_HITS = Table(
    "search hits",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("keyword", TEXT, "the query as it was sent, or would have been"),
        Column("hits", INTEGER, "median of the usable samples, to the nearest whole number", "results", optional=True),
        Column("hits_low", INTEGER, "the smallest usable sample", "results", optional=True),
        Column("hits_high", INTEGER, "the largest usable sample", "results", optional=True),
        Column("log10_hits", NUMBER, "fame; missing where hits are 0", "log10 of the number of results", optional=True),
        Column("samples", pa.list_(pa.int64()), "every usable sample, in the order of asking", "results"),
        Column("sampled_at", TEXTS, "for each usable sample, when the search was made, as the provider says"),
        Column("n_asked", INTEGER, "samples that were asked for; 0 for a query that was not sent"),
        Column("n_failed", INTEGER, "samples that could not be had after all attempts"),
        Column("suggested", TEXT, "another spelling that the search engine proposed", optional=True),
        Column("cost", NUMBER, "price of the samples; missing where one is not known", "USD", optional=True),
        Column("reason", TEXT, "why there is no fame; empty if there is", optional=True),
    ),
)

MENTIONS = Table(
    "mentions",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("mentions", INTEGER, "how often the name or an alias occurs in the text collection"),
        Column("log10_hits", NUMBER, "fame; missing where there is no mention", "log10 of the mentions", optional=True),
        Column("reason", TEXT, "why there is no fame; empty if there is", optional=True),
    ),
)

FAME_PAIRS = Table(
    "fame pairs",
    "author that both sources know",
    ("author_id",),
    (
        author_id(),
        Column("group", TEXT, "the demographic group; missing for an author outside all groups", optional=True),
        Column("one", NUMBER, "fame by the one source", "log10 of what it counts"),
        Column("other", NUMBER, "fame by the other source", "log10 of what it counts"),
    ),
)

FAME_COMPARISON = Table(
    "fame comparison",
    "group, or all authors",
    ("group",),
    (
        Column("group", TEXT, "the demographic group, or all"),
        Column("one", TEXT, "the one source"),
        Column("other", TEXT, "the other source"),
        Column("n_both", INTEGER, "authors that both sources know"),
        Column("n_only_one", INTEGER, "authors that only the one source knows"),
        Column("n_only_other", INTEGER, "authors that only the other source knows"),
        Column("rank_correlation", NUMBER, "Spearman's, ties at their average rank", "-1 to 1", optional=True),
        Column("ci_low", NUMBER, "lower end of its 95 % confidence interval", "-1 to 1", optional=True),
        Column("ci_high", NUMBER, "upper end of its 95 % confidence interval", "-1 to 1", optional=True),
        Column("note", TEXT, "why a figure is missing", optional=True),
    ),
)
