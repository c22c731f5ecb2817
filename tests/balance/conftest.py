"""Small worlds of authors, with labels, fame and quotes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.tables import write
from attribench.tables.balance import CANDIDATES
from attribench.tables.corpus import AUTHORS, QUOTES
from attribench.tables.demographics import LABELS
from attribench.tables.fame import FAME

GROUPS = {
    "Black female": {"race": "black", "gender": "female"},
    "Black male": {"race": "black", "gender": "male"},
    "White": {"race": "white"},
}
World = dict[str, pd.DataFrame]


@pytest.fixture
def groups() -> dict[str, dict[str, str]]:
    return GROUPS


@pytest.fixture
def make_world() -> Callable[..., World]:
    """Return a function that draws authors of all groups, with their quotes, labels and fame."""

    def make(rng: np.random.Generator, authors: int = 90, quotes: int = 8) -> World:
        ids = [f"author-{i:03}" for i in range(authors)]
        n_quotes = rng.integers(1, quotes + 1, authors)
        author_of = np.repeat(np.arange(authors), n_quotes)
        rng.shuffle(author_of)
        names = [f"Author {i}" for i in range(authors)]
        race = rng.choice(["black", "white", "asian"], authors, p=[0.5, 0.4, 0.1]).astype(object)
        gender = rng.choice(["female", "male"], authors).astype(object)
        hits = rng.normal(5, 0.7, authors).round(3)
        return {
            "authors": pd.DataFrame(
                {"author_id": ids, "author": names, "aliases": [[f"A. {i}"] for i in range(authors)]}
                | {"n_quotes": n_quotes}
            ),
            "quotes": pd.DataFrame(
                {
                    "quote_id": [f"jstet_{i}" for i in range(len(author_of))],
                    "author_id": [ids[a] for a in author_of],
                    "author": [names[a] for a in author_of],
                    "quote": [f"Saying number {i} about things" for i in range(len(author_of))],
                    "n_words": 5,
                    "work": None,
                }
            ),
            "labels": pd.DataFrame(
                {"author_id": ids, "author": names, "race": race, "gender": gender}
                | {"race_source": "published", "gender_source": "published", "reason": ""}
            ),
            "fame": pd.DataFrame(
                {"author_id": ids, "author": names, "log10_hits": hits, "fame_source": "published", "reason": ""}
            ),
        }

    return make


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    return make_world(np.random.default_rng(7))


@pytest.fixture
def candidates() -> pd.DataFrame:
    """Return the table CANDIDATES of three groups of different sizes."""
    rng = np.random.default_rng(3)
    sizes = {"Black female": 25, "Black male": 20, "White": 60}
    parts = []
    for group, size in sizes.items():
        ids = [f"{group.lower().replace(' ', '-')}-{i:02}" for i in range(size)]
        parts.append(
            pd.DataFrame(
                {
                    "author_id": ids,
                    "author": [name.title() for name in ids],
                    "group": group,
                    "log10_hits": rng.normal(5, 0.6, size).round(2),
                    "n_quotes": rng.integers(1, 11, size),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


@pytest.fixture
def write_world(tmp_path: Path) -> Callable[[World], dict[str, Path]]:
    """Return a function that writes the tables of a world and returns their paths."""
    tables = {"authors": AUTHORS, "quotes": QUOTES, "labels": LABELS, "fame": FAME, "candidates": CANDIDATES}

    def write_all(world: World) -> dict[str, Path]:
        paths = {name: tmp_path / f"{name}.parquet" for name in world}
        for name, path in paths.items():
            write(world[name], path, tables[name])
        return paths

    return write_all
