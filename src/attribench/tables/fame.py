"""The table of the stage fame: how often each author is referred to."""

from attribench.tables import NUMBER, TEXT, Column, Table
from attribench.tables.columns import author, author_id

FAME = Table(
    "fame",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("log10_hits", NUMBER, "fame", "log10 of the number of search results", optional=True),
        Column("fame_source", TEXT, "the source that gave the fame", optional=True),
        Column("reason", TEXT, "why the fame is missing, source by source; empty if it is not", optional=True),
    ),
)
