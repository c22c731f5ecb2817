"""Race and gender of every author come from the first source that knows them, and it is recorded."""

from pathlib import Path

import pandas as pd
import pytest

from attribench.demographics.label_authors import combine, main
from attribench.errors import InputError
from attribench.tables import check, read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import LABELS

NAMES = ["Audre Lorde", "C. S. Lewis", "Ann Lee", "Nobody Known"]


@pytest.fixture
def authors() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "author_id": ["audre-lorde", "cs-lewis", "ann-lee", "nobody-known"],
            "author": NAMES,
            "aliases": [["A. Lorde"], [], ["Ann Smith"], []],
            "n_quotes": [1, 2, 3, 4],
        },
        index=[5, 3, 9, 1],
    )


def test_each_label_comes_from_the_first_source_that_has_it(authors: pd.DataFrame) -> None:
    one = pd.DataFrame(
        {
            "race": ["black", None, None, None],
            "gender": [None, None, "female", None],
            "reason": ["no gender there", "not there", "no race there", "not there"],
        }
    )
    two = pd.DataFrame(
        {
            "race": ["white", "white", None, None],
            "gender": ["female", "male", "male", None],
            "reason": ["", "", "disputed", ""],
        }
    )
    labels = combine(authors, {"one": one, "two": two})
    shown = labels.astype(object).where(labels.notna(), None)
    assert shown.drop(columns="author").to_numpy().tolist() == [
        ["audre-lorde", "black", "female", "one", "two", ""],
        ["cs-lewis", "white", "male", "two", "two", ""],
        ["ann-lee", None, "female", None, "one", "one: no race there; two: disputed"],
        ["nobody-known", None, None, None, None, "one: not there"],
    ]
    assert check(labels, LABELS).num_rows == 4
    turned = combine(authors, {"two": two, "one": one})
    assert turned["race"].tolist()[:2] == ["white", "white"]
    assert turned["race_source"].tolist()[:2] == ["two", "two"]
    assert turned["gender_source"].tolist()[2] == "two"
    assert turned["reason"].tolist()[2] == "two: disputed; one: no race there"


@pytest.fixture
def universe(tmp_path: Path) -> Path:
    path = tmp_path / "universe.csv"
    path.write_text(
        "author_clean,race,gender,log10_hits,count\n"
        "Audre Lorde,Black,female,5.5,3\nC.S. Lewis,white,male,6,4\nCS Lewis,black,male,6,2\nAnn Smith,asian,,4,1\n"
    )
    return path


def test_the_step_labels_every_author(authors: pd.DataFrame, universe: Path, tmp_path: Path) -> None:
    write(authors, tmp_path / "authors.parquet", AUTHORS)
    out = tmp_path / "labels.parquet"
    main(
        authors=tmp_path / "authors.parquet",
        universe=[universe],
        wikidata=[],
        labeller_answers=[],
        sources=["published"],
        labels=out,
    )
    labels = read(out, LABELS)
    assert labels["author"].tolist() == NAMES
    assert labels["race"].isna().tolist() == [False, True, False, True]
    assert labels["gender"].isna().tolist() == [False, False, True, True]
    assert labels["gender"].tolist()[:2] == ["female", "male"]
    assert labels["race"].tolist()[2] == "asian"
    assert labels["race_source"].tolist()[0] == "published"
    assert labels["reason"].fillna("").tolist() == [
        "",
        "published: no undisputed label there",
        "published: no undisputed label there",
        "published: not in the published universe",
    ]


def test_a_missing_input_is_named(universe: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'authors' was expected at"):
        main(
            authors=tmp_path / "no.parquet",
            universe=[universe],
            wikidata=[],
            labeller_answers=[],
            sources=["published"],
            labels=tmp_path / "l.parquet",
        )
