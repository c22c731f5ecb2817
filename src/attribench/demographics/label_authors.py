"""Step: look up race and gender of every author in the sources, in order.

The first source that knows an attribute of an author decides it; race and gender of one
author may come from different sources (Berman et al. 2026, Section 4.2.1).
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from attribench.demographics.consensus import ask_consensus
from attribench.demographics.wikidata_labels import ask_wikidata, not_persons
from attribench.sources import first_answer, why_missing
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import LABELLER_ANSWERS, LABELS, WIKIDATA
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


def without_figures(answers: Mapping[str, pd.DataFrame], is_figure: pd.Series) -> dict[str, pd.DataFrame]:
    """Return `answers` without those that sources after Wikidata give about names it knows as no person's.

    A language model has a race for a wizard, too.
    """
    kept: dict[str, pd.DataFrame] = {}
    for name, answer in answers.items():
        if "wikidata" in kept:
            reason = answer["reason"].mask(is_figure, "not asked: Wikidata knows no person of this name")
            labels = answer[["race", "gender"]].mask(is_figure, None)
            kept[name] = labels.assign(reason=reason)
        else:
            kept[name] = answer
    return kept


def main(
    *,
    authors: Path,
    universe: list[Path],
    wikidata: list[Path],
    labeller_answers: list[Path],
    sources: Sequence[str],
    labels: Path,
) -> None:
    """Label the authors of `authors` and write LABELS to `labels`.

    The inputs of sources that are not asked are empty lists.
    """
    table = read(authors, AUTHORS)
    ask: dict[str, Callable[[], pd.DataFrame]] = {
        "published": lambda: ask_published(table, read_universe(universe[0])),
        "wikidata": lambda: ask_wikidata(table, read(wikidata[0], WIKIDATA)),
        "consensus": lambda: ask_consensus(table, read(labeller_answers[0], LABELLER_ANSWERS)),
    }
    answers = {name: ask[name]().reset_index(drop=True) for name in sources}
    if "wikidata" in sources:
        figures = not_persons(table, read(wikidata[0], WIKIDATA)).reset_index(drop=True)
        answers = without_figures(answers, figures)
    write(combine(table, answers), labels, LABELS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
