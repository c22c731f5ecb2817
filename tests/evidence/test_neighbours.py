"""The nearest quotes: the own pair first, ties by quote id, the same as by brute force."""

import numpy as np
import pytest

from attribench.evidence import neighbours
from attribench.evidence.neighbours import nearest

Vectors = np.ndarray


def lists(ids: list[str], vectors: object, k: int) -> dict[str, list[str]]:
    found = nearest(ids, np.asarray(vectors), k)
    assert found.columns.tolist() == ["quote_id", "rank", "evidence_quote_id", "similarity"]
    by_quote = found.groupby("quote_id", sort=False)
    assert list(by_quote.groups) == sorted(ids, key=ids.index)
    for _, rows in by_quote:
        assert rows["rank"].tolist() == list(range(1, len(rows) + 1))
        assert rows["similarity"].is_monotonic_decreasing
        assert rows["similarity"].iloc[0] == 1.0
        assert rows["similarity"].between(-1, 1).all()
    return {str(quote): rows["evidence_quote_id"].tolist() for quote, rows in by_quote}


def test_a_longer_vector_does_not_outrank_the_quote_itself() -> None:
    """An inner product without normalisation prefers length (seen with faiss 1.15)."""
    found = nearest(["q0", "q1", "q2"], np.array([[1, 0], [3, 0], [0.9, 0.1]], dtype=np.float32), 3)
    own = found[found["quote_id"] == "q0"]
    assert own["evidence_quote_id"].tolist() == ["q0", "q1", "q2"]
    assert own["similarity"].tolist() == pytest.approx([1.0, 1.0, 0.993884], abs=1e-6)


def test_exact_repeats_do_not_push_the_quote_from_its_place() -> None:
    """Equal vectors come from the index in any order: the quote itself is known by its id."""
    ids = ["q3", "q1", "q2", "q0"]
    found = lists(ids, [[1, 0], [1, 0], [1, 0], [0.9, 0.1]], 2)
    assert found == {"q3": ["q3", "q1"], "q1": ["q1", "q2"], "q2": ["q2", "q1"], "q0": ["q0", "q1"]}


@pytest.mark.parametrize("k", [1, 2, 5])
def test_more_repeats_than_the_list_is_long(k: int) -> None:
    ids = [f"q{i:03}" for i in np.random.default_rng(1).permutation(60)]
    found = lists(ids, [[1.0, 2.0]] * 60, k)
    for quote, evidence in found.items():
        assert evidence == [quote, *[other for other in sorted(ids) if other != quote][: k - 1]]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_kind_of_array_will_do_and_stays_as_it_was(dtype: type, order: str) -> None:
    vectors = np.array([[3, 0, 1], [2, 0, 1], [0, 5, 0], [0, 4, 1]], dtype=dtype, order=order)  # type: ignore[call-overload]
    before = vectors.copy()
    assert lists(list("abcd"), vectors, 2) == {"a": ["a", "b"], "b": ["b", "a"], "c": ["c", "d"], "d": ["d", "c"]}
    np.testing.assert_array_equal(vectors, before)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_pool_smaller_than_k_gives_what_there_is(size: int) -> None:
    vectors = np.eye(size, 4, dtype=np.float32)
    found = lists(list("abcd")[:size], vectors, 5)
    assert all(sorted(evidence) == list("abcd")[:size] for evidence in found.values())


def test_a_quote_without_direction_is_near_to_nothing_but_itself() -> None:
    found = nearest(list("abc"), np.array([[0, 0], [1, 0], [1, 1]], dtype=np.float32), 3)
    own = found[found["quote_id"] == "a"]
    assert own["evidence_quote_id"].tolist() == ["a", "b", "c"]
    assert own["similarity"].tolist() == [1.0, 0.0, 0.0]
    assert found["similarity"].notna().all()


def brute_force(ids: list[str], vectors: Vectors, k: int) -> dict[str, list[str]]:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = (unit @ unit.T).round(6)
    found = {}
    for i, quote in enumerate(ids):
        others = sorted((j for j in range(len(ids)) if j != i), key=lambda j: (-similarity[i, j], ids[j]))
        found[quote] = [quote, *(ids[j] for j in others[: k - 1])]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_it_finds_what_brute_force_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "_BATCH", 50)
    rng = np.random.default_rng(seed)
    ids = [f"jstet_{i}" for i in rng.permutation(1000)[:180]]
    if seed % 2:  # few directions, so that most similarities are ties
        vectors = rng.integers(-1, 2, (180, 3)).astype(float) * rng.integers(1, 5, (180, 1))
        vectors[~vectors.any(axis=1)] = [1, 0, 0]
    else:
        vectors = rng.normal(size=(180, 16)) * rng.uniform(0.1, 10, (180, 1))
    assert lists(ids, vectors, 5) == brute_force(ids, vectors, 5)


def test_the_order_of_the_pool_does_not_matter() -> None:
    rng = np.random.default_rng(9)
    ids = [f"q{i:02}" for i in range(40)]
    vectors = rng.integers(0, 3, (40, 3)).astype(float) + 0.5
    order = rng.permutation(40)
    assert lists(ids, vectors, 5) == lists([ids[i] for i in order], vectors[order], 5)


def test_some_of_the_pool_can_be_asked_about() -> None:
    rng = np.random.default_rng(2)
    ids = [f"q{i:02}" for i in rng.permutation(30)]
    vectors = rng.normal(size=(30, 4))
    all_of_them = nearest(ids, vectors, 4)
    queries = [ids[7], ids[3], ids[29]]
    some = nearest(ids, vectors, 4, queries=queries)
    expected = [row for quote in queries for row in all_of_them[all_of_them["quote_id"] == quote].values.tolist()]
    assert some.values.tolist() == expected
