"""The nearest quotes of each quote, by cosine similarity, with FAISS."""

from collections.abc import Sequence

import faiss
import numpy as np
import pandas as pd

from attribench.evidence.lsa import Vectors


def nearest(quote_ids: Sequence[str], vectors: Vectors, k: int, queries: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each quote the quote itself and its most similar k − 1 others of the pool.

    The quote itself is first, with similarity 1.0, by its id and not by its place among the
    results: exact repeats of a text are as similar. Ties are broken by quote id.

    Args:
        quote_ids: ids of the pool, each once.
        vectors: their embeddings, one row each, of any length; they are normalised here.
        k: how many quotes to return for each; fewer where the pool is smaller.
        queries: ids of those of the pool that are asked about, each once; None for all.

    Returns:
        Columns `quote_id`, `rank` (from 1), `evidence_quote_id`, `similarity` (−1 to 1).
    """
    pool = np.array(vectors, dtype=np.float32, order="C")
    faiss.normalize_L2(pool)
    index = faiss.IndexFlatIP(pool.shape[1])
    index.add(pool)
    ids = np.asarray(quote_ids, dtype=object)
    places = np.arange(len(ids)) if queries is None else pd.Index(ids).get_indexer(queries)
    found = []
    for start in range(0, len(places), _BATCH):
        part = places[start : start + _BATCH]
        found.append(_others(index, pool[part], part, ids, k - 1))
    asked = ids[places]
    itself = pd.DataFrame(
        {"quote_id": asked, "rank": 1, "evidence_quote_id": asked, "similarity": 1.0, "place": places}
    )
    table = pd.concat([itself, *found], ignore_index=True)
    table["turn"] = table["place"].map(dict(zip(places.tolist(), range(len(places)), strict=True)))
    table = table.sort_values(["turn", "rank"], kind="stable", ignore_index=True)
    return table[["quote_id", "rank", "evidence_quote_id", "similarity"]]


_BATCH = 1024


def _others(index: faiss.IndexFlatIP, queries: Vectors, places: np.ndarray, ids: np.ndarray, k: int) -> pd.DataFrame:
    """Return the k best of each query but itself.

    FAISS breaks ties as it likes, also at the edge of its list. So the list is widened until
    its last similarity is below the k-th, or everything is in it.
    """
    width = min(len(ids), k + 8)
    while True:
        similarity, neighbour = index.search(queries, width)
        table = pd.DataFrame(
            {
                "place": np.repeat(places, width),
                "neighbour": neighbour.ravel(),
                # Equal vectors can differ in the last bits of their product; ties must not hang on that.
                "similarity": np.clip(similarity.astype(np.float64).round(6), -1.0, 1.0).ravel(),
            }
        )
        table = table[table["neighbour"] != table["place"]]
        table["evidence_quote_id"] = ids[table["neighbour"].to_numpy()]
        table = table.sort_values(["place", "similarity", "evidence_quote_id"], ascending=[True, False, True])
        table["rank"] = table.groupby("place").cumcount() + 2
        last = table.groupby("place")["similarity"].min()
        kth = table[table["rank"] == k + 1].set_index("place")["similarity"]
        if width == len(ids) or k == 0 or bool((last.reindex(kth.index) < kth).all()):
            break
        width = min(len(ids), width * 4)
    table["quote_id"] = ids[table["place"].to_numpy()]
    return table.loc[table["rank"] <= k + 1, ["place", "quote_id", "rank", "evidence_quote_id", "similarity"]]
