"""What the table WIKIDATA says of authors: labels, and who is no person at all."""

import pandas as pd

from attribench.errors import InputError


def ask_wikidata(authors: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Answer from the table WIKIDATA (see `attribench.sources`).

    Returns:
        One row per author, in order: `race` and `gender` (None where unknown) and `reason` (why one
        is unknown, else "").

    Raises:
        InputError: the table lacks some of the authors.
    """
    return _rows_of(authors, table)[["race", "gender", "reason"]]


def not_persons(authors: pd.DataFrame, table: pd.DataFrame) -> pd.Series:
    """Return for each author, in order, whether Wikidata knows the name as a figure or a group only.

    No other source should be asked about these: a language model has a race for a wizard, too.
    """
    return _rows_of(authors, table)["status"].isin(["not_a_person", "group"])


def _rows_of(authors: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    lacking = ~authors["author_id"].isin(table["author_id"])
    if lacking.any():
        raise InputError(
            f"The table 'wikidata' lacks {lacking.sum()} of {len(authors)} authors, the first of them "
            f"{authors.loc[lacking, 'author'].iloc[0]}. Make it anew from the same authors."
        )
    return table.set_index("author_id").loc[authors["author_id"]].reset_index()
