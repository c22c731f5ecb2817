"""The tables of the stage balance: which authors match across groups, and their quotes."""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, Column, Table
from attribench.tables.columns import author, author_id, quote_id

CRITERIA = (
    Column("authors_per_group", INTEGER, "authors in each group; more is better"),
    Column("quotes_per_group", INTEGER, "quotes in each group; more is better"),
    Column("mean_log10_hits", NUMBER, "mean fame over all matched authors; higher is better", "log10 hits", True),
    Column(
        "range_log10_hits",
        NUMBER,
        "largest minus smallest group mean of fame; smaller is better",
        "log10 hits",
        True,
    ),
    Column(
        "rms_log10_hits",
        NUMBER,
        "root mean squared fame distance to the reference author; smaller is better",
        "log10 hits",
        True,
    ),
)

CANDIDATES = Table(
    "candidates",
    "author",
    ("author_id",),
    (
        author_id(),
        author(),
        Column("group", TEXT, "the demographic group"),
        Column("log10_hits", NUMBER, "fame", "log10 of what the source of fame counts"),
        Column("n_quotes", INTEGER, "usable quotes of the author"),
    ),
)

EXCLUSIONS = Table(
    "exclusions",
    "reason",
    ("reason",),
    (
        Column("reason", TEXT, "the first reason why authors cannot be matched"),
        Column("authors", INTEGER, "authors that it applies to"),
        Column("quotes", INTEGER, "their usable quotes"),
    ),
)

RUNS = Table(
    "runs",
    "run",
    ("run",),
    (
        Column("run", INTEGER, "number of the randomized run, from 0"),
        *CRITERIA,
        *(Column(f"rank_{c.name}", NUMBER, f"average rank of {c.name}, 1 is best") for c in CRITERIA),
        Column("rank_sum", NUMBER, "sum of the five ranks; the smallest is selected"),
        Column("selected", FLAG, "whether this run became the benchmark"),
    ),
)

MATCHINGS = Table(
    "matchings",
    "author in a matching",
    ("match_id", "group"),
    (
        Column("match_id", INTEGER, "number of the matching, from 0"),
        Column("group", TEXT, "the demographic group"),
        Column("is_reference", FLAG, "whether the group is the reference group"),
        author_id(),
        author(),
        Column("log10_hits", NUMBER, "fame", "log10 of what the source of fame counts"),
        Column("n_quotes", INTEGER, "usable quotes of the author"),
        Column("to_sample", INTEGER, "quotes drawn for each author of the matching"),
    ),
)

RUN_MATCHINGS = Table(
    "matchings of runs",
    "author in a matching of a run",
    ("run", *MATCHINGS.key),
    (Column("run", INTEGER, "number of the randomized run, from 0"), *MATCHINGS.columns),
)

BENCHMARK = Table(
    "benchmark",
    "quote",
    ("quote_id",),
    (
        quote_id(),
        Column("match_id", INTEGER, "the matching that the author belongs to"),
        Column("group", TEXT, "the demographic group"),
        Column("race", TEXT, "race or ethnicity on record", optional=True),
        Column("gender", TEXT, "gender on record", optional=True),
        author_id(),
        author(),
        Column("aliases", TEXTS, "further names of the author"),
        Column("quote", TEXT, "the quote"),
        Column("n_words", INTEGER, "length of the quote", "words"),
        Column("log10_hits", NUMBER, "fame of the author", "log10 of what the source of fame counts"),
    ),
)

GROUP_FAME = Table(
    "fame of groups",
    "group",
    ("group",),
    (
        Column("group", TEXT, "the demographic group"),
        Column("labelled", INTEGER, "authors labelled as the group asks"),
        Column("authors", INTEGER, "those of them whose fame is on record"),
        Column("mean_log10_hits", NUMBER, "their mean fame", "log10 hits", True),
        Column("sd_log10_hits", NUMBER, "standard deviation of their fame", "log10 hits", True),
    ),
)

FAME_QUANTILES = {
    "min_log10_hits": 0.0,
    "q25_log10_hits": 0.25,
    "median_log10_hits": 0.5,
    "q75_log10_hits": 0.75,
    "max_log10_hits": 1.0,
}

MATCHING_QUALITY = Table(
    "matching quality",
    "group",
    ("group",),
    (
        Column("group", TEXT, "the demographic group"),
        Column("is_reference", FLAG, "whether the group is the reference group"),
        Column("authors", INTEGER, "authors of the group in the benchmark"),
        Column("quotes", INTEGER, "their quotes in the benchmark"),
        Column("mean_log10_hits", NUMBER, "mean fame of the authors", "log10 hits"),
        *(
            Column(name, NUMBER, f"fame that a share of {share:g} of the authors does not exceed", "log10 hits")
            for name, share in FAME_QUANTILES.items()
        ),
        Column(
            "smd_log10_hits",
            NUMBER,
            "difference in mean fame to the reference group",
            "pooled standard deviations",
            True,
        ),
        Column("mean_words", NUMBER, "mean length of a quote", "words"),
        Column(
            "smd_words",
            NUMBER,
            "difference in mean length of a quote to the reference group",
            "pooled standard deviations",
            True,
        ),
    ),
)
