"""Duplicates: repeats of one author, texts of several authors, texts inside longer ones.

Every function takes `author` and `text` (the plain form of each quote, see `plain_text`) as
columns with one index, and returns the index of the rows to remove.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_BASE = np.uint64(0x9E3779B97F4A7C15)
_BITS = 24

Hashes = npt.NDArray[np.uint64]


def repeats(author: pd.Series, text: pd.Series) -> pd.Index:
    """Return the rows whose text the same author has in an earlier row."""
    return author.index[pd.DataFrame({"author": author, "text": text}).duplicated()]


def shared(author: pd.Series, text: pd.Series) -> pd.Index:
    """Return all rows whose text occurs under several authors: whose it is, is not certain."""
    pairs = pd.DataFrame({"author": author, "text": text}).drop_duplicates()
    several = pairs.loc[pairs["text"].duplicated(), "text"].unique()
    return text.index[text.isin(several)]


def contained(author: pd.Series, text: pd.Series) -> pd.Index:
    """Return the rows whose words stand, in a row, inside a longer text of the same author.

    A rolling hash over all words answers, for each length of text that occurs, which texts
    of that length recur inside longer ones; each hit is then compared in full. The time
    grows with the number of words times the number of different lengths (at most 26 for
    quotes of 5 to 30 words), never with the number of pairs of quotes.
    """
    if text.empty:
        return text.index
    words = pc.split_pattern(pa.array(text, pa.large_string()), " ")
    lengths = pc.list_value_length(words).to_numpy(zero_copy_only=False).astype(np.int64)
    tokens = pc.list_flatten(words).dictionary_encode()
    codes = np.asarray(tokens.indices, dtype=np.int64)
    owner = np.repeat(np.arange(len(text)), lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    authors = _scatter(pd.factorize(author)[0].astype(np.uint64))
    prefix, powers = _prefix_hashes(_scatter(codes.astype(np.uint64) + np.uint64(1)), int(lengths.max()))
    rest = lengths[owner] - (np.arange(len(codes)) - starts[owner])
    texts = [f" {t} " for t in text]
    removed = np.zeros(len(text), dtype=bool)
    for length in np.unique(lengths):
        short = np.flatnonzero(lengths == length)
        places = np.flatnonzero((rest >= length) & (lengths[owner] > length))
        if not len(places):
            break
        wanted = _hash_at(prefix, powers, starts[short], length) ^ authors[short]
        seen = _hash_at(prefix, powers, places, length) ^ authors[owner[places]]
        for s, place in _meetings(wanted, seen):
            one, other = short[s], owner[places[place]]
            if texts[one] in texts[other] and author.iloc[one] == author.iloc[other]:
                removed[one] = True
    return text.index[removed]


def _scatter(values: Hashes) -> Hashes:
    """Return well-mixed 64-bit numbers, one for each value (splitmix64)."""
    mixed = values * _BASE
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _prefix_hashes(words: Hashes, longest: int) -> tuple[Hashes, Hashes]:
    """Return the running sum of word × base^place over all words, and the inverse powers of the base."""
    places = np.full(len(words), _BASE, dtype=np.uint64)
    places[0] = 1
    places = np.multiply.accumulate(places)
    inverse = np.uint64(pow(int(_BASE), -1, 1 << 64))
    inverses = np.full(len(words), inverse, dtype=np.uint64)
    inverses[0] = 1
    return np.concatenate([[np.uint64(0)], np.cumsum(words * places, dtype=np.uint64)]), np.multiply.accumulate(
        inverses
    )


def _hash_at(prefix: Hashes, inverses: Hashes, starts: npt.NDArray[np.int64], length: int) -> Hashes:
    """Return the hash of the `length` words that begin at each of `starts`."""
    return (prefix[starts + length] - prefix[starts]) * inverses[starts]


def _meetings(wanted: Hashes, seen: Hashes) -> list[tuple[int, int]]:
    """Return pairs of positions in `wanted` and `seen` with the same hash, one for each of `wanted`."""
    mask = np.uint64((1 << _BITS) - 1)
    marked = np.zeros(1 << _BITS, dtype=bool)
    marked[wanted & mask] = True
    likely = np.flatnonzero(marked[seen & mask])
    first = pd.Series(likely, index=seen[likely])
    first = first[~first.index.duplicated()]
    hits = first.reindex(wanted)
    found = np.flatnonzero(hits.notna())
    return [(int(s), int(hits.iloc[s])) for s in found]
