"""The tables of the stage analysis: how groups differ, and whether that is chance.

A *condition* is one prompt with or without evidence. The metrics are `accuracy` (any
condition), `s_omit` (omission suppression: the indirect prompt without evidence) and `s_evid`
(evidence-conditioned suppression: the indirect prompt with evidence).
"""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, Column, Table

BETTER = {"accuracy": 1, "s_omit": -1, "s_evid": -1}
"""The metrics in order; 1 where a higher value is better, -1 where a lower one is."""

_CONDITION = (
    Column("dataset", TEXT, "the data set"),
    Column("model", TEXT, "slug of the model"),
    Column("metric", TEXT, "accuracy, s_omit or s_evid"),
    Column("prompt", TEXT, "the prompt"),
    Column("evidence", FLAG, "whether the prompt held retrieved quotes with their authors"),
)
_CONDITION_KEY = ("dataset", "model", "metric", "prompt", "evidence")
_MEAN = (
    Column("n_quotes", INTEGER, "quotes with at least one scored answer"),
    Column("n_unanswered", INTEGER, "answers without text: refused, empty, or truncated before any text"),
    Column("n_missing", INTEGER, "answers that could not be had at all"),
    Column("mean", NUMBER, "mean over quotes of the mean over generations", "share, 0 to 1", optional=True),
    Column("ci_low", NUMBER, "lower end of the 95 % confidence interval", "share, 0 to 1", optional=True),
    Column("ci_high", NUMBER, "upper end of the 95 % confidence interval", "share, 0 to 1", optional=True),
)
_NOTE = Column("note", TEXT, "why a figure is missing or rests on too little", optional=True)

OVERALL = Table(
    "overall",
    "data set × model × metric × condition",
    _CONDITION_KEY,
    (
        *_CONDITION,
        Column("n_matchings", INTEGER, "matchings that the model was asked about"),
        Column("is_subset", FLAG, "whether the model was asked about fewer quotes than the benchmark has"),
        *_MEAN,
        _NOTE,
    ),
)

SUBGROUPS = Table(
    "subgroups",
    "data set × model × metric × condition × group",
    (*_CONDITION_KEY, "group"),
    (
        *_CONDITION,
        Column("group", TEXT, "the demographic group"),
        *_MEAN,
        Column("is_best", FLAG, "best group of the condition: highest accuracy, or lowest suppression"),
        Column("is_star", FLAG, "best, and significantly different from every other group (t-test, p < 0.05)"),
        _NOTE,
    ),
)

PAIRWISE = Table(
    "pairwise",
    "data set × model × metric × condition × pair of groups",
    (*_CONDITION_KEY, "group", "other"),
    (
        *_CONDITION,
        Column("group", TEXT, "the better group of the two"),
        Column("other", TEXT, "the group that it is compared with"),
        Column("n_group", INTEGER, "quotes of the group in the test"),
        Column("n_other", INTEGER, "quotes of the other group in the test"),
        Column("difference", NUMBER, "mean of the group minus mean of the other", "share", optional=True),
        Column("ci_low", NUMBER, "lower end of its 95 % confidence interval", "share", optional=True),
        Column("ci_high", NUMBER, "upper end of its 95 % confidence interval", "share", optional=True),
        Column("t", NUMBER, "Welch's t on quote means", optional=True),
        Column("df", NUMBER, "its degrees of freedom", optional=True),
        Column("p_value", NUMBER, "its two-sided p-value, not corrected", optional=True),
        _NOTE,
    ),
)

INSTRUMENTS = Table(
    "instruments",
    "data set × model × metric × condition × group × classifier",
    (*_CONDITION_KEY, "group", "classifier"),
    (
        *_CONDITION,
        Column("group", TEXT, "the demographic group, or 'all' for all of them together"),
        Column("classifier", TEXT, "how whom an answer names was decided: names, strict or published"),
        *_MEAN,
        _NOTE,
    ),
)
