"""A sentence embedding that needs no download: latent semantic analysis.

Term frequencies with inverse document frequencies, reduced by a truncated singular value
decomposition (Deerwester et al. 1990), both from scikit-learn and fitted on the corpus.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from attribench.errors import InputError

Vectors = npt.NDArray[np.float32]


def embed(corpus: Sequence[str], quotes: Sequence[str], *, dimensions: int, seed: int) -> Vectors:
    """Return the embedding of each of `quotes`, fitted on `corpus`.

    Args:
        corpus: the texts to fit on.
        quotes: the texts to embed.
        dimensions: length of a vector; less where the corpus has fewer texts or words.
        seed: for the randomized decomposition.

    Returns:
        An array of shape (quotes, dimensions), rows of Euclidean length 1; a quote none of
        whose words occur in the corpus has a row of zeros.

    Raises:
        InputError: the corpus holds fewer than two different words.
    """
    words = TfidfVectorizer(sublinear_tf=True, strip_accents="unicode", token_pattern=r"(?u)\b\w+\b")
    try:
        weights = words.fit_transform(corpus)
    except ValueError as error:
        raise InputError(f"No embedding can be fitted on the corpus of {len(corpus)} quotes: {error}.") from error
    rank = min(dimensions, min(weights.shape) - 1)
    if rank < 1:
        raise InputError("No embedding can be fitted: the corpus must hold two quotes and two words at least.")
    reduction = TruncatedSVD(rank, random_state=seed)
    reduction.fit(weights)
    vectors = reduction.transform(words.transform(quotes))
    return np.ascontiguousarray(normalize(vectors), dtype=np.float32)
