"""Each matched author gives the same number of quotes as the others of the matching."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.balance.match_authors import describe
from attribench.balance.matching import match_groups
from attribench.balance.sample_quotes import draw_quotes, join_aliases, main
from attribench.balance.select_candidates import select
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, MATCHINGS

World = dict[str, pd.DataFrame]
Groups = dict[str, dict[str, str]]


@pytest.fixture
def matchings(world: World, groups: Groups) -> pd.DataFrame:
    kept, _ = select(world["authors"], world["labels"], world["fame"], groups, 3.0)
    tables = {group: kept[kept["group"] == group].reset_index(drop=True) for group in groups}
    reference, *others = tables
    found = match_groups(tables[reference], {g: tables[g] for g in others}, rng=np.random.default_rng(1))
    described = describe(found, tables, reference)
    assert described["match_id"].nunique() >= 8
    return described[MATCHINGS.names]


def draw(matchings: pd.DataFrame, quotes: pd.DataFrame, seed: int = 1) -> pd.DataFrame:
    return draw_quotes(matchings, quotes, np.random.default_rng(seed))


def test_each_author_gives_exactly_as_many_quotes_as_asked(world: World, matchings: pd.DataFrame) -> None:
    drawn = draw(matchings, world["quotes"])
    given = drawn.groupby("author_id").size()
    assert given.to_dict() == matchings.set_index("author_id")["to_sample"].to_dict()
    assert drawn["quote_id"].is_unique
    own = world["quotes"].set_index("quote_id")["author_id"]
    assert (drawn["author_id"] == drawn["quote_id"].map(own)).all()


def test_groups_are_balanced_in_every_matching(world: World, matchings: pd.DataFrame, groups: Groups) -> None:
    drawn = draw(matchings, world["quotes"])
    counts = drawn.groupby(["match_id", "group"]).size().unstack("group")
    assert set(counts.columns) == set(groups)
    assert counts.notna().all().all()
    assert (counts.nunique(axis="columns") == 1).all()
    assert (counts.min(axis="columns") == matchings.groupby("match_id")["n_quotes"].min()).all()


def test_the_seed_decides(world: World, matchings: pd.DataFrame) -> None:
    one, again, other = (draw(matchings, world["quotes"], seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(one, again)
    assert set(one["quote_id"]) != set(other["quote_id"])


def test_quotes_come_by_matching_group_and_number(world: World, matchings: pd.DataFrame) -> None:
    drawn = draw(matchings, world["quotes"])
    order = matchings["author_id"].tolist()
    expected = sorted(
        drawn[["author_id", "quote_id"]].itertuples(index=False),
        key=lambda row: (order.index(row.author_id), int(row.quote_id.removeprefix("jstet_"))),
    )
    assert drawn["quote_id"].tolist() == [row.quote_id for row in expected]


def test_the_order_of_the_quotes_in_the_corpus_table_does_not_matter(world: World, matchings: pd.DataFrame) -> None:
    shuffled = world["quotes"].sample(frac=1, random_state=3)
    assert draw(matchings, world["quotes"])["quote_id"].tolist() == draw(matchings, shuffled)["quote_id"].tolist()


def test_every_quote_of_an_author_has_the_same_chance() -> None:
    ids = [f"author-{i}" for i in range(1000)]
    quotes = pd.DataFrame({"author_id": np.repeat(ids, 4), "author": "X", "quote": "Y"})
    quotes["quote_id"] = [f"jstet_{i}" for i in range(len(quotes))]
    matchings = pd.DataFrame({"match_id": 0, "group": "G", "author_id": ids, "to_sample": 1})
    drawn = draw(matchings, quotes)
    place = drawn["quote_id"].str.removeprefix("jstet_").astype(int) % 4
    assert place.value_counts().between(250 - 60, 250 + 60).all()  # four standard deviations


def step(world: World, matchings: pd.DataFrame, paths: dict[str, Path], out: Path, seed: int = 1) -> pd.DataFrame:
    write(matchings, out.with_suffix(".matchings.parquet"), MATCHINGS)
    main(
        matchings=out.with_suffix(".matchings.parquet"),
        quotes=paths["quotes"],
        authors=paths["authors"],
        labels=paths["labels"],
        wikidata=[],
        dataset="intersectional",
        seed=seed,
        benchmark_table=out,
    )
    return read(out, BENCHMARK)


def test_the_step_writes_the_benchmark_with_labels_fame_and_aliases(
    world: World, matchings: pd.DataFrame, write_world: Callable[[World], dict[str, Path]], tmp_path: Path
) -> None:
    paths = write_world(world)
    found = step(world, matchings, paths, tmp_path / "one.parquet")
    assert len(found) == matchings["to_sample"].sum()
    labels = world["labels"].set_index("author_id")
    fame = world["fame"].set_index("author_id")["log10_hits"]
    texts = world["quotes"].set_index("quote_id")["quote"]
    aliases = world["authors"].set_index("author_id")["aliases"]
    assert (found["race"] == found["author_id"].map(labels["race"])).all()
    assert (found["gender"] == found["author_id"].map(labels["gender"])).all()
    assert (found["log10_hits"] == found["author_id"].map(fame)).all()
    assert (found["quote"] == found["quote_id"].map(texts)).all()
    assert [list(a) for a in found["aliases"]] == found["author_id"].map(aliases).tolist()
    assert found["match_id"].is_monotonic_increasing


def test_same_seed_same_bytes(
    world: World, matchings: pd.DataFrame, write_world: Callable[[World], dict[str, Path]], tmp_path: Path
) -> None:
    paths = write_world(world)
    files = [tmp_path / f"{name}.parquet" for name in ("one", "two", "other")]
    for file, seed in zip(files, (1, 1, 2), strict=True):
        step(world, matchings, paths, file, seed)
    one, two, other = (file.read_bytes() for file in files)
    assert one == two != other


@pytest.mark.parametrize("attribute", ["race", "gender"])
def test_an_author_may_lack_the_label_that_no_group_asks_for(
    attribute: str,
    world: World,
    matchings: pd.DataFrame,
    write_world: Callable[[World], dict[str, Path]],
    tmp_path: Path,
) -> None:
    world["labels"] = world["labels"].assign(**{attribute: None})
    found = step(world, matchings, write_world(world), tmp_path / "one.parquet")
    assert len(found) == matchings["to_sample"].sum()
    assert found[attribute].isna().all()


def test_aliases_of_several_tables_are_joined_each_once() -> None:
    corpus = pd.DataFrame({"author_id": ["a", "b", "c"], "aliases": [["A One"], [], ["C One", "C Two"]]})
    wikidata = pd.DataFrame({"author_id": ["a", "b", "c"], "aliases": [["A Two", "A One"], ["B One"], []]})
    joined = join_aliases([corpus, wikidata]).set_index("author_id")["aliases"].to_dict()
    assert joined == {"a": ["A One", "A Two"], "b": ["B One"], "c": ["C One", "C Two"]}
