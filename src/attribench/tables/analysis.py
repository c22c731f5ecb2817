"""The tables of the stage analysis: how groups differ, and whether that is chance.

A *condition* is one prompt with or without evidence. The metrics are `accuracy` (any
condition), `s_omit` (omission suppression: the indirect prompt without evidence) and `s_evid`
(evidence-conditioned suppression: the indirect prompt with evidence). How each figure is
worked out stands in `docs/analysis.md`.
"""

from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, Column, Table
from attribench.tables.condition import (
    ASKED,
    CONDITION,
    CONDITION_KEY,
    COUNTS,
    DATASET,
    GROUP,
    MEAN,
    METRIC,
    N_AUTHORS,
    N_QUOTES,
    NOTE,
    RUN,
    RUN_KEY,
    SETTING,
    SETTING_KEY,
    SHARE,
    STARS,
    interval,
    number,
)

BETTER = {"accuracy": 1, "s_omit": -1, "s_evid": -1}
"""The metrics in order; 1 where a higher value is better, -1 where a lower one is."""

ALL = "all"
"""What stands for all groups together in the column `group` of some tables."""

OVERALL = Table(
    "overall",
    "data set × model × metric × condition",
    CONDITION_KEY,
    (
        *CONDITION,
        *ASKED,
        *MEAN,
        NOTE,
    ),
)

_BY_GROUP = (*CONDITION, GROUP, *MEAN, *STARS)

SUBGROUPS = Table(
    "subgroups",
    "data set × model × metric × condition × group",
    (*CONDITION_KEY, "group"),
    (*_BY_GROUP, number("model_mean", "mean over the quotes of all groups", SHARE), *ASKED, NOTE),
)

PAIRWISE = Table(
    "pairwise",
    "data set × model × metric × condition × pair of groups",
    (*CONDITION_KEY, "group", "other"),
    (
        *CONDITION,
        Column("group", TEXT, "the better group of the two"),
        Column("other", TEXT, "the group that it is compared with"),
        Column("n_group", INTEGER, "quotes of the group in the test"),
        Column("n_other", INTEGER, "quotes of the other group in the test"),
        number("difference", "mean of the group minus mean of the other", "share"),
        *interval("ci", "confidence interval of the difference (Welch)", "share"),
        number("t", "Welch's t on quote means"),
        number("df", "its degrees of freedom"),
        number("p_value", "its two-sided p-value, not corrected"),
        number("p_holm", "the same, corrected by Holm within the family"),
        NOTE,
        Column("authors_group", INTEGER, "authors of the group in the test"),
        Column("authors_other", INTEGER, "authors of the other group in the test"),
        number("se_clustered", "standard error of the difference, clustered by author", "share"),
        *interval("clustered", "confidence interval of the difference, clustered by author", "share"),
        number("p_clustered", "two-sided p-value with that standard error, not corrected"),
        number("p_clustered_holm", "the same, corrected by Holm within the family"),
        Column("note_clustered", TEXT, "why the clustered test is missing or rests on too little", optional=True),
        Column("n_pairs", INTEGER, "matchings in which both groups have a scored quote"),
        number("paired_difference", "mean over matchings of the difference between the two authors", "share"),
        *interval("paired", "confidence interval of the paired difference", "share"),
        number("p_paired", "two-sided p-value of the paired t-test over matchings, not corrected"),
        number("p_paired_holm", "the same, corrected by Holm within the family"),
        Column("note_paired", TEXT, "why the paired test is missing or rests on too little", optional=True),
        Column("family", TEXT, "the tests that are corrected together"),
    ),
)

MEASURES = ("gap", "ratio", "gap_to_reference")
"""What `disparity` measures: best against worst group twice, and each group against the reference group."""

DISPARITY = Table(
    "disparity",
    "data set × model × metric × condition × measure × pair of groups",
    (*CONDITION_KEY, "measure", "group", "other"),
    (
        *CONDITION,
        Column("measure", TEXT, "gap (best less worst), ratio (smaller mean over larger), or gap_to_reference"),
        Column("group", TEXT, "the best group; for gap_to_reference, the group"),
        Column("other", TEXT, "the worst group; for gap_to_reference, the reference group"),
        number("value", "the measure; gap is never negative, gap_to_reference is positive where the group is better"),
        *interval("ci", "interval by bootstrap of authors", "as the measure"),
        number("chance", "the gap that 95 % of samples stay below where all groups are alike", "share"),
        Column("replicates", INTEGER, "bootstrap samples behind the interval"),
        NOTE,
    ),
)

ADJUSTMENTS = ("none", "quotes", "quotes and fame")
"""What a logistic model holds beside the group."""

ADJUSTED = Table(
    "adjusted",
    "data set × model × metric × condition × adjustment × group",
    (*CONDITION_KEY, "adjustment", "group"),
    (
        *CONDITION,
        Column("adjustment", TEXT, "what the logistic model holds beside the group"),
        Column("group", TEXT, "the group, against the reference group"),
        Column("reference", TEXT, "the reference group"),
        Column("n_quotes", INTEGER, "quotes in the model"),
        Column("n_authors", INTEGER, "their authors: the clusters"),
        number("log_odds", "coefficient of the group", "log odds"),
        *interval("log_odds", "confidence interval of the coefficient, clustered by author", "log odds"),
        number("p_value", "its two-sided p-value, not corrected"),
        number("difference", "mean change of the predicted share if quotes were of the group", "share"),
        *interval("ci", "confidence interval of the difference, clustered by author", "share"),
        NOTE,
    ),
)

SENSITIVITY = Table(
    "sensitivity",
    "variant × data set × model × metric × condition × group",
    ("variant", *CONDITION_KEY, "group"),
    (
        Column("variant", TEXT, "what is left out: no_own_name drops quotes that name their author, matched"),
        *_BY_GROUP,
        NOTE,
        number("mean_all", "the mean in the main analysis", SHARE),
        Column("is_star_all", FLAG, "whether the group has the paper's star in the main analysis"),
    ),
)

FAME_BINS = Table(
    "fame bins",
    "data set × model × metric × condition × bin of fame",
    (*CONDITION_KEY, "bin_low"),
    (
        *CONDITION,
        Column("bin_low", NUMBER, "lower edge of the bin, in it", "log10 hits"),
        Column("bin_high", NUMBER, "upper edge of the bin, not in it", "log10 hits"),
        *ASKED,
        N_QUOTES,
        N_AUTHORS,
        *COUNTS,
        number("mean", "mean over quotes", SHARE),
        *interval("ci", "confidence interval (normal, as the paper)", SHARE),
        NOTE,
    ),
)

FAME_CORRELATION = Table(
    "fame correlation",
    "data set × model × metric × condition",
    CONDITION_KEY,
    (
        *CONDITION,
        N_AUTHORS,
        number("rank_correlation", "Spearman's, of the authors' fame and their mean values", "-1 to 1"),
        *interval("ci", "confidence interval (Bonett and Wright)", "-1 to 1"),
        number("p_value", "two-sided p-value"),
        NOTE,
    ),
)

POWER = Table(
    "power",
    "data set × metric",
    ("dataset", "metric"),
    (
        DATASET,
        METRIC,
        Column("n_comparisons", INTEGER, "pairs of groups in all models and conditions whose error is known"),
        number("quotes_per_group", "median over the comparisons", "quotes"),
        number("authors_per_group", "median over the comparisons", "authors"),
        number("design_effect", "median of the clustered over the plain variance of a difference"),
        number("smallest_gap", "found with a power of 80 % at p < 0.05, clustered; median", "share"),
        number("smallest_gap_best", "the same in the most precise comparison", "share"),
        number("smallest_gap_worst", "the same in the least precise comparison", "share"),
        number("smallest_gap_corrected", "the median with p < 0.05 / tests in the family", "share"),
        NOTE,
    ),
)

GENERATIONS = Table(
    "generations",
    "data set × model × metric × condition",
    CONDITION_KEY,
    (
        *CONDITION,
        Column("n_generations", INTEGER, "generations with a scored answer"),
        Column("n_quotes", INTEGER, "quotes with at least two scored answers"),
        number("agreement", "quotes in which all scored answers agree", SHARE),
        number("sd_within", "standard deviation of the answers to one quote, pooled over quotes", "share"),
        number("mean_lowest", "mean of the generation with the lowest mean", SHARE),
        number("mean_highest", "mean of the generation with the highest mean", SHARE),
        number("sd_of_means", "standard deviation of the generations' means", "share"),
        NOTE,
    ),
)

OUTCOME_SHARES = Table(
    "outcome shares",
    "data set × model × condition × group × outcome",
    (*RUN_KEY, *SETTING_KEY, "group", "outcome"),
    (
        *RUN,
        *SETTING,
        Column("group", TEXT, "the demographic group, or all"),
        Column("outcome", TEXT, "correct, incorrect or none"),
        N_QUOTES,
        *COUNTS,
        number("share", "mean over quotes of the outcome's share of the scored answers", SHARE),
    ),
)

WRONG_AUTHORS = Table(
    "wrong authors",
    "data set × model × with or without evidence × rank",
    (*RUN_KEY, "evidence", "rank"),
    (
        *RUN,
        SETTING[1],
        Column("rank", INTEGER, "place by number of answers, from 1"),
        Column("name", TEXT, "the name that was given, in its commonest spelling"),
        Column("n_answers", INTEGER, "incorrect answers that give it, over all prompts"),
        Column("n_quotes", INTEGER, "quotes that they are about"),
        Column("share", NUMBER, "their share of the incorrect answers", SHARE),
        Column("group", TEXT, "the group of the author of this name in the data set, if it has one", optional=True),
    ),
)

STATUSES = Table(
    "statuses",
    "data set × model × condition × group × status",
    (*RUN_KEY, *SETTING_KEY, "group", "status"),
    (
        *RUN,
        *SETTING,
        GROUP,
        Column("status", TEXT, "ok, refused, truncated, empty or failed"),
        Column("n_answers", INTEGER, "answers with this status"),
    ),
)

INSTRUMENTS = Table(
    "instruments",
    "data set × model × metric × condition × group × classifier",
    (*CONDITION_KEY, "group", "classifier"),
    (
        *CONDITION,
        Column("group", TEXT, "the demographic group, or 'all' for all of them together"),
        Column("classifier", TEXT, "how whom an answer names was decided: names, strict or published"),
        N_QUOTES,
        *COUNTS,
        number("mean", "mean over quotes of the mean over generations", SHARE),
        *interval("ci", "confidence interval (normal, as the paper)", SHARE),
        *interval("wilson", "Wilson interval", SHARE),
        NOTE,
    ),
)
