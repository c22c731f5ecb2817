"""The tables of the target compare: two runs, quote by quote."""

from attribench.tables import INTEGER, NUMBER, TEXT, Column, Table
from attribench.tables.columns import author_id, quote_id
from attribench.tables.condition import (
    DATASET,
    GROUP,
    METRIC,
    N_AUTHORS,
    NOTE,
    SETTING,
    SETTING_KEY,
    SHARE,
    interval,
    number,
)

COMPARISON = Table(
    "comparison",
    "comparison × data set × metric × condition × group",
    ("comparison", "dataset", "metric", *SETTING_KEY, "group"),
    (
        Column("comparison", TEXT, "its name in the configuration"),
        Column("first", TEXT, "the run that is compared with: results folder and model"),
        Column("second", TEXT, "the run that is compared"),
        DATASET,
        METRIC,
        *SETTING,
        Column("group", TEXT, "the demographic group, or all"),
        Column("n_quotes", INTEGER, "quotes scored in both runs: the pairs"),
        N_AUTHORS,
        Column("n_only_first", INTEGER, "quotes scored in the first run only: left out"),
        Column("n_only_second", INTEGER, "quotes scored in the second run only: left out"),
        number("mean_first", "mean of the pairs in the first run", SHARE),
        number("mean_second", "mean of the pairs in the second run", SHARE),
        number("difference", "second less first: mean over quotes", "share"),
        *interval("ci", "confidence interval of the difference, clustered by author", "share"),
        number("p_value", "two-sided p-value, clustered by author, not corrected"),
        Column("n_higher", INTEGER, "quotes whose value is higher in the second run"),
        Column("n_lower", INTEGER, "quotes whose value is lower in the second run"),
        NOTE,
    ),
)

COMPARED_QUOTES = Table(
    "compared quotes",
    "comparison × data set × metric × condition × quote",
    ("comparison", "dataset", "metric", *SETTING_KEY, "quote_id"),
    (
        COMPARISON.columns[0],
        DATASET,
        METRIC,
        *SETTING,
        quote_id(),
        author_id(),
        GROUP,
        Column("first", NUMBER, "value in the first run", SHARE),
        Column("second", NUMBER, "value in the second run", SHARE),
        Column("difference", NUMBER, "second less first", "share"),
    ),
)
