"""The ways of matching beside Algorithm 1, many runs on the same authors, and how matchings are measured."""

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.balance import match_authors, measure_groups, measure_quality, optimal, select_run
from attribench.balance.matching import Method, match_groups, number_of_runs, prepare
from attribench.errors import MatchingError
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, GROUP_FAME, MATCHING_QUALITY, MATCHINGS, RUNS

Author = tuple[float, int]  # log10 hits, number of quotes
Paths = Callable[[dict[str, pd.DataFrame]], dict[str, Path]]
METHODS: list[Method] = ["algorithm_1", "published", "optimal"]


def table(authors: Sequence[Author]) -> pd.DataFrame:
    return pd.DataFrame(
        {"log10_hits": [float(a[0]) for a in authors], "n_quotes": pd.Series([a[1] for a in authors], dtype="int64")}
    )


def draw(rng: np.random.Generator, size: int, mean: float = 5.0) -> list[Author]:
    fame = rng.normal(mean, 0.8, size).round(1 if size % 2 else 6)  # with ties and without
    return [(float(f), int(n)) for f, n in zip(fame, rng.integers(1, 18, size), strict=True)]


def world(
    rng: np.random.Generator, reference: int, sizes: Sequence[int]
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    groups = {f"g{j}": table(draw(rng, size, 5 + 0.1 * j)) for j, size in enumerate(sizes)}
    return table(draw(rng, reference)), groups


def distances(found: np.ndarray, reference: pd.DataFrame, groups: dict[str, pd.DataFrame]) -> np.ndarray:
    """Return the signed fame distances, matchings × groups."""
    fame = reference["log10_hits"].to_numpy()[found[:, 0]]
    return np.column_stack(
        [g["log10_hits"].to_numpy()[found[:, j]] - fame for j, g in enumerate(groups.values(), start=1)]
    )


def sampled(found: np.ndarray, reference: pd.DataFrame, groups: dict[str, pd.DataFrame]) -> int:
    """Return the quotes per group."""
    tables = [reference, *groups.values()]
    return int(np.min([t["n_quotes"].to_numpy()[found[:, j]] for j, t in enumerate(tables)], axis=0).sum())


def as_published(
    reference: list[Author], groups: list[list[Author]], threshold: float, rng: np.random.Generator
) -> list[list[int]]:
    """Return what the published code returns: a position among those left, used in the list of all."""
    ordered = [sorted(range(len(g)), key=lambda i, g=g: g[i][0]) for g in groups]  # type: ignore[misc]
    used: list[set[int]] = [set() for _ in groups]
    delta = [0.0] * len(groups)
    accepted: list[list[int]] = []
    for r in rng.permutation(len(reference)).tolist():
        h_r, count = reference[r]
        chosen = []
        for group, order, gone, offset in zip(groups, ordered, used, delta, strict=True):
            left = [i for i in order if i not in gone]
            start = sum(group[i][0] < h_r - offset for i in left)
            scan = [order[row] for row in range(start, len(left)) if order[row] not in gone]
            match = next(
                (i for b in range(count.bit_length() - 1, -1, -1) for i in scan if group[i][1].bit_length() - 1 == b),
                scan[0] if scan else None,
            )
            if match is None:
                break
            chosen.append(match)
        if len(chosen) < len(groups):
            continue
        gaps = [groups[j][i][0] - h_r for j, i in enumerate(chosen)]
        if sum(gap * gap for gap in gaps) < threshold * len(groups):
            accepted.append([r, *chosen])
            for j, (i, gap) in enumerate(zip(chosen, gaps, strict=True)):
                used[j].add(i)
                delta[j] += gap
    return accepted


def test_published_does_as_the_published_code() -> None:
    rng = np.random.default_rng(20260407)
    found = 0
    for case in range(150):
        reference = draw(rng, int(rng.integers(0, 15)))
        groups = [draw(rng, int(rng.integers(0, 22))) for _ in range(int(rng.integers(1, 4)))]
        threshold = float(rng.choice([0.05, 0.3, 1.0, 4.0]))
        matched = match_groups(
            table(reference),
            {f"g{j}": table(group) for j, group in enumerate(groups)},
            method="published",
            threshold=threshold,
            rng=np.random.default_rng(case),
        )
        expected = as_published(reference, groups, threshold, np.random.default_rng(case))
        assert matched.tolist() == expected, case
        found += len(expected)
    assert found > 250  # else the cases were too hard to prove anything


def test_published_drifts_below_the_target_as_authors_are_taken() -> None:
    """With the first of four gone, 5.0 is second among those left, but the second of the list is 4.9."""
    reference, groups = table([(4.0, 1), (5.0, 1)]), {"g": table([(4.0, 1), (4.9, 1), (5.0, 1), (5.1, 1)])}
    found = {
        str(match_groups(reference, groups, method="published", rng=np.random.default_rng(seed)).tolist())
        for seed in range(10)
    }
    assert found == {"[[0, 0], [1, 1]]", "[[1, 2], [0, 0]]"}


@pytest.mark.parametrize("method", METHODS)
def test_runs_on_the_same_authors_do_not_disturb_each_other(method: Method) -> None:
    reference, groups = world(np.random.default_rng(1), 40, [60, 70])
    match = prepare(reference, groups, method=method)
    for seed in (1, 2, 1):
        alone = match_groups(reference, groups, method=method, rng=np.random.default_rng(seed))
        assert match(np.random.default_rng(seed)).tolist() == alone.tolist()
        assert len(alone) > 20


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("reference", "sizes"), [(0, [3]), (3, [0, 4]), (0, [0]), (30, [12, 40]), (9, [9, 9, 9])])
def test_no_author_is_matched_twice_and_no_matching_is_too_far(
    method: Method, reference: int, sizes: list[int]
) -> None:
    for seed, threshold in itertools.product(range(5), [0.02, 0.3, 1.0]):
        people, groups = world(np.random.default_rng(seed), reference, sizes)
        found = match_groups(people, groups, method=method, threshold=threshold, rng=np.random.default_rng(seed))
        assert found.shape == (len(found), 1 + len(sizes)) and found.dtype == np.int64
        assert len(found) <= min(reference, *sizes)
        assert all(len(set(column)) == len(column) for column in found.T)
        assert (np.square(distances(found, people, groups)).sum(axis=1) < threshold * len(sizes)).all()


def test_optimal_has_the_least_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against all assignments there are, with group means left free."""
    monkeypatch.setattr(optimal, "MEAN_DISTANCE", np.inf)
    rng = np.random.default_rng(4)
    for _ in range(20):
        people, groups = world(rng, 4, [6])

        def cost(columns: Sequence[int], people: pd.DataFrame = people, group: pd.DataFrame = groups["g0"]) -> float:
            gap = group["log10_hits"].to_numpy()[list(columns)] - people["log10_hits"].to_numpy()
            lost = np.maximum(people["n_quotes"].to_numpy() - group["n_quotes"].to_numpy()[list(columns)], 0)
            return float(np.sum(gap**2 + optimal.LOST_QUOTE * lost))

        found = match_groups(people, groups, method="optimal", threshold=100.0, rng=rng)
        least = min(cost(columns) for columns in itertools.permutations(range(6), 4))
        assert found[:, 0].tolist() == [0, 1, 2, 3]
        assert cost(found[:, 1].tolist()) == pytest.approx(least)


def test_optimal_is_better_than_algorithm_1_and_keeps_the_means_together() -> None:
    people, groups = world(np.random.default_rng(6), 200, [500, 1400])
    best = match_groups(people, groups, method="optimal", rng=np.random.default_rng(0))
    one = match_groups(people, groups, method="algorithm_1", unmatched="any_bin", rng=np.random.default_rng(0))
    gaps, gaps_of_one = distances(best, people, groups), distances(one, people, groups)
    assert len(best) >= len(one)
    assert sampled(best, people, groups) > sampled(one, people, groups)
    assert np.mean(gaps**2) < np.mean(gaps_of_one**2)
    means = [0.0, *gaps.mean(axis=0)]
    assert max(means) - min(means) <= 0.0005


def test_optimal_needs_no_generator_to_decide() -> None:
    people, groups = world(np.random.default_rng(8), 30, [50, 60])
    runs = {
        str(match_groups(people, groups, method="optimal", rng=np.random.default_rng(s)).tolist()) for s in range(3)
    }
    assert len(runs) == 1
    assert [number_of_runs(method, 100) for method in METHODS] == [100, 100, 1]


def test_somebody_too_far_away_does_not_spoil_the_others() -> None:
    people = table([(5.0, 1), (9.0, 1), (5.2, 1)])
    groups = {"g": table([(5.2, 1), (5.0, 1), (5.1, 1)])}
    found = match_groups(people, groups, method="optimal", rng=np.random.default_rng(0))
    assert found.tolist() == [[0, 1], [2, 0]]


def test_optimal_says_when_there_are_too_many_authors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimal, "MOST_PAIRS", 100)
    people, groups = world(np.random.default_rng(0), 11, [5, 10])
    with pytest.raises(MatchingError, match=r"here 11 with 10, more than the 100 pairs.*'balance.method: algorithm_1'"):
        match_groups(people, groups, method="optimal", rng=np.random.default_rng(0))


def test_authors_without_quotes_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a quote"):
        match_groups(table([(5.0, 1)]), {"g": table([(5.0, 0)])}, rng=np.random.default_rng(0))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("jobs", [1, 3])
def test_steps_with_each_method(
    candidates: pd.DataFrame, write_world: Paths, tmp_path: Path, method: Method, jobs: int
) -> None:
    path = write_world({"candidates": candidates})["candidates"]
    parts = [tmp_path / f"{i}-of-{jobs}.parquet" for i in range(1, jobs + 1)]
    for part in parts:
        match_authors.main(
            candidates=path,
            dataset="x",
            groups=["White", "Black female", "Black male"],
            reference=None,
            part=part.stem,
            runs=6,
            threshold=1.0,
            unmatched="skip",
            seed=1,
            matchings=part,
            method=method,
        )
    run_table, matchings = tmp_path / "runs.csv", tmp_path / "matchings.parquet"
    select_run.main(parts=parts, dataset="x", runs=6, run_table=run_table, matchings=matchings, method=method)
    runs = read(run_table, RUNS)
    assert len(runs) == number_of_runs(method, 6)
    assert runs["selected"].sum() == 1
    assert read(matchings, MATCHINGS)["match_id"].nunique() == runs.loc[runs["selected"], "authors_per_group"].item()


BENCHMARK_ROWS = [  # group, author, log10 hits, words of each quote
    ("R", "r1", 5.0, [10, 12]),
    ("R", "r2", 6.0, [8]),
    ("C", "c1", 5.5, [10, 12]),
    ("C", "c2", 6.5, [8]),
]


def benchmark_table() -> pd.DataFrame:
    rows = [(g, a, fame, n) for g, a, fame, words in BENCHMARK_ROWS for n in words]
    found = pd.DataFrame(rows, columns=["group", "author_id", "log10_hits", "n_words"])
    found["quote_id"] = [f"jstet_{i}" for i in range(len(found))]
    found["match_id"] = found["author_id"].str[1].astype(int) - 1
    found["aliases"] = [[] for _ in rows]
    return found.assign(race="black", gender=None, author=found["author_id"], quote="Q")[BENCHMARK.names]


def test_quality_by_hand(tmp_path: Path) -> None:
    authors = benchmark_table().drop_duplicates("author_id").drop(columns=["quote_id"])
    matchings = authors.assign(is_reference=authors["group"] == "R", n_quotes=2, to_sample=2)[MATCHINGS.names]
    paths = [tmp_path / name for name in ("benchmark.parquet", "matchings.parquet", "quality.csv")]
    write(benchmark_table(), paths[0], BENCHMARK)
    write(matchings, paths[1], MATCHINGS)
    measure_quality.main(benchmark_table=paths[0], matchings=paths[1], quality=paths[2])
    found = read(paths[2], MATCHING_QUALITY).set_index("group")
    assert found["authors"].to_dict() == {"R": 2, "C": 2} and found["quotes"].to_dict() == {"R": 3, "C": 3}
    assert found["is_reference"].to_dict() == {"R": True, "C": False}
    # Both groups have the variance 0.5, so that half a unit of fame is 0.5 / √0.5 deviations.
    assert found["smd_log10_hits"].to_dict() == pytest.approx({"R": 0.0, "C": 0.5 / np.sqrt(0.5)})
    assert found["smd_words"].to_dict() == {"R": 0.0, "C": 0.0}
    assert found.loc["C", ["min_log10_hits", "median_log10_hits", "max_log10_hits"]].tolist() == [5.5, 6.0, 6.5]
    assert found.loc["C", ["q25_log10_hits", "q75_log10_hits"]].tolist() == [5.75, 6.25]


def test_a_difference_without_spread_is_not_a_number() -> None:
    one, other = pd.Series([5.0, 5.0]), pd.Series([6.0, 6.0])
    assert np.isnan(measure_quality.standardised_difference(one, other))
    assert measure_quality.standardised_difference(one, one) == 0.0


def test_fame_of_groups_counts_everybody_with_labels_and_fame(tmp_path: Path) -> None:
    labels = pd.DataFrame(
        {
            "author_id": list("abcde"),
            "author": list("ABCDE"),
            "race": ["black", "black", "white", "black", None],
            "gender": ["female", "female", "male", "male", "female"],
            "race_source": "x",
            "gender_source": "x",
            "reason": "",
        }
    )
    fame = pd.DataFrame({"author_id": list("edcba"), "log10_hits": [5.0, 4.0, None, 2.0, 3.0]})
    groups = {"White": {"race": "white"}, "Black female": {"race": "black", "gender": "female"}}
    found = measure_groups.measure_groups(labels, fame, groups)
    write(found, tmp_path / "g.csv", GROUP_FAME)
    assert found["group"].tolist() == ["White", "Black female"]
    assert found["labelled"].tolist() == [1, 2] and found["authors"].tolist() == [0, 2]
    assert found.loc[1, "mean_log10_hits"] == 2.5 and np.isnan(found.loc[0, "mean_log10_hits"])
