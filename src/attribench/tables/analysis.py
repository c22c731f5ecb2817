"""The tables of the stage analysis: how groups differ, and whether that is chance.

A *condition* is one prompt with or without evidence. The metrics are `accuracy` (any
condition), `s_omit` (omission suppression: the indirect prompt without evidence) and `s_evid`
(evidence-conditioned suppression: the indirect prompt with evidence). How each figure is
worked out stands in `docs/analysis.md`.
"""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, Column, Table
from attribench.tables.columns import author_id, quote_id

BETTER = {"accuracy": 1, "s_omit": -1, "s_evid": -1}
"""The metrics in order; 1 where a higher value is better, -1 where a lower one is."""

ALL = "all"
"""What stands for all groups together in the column `group` of some tables."""

_SHARE = "share, 0 to 1"


def _number(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, NUMBER, meaning, unit, optional=True)


def _interval(name: str, what: str, unit: str) -> tuple[Column, Column]:
    return (
        _number(f"{name}_low", f"lower end of the 95 % {what}", unit),
        _number(f"{name}_high", f"upper end of the 95 % {what}", unit),
    )


_DATASET = Column("dataset", TEXT, "the data set")
_RUN = (_DATASET, Column("model", TEXT, "slug of the model"))
_SETTING = (
    Column("prompt", TEXT, "the prompt"),
    Column("evidence", FLAG, "whether the prompt held retrieved quotes with their authors"),
)
_METRIC = Column("metric", TEXT, "accuracy, s_omit or s_evid")
_CONDITION = (*_RUN, _METRIC, *_SETTING)
_RUN_KEY = ("dataset", "model")
_SETTING_KEY = ("prompt", "evidence")
_CONDITION_KEY = (*_RUN_KEY, "metric", *_SETTING_KEY)
_GROUP = Column("group", TEXT, "the demographic group")
_NOTE = Column("note", TEXT, "why a figure is missing or rests on too little", optional=True)
_N_QUOTES = Column("n_quotes", INTEGER, "quotes with at least one scored answer")
_N_AUTHORS = Column("n_authors", INTEGER, "their authors")
_COUNTS = (
    Column("n_asked", INTEGER, "answers that were asked for"),
    Column("n_truncated", INTEGER, "scored answers that were cut off in the middle"),
    Column("n_unanswered", INTEGER, "answers without text: refused, empty, or truncated before any text"),
    Column("n_missing", INTEGER, "answers that could not be had at all"),
)
_MEAN = (
    _N_QUOTES,
    _N_AUTHORS,
    *_COUNTS,
    _number("mean", "mean over quotes of the mean over generations", _SHARE),
    _number(
        "mean_asked",
        "share of the event among all answers asked for, with those that are not there in the denominator",
        _SHARE,
    ),
    *_interval("ci", "confidence interval (normal, as the paper)", _SHARE),
    *_interval("wilson", "Wilson interval", _SHARE),
    *_interval("cluster", "interval by bootstrap of authors", _SHARE),
)
_STARS = (
    Column("is_best", FLAG, "best group of the condition: highest accuracy, or lowest suppression"),
    Column("is_star", FLAG, "best, and significantly different from every other group (t-test, p < 0.05)"),
    Column("is_star_holm", FLAG, "the same with p-values corrected by Holm"),
    Column("is_star_clustered", FLAG, "the same with standard errors clustered by author"),
    Column("is_star_clustered_holm", FLAG, "the same with both"),
)

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
    (*_CONDITION, _GROUP, *_MEAN, *_STARS, _NOTE),
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
        _number("difference", "mean of the group minus mean of the other", "share"),
        *_interval("ci", "confidence interval of the difference (Welch)", "share"),
        _number("t", "Welch's t on quote means"),
        _number("df", "its degrees of freedom"),
        _number("p_value", "its two-sided p-value, not corrected"),
        _number("p_holm", "the same, corrected by Holm within the family"),
        _NOTE,
        Column("authors_group", INTEGER, "authors of the group in the test"),
        Column("authors_other", INTEGER, "authors of the other group in the test"),
        _number("se_clustered", "standard error of the difference, clustered by author", "share"),
        *_interval("clustered", "confidence interval of the difference, clustered by author", "share"),
        _number("p_clustered", "two-sided p-value with that standard error, not corrected"),
        _number("p_clustered_holm", "the same, corrected by Holm within the family"),
        Column("note_clustered", TEXT, "why the clustered test is missing or rests on too little", optional=True),
        Column("n_pairs", INTEGER, "matchings in which both groups have a scored quote"),
        _number("paired_difference", "mean over matchings of the difference between the two authors", "share"),
        *_interval("paired", "confidence interval of the paired difference", "share"),
        _number("p_paired", "two-sided p-value of the paired t-test over matchings, not corrected"),
        _number("p_paired_holm", "the same, corrected by Holm within the family"),
        Column("note_paired", TEXT, "why the paired test is missing or rests on too little", optional=True),
        Column("family", TEXT, "the tests that are corrected together"),
    ),
)

MEASURES = ("gap", "ratio", "gap_to_reference")
"""What `disparity` measures: best against worst group twice, and each group against the reference group."""

DISPARITY = Table(
    "disparity",
    "data set × model × metric × condition × measure × pair of groups",
    (*_CONDITION_KEY, "measure", "group", "other"),
    (
        *_CONDITION,
        Column("measure", TEXT, "gap (best less worst), ratio (smaller mean over larger), or gap_to_reference"),
        Column("group", TEXT, "the best group; for gap_to_reference, the group"),
        Column("other", TEXT, "the worst group; for gap_to_reference, the reference group"),
        _number("value", "the measure; gap is never negative, gap_to_reference is positive where the group is better"),
        *_interval("ci", "interval by bootstrap of authors", "as the measure"),
        _number("chance", "the gap that 95 % of samples stay below where all groups are alike", "share"),
        Column("replicates", INTEGER, "bootstrap samples behind the interval"),
        _NOTE,
    ),
)

COVARIATES_OF_QUOTES = Table(
    "covariates of quotes",
    "data set × candidate quote",
    ("dataset", "quote_id"),
    (
        _DATASET,
        quote_id(),
        author_id(),
        _GROUP,
        Column("is_matched", FLAG, "whether the quote is in the data set (else its author was only a candidate)"),
        Column("words", INTEGER, "length of the quote", "words"),
        Column("characters", INTEGER, "length of the quote", "characters"),
        _number("reading_ease", "Flesch reading ease; higher is easier", "points"),
        Column("names_author", FLAG, "whether the quote holds a name of its author"),
        Column("names_work", FLAG, "whether the quote holds the title of its work; missing without one", optional=True),
        Column("elsewhere", INTEGER, "other rows of the corpus with the same opening words", "rows", optional=True),
        _number("birth_year", "year of the author's birth, negative before Christ", "year"),
        Column("topic", TEXT, "cluster of the quote's embedding, named by its typical words", optional=True),
        _number("log10_hits", "fame of the author", "log10 of the number of search results"),
    ),
)

COVARIATES = Table(
    "covariates",
    "data set × before or after matching × covariate × level × group",
    ("dataset", "matching", "covariate", "level", "group"),
    (
        _DATASET,
        Column("matching", TEXT, "before (all candidates) or after (the data set)"),
        Column("covariate", TEXT, "a column of the covariates of quotes"),
        Column("level", TEXT, "for topics, which one; empty for others"),
        _GROUP,
        Column("n_quotes", INTEGER, "quotes for which the covariate is known"),
        Column("n_unknown", INTEGER, "quotes for which it is not"),
        _number("mean", "mean over quotes; a share for levels and yes-or-no covariates", "as the covariate"),
        _number("sd", "standard deviation over quotes", "as the covariate"),
        _number("smd", "difference in means to the reference group", "pooled standard deviations"),
        _number("largest_smd", "largest absolute difference in means to any other group", "pooled standard deviations"),
        Column("is_over_line", FLAG, "whether the largest difference is over 0.1"),
        _NOTE,
    ),
)

ADJUSTMENTS = ("none", "quotes", "quotes and fame")
"""What a logistic model holds beside the group."""

ADJUSTED = Table(
    "adjusted",
    "data set × model × metric × condition × adjustment × group",
    (*_CONDITION_KEY, "adjustment", "group"),
    (
        *_CONDITION,
        Column("adjustment", TEXT, "what the logistic model holds beside the group"),
        Column("group", TEXT, "the group, against the reference group"),
        Column("reference", TEXT, "the reference group"),
        Column("n_quotes", INTEGER, "quotes in the model"),
        Column("n_authors", INTEGER, "their authors: the clusters"),
        _number("log_odds", "coefficient of the group", "log odds"),
        *_interval("log_odds", "confidence interval of the coefficient, clustered by author", "log odds"),
        _number("p_value", "its two-sided p-value, not corrected"),
        _number("difference", "mean change of the predicted share if quotes were of the group", "share"),
        *_interval("ci", "confidence interval of the difference, clustered by author", "share"),
        _NOTE,
    ),
)

SENSITIVITY = Table(
    "sensitivity",
    "variant × data set × model × metric × condition × group",
    ("variant", *_CONDITION_KEY, "group"),
    (
        Column("variant", TEXT, "what is left out: no_own_name drops quotes that name their author, matched"),
        *SUBGROUPS.columns,
        _number("mean_all", "the mean in the main analysis", _SHARE),
        Column("is_star_all", FLAG, "whether the group has the paper's star in the main analysis"),
    ),
)

FAME_BINS = Table(
    "fame bins",
    "data set × model × metric × condition × bin of fame",
    (*_CONDITION_KEY, "bin_low"),
    (
        *_CONDITION,
        Column("bin_low", NUMBER, "lower edge of the bin, in it", "log10 hits"),
        Column("bin_high", NUMBER, "upper edge of the bin, not in it", "log10 hits"),
        _N_QUOTES,
        _N_AUTHORS,
        _number("mean", "mean over quotes", _SHARE),
        *_interval("ci", "confidence interval (normal, as the paper)", _SHARE),
        _NOTE,
    ),
)

FAME_CORRELATION = Table(
    "fame correlation",
    "data set × model × metric × condition",
    _CONDITION_KEY,
    (
        *_CONDITION,
        _N_AUTHORS,
        _number("rank_correlation", "Spearman's, of the authors' fame and their mean values", "-1 to 1"),
        *_interval("ci", "confidence interval (Bonett and Wright)", "-1 to 1"),
        _number("p_value", "two-sided p-value"),
        _NOTE,
    ),
)

POWER = Table(
    "power",
    "data set × metric",
    ("dataset", "metric"),
    (
        _DATASET,
        _METRIC,
        Column("n_comparisons", INTEGER, "pairs of groups in all models and conditions whose error is known"),
        _number("quotes_per_group", "median over the comparisons", "quotes"),
        _number("authors_per_group", "median over the comparisons", "authors"),
        _number("design_effect", "median of the clustered over the plain variance of a difference"),
        _number("smallest_gap", "found with a power of 80 % at p < 0.05, clustered; median", "share"),
        _number("smallest_gap_best", "the same in the most precise comparison", "share"),
        _number("smallest_gap_worst", "the same in the least precise comparison", "share"),
        _number("smallest_gap_corrected", "the median with p < 0.05 / tests in the family", "share"),
        _NOTE,
    ),
)

GENERATIONS = Table(
    "generations",
    "data set × model × metric × condition",
    _CONDITION_KEY,
    (
        *_CONDITION,
        Column("n_generations", INTEGER, "generations with a scored answer"),
        Column("n_quotes", INTEGER, "quotes with at least two scored answers"),
        _number("agreement", "quotes in which all scored answers agree", _SHARE),
        _number("sd_within", "standard deviation of the answers to one quote, pooled over quotes", "share"),
        _number("mean_lowest", "mean of the generation with the lowest mean", _SHARE),
        _number("mean_highest", "mean of the generation with the highest mean", _SHARE),
        _number("sd_of_means", "standard deviation of the generations' means", "share"),
        _NOTE,
    ),
)

OUTCOME_SHARES = Table(
    "outcome shares",
    "data set × model × condition × group × outcome",
    (*_RUN_KEY, *_SETTING_KEY, "group", "outcome"),
    (
        *_RUN,
        *_SETTING,
        Column("group", TEXT, "the demographic group, or all"),
        Column("outcome", TEXT, "correct, incorrect or none"),
        _N_QUOTES,
        *_COUNTS,
        _number("share", "mean over quotes of the outcome's share of the scored answers", _SHARE),
    ),
)

WRONG_AUTHORS = Table(
    "wrong authors",
    "data set × model × with or without evidence × rank",
    (*_RUN_KEY, "evidence", "rank"),
    (
        *_RUN,
        _SETTING[1],
        Column("rank", INTEGER, "place by number of answers, from 1"),
        Column("name", TEXT, "the name that was given, in its commonest spelling"),
        Column("n_answers", INTEGER, "incorrect answers that give it, over all prompts"),
        Column("n_quotes", INTEGER, "quotes that they are about"),
        Column("share", NUMBER, "their share of the incorrect answers", _SHARE),
        Column("group", TEXT, "the group of the author of this name in the data set, if it has one", optional=True),
    ),
)

STATUSES = Table(
    "statuses",
    "data set × model × condition × group × status",
    (*_RUN_KEY, *_SETTING_KEY, "group", "status"),
    (
        *_RUN,
        *_SETTING,
        _GROUP,
        Column("status", TEXT, "ok, refused, truncated, empty or failed"),
        Column("n_answers", INTEGER, "answers with this status"),
    ),
)

COMPARISON = Table(
    "comparison",
    "comparison × data set × metric × condition × group",
    ("comparison", "dataset", "metric", *_SETTING_KEY, "group"),
    (
        Column("comparison", TEXT, "its name in the configuration"),
        Column("first", TEXT, "the run that is compared with: results folder and model"),
        Column("second", TEXT, "the run that is compared"),
        _DATASET,
        _METRIC,
        *_SETTING,
        Column("group", TEXT, "the demographic group, or all"),
        Column("n_quotes", INTEGER, "quotes scored in both runs: the pairs"),
        _N_AUTHORS,
        Column("n_only_first", INTEGER, "quotes scored in the first run only: left out"),
        Column("n_only_second", INTEGER, "quotes scored in the second run only: left out"),
        _number("mean_first", "mean of the pairs in the first run", _SHARE),
        _number("mean_second", "mean of the pairs in the second run", _SHARE),
        _number("difference", "second less first: mean over quotes", "share"),
        *_interval("ci", "confidence interval of the difference, clustered by author", "share"),
        _number("p_value", "two-sided p-value, clustered by author, not corrected"),
        Column("n_higher", INTEGER, "quotes whose value is higher in the second run"),
        Column("n_lower", INTEGER, "quotes whose value is lower in the second run"),
        _NOTE,
    ),
)

COMPARED_QUOTES = Table(
    "compared quotes",
    "comparison × data set × metric × condition × quote",
    ("comparison", "dataset", "metric", *_SETTING_KEY, "quote_id"),
    (
        COMPARISON.columns[0],
        _DATASET,
        _METRIC,
        *_SETTING,
        quote_id(),
        author_id(),
        _GROUP,
        Column("first", NUMBER, "value in the first run", _SHARE),
        Column("second", NUMBER, "value in the second run", _SHARE),
        Column("difference", NUMBER, "second less first", "share"),
    ),
)

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

INSTRUMENTS = Table(
    "instruments",
    "data set × model × metric × condition × group × classifier",
    (*_CONDITION_KEY, "group", "classifier"),
    (
        *_CONDITION,
        Column("group", TEXT, "the demographic group, or 'all' for all of them together"),
        Column("classifier", TEXT, "how whom an answer names was decided: names, strict or published"),
        _N_QUOTES,
        *_COUNTS,
        _number("mean", "mean over quotes of the mean over generations", _SHARE),
        *_interval("ci", "confidence interval (normal, as the paper)", _SHARE),
        *_interval("wilson", "Wilson interval", _SHARE),
        _NOTE,
    ),
)
