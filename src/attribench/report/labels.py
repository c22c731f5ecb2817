"""The words and signs that figures and tables share."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

DAGGER = "†"
FEW_QUOTES = 10  # a cell that rests on fewer is marked as such

BEST = "Bold: best group."
STAR = "*: significantly different from every other group (Welch's t-test on quotes, p<0.05)."
NO_STAR = "No group differs significantly from every other (Welch's t-test on quotes, p<0.05)."
FEW = f"Hatched: fewer than {FEW_QUOTES} quotes."
METRICS = {
    "accuracy": "accuracy",
    "s_omit": "omission suppression",
    "s_evid": "suppression with evidence",
}
"""How each metric is called in tables, headings and panels."""

COVARIATES = {
    "reading_ease": "reading ease",
    "names_author": "names its author",
    "names_work": "names its work",
    "elsewhere": "copies elsewhere",
    "birth_year": "author's year of birth",
    "log10_hits": "fame, log10 hits",
}
"""How covariates are called, where not by their column."""

NOT_ASKED, NOT_SCORED = "not asked", "no scored answer"
_UNANSWERED = {
    "exclude": "Answers without text, left out",
    "none": "Answers without text, counted as naming nobody",
}
_TRUNCATED = "Answers that were cut off at the limit of tokens, scored as they stand"
_MISSING = "Answers that could not be had, never scored"
INTERVAL = "Lines: 95 % confidence intervals; none where all quotes have the same value."


def gap_words(gap: Mapping[Any, Any]) -> str:
    """Return which group is best and which is worst by a row `gap` of the table `disparity`, and if others are, too."""
    if gap["value"] == 0:
        return "all groups alike"
    tied = isinstance(gap["note"], str) and "tied as" in gap["note"]
    return f"{gap['group']} > {gap['other']}" + (" (tied)" if tied else "")


def model_names(rows: pd.DataFrame, models: list[str]) -> dict[str, str]:
    """Return how each model is called: its slug, with † where it was asked about a part of the quotes."""
    partial = set(rows.loc[rows["is_subset"], "model"])
    return {model: f"{model} {DAGGER}" if model in partial else model for model in models}


def subset(rows: pd.DataFrame) -> list[str]:
    """Return the sentence that explains †, if one of `rows` is about a part of the matchings."""
    asked = rows.loc[rows["is_subset"], "n_matchings"]
    if asked.empty:
        return []
    low, high = int(asked.min()), int(asked.max())
    number = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return [f"{DAGGER}: asked about a random subset of the matchings ({number})."]


def about_answers(rows: pd.DataFrame, unanswered: str) -> list[str]:
    """Return sentences with the answers that `rows` lack or that were cut off, by model, if any.

    Args:
        rows: those of OVERALL, SUBGROUPS or FAME_BINS behind a figure; an answer counts once, whatever metrics it
            is in.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    key = [name for name in ("dataset", "model", "prompt", "evidence", "group", "bin_low") if name in rows]
    answers = rows.drop_duplicates(key)
    sentences = []
    for column, what in (
        ("n_truncated", _TRUNCATED),
        ("n_unanswered", _UNANSWERED[unanswered]),
        ("n_missing", _MISSING),
    ):
        counts = answers.groupby("model", sort=False)[column].sum()
        counts = counts[counts > 0]
        if len(counts):
            models = ", ".join(f"{model} {count:,}" for model, count in counts.items())
            sentences.append(f"{what}: {int(counts.sum()):,} ({models}).")
    return sentences


def sizes(n_quotes: pd.Series, per: str) -> str:
    """Return the number of quotes as it stands in a subtitle, as a range where it differs."""
    if n_quotes.empty:
        return ""
    low, high = int(n_quotes.min()), int(n_quotes.max())
    number = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return f"n = {number} {'quote' if high == 1 else 'quotes'} per {per}"
