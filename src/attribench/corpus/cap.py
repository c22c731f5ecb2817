"""The cap: at most so many quotes of one author (Berman et al. 2026, App. A.3.5)."""

import hashlib

import numpy as np
import pandas as pd


def drawn_beyond(author_id: pd.Series, most: int, seed: int) -> pd.Index:
    """Return the rows that go, so that no author keeps more than `most`.

    Which of an author's quotes stay is drawn without replacement by a generator made from
    `seed` and the author's id, so that it depends on no other author's quotes.
    """
    sizes = author_id.value_counts()
    crowded = author_id[author_id.isin(sizes.index[sizes > most])]
    removed = [
        rows.index[np.sort(_generator(seed, str(author)).permutation(len(rows))[most:])]
        for author, rows in crowded.groupby(crowded, sort=False)
    ]
    return pd.Index(np.concatenate(removed)) if removed else author_id.index[:0]


def later_beyond(author_id: pd.Series, most: int) -> pd.Index:
    """Return the rows that go, so that the first `most` of each author stay (the published sizes)."""
    return author_id.index[author_id.groupby(author_id, sort=False).cumcount() >= most]


def _generator(seed: int, author_id: str) -> np.random.Generator:
    digest = hashlib.sha256(author_id.encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])
