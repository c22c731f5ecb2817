"""The table of the target selftest: what came back of a simulated truth."""

from attribench.tables import FLAG, TEXT, Column, Table

SELFTEST = Table(
    "selftest",
    "scenario × what is measured",
    ("part", "what"),
    (
        Column("part", TEXT, "the scenario of the simulation, or workflow"),
        Column("what", TEXT, "what is measured"),
        Column("found", TEXT, "the rate, or what was found"),
        Column("expected", TEXT, "what it must be; empty where it is only reported"),
        Column("is_checked", FLAG, "whether it must be so"),
        Column("holds", FLAG, "whether it is; missing where it is only reported", optional=True),
    ),
)
