"""The matching is Algorithm 1 of Berman et al. 2026, Appendix A.5, only faster."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pytest

from attribench.balance.matching import match_groups

Author = tuple[float, int]  # log10 hits, number of quotes


def table(authors: Sequence[Author]) -> pd.DataFrame:
    return pd.DataFrame(
        {"log10_hits": [float(a[0]) for a in authors], "n_quotes": pd.Series([a[1] for a in authors], dtype="int64")}
    )


def algorithm_1(
    reference: list[Author], groups: list[list[Author]], threshold: float, unmatched: str, rng: np.random.Generator
) -> list[list[int]]:
    """Return what the paper's pseudo-code returns, line by line, with lists and linear scans."""
    shuffled = rng.permutation(len(reference)).tolist()
    ordered = [sorted(range(len(g)), key=lambda i, g=g: g[i][0]) for g in groups]  # type: ignore[misc]
    delta = [0.0] * len(groups)
    accepted: list[list[int]] = []

    def quote_bin(count: int) -> int:
        b = 0
        while 2 ** (b + 1) <= count:
            b += 1
        return b

    for r in shuffled:
        h_r, count = reference[r]
        chosen: list[int] = []
        for j, group in enumerate(groups):
            t = h_r - delta[j]
            scan = [i for i in ordered[j] if group[i][0] >= t]
            match = None
            for b in range(quote_bin(count), -1, -1):
                fits = [i for i in scan if quote_bin(group[i][1]) == b]
                if fits:
                    match = fits[0]
                    break
            if match is None and unmatched == "any_bin" and scan:
                match = scan[0]
            if match is None:
                break
            chosen.append(match)
        if len(chosen) < len(groups):
            continue
        error = sum((groups[j][i][0] - h_r) ** 2 for j, i in enumerate(chosen))
        if error < threshold * len(groups):
            accepted.append([r, *chosen])
            for j, i in enumerate(chosen):
                ordered[j].remove(i)
                delta[j] += groups[j][i][0] - h_r
    return accepted


def draw(rng: np.random.Generator, size: int, ties: bool) -> list[Author]:
    fame = rng.normal(5, 0.8, size)
    if ties:
        fame = (fame * 4).round() / 4
    return [(float(f), int(n)) for f, n in zip(fame, rng.integers(1, 18, size), strict=True)]


@pytest.mark.parametrize("unmatched", ["skip", "any_bin"])
@pytest.mark.parametrize("ties", [True, False], ids=["ties", "no ties"])
def test_it_is_algorithm_1(unmatched: str, ties: bool) -> None:
    rng = np.random.default_rng(20260406)
    found = 0
    for case in range(150):
        reference = draw(rng, int(rng.integers(0, 15)), ties)
        groups = [draw(rng, int(rng.integers(0, 22)), ties) for _ in range(int(rng.integers(1, 4)))]
        threshold = float(rng.choice([0.05, 0.3, 1.0, 4.0]))
        matched = match_groups(
            table(reference),
            {f"g{j}": table(group) for j, group in enumerate(groups)},
            threshold=threshold,
            unmatched=unmatched,  # type: ignore[arg-type]
            rng=np.random.default_rng(case),
        )
        expected = algorithm_1(reference, groups, threshold, unmatched, np.random.default_rng(case))
        assert matched.tolist() == expected, case
        assert matched.shape == (len(expected), 1 + len(groups))
        found += len(expected)
    assert found > 300  # else the cases were too hard to prove anything


def test_the_two_ways_with_the_unmatched_differ_as_said() -> None:
    """The only free author who is famous enough is in a higher bin: no matching, or that one."""
    reference, group = table([(5.0, 1)]), {"g": table([(4.9, 1), (5.3, 8), (5.2, 4)])}
    rng = np.random.default_rng
    assert match_groups(reference, group, unmatched="skip", rng=rng(0)).tolist() == []
    assert match_groups(reference, group, unmatched="any_bin", rng=rng(0)).tolist() == [[0, 2]]


def test_a_lower_bin_comes_before_any_bin() -> None:
    reference = table([(5.0, 4)])
    group = {"g": table([(5.01, 16), (5.4, 1), (5.5, 2)])}
    for unmatched in ("skip", "any_bin"):
        found = match_groups(reference, group, unmatched=unmatched, rng=np.random.default_rng(0))  # type: ignore[arg-type]
        assert found.tolist() == [[0, 2]], unmatched


def test_the_same_bin_comes_before_a_nearer_fame() -> None:
    found = match_groups(table([(5.0, 5)]), {"g": table([(5.0, 3), (5.6, 7), (5.0, 8)])}, rng=np.random.default_rng(0))
    assert found.tolist() == [[0, 1]]


def test_equally_famous_authors_are_taken_in_the_order_of_the_table() -> None:
    found = match_groups(
        table([(5.0, 1)] * 3), {"g": table([(5.5, 1), (5.0, 1), (5.0, 1)])}, rng=np.random.default_rng(0)
    )
    assert found[:2, 1].tolist() == [1, 2]


def random_case(seed: int) -> tuple[pd.DataFrame, Mapping[str, pd.DataFrame]]:
    rng = np.random.default_rng(seed)
    return table(draw(rng, 40, True)), {f"g{j}": table(draw(rng, 70, True)) for j in range(3)}


@pytest.mark.parametrize("seed", range(10))
def test_no_author_is_matched_twice_and_no_matching_is_too_far(seed: int) -> None:
    reference, groups = random_case(seed)
    for threshold, unmatched in itertools.product([0.02, 0.3, 1.0], ["skip", "any_bin"]):
        found = match_groups(
            reference,
            groups,
            threshold=threshold,
            unmatched=unmatched,  # type: ignore[arg-type]
            rng=np.random.default_rng(seed),
        )
        for column in found.T:
            assert len(set(column)) == len(column)
        fame = reference["log10_hits"].to_numpy()[found[:, 0]]
        squared = [(groups[g]["log10_hits"].to_numpy()[found[:, j + 1]] - fame) ** 2 for j, g in enumerate(groups)]
        assert (np.sum(squared, axis=0) < threshold * len(groups)).all()


def test_a_distance_at_the_threshold_is_too_far() -> None:
    reference, group = table([(5.0, 1)]), {"g": table([(6.0, 1)])}
    assert match_groups(reference, group, threshold=1.0, rng=np.random.default_rng(0)).tolist() == []
    assert match_groups(reference, group, threshold=1.01, rng=np.random.default_rng(0)).tolist() == [[0, 0]]


def test_the_offset_pulls_the_next_target_down() -> None:
    """After a match 0.5 too famous, the next target lies 0.5 lower."""
    reference = table([(5.0, 1), (5.0, 1)])
    group = {"g": table([(5.5, 1), (4.5, 1), (5.6, 1)])}
    assert match_groups(reference, group, rng=np.random.default_rng(0))[:, 1].tolist() == [0, 1]


def test_the_generator_decides_and_alone() -> None:
    reference, groups = random_case(1)
    runs = [match_groups(reference, groups, rng=np.random.default_rng(s)).tolist() for s in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_the_tables_are_left_as_they_were() -> None:
    reference, groups = random_case(2)
    before = [t.copy() for t in (reference, *groups.values())]
    match_groups(reference, groups, rng=np.random.default_rng(0))
    for old, new in zip(before, (reference, *groups.values()), strict=True):
        pd.testing.assert_frame_equal(old, new)


def test_twins_are_matched_without_error() -> None:
    """Planted truth: everybody has an exact twin in each group, so that a matching without error exists."""
    rng = np.random.default_rng(5)
    reference = [(float(f), int(n)) for f, n in zip(rng.permutation(60) / 10 + 3, rng.integers(1, 11, 60), strict=True)]
    groups = {}
    for j in range(3):
        twins = [(fame, int(2 ** np.floor(np.log2(n)))) for fame, n in reference]
        groups[f"g{j}"] = table([twins[i] for i in rng.permutation(60)])
    found = match_groups(table(reference), groups, threshold=1e-9, rng=np.random.default_rng(0))
    assert len(found) == 60
    fame = table(reference)["log10_hits"].to_numpy()[found[:, 0]]
    for j, group in enumerate(groups.values()):
        assert np.sqrt(np.mean((group["log10_hits"].to_numpy()[found[:, j + 1]] - fame) ** 2)) == 0.0


@pytest.mark.parametrize(
    ("reference", "group"), [([], [(5.0, 1)]), ([(5.0, 1)], []), ([], [])], ids=["no reference", "no group", "nobody"]
)
def test_no_matching_has_the_shape_of_some(reference: list[Author], group: list[Author]) -> None:
    groups = {"one": table(group), "two": table([(5.0, 1)])}
    found = match_groups(table(reference), groups, rng=np.random.default_rng(0))
    assert found.shape == (0, 3) and found.dtype == np.int64


def test_what_cannot_be_matched_is_refused() -> None:
    good = table([(5.0, 1)])
    rng = np.random.default_rng(0)
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="finite fame"):
            match_groups(good, {"g": table([(bad, 1)])}, rng=rng)
    with pytest.raises(ValueError, match="unmatched='nearest'"):
        match_groups(good, {"g": good}, unmatched="nearest", rng=rng)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="method='other'"):
        match_groups(good, {"g": good}, method="other", rng=rng)  # type: ignore[arg-type]
