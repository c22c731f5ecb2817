"""Step: look up the fame of every author in the sources, in order.

Fame is how often an author is referred to: log10 of the number of search results for the
name (Berman et al. 2026, Section 4.2.2).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from attribench.fame.count_mentions import ask_mentions
from attribench.fame.dataforseo_fame import ask_dataforseo
from attribench.fame.read_table import ask_table, read_fame_table
from attribench.fame.several_sources import by_source, require_one_source
from attribench.sources import first_answer, why_missing
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.fame import FAME, FAME_BY_SOURCE, MENTIONS, SEARCH_HITS
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


def main(
    *,
    authors: Path,
    universe: list[Path],
    search_hits: list[Path],
    mentions: list[Path],
    fame_table: list[Path],
    sources: Sequence[str],
    compare: Sequence[str],
    mix_sources: bool,
    fame: Path,
    fame_by_source: Path,
) -> None:
    """Measure the fame of the authors of `authors`; write FAME, and FAME_BY_SOURCE for comparisons.

    The inputs of sources that are not asked are empty lists.

    Raises:
        ConfigError: several sources gave the fame, and `mix_sources` does not allow that.
    """
    table = read(authors, AUTHORS)
    ask: dict[str, Callable[[], pd.DataFrame]] = {
        "published": lambda: ask_published(table, read_universe(universe[0])),
        "dataforseo": lambda: ask_dataforseo(table, read(search_hits[0], SEARCH_HITS)),
        "mentions": lambda: ask_mentions(table, read(mentions[0], MENTIONS)),
        "table": lambda: ask_table(table, read_fame_table(fame_table[0])),
    }
    answers = {name: ask[name]().reset_index(drop=True) for name in dict.fromkeys([*sources, *compare])}
    combined = combine(table, {name: answers[name] for name in sources})
    require_one_source(combined, mix_sources=mix_sources)
    write(combined, fame, FAME)
    write(by_source(table, answers), fame_by_source, FAME_BY_SOURCE)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
