"""Topics of quotes: clusters of their embeddings, found without looking at the groups."""

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import CountVectorizer

QUOTES_PER_TOPIC = 10
"""Fewest quotes for each topic, on average: there are fewer topics where there are fewer quotes."""

_TYPICAL_WORDS = 3

_WORD = r"(?u)(?<![\w'’])[^\W\d_]{3,}(?![\w'’])"
"""A word of three letters or more; not what stands before an apostrophe ("isn't")."""


def find_topics(quotes: pd.Series, vectors: npt.NDArray[np.float32], number: int, seed: int) -> pd.Series:
    """Return the topic of each quote: its number, from the largest topic on, and its typical words.

    The clusters are those of k-means on the embeddings. A word is typical of a topic by the share
    of the topic's quotes that hold it less the share of all quotes that do.

    Args:
        quotes: the texts.
        vectors: their embeddings, one row each.
        number: topics to find, at most.
        seed: for the first centres.
    """
    number = max(1, min(number, len(quotes) // QUOTES_PER_TOPIC, len(np.unique(vectors, axis=0))))
    found = KMeans(number, n_init=4, random_state=seed).fit_predict(vectors)
    by_size = np.argsort(-np.bincount(found, minlength=number), kind="stable")
    place = np.empty(number, dtype=np.int64)
    place[by_size] = np.arange(number)
    labels = _typical_words(quotes.tolist(), place[found], number)
    return pd.Series([labels[topic] for topic in place[found]], index=quotes.index)


def _typical_words(texts: list[str], topics: npt.NDArray[np.int64], number: int) -> list[str]:
    counter = CountVectorizer(binary=True, stop_words="english", token_pattern=_WORD)
    try:
        holds = counter.fit_transform(texts)
    except ValueError:  # no word at all is left
        return [str(topic + 1) for topic in range(number)]
    words, overall = counter.get_feature_names_out(), np.asarray(holds.mean(axis=0)).ravel()
    labels = []
    for topic in range(number):
        share = np.asarray(holds[topics == topic].mean(axis=0)).ravel() - overall
        typical = [str(words[i]) for i in np.argsort(-share, kind="stable")[:_TYPICAL_WORDS] if share[i] > 0]
        labels.append(f"{topic + 1}: {', '.join(typical)}" if typical else str(topic + 1))
    return labels
