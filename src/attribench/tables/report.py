"""The tables of the stage report that are tables of its own, and those of the paper's figures."""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, Column, Table

_DATASET = Column("dataset", TEXT, "the data set")
_GROUP = Column("group", TEXT, "the demographic group")

SELECTED_RUNS = Table(
    "selected runs",
    "criterion of a data set",
    ("dataset", "criterion"),
    (
        _DATASET,
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
        _DATASET,
        _GROUP,
        Column("authors", INTEGER, "authors of the group whose fame is on record"),
        Column("mean_log10_hits", NUMBER, "their mean fame", "log10 hits", True),
        Column("paper_authors", NUMBER, "their number in Berman et al. 2026, Table 3", optional=True),
        Column("paper_mean_log10_hits", NUMBER, "their mean fame in Berman et al. 2026, Table 3", "log10 hits", True),
    ),
)

MODELS = Table(
    "models",
    "model of a data set",
    ("dataset", "model"),
    (
        _DATASET,
        Column("model", TEXT, "slug of the model"),
        Column("id", TEXT, "what was asked, as litellm spells it"),
        Column("endpoint", TEXT, "kind of place where it was asked"),
        Column("served", TEXT, "the models that the service says it used, parted by a semicolon", optional=True),
        Column("sent", TEXT, "the sampling parameters that were sent"),
        Column("left_out", TEXT, "the parameters that were not sent because the service takes none", optional=True),
        Column("matchings", INTEGER, "matchings that it was asked about"),
        Column("matchings_in_benchmark", INTEGER, "matchings of the benchmark"),
        Column("answers", INTEGER, "answers, missing ones among them"),
        Column("first_answer", TEXT, "when the first answer arrived, ISO 8601 in UTC", optional=True),
        Column("last_answer", TEXT, "when the last answer arrived, ISO 8601 in UTC", optional=True),
        Column("paper_version", TEXT, "its version in Berman et al. 2026, Table 4", optional=True),
    ),
)

BESIDE_PAPER = Table(
    "results beside the paper's",
    "share or difference that the paper prints",
    ("dataset", "model", "metric", "prompt", "evidence", "group", "other"),
    (
        _DATASET,
        Column("model", TEXT, "slug of the model as the configuration has it; empty for the mean over models"),
        Column("metric", TEXT, "accuracy, s_omit or s_evid"),
        Column("prompt", TEXT, "the prompt"),
        Column("evidence", FLAG, "whether the prompt held retrieved quotes with their authors"),
        Column("group", TEXT, "empty for a share over all quotes, else the first group of a difference"),
        Column("other", TEXT, "empty, or the group that is subtracted"),
        Column("value", NUMBER, "ours", "percent, or percentage points", True),
        Column("ci_low", NUMBER, "lower end of its 95 % confidence interval", "as value", True),
        Column("ci_high", NUMBER, "upper end of its 95 % confidence interval", "as value", True),
        Column("models", INTEGER, "models that ours is about"),
        Column("paper_low", NUMBER, "the paper's, or the lower end of the range that it gives", "as value"),
        Column("paper_high", NUMBER, "the paper's, or the upper end of the range that it gives", "as value"),
        Column("place", TEXT, "where the paper says so"),
    ),
)

PAPER_MODELS = Table(
    "the paper's models",
    "model",
    ("model",),
    (
        Column("model", TEXT, "slug of the model"),
        Column("name", TEXT, "the paper's name for it"),
        Column("version", TEXT, "its version in Table 4"),
        Column("also", TEXT, "further spellings by which a configuration may name it, parted by ;", optional=True),
    ),
)

PAPER_RESULTS = Table(
    "the paper's results",
    "share, or difference between two groups",
    ("model", "dataset", "metric", "prompt", "evidence", "group", "other"),
    (
        Column("model", TEXT, "slug of the model; missing for the mean over all eleven", optional=True),
        _DATASET,
        Column("metric", TEXT, "accuracy, s_omit or s_evid"),
        Column("prompt", TEXT, "the prompt"),
        Column("evidence", FLAG, "whether the prompt held retrieved quotes with their authors"),
        Column("group", TEXT, "the first group of a difference; missing for a share", optional=True),
        Column("other", TEXT, "the group that is subtracted", optional=True),
        Column("low", NUMBER, "the figure, or the lower end of the range", "percent, or percentage points"),
        Column("high", NUMBER, "the figure, or the upper end of the range", "percent, or percentage points"),
        Column("place", TEXT, "where the paper says so"),
    ),
)

PAPER_TABLE_2 = Table(
    "the paper's Table 2",
    "criterion of a data set",
    ("dataset", "criterion"),
    (
        _DATASET,
        Column("criterion", TEXT, "the criterion of rank aggregation"),
        Column("value", NUMBER, "its value in the selected run", "that of the criterion"),
    ),
)

PAPER_TABLE_3 = Table(
    "the paper's Table 3",
    "group of a data set",
    ("dataset", "group"),
    (
        _DATASET,
        _GROUP,
        Column("authors", INTEGER, "authors of the group"),
        Column("mean_log10_hits", NUMBER, "their mean fame", "log10 hits"),
    ),
)

PAPER_CORPUS_LABELS = Table(
    "the paper's labels of the corpus",
    "label",
    ("attribute", "label"),
    (
        Column("attribute", TEXT, "race or gender"),
        Column("label", TEXT, "the label"),
        Column("percent", NUMBER, "share of the corpus's authors", "percent"),
    ),
)
