"""Runs are the same however many jobs they are spread over; the best of them becomes the data set."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from attribench.balance import match_authors, select_run
from attribench.balance.match_authors import run_generator, smallest_group
from attribench.errors import MatchingError
from attribench.tables import read
from attribench.tables.balance import MATCHINGS, RUN_MATCHINGS, RUNS

GROUP_NAMES = ["White", "Black female", "Black male"]
Paths = Callable[[dict[str, pd.DataFrame]], dict[str, Path]]
Match = Callable[..., list[Path]]


@pytest.fixture
def match(candidates: pd.DataFrame, write_world: Paths, tmp_path: Path) -> Match:
    """Return a function that does all runs in so many jobs and returns the files."""
    path = write_world({"candidates": candidates})["candidates"]

    def go(jobs: int, **changed: Any) -> list[Path]:
        arguments: dict[str, Any] = {
            "dataset": "intersectional",
            "groups": GROUP_NAMES,
            "reference": None,
            "runs": 10,
            "threshold": 1.0,
            "unmatched": "skip",
            "seed": 1,
            **changed,
        }
        files = [tmp_path / f"{i}-of-{jobs}.parquet" for i in range(1, jobs + 1)]
        for file in files:
            match_authors.main(candidates=path, part=file.stem, matchings=file, **arguments)
        return files

    return go


def together(files: list[Path]) -> pd.DataFrame:
    table = pd.concat([read(file, RUN_MATCHINGS) for file in files])
    return table.sort_values(["run", "match_id", "is_reference", "group"], ignore_index=True)


@pytest.mark.parametrize("jobs", [2, 4, 10])
def test_the_number_of_jobs_does_not_change_the_runs(match: Match, jobs: int) -> None:
    alone, spread = together(match(1)), together(match(jobs))
    pd.testing.assert_frame_equal(alone, spread)
    assert alone["run"].unique().tolist() == list(range(10))


def test_runs_differ_from_each_other_and_by_seed_and_data_set(match: Match) -> None:
    table = together(match(1))
    pairs = table.pivot(index=["run", "match_id"], columns="group", values="author_id")
    by_run = {tuple(map(tuple, rows.to_numpy())) for _, rows in pairs.groupby("run")}
    assert len(by_run) == 10
    assert not together(match(1, seed=2)).equals(table)
    assert not together(match(1, dataset="other")).equals(table)
    pd.testing.assert_frame_equal(together(match(1)), table)


def test_generators_of_runs_and_data_sets_do_not_collide() -> None:
    draws = {
        run_generator(seed, dataset, run).integers(2**62)
        for seed in (0, 1)
        for dataset in ("a", "aa", "b")
        for run in range(120)
    }
    assert len(draws) == 2 * 3 * 120


def test_the_smallest_group_is_the_reference_unless_another_is_named(match: Match) -> None:
    table = together(match(1))
    assert table.loc[table["is_reference"], "group"].unique().tolist() == ["Black male"]
    table = together(match(1, reference="White"))
    assert table.loc[table["is_reference"], "group"].unique().tolist() == ["White"]


def test_among_equally_small_groups_the_first_named_is_the_reference() -> None:
    candidates = pd.DataFrame({"group": ["B", "A", "C", "C", "A", "B"]})
    assert smallest_group(candidates, ["C", "B", "A"]) == "C"
    assert smallest_group(candidates, ["A", "B", "C"]) == "A"


def test_each_matching_has_one_author_of_each_group_and_samples_what_all_have(
    match: Match, candidates: pd.DataFrame
) -> None:
    table = together(match(1))
    by_matching = table.groupby(["run", "match_id"])
    assert (by_matching["group"].nunique() == 3).all() and (by_matching.size() == 3).all()
    assert (by_matching["is_reference"].sum() == 1).all()
    assert (by_matching["to_sample"].nunique() == 1).all()
    assert (by_matching["to_sample"].first() == by_matching["n_quotes"].min()).all()
    assert not table.duplicated(["run", "author_id"]).any()
    known = candidates.set_index("author_id")
    for column in ("group", "author", "log10_hits", "n_quotes"):
        assert (table[column] == table["author_id"].map(known[column])).all(), column


def test_the_best_run_is_written_with_the_table_of_all(match: Match, tmp_path: Path) -> None:
    files = match(4)
    run_table, matchings = tmp_path / "runs.csv", tmp_path / "matchings.parquet"
    select_run.main(parts=files, dataset="x", runs=10, run_table=run_table, matchings=matchings)
    runs = read(run_table, RUNS)
    assert runs["run"].tolist() == list(range(10))
    best = runs.loc[runs["selected"], "run"].item()
    assert runs.loc[runs["selected"], "rank_sum"].item() == runs["rank_sum"].min()
    found = read(matchings, MATCHINGS)
    everything = together(files)
    expected = everything[everything["run"] == best].set_index(["match_id", "group"])["author_id"]
    assert found.set_index(["match_id", "group"])["author_id"].to_dict() == expected.to_dict()
    assert found["match_id"].nunique() == runs.loc[runs["selected"], "authors_per_group"].item()


def test_runs_and_selection_are_the_same_bytes_for_any_number_of_jobs(match: Match, tmp_path: Path) -> None:
    made = []
    for jobs in (1, 4):
        files = match(jobs)
        run_table, matchings = tmp_path / f"runs{jobs}.csv", tmp_path / f"matchings{jobs}.parquet"
        select_run.main(parts=files, dataset="x", runs=10, run_table=run_table, matchings=matchings)
        made.append((run_table.read_bytes(), matchings.read_bytes()))
    assert made[0] == made[1]


def test_when_nobody_can_be_matched_it_is_said_with_what_to_do(match: Match, tmp_path: Path) -> None:
    files = match(2, threshold=1e-12)
    with pytest.raises(MatchingError, match=r"In none of the 10 runs of 'sets' could .*Widen 'balance.threshold'"):
        select_run.main(
            parts=files, dataset="sets", runs=10, run_table=tmp_path / "r.csv", matchings=tmp_path / "m.parquet"
        )
    assert not (tmp_path / "r.csv").exists()
