"""The fame that the table SEARCH_HITS gives."""

import pandas as pd


def ask_dataforseo(authors: pd.DataFrame, hits: pd.DataFrame) -> pd.DataFrame:
    """Answer from SEARCH_HITS: one row per author, in order, with `log10_hits` and `reason`."""
    found = authors[["author_id"]].merge(hits, on="author_id", how="left", validate="one_to_one")
    reason = found["reason"].mask(found["keyword"].isna(), "not asked").fillna("")
    return pd.DataFrame({"log10_hits": found["log10_hits"].astype(float), "reason": reason.astype(object)})
