"""The tables of covariates: what quotes differ in beside the group."""

from attribench.tables import FLAG, INTEGER, TEXT, Column, Table
from attribench.tables.columns import author_id, quote_id
from attribench.tables.condition import DATASET, GROUP, NOTE, number

COVARIATES_OF_QUOTES = Table(
    "covariates of quotes",
    "data set × candidate quote",
    ("dataset", "quote_id"),
    (
        DATASET,
        quote_id(),
        author_id(),
        GROUP,
        Column("is_matched", FLAG, "whether the quote is in the data set (else its author was only a candidate)"),
        Column("words", INTEGER, "length of the quote", "words"),
        Column("characters", INTEGER, "length of the quote", "characters"),
        number("reading_ease", "Flesch reading ease; higher is easier", "points"),
        Column("names_author", FLAG, "whether the quote holds a name of its author"),
        Column("names_work", FLAG, "whether the quote holds the title of its work; missing without one", optional=True),
        Column("elsewhere", INTEGER, "other rows of the corpus with the same opening words", "rows", optional=True),
        number("birth_year", "year of the author's birth, negative before Christ", "year"),
        Column("topic", TEXT, "cluster of the quote's embedding, named by its typical words", optional=True),
        number("log10_hits", "fame of the author", "log10 of the number of search results"),
    ),
)

COVARIATES = Table(
    "covariates",
    "data set × before or after matching × covariate × level × group",
    ("dataset", "matching", "covariate", "level", "group"),
    (
        DATASET,
        Column("matching", TEXT, "before (all candidates) or after (the data set)"),
        Column("covariate", TEXT, "a column of the covariates of quotes"),
        Column("level", TEXT, "for topics, which one; empty for others"),
        GROUP,
        Column("n_quotes", INTEGER, "quotes for which the covariate is known"),
        Column("n_unknown", INTEGER, "quotes for which it is not"),
        number("mean", "mean over quotes; a share for levels and yes-or-no covariates", "as the covariate"),
        number("sd", "standard deviation over quotes", "as the covariate"),
        number("smd", "difference in means to the reference group", "pooled standard deviations"),
        number("largest_smd", "largest absolute difference in means to any other group", "pooled standard deviations"),
        Column("is_over_line", FLAG, "whether the largest difference is over 0.1"),
        NOTE,
    ),
)
