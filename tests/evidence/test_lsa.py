"""The embedding: vectors of length 1, the same each time, sensible neighbours, clear errors."""

import numpy as np
import pytest

from attribench.errors import InputError
from attribench.evidence.lsa import embed

CORPUS = [
    "The sea was calm and the ship lay still upon the sea",
    "A ship upon the sea needs no road",
    "Freedom is never given, it is won by those who fight",
    "Those who fight for freedom never sleep",
    "Bread and salt are the poor man's feast",
    "The poor man shares his bread",
    "Love is a garden that needs water",
    "Water the garden and love will grow",
]


def test_vectors_have_length_one_and_the_asked_dimensions() -> None:
    vectors = embed(CORPUS, CORPUS, dimensions=5, seed=1)
    assert vectors.shape == (8, 5)
    assert vectors.dtype == np.float32 and vectors.flags.c_contiguous
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_quotes_about_the_same_are_nearest() -> None:
    vectors = embed(CORPUS, CORPUS, dimensions=5, seed=1)
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -1)
    assert similarity.argmax(axis=1).tolist() == [1, 0, 3, 2, 5, 4, 7, 6]


def test_same_seed_same_bytes() -> None:
    one, two = (embed(CORPUS, CORPUS[2:5], dimensions=4, seed=3) for _ in range(2))
    assert one.tobytes() == two.tobytes()


def test_a_quote_has_the_same_vector_whoever_else_is_embedded() -> None:
    alone = embed(CORPUS, [CORPUS[3]], dimensions=4, seed=3)
    among = embed(CORPUS, CORPUS, dimensions=4, seed=3)
    np.testing.assert_array_equal(alone[0], among[3])


def test_exact_repeats_have_the_same_vector() -> None:
    vectors = embed(CORPUS, [CORPUS[0], CORPUS[5], CORPUS[0]], dimensions=4, seed=3)
    np.testing.assert_array_equal(vectors[0], vectors[2])


def test_accents_and_capitals_do_not_matter() -> None:
    vectors = embed(CORPUS, ["the SEÁ was calm", "The sea was calm"], dimensions=4, seed=3)
    np.testing.assert_array_equal(vectors[0], vectors[1])


@pytest.mark.parametrize(("texts", "dimensions"), [(CORPUS[:2], 1), (CORPUS[:3], 2), (["red blue", "blue"], 1)])
def test_a_small_corpus_has_fewer_dimensions(texts: list[str], dimensions: int) -> None:
    vectors = embed(texts, texts, dimensions=128, seed=1)
    assert vectors.shape == (len(texts), dimensions)
    assert np.isfinite(vectors).all()


def test_a_quote_of_unknown_words_is_all_zero() -> None:
    vectors = embed(CORPUS, ["xyzzy plugh", CORPUS[0]], dimensions=4, seed=1)
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([0, 1])


def test_other_scripts_have_words_too() -> None:
    corpus = ["свобода и хлеб", "хлеб и вода", "любовь и вода"]
    vectors = embed(corpus, corpus, dimensions=4, seed=1)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(
    "corpus", [[], ["one quote only"], ["word", "word"], ["...", "!?"]], ids=["none", "one", "one word", "no word"]
)
def test_a_corpus_that_is_too_small_is_an_error_in_a_sentence(corpus: list[str]) -> None:
    with pytest.raises(InputError, match="No embedding can be fitted"):
        embed(corpus, ["word"], dimensions=4, seed=1)
