"""Candidates and exclusions add up to all authors, and what makes a group empty is said."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.balance.select_candidates import assign_groups, main, select
from attribench.errors import MatchingError
from attribench.tables import read
from attribench.tables.balance import CANDIDATES, EXCLUSIONS

World = dict[str, pd.DataFrame]
Groups = dict[str, dict[str, str]]

AUTHORS = """
a1 black female 5.0 3
a2 black male   6.0 1
a3 white female 4.0 2
a4 black -      5.5 4
a5 -     male   5.5 5
a6 asian male   5.5 6
a7 black male   -   7
a8 white male   2.9 8
a9 asian -      -   9
"""


def world_of(text: str) -> World:
    rows = [line.split() for line in text.strip().splitlines()]
    table = pd.DataFrame(rows, columns=["author_id", "race", "gender", "log10_hits", "n_quotes"])
    table = table.replace("-", None).astype({"log10_hits": float, "n_quotes": int})
    table["author"] = "Author " + table["author_id"]
    return {
        "authors": table[["author_id", "author", "n_quotes"]].assign(aliases=[[]] * len(table)),
        "labels": table[["author_id", "author", "race", "gender"]].assign(
            race_source="published", gender_source="published", reason=""
        ),
        "fame": table[["author_id", "author", "log10_hits"]].assign(fame_source="published", reason=""),
    }


def test_each_author_is_a_candidate_or_excluded_for_the_first_reason_that_applies(groups: Groups) -> None:
    kept, excluded = select(**world_of(AUTHORS), groups=groups, min_log10_hits=3.0)
    assert kept[["author_id", "group", "log10_hits", "n_quotes"]].to_numpy().tolist() == [
        ["a1", "Black female", 5.0, 3],
        ["a2", "Black male", 6.0, 1],
        ["a3", "White", 4.0, 2],
    ]
    assert excluded.to_numpy().tolist() == [
        ["no race or gender on record", 3, 18],
        ["in no group of the data set", 1, 6],
        ["no fame on record", 1, 7],
        ["fame below 3 log10 hits", 1, 8],
        ["none: can be matched", 3, 6],
    ]


def test_the_least_fame_itself_is_enough(groups: Groups) -> None:
    kept, _ = select(**world_of(AUTHORS), groups=groups, min_log10_hits=4.0)
    assert "a3" in kept["author_id"].tolist()


def test_counts_add_up_to_all_authors_and_quotes(world: World, groups: Groups) -> None:
    tables = {name: world[name] for name in ("authors", "labels", "fame")}
    tables["fame"].loc[::9, "log10_hits"] = np.nan
    tables["labels"].loc[::7, "race"] = None
    kept, excluded = select(**tables, groups=groups, min_log10_hits=4.5)
    assert excluded["authors"].sum() == len(world["authors"])
    assert excluded["quotes"].sum() == world["authors"]["n_quotes"].sum()
    assert excluded.iloc[-1].tolist() == ["none: can be matched", len(kept), kept["n_quotes"].sum()]
    assert (excluded["authors"] > 0).all()


def test_the_order_of_rows_does_not_matter(world: World, groups: Groups) -> None:
    tables = {name: world[name] for name in ("authors", "labels", "fame")}
    shuffled = {name: table.sample(frac=1, random_state=i) for i, (name, table) in enumerate(tables.items())}
    for one, two in zip(
        select(**tables, groups=groups, min_log10_hits=3.0),
        select(**shuffled, groups=groups, min_log10_hits=3.0),
        strict=True,
    ):
        pd.testing.assert_frame_equal(one, two)


def test_candidates_come_by_group_in_the_order_of_the_configuration(world: World, groups: Groups) -> None:
    turned = dict(reversed(groups.items()))
    kept, _ = select(world["authors"], world["labels"], world["fame"], turned, 3.0)
    assert kept["group"].unique().tolist() == list(turned)


def test_groups_by_one_label_alone() -> None:
    found = assign_groups(world_of(AUTHORS)["labels"], {"F": {"gender": "female"}, "M": {"gender": "male"}})
    assert found.tolist()[:3] == ["F", "M", "F"]
    assert found.isna().tolist() == [False, False, False, True, False, False, False, False, True]


def test_a_label_that_does_not_matter_to_the_data_set_may_be_missing() -> None:
    """An author whose gender is not known belongs to a group that asks for race alone."""
    groups = {"Black": {"race": "black"}, "White": {"race": "white"}}
    assert assign_groups(world_of(AUTHORS)["labels"], groups)[3] == "Black"
    kept, _ = select(**world_of(AUTHORS), groups=groups, min_log10_hits=3.0)
    assert "a4" in kept["author_id"].tolist()


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"race": "martian"}, "Group 'New' asks for race 'martian', but no author is labelled so. "),
        ({"gender": "Female"}, "Group 'New' asks for gender 'Female', but no author is labelled so. "),
    ],
)
def test_a_label_that_does_not_occur(wanted: dict[str, str], message: str, groups: Groups) -> None:
    with pytest.raises(MatchingError) as caught:
        select(**world_of(AUTHORS), groups={**groups, "New": wanted}, min_log10_hits=3.0)
    assert message in str(caught.value)
    occurring = "asian, black, white" if "race" in wanted else "female, male"
    assert f"that occur: {occurring}." in str(caught.value)


def test_a_group_whose_labels_never_meet() -> None:
    groups = {"Black": {"race": "black"}, "Asian female": {"race": "asian", "gender": "female"}}
    with pytest.raises(
        MatchingError, match=r"'Asian female' has no author left to match.*no author has its labels tog"
    ):
        select(**world_of(AUTHORS), groups=groups, min_log10_hits=3.0)


def test_a_group_that_is_not_famous_enough_is_told_why(groups: Groups) -> None:
    with pytest.raises(MatchingError) as caught:
        select(**world_of(AUTHORS), groups=groups, min_log10_hits=5.5)
    message = str(caught.value)
    assert "Group 'Black female' has no author left to match (1 with fame below 5.5 log10 hits)" in message
    assert "balance.min_log10_hits" in message


def test_no_labels_at_all(groups: Groups) -> None:
    world = world_of(AUTHORS)
    world["labels"][["race", "gender"]] = None
    with pytest.raises(MatchingError, match="Labels of race that occur: none"):
        select(**world, groups=groups, min_log10_hits=3.0)


def test_the_step_writes_both_tables(
    world: World, groups: Groups, write_world: Callable[[World], dict[str, Path]], tmp_path: Path
) -> None:
    paths = write_world(world)
    main(
        authors=paths["authors"],
        labels=paths["labels"],
        fame=paths["fame"],
        groups=groups,
        min_log10_hits=3.0,
        candidates=tmp_path / "out" / "candidates.parquet",
        exclusions=tmp_path / "out" / "exclusions.csv",
    )
    kept = read(tmp_path / "out" / "candidates.parquet", CANDIDATES)
    excluded = read(tmp_path / "out" / "exclusions.csv", EXCLUSIONS)
    assert excluded["authors"].tolist()[-1] == len(kept) > 30
