"""Which authors of a benchmark were matched with each other: as the file says, or reconstructed."""

import numpy as np
import pandas as pd


def given_matchings(rows: pd.DataFrame, authors: pd.DataFrame) -> tuple[pd.Series | None, str]:
    """Return the matching of each author as the file has it, or None and why it cannot be used.

    Args:
        rows: one row per quote, with `author_id`, `quote_id` and maybe `match_id`, a text.
        authors: one row per author, with `author_id` and `group`.
    """
    if "match_id" not in rows:
        return None, "the file has no match_id"
    numbers = pd.to_numeric(rows["match_id"], errors="coerce").astype(float)
    wrong = rows[~np.isfinite(numbers) | (numbers % 1 != 0)]
    if len(wrong):
        return None, f"row {wrong.index[0]}: match_id '{wrong['match_id'].iloc[0]}' is no whole number"
    by_author = numbers.groupby(rows["author_id"])
    several = by_author.nunique()
    if (several > 1).any():
        return None, f"{several.index[several > 1][0]} is in several matchings"
    match_id = authors["author_id"].map(by_author.first()).astype("int64")
    pairs = pd.DataFrame({"match_id": match_id, "group": authors["group"]})
    twice = pairs[pairs.duplicated()]
    if len(twice):
        return None, f"matching {twice['match_id'].iloc[0]} has two authors of the group {twice['group'].iloc[0]}"
    return match_id, ""


def reconstruct_matchings(authors: pd.DataFrame) -> pd.Series:
    """Return a number for each author such that those of one number can have been matched.

    All authors of a matching have the same `to_sample`, so that every group has as many authors of
    each `to_sample`. Among these the most famous of each group are put together, then the next: of all
    ways of pairing two groups this one has the least squared distance of fame. Numbers count from 0,
    from the smallest `to_sample` and the most famous.

    Args:
        authors: one row per author, with `author_id`, `group`, `to_sample` and `log10_hits`.
    """
    ranked = authors.sort_values(["log10_hits", "author_id"], ascending=[False, True], kind="stable")
    rank = ranked.groupby(["to_sample", "group"]).cumcount()
    places = pd.MultiIndex.from_arrays([ranked["to_sample"], rank])
    number = pd.Series(pd.factorize(places, sort=True)[0], index=ranked.index)
    return number.reindex(authors.index).astype("int64")
