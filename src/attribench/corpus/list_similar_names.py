"""Step: list names that may be misspellings of a more frequent one, for a person to look at.

Nothing is merged: whether ``Jon Smith`` is ``John Smith`` only a person can tell.
"""

from pathlib import Path

import pandas as pd

from attribench import tables
from attribench.corpus.similar_names import similar_pairs
from attribench.step import run
from attribench.tables.corpus import AUTHORS, SIMILAR_NAMES
from attribench.text import normal_form


def main(*, authors: Path, similar_names: Path) -> None:
    """Write the table `similar names` for the table `authors`."""
    tables.write(proposals(tables.read(authors, AUTHORS)), similar_names, SIMILAR_NAMES)


def proposals(authors: pd.DataFrame) -> pd.DataFrame:
    """Return for each author with a similar, more frequent name the most frequent such name.

    Of two names with as many quotes the one whose id comes first counts as the more frequent.
    The closest come first, and among those the ones with the most frequent partner.
    """
    ranked = authors.sort_values(["n_quotes", "author_id"], ascending=[False, True]).reset_index(drop=True)
    best: dict[int, tuple[int, int]] = {}
    for frequent, rare, distance in similar_pairs([normal_form(name) for name in ranked["author"]]):
        # The places in `ranked` are in the order of frequency.
        best[rare] = min(best.get(rare, (frequent, distance)), (frequent, distance))
    rare_rows = ranked.iloc[list(best)].reset_index(drop=True)
    others = ranked.iloc[[frequent for frequent, _ in best.values()]].reset_index(drop=True)
    found = pd.DataFrame(
        {
            "author_id": rare_rows["author_id"],
            "author": rare_rows["author"],
            "n_quotes": rare_rows["n_quotes"],
            "similar_author_id": others["author_id"],
            "similar_author": others["author"],
            "similar_n_quotes": others["n_quotes"],
            "distance": pd.Series([distance for _, distance in best.values()], dtype="int64"),
        }
    )
    order = ["distance", "similar_n_quotes", "similar_author_id", "author_id"]
    return found.sort_values(order, ascending=[True, False, True, True], ignore_index=True)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
