"""Shifted rows: the rest of the quote stands in the author cell, the author in the category.

The public corpus was split at semicolons, also at those of some quotes. Such a row reads
``I can give or take elephants | I never can find the cheetah | Jodi Picoult, My Sister's Keeper``.
"""

import pandas as pd

from attribench.corpus.authors import clean_author
from attribench.text import normal_form


def put_right(shifted: pd.DataFrame, known: frozenset[str]) -> pd.DataFrame:
    """Return the shifted rows whose author is certain, put right (`quote`, `author`).

    The author is certain where the category names an individual in two words or more who is
    also the author of rows that are not shifted. The quote is joined again at its semicolon.

    Args:
        shifted: the rows whose author cell is a sentence, with `quote`, `author`, `category`.
        known: normal forms of the names of the authors of all other rows.
    """
    certain = {cell for cell in shifted["category"].unique() if _is_certain(cell, known)}
    rows = shifted[shifted["category"].isin(certain)]
    whole = rows["quote"].str.rstrip().str.rstrip(";") + "; " + rows["author"].str.strip()
    return pd.DataFrame({"quote": whole, "author": rows["category"]})


def _is_certain(category: str, known: frozenset[str]) -> bool:
    author = clean_author(category)
    return author is not None and " " in author.name and normal_form(author.name) in known
