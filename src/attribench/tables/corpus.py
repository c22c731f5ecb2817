"""The tables of the stage corpus: which quotes, by which individual."""

from attribench.tables import INTEGER, TEXT, TEXTS, Column, Table
from attribench.tables.columns import author, author_id, quote_id

QUOTES = Table(
    "quotes",
    "quote",
    ("quote_id",),
    (
        quote_id(),
        author_id(),
        author(),
        Column("quote", TEXT, "the quote, without its byline"),
        Column("n_words", INTEGER, "length of the quote", "words"),
        Column("work", TEXT, "the work named beside the author, if any", optional=True),
    ),
)

AUTHORS = Table(
    "authors",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("aliases", TEXTS, "every other form of the name that the corpus gives for the same person"),
        Column("n_quotes", INTEGER, "usable quotes, after the cap"),
    ),
)

FUNNEL = Table(
    "funnel",
    "filter step",
    ("step",),
    (
        Column("step", TEXT, "the filter, in the order in which it ran"),
        Column("section", TEXT, "the section of Berman et al. 2026 that asks for it"),
        Column("rows_removed", INTEGER, "quotes that ended here"),
        Column("authors_removed", INTEGER, "authors whose last quote ended here"),
        Column("rows_changed", INTEGER, "quotes whose text or author the step rewrote"),
        Column("rows_left", INTEGER, "quotes after the step"),
        Column("authors_left", INTEGER, "authors after the step"),
        Column("why", TEXT, "what the step removes, and for what reason"),
    ),
)

SIMILAR_NAMES = Table(
    "similar names",
    "author whose name is close to that of a more frequent one",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("n_quotes", INTEGER, "usable quotes of the rarer author, after the cap"),
        Column("similar_author_id", TEXT, "the author_id of the more frequent author"),
        Column("similar_author", TEXT, "the more frequent author, of whose name the other may be a misspelling"),
        Column("similar_n_quotes", INTEGER, "usable quotes of the more frequent author, after the cap"),
        Column("distance", INTEGER, "insertions, deletions, replacements and swaps between the normal forms", "edits"),
    ),
)
