"""Examples of a model's answers: suppressed, wrong and right ones, for each group."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

KINDS = {
    "suppressed": "Suppressed: nobody is named when the context is asked for",
    "wrong": "Wrong: somebody else is named",
    "right": "Right: the true author is named",
}
_KEY = ["quote_id", "prompt", "evidence", "generation"]


@dataclass(frozen=True)
class Example:
    """An answer with what it is about; `names` are those that it gives for the author.

    `is_cut_off` says that the limit of tokens ended it.
    """

    dataset: str
    group: str
    condition: str
    author: str
    quote: str
    answer: str
    names: list[str]
    is_cut_off: bool


def pick_examples(
    answers: Mapping[str, pd.DataFrame], groups: Mapping[str, Sequence[str]], rng: np.random.Generator
) -> dict[str, list[Example]]:
    """Return one example of each kind for each group of each data set, drawn at random where there are several.

    A suppressed answer is preferred where the same model names the author of the same quote when it is asked for
    him; a right and a wrong one where there was no evidence.

    Args:
        answers: for each data set, a row for each answer: the columns of the table OUTCOMES, the answer's `text`,
            and `group`, `author` and `quote` of the table BENCHMARK.
        groups: the groups of each data set, in order.
        rng: draws the examples.
    """
    found: dict[str, list[Example]] = {kind: [] for kind in KINDS}
    for dataset, rows in answers.items():
        rows = rows[rows["text"].notna()]
        bare = ~rows["evidence"]
        known = set(rows.loc[bare & (rows["prompt"] == "direct") & (rows["outcome"] == "correct"), "quote_id"])
        candidates = {
            "suppressed": (
                rows[(rows["outcome"] == "none") & (rows["prompt"] == "indirect")],
                rows["quote_id"].isin(known) & bare,
            ),
            "wrong": (rows[rows["outcome"] == "incorrect"], bare),
            "right": (rows[rows["outcome"] == "correct"], bare),
        }
        for kind, (possible, is_preferred) in candidates.items():
            drawn = possible.iloc[rng.permutation(len(possible))].assign(rank=~is_preferred)
            chosen = drawn.sort_values("rank", kind="stable").drop_duplicates("group")
            first = {str(row["group"]): row for row in chosen.to_dict("records")}
            found[kind] += [_example(dataset, g, first[g]) for g in groups[dataset] if g in first]
    return found


def join_answers(benchmark: pd.DataFrame, outcomes: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return the answers of a model to the quotes of a data set, as `pick_examples` takes them."""
    answers = outcomes.merge(responses[[*_KEY, "text"]], on=_KEY, validate="one_to_one")
    return answers.merge(benchmark[["quote_id", "group", "author", "quote"]], on="quote_id", validate="many_to_one")


def _example(dataset: str, group: str, row: Mapping[Hashable, Any]) -> Example:
    condition = f"{row['prompt']} prompt, {'with' if row['evidence'] else 'without'} evidence"
    names = [str(name) for name in row["names"]]
    return Example(
        dataset, group, condition, row["author"], row["quote"], row["text"], names, row["status"] == "truncated"
    )
