"""The tables of the stage report that are tables of its own: ours beside the paper's."""

from attribench.tables import INTEGER, NUMBER, TEXT, Column, Table

SELECTED_RUNS = Table(
    "selected runs",
    "criterion of a data set",
    ("dataset", "criterion"),
    (
        Column("dataset", TEXT, "the data set"),
        Column("criterion", TEXT, "the criterion of rank aggregation, as a column of the table of runs"),
        Column("value", NUMBER, "its value in the selected run", "that of the criterion"),
        Column("best", NUMBER, "its best value in any run", "that of the criterion"),
        Column("worst", NUMBER, "its worst value in any run", "that of the criterion"),
        Column("paper", NUMBER, "its value in Berman et al. 2026, Table 2", "that of the criterion", True),
    ),
)

GROUP_FAME_BESIDE_PAPER = Table(
    "fame of groups beside the paper's",
    "group of a data set",
    ("dataset", "group"),
    (
        Column("dataset", TEXT, "the data set"),
        Column("group", TEXT, "the demographic group"),
        Column("authors", INTEGER, "authors of the group whose fame is on record"),
        Column("mean_log10_hits", NUMBER, "their mean fame", "log10 hits", True),
        Column("paper_authors", NUMBER, "their number in Berman et al. 2026, Table 3", optional=True),
        Column("paper_mean_log10_hits", NUMBER, "their mean fame in Berman et al. 2026, Table 3", "log10 hits", True),
    ),
)
