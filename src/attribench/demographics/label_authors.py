"""Step: look up race and gender of every author in the sources, in order.

The first source that knows an attribute of an author decides it; race and gender of one
author may come from different sources (Berman et al. 2026, Section 4.2.1).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from attribench.sources import first_answer, why_missing
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import LABELS
from attribench.universe import look_up, read_universe


def combine(authors: pd.DataFrame, answers: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a label for every author, each attribute from the first source that has it.

    Args:
        authors: one row per author, with `author_id` and `author`.
        answers: for each source, in order, one row per author in the order of `authors`, with
            `race` and `gender` (None where unknown) and `reason` (why one is unknown, else "").

    Returns:
        The table LABELS.
    """
    labels = authors[["author_id", "author"]].reset_index(drop=True)
    for attribute in ("race", "gender"):
        labels[attribute], labels[f"{attribute}_source"] = first_answer(answers, attribute)
    unlabelled = labels["race"].isna() | labels["gender"].isna()
    labels["reason"] = why_missing(answers, unlabelled)
    return labels[LABELS.names]


def ask_published(authors: pd.DataFrame, universe: pd.DataFrame) -> pd.DataFrame:
    """Answer from the published universe (see `attribench.universe`)."""
    found = look_up(authors, universe)
    reason = pd.Series("", index=found.index)
    reason = reason.mask(found["race"].isna() | found["gender"].isna(), "no undisputed label there")
    reason = reason.mask(~found["known"], "not in the published universe")
    return pd.DataFrame({"race": found["race"], "gender": found["gender"], "reason": reason})


def main(*, authors: Path, universe: Path, sources: Sequence[str], labels: Path) -> None:
    """Label the authors of `authors` and write LABELS to `labels`."""
    table = read(authors, AUTHORS)
    ask: dict[str, Callable[[], pd.DataFrame]] = {
        "published": lambda: ask_published(table, read_universe(universe)),
    }
    write(combine(table, {name: ask[name]() for name in sources}), labels, LABELS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
