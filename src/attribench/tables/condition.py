"""Columns that the tables of the stage analysis share: a condition, a mean, its intervals and stars."""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, Column

SHARE = "share, 0 to 1"


def number(name: str, meaning: str, unit: str = "") -> Column:
    """Return a column of numbers, which may be missing."""
    return Column(name, NUMBER, meaning, unit, optional=True)


def interval(name: str, what: str, unit: str) -> tuple[Column, Column]:
    """Return the columns of the two ends of a 95 % interval."""
    return (
        number(f"{name}_low", f"lower end of the 95 % {what}", unit),
        number(f"{name}_high", f"upper end of the 95 % {what}", unit),
    )


DATASET = Column("dataset", TEXT, "the data set")
RUN = (DATASET, Column("model", TEXT, "slug of the model"))
SETTING = (
    Column("prompt", TEXT, "the prompt"),
    Column("evidence", FLAG, "whether the prompt held retrieved quotes with their authors"),
)
METRIC = Column("metric", TEXT, "accuracy, s_omit or s_evid")
CONDITION = (*RUN, METRIC, *SETTING)
RUN_KEY = ("dataset", "model")
SETTING_KEY = ("prompt", "evidence")
CONDITION_KEY = (*RUN_KEY, "metric", *SETTING_KEY)
GROUP = Column("group", TEXT, "the demographic group")
NOTE = Column("note", TEXT, "why a figure is missing or rests on too little", optional=True)
N_QUOTES = Column("n_quotes", INTEGER, "quotes with at least one scored answer")
N_AUTHORS = Column("n_authors", INTEGER, "their authors")
ASKED = (
    Column("n_matchings", INTEGER, "matchings that the model was asked about"),
    Column("is_subset", FLAG, "whether the model was asked about fewer quotes than the benchmark has"),
)
COUNTS = (
    Column("n_asked", INTEGER, "answers that were asked for"),
    Column("n_truncated", INTEGER, "scored answers that were cut off in the middle"),
    Column("n_unanswered", INTEGER, "answers without text: refused, empty, or truncated before any text"),
    Column("n_missing", INTEGER, "answers that could not be had at all"),
)
MEAN = (
    N_QUOTES,
    N_AUTHORS,
    *COUNTS,
    number("mean", "mean over quotes of the mean over generations", SHARE),
    number(
        "mean_asked",
        "share of the event among all answers asked for, with those that are not there in the denominator",
        SHARE,
    ),
    *interval("ci", "confidence interval (normal, as the paper)", SHARE),
    *interval("wilson", "Wilson interval", SHARE),
    *interval("cluster", "interval by bootstrap of authors", SHARE),
)
STARS = (
    Column("is_best", FLAG, "best group of the condition: highest accuracy, or lowest suppression"),
    Column("is_star", FLAG, "best, and significantly different from every other group (t-test, p < 0.05)"),
    Column("is_star_holm", FLAG, "the same with p-values corrected by Holm"),
    Column("is_star_clustered", FLAG, "the same with standard errors clustered by author"),
    Column("is_star_clustered_holm", FLAG, "the same with both"),
)
