"""The table of what a benchmark that was handed in differs in from what is expected.

It belongs to the stage balance.
"""

from attribench.tables import INTEGER, TEXT, Column, Table

DIFFERENCES = Table(
    "differences",
    "check that found something",
    ("check",),
    (
        Column("check", TEXT, "what was checked"),
        Column("count", INTEGER, "how many there are of what differs"),
        Column("counted", TEXT, "what is counted"),
        Column("expected", TEXT, "what was expected"),
        Column("example", TEXT, "the first that differs: the row of the file, or the group or matching"),
        Column("consequence", TEXT, "what was done about it"),
    ),
)
