"""Step: look up the fame of every author in the sources, in order.

Fame is how often an author is referred to: log10 of the number of search results for the
name (Berman et al. 2026, Section 4.2.2).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from attribench.sources import first_answer, why_missing
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.fame import FAME
from attribench.universe import look_up, read_universe


def combine(authors: pd.DataFrame, answers: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the fame of every author, from the first source that has it.

    Args:
        authors: one row per author, with `author_id` and `author`.
        answers: for each source, in order, one row per author in the order of `authors`, with
            `log10_hits` (NaN where unknown) and `reason` (why it is unknown, else "").

    Returns:
        The table FAME.
    """
    fame = authors[["author_id", "author"]].reset_index(drop=True)
    fame["log10_hits"], fame["fame_source"] = first_answer(answers, "log10_hits")
    fame["reason"] = why_missing(answers, fame["log10_hits"].isna())
    return fame[FAME.names]


def ask_published(authors: pd.DataFrame, universe: pd.DataFrame) -> pd.DataFrame:
    """Answer from the published universe (see `attribench.universe`)."""
    found = look_up(authors, universe)
    reason = pd.Series("", index=found.index)
    reason = reason.mask(found["log10_hits"].isna(), "no figure there")
    reason = reason.mask(~found["known"], "not in the published universe")
    return pd.DataFrame({"log10_hits": found["log10_hits"], "reason": reason})


def main(*, authors: Path, universe: Path, sources: Sequence[str], fame: Path) -> None:
    """Measure the fame of the authors of `authors` and write FAME to `fame`."""
    table = read(authors, AUTHORS)
    ask: dict[str, Callable[[], pd.DataFrame]] = {
        "published": lambda: ask_published(table, read_universe(universe)),
    }
    write(combine(table, {name: ask[name]() for name in sources}), fame, FAME)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
