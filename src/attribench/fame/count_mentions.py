"""Step: count how often each author is named in a text collection.

A measure of fame for those without an account at a search service. It needs a collection that has
kept its capitals.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.fame.name_index import NameIndex, forms
from attribench.fame.text_files import read_texts
from attribench.step import run, screen
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.fame import MENTIONS

_INTERVAL = 10.0  # seconds between two lines of progress


def main(*, authors: Path, files: list[Path], column: str, mentions: Path) -> None:
    """Count the mentions of the authors of `authors` in `files` and write MENTIONS.

    `column` names the column that holds the text, in files that are tables.
    """
    write(count_mentions(read(authors, AUTHORS), files, column), mentions, MENTIONS)


def ask_mentions(authors: pd.DataFrame, mentions: pd.DataFrame) -> pd.DataFrame:
    """Answer from MENTIONS: one row per author, in order, with `log10_hits` and `reason`."""
    found = authors[["author_id"]].merge(mentions, on="author_id", how="left", validate="one_to_one")
    reason = found["reason"].mask(found["mentions"].isna(), "not looked for").fillna("")
    return pd.DataFrame({"log10_hits": found["log10_hits"].astype(float), "reason": reason.astype(object)})


def count_mentions(authors: pd.DataFrame, files: Sequence[Path], column: str) -> pd.DataFrame:
    """Return MENTIONS: how often the name of each author, or an alias, occurs in `files`.

    Args:
        authors: one row per author, with `author_id`, `author` and `aliases`.
        files: the text collection (`attribench.fame.text_files`).
        column: where tables hold the text.

    Raises:
        InputError: a file cannot be read.
    """
    names = {
        author_id: [name, *aliases]
        for author_id, name, aliases in zip(authors["author_id"], authors["author"], authors["aliases"], strict=True)
    }
    index = NameIndex(names)
    counts: Counter[str] = Counter()
    last = time.monotonic()
    for number, file in enumerate(files, start=1):
        for count, text in enumerate(read_texts(file, column), start=1):
            for owner in index.find(text):
                counts[owner] += 1
                if time.monotonic() - last >= _INTERVAL:
                    last = time.monotonic()
                    _say(f"file {number} of {len(files)}, text {count:,}: {counts.total():,} mentions so far")
    _say(f"{len(files)} files read, {counts.total():,} mentions of {len(counts):,} of {len(names):,} authors")
    table = authors[["author_id", "author"]].reset_index(drop=True)
    table["mentions"] = [counts[author_id] for author_id in table["author_id"]]
    table["log10_hits"] = np.log10(table["mentions"].where(table["mentions"] > 0).astype(float))
    is_shared = [_is_shared(names[author_id], index) for author_id in table["author_id"]]
    table["reason"] = np.select(
        [table["mentions"] > 0, is_shared], ["", "shares every form of the name with another author"], "no mention"
    )
    return table[MENTIONS.names]


def _is_shared(spellings: Iterable[str], index: NameIndex) -> bool:
    """Whether every form of somebody's name is somebody else's as well."""
    return all(form in index.ambiguous for spelling in spellings for form in forms(spelling))


def _say(text: str) -> None:
    print(f"Counting mentions: {text}", file=screen(), flush=True)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
