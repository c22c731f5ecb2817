"""From answers to quotes: a quote's value is the mean over its generations.

The quote is the unit of analysis: generations of one quote are repetitions of one
measurement, so they sharpen the quote's value and add nothing to the number of quotes.
"""

from collections.abc import Iterator

import pandas as pd

from attribench.errors import InputError
from attribench.tables.evaluation import OUTCOME_CLASSES

STATUSES = ("ok", "refused", "truncated", "empty", "failed")
UNANSWERED = ("exclude", "none")
COUNTS = ("n_asked", "n_truncated", "n_unanswered", "n_missing")


def judge_answers(outcomes: pd.DataFrame, unanswered: str) -> pd.DataFrame:
    """Return `outcomes` with 0 and 1 for each answer: how it counts, and as what.

    Args:
        outcomes: columns `quote_id`, `prompt`, `evidence`, `status`, `outcome`; a row is an
            answer. A missing `outcome` means that the answer had no text.
        unanswered: what an answer without text is: `exclude` (not scored) or `none` (scored
            as naming nobody). A call that `failed` is no answer and is never scored.

    Returns:
        The rows of `outcomes` with the further columns `n_scored`, those of COUNTS, and
        `correct`, `incorrect` and `none`, which are 0 where the answer is not scored.

    Raises:
        InputError: `outcomes` has a status or an outcome that is not known.
    """
    _check_known(outcomes["status"], STATUSES, "status")
    _check_known(outcomes["outcome"].dropna(), OUTCOME_CLASSES, "outcome")
    _check_known(pd.Series([unanswered]), UNANSWERED, "rule for answers without text")
    failed = outcomes["status"] == "failed"
    silent = outcomes["outcome"].isna() & ~failed
    scored = ~failed if unanswered == "none" else ~failed & ~silent
    is_outcome = {name: outcomes["outcome"] == name for name in OUTCOME_CLASSES}
    is_outcome["none"] |= outcomes["outcome"].isna()
    flags = {
        "n_asked": pd.Series(True, index=outcomes.index),
        "n_scored": scored,
        "n_truncated": ~silent & (outcomes["status"] == "truncated"),
        "n_unanswered": silent,
        "n_missing": failed,
        **{name: scored & flag for name, flag in is_outcome.items()},
    }
    return outcomes.assign(**{name: flag.astype("int64") for name, flag in flags.items()})


def quote_values(outcomes: pd.DataFrame, unanswered: str) -> pd.DataFrame:
    """Return one row per prompt, evidence and quote: how its answers came out.

    Args:
        outcomes: see `judge_answers`.
        unanswered: see `judge_answers`.

    Returns:
        Columns `prompt`, `evidence`, `quote_id`, `n_scored`, those of COUNTS, and `correct`,
        `incorrect` and `none`: shares of the scored answers, missing where none was scored.

    Raises:
        InputError: see `judge_answers`.
    """
    return average_quotes(judge_answers(outcomes, unanswered))


def average_quotes(answers: pd.DataFrame) -> pd.DataFrame:
    """Return what `quote_values` does, from the result of `judge_answers`."""
    keys = ["prompt", "evidence", "quote_id"]
    quotes = answers.groupby(keys, sort=False, as_index=False, observed=True)[
        ["n_scored", *COUNTS, *OUTCOME_CLASSES]
    ].sum()
    quotes = quotes.astype({"prompt": object, "quote_id": object})
    divisor = quotes["n_scored"].where(quotes["n_scored"] > 0)
    return quotes.assign(**{name: quotes[name] / divisor for name in OUTCOME_CLASSES})


def metric_values(quotes: pd.DataFrame) -> Iterator[tuple[str, str, bool, pd.DataFrame]]:
    """Yield metric, prompt, evidence and the rows of `quotes` for it with a column `value`.

    Accuracy is the share of correct answers in any condition, omission suppression the share
    that name nobody to the indirect prompt without evidence, and evidence-conditioned
    suppression the share that is not correct to the indirect prompt with evidence (Berman et
    al. 2026, section 3). Conditions come in the order of `quotes`, without evidence first.

    Args:
        quotes: the result of `quote_values`, or that of `judge_answers` for single answers.
    """
    prompts = list(quotes["prompt"].unique())
    conditions = [(prompt, evidence) for prompt in prompts for evidence in (False, True)]
    for metric in ("accuracy", "s_omit", "s_evid"):
        for prompt, evidence in conditions:
            if metric != "accuracy" and (prompt, evidence) != ("indirect", metric == "s_evid"):
                continue
            rows = quotes[(quotes["prompt"] == prompt) & (quotes["evidence"] == evidence)]
            if len(rows):
                yield metric, prompt, evidence, rows.assign(value=_value(metric, rows))


def _value(metric: str, rows: pd.DataFrame) -> pd.Series:
    if metric == "accuracy":
        return rows["correct"]
    return rows["none"] if metric == "s_omit" else 1 - rows["correct"]


def _check_known(values: pd.Series, known: tuple[str, ...], what: str) -> None:
    unknown = sorted(set(values.unique()) - set(known))
    if unknown:
        raise InputError(f"'{unknown[0]}' is no {what} of an answer; expected one of {', '.join(known)}.")
