"""The table of the stage demographics: what race and gender each author is recorded with."""

from attribench.tables import TEXT, Column, Table
from attribench.tables.columns import author, author_id

LABELS = Table(
    "labels",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("race", TEXT, "race or ethnicity on record, in lower case", optional=True),
        Column("gender", TEXT, "gender on record, in lower case", optional=True),
        Column("race_source", TEXT, "the source that gave the race", optional=True),
        Column("gender_source", TEXT, "the source that gave the gender", optional=True),
        Column("reason", TEXT, "why a label is missing, source by source; empty if none is", optional=True),
    ),
)
