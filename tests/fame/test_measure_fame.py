"""The fame of every author comes from the first source that knows it, and it is recorded."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from attribench.errors import InputError
from attribench.fame.measure_fame import combine, main
from attribench.tables import check, read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.fame import FAME

ONLY_PUBLISHED: dict[str, Any] = {
    "search_hits": [],
    "mentions": [],
    "fame_table": [],
    "sources": ["published"],
    "compare": [],
    "mix_sources": False,
}


@pytest.fixture
def authors() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "author_id": ["audre-lorde", "cs-lewis", "ann-lee", "nobody-known"],
            "author": ["Audre Lorde", "C. S. Lewis", "Ann Lee", "Nobody Known"],
            "aliases": [[], [], ["Ann Smith"], []],
            "n_quotes": [1, 2, 3, 4],
        },
        index=[5, 3, 9, 1],
    )


def test_fame_comes_from_the_first_source_that_has_it(authors: pd.DataFrame) -> None:
    one = pd.DataFrame({"log10_hits": [5.5, np.nan, 0.0, np.nan], "reason": ["", "not there", "", "not there"]})
    two = pd.DataFrame({"log10_hits": [6.5, 4.25, 3.0, np.nan], "reason": ["", "", "", "no count"]})
    fame = combine(authors, {"one": one, "two": two})
    assert fame["log10_hits"].tolist() == pytest.approx([5.5, 4.25, 0.0, np.nan], nan_ok=True)
    assert fame["fame_source"].tolist()[:3] == ["one", "two", "one"]
    assert fame["fame_source"].isna().tolist() == [False, False, False, True]
    assert fame["reason"].tolist() == ["", "", "", "one: not there; two: no count"]
    assert check(fame, FAME).num_rows == 4
    assert combine(authors, {"two": two, "one": one})["log10_hits"].tolist()[:3] == [6.5, 4.25, 3.0]


def test_the_step_measures_every_author(authors: pd.DataFrame, tmp_path: Path) -> None:
    universe = tmp_path / "universe.csv"
    universe.write_text(
        "author_clean,race,gender,log10_hits,count\n"
        "Audre Lorde,black,female,5.5000,3\nC.S. Lewis,white,male,,4\nAnn Smith,asian,,4.1234,1\n"
    )
    write(authors, tmp_path / "authors.parquet", AUTHORS)
    out = tmp_path / "fame.parquet"
    main(
        authors=tmp_path / "authors.parquet",
        universe=[universe],
        fame=out,
        **ONLY_PUBLISHED,
        fame_by_source=tmp_path / "by_source.parquet",
    )
    fame = read(out, FAME)
    assert fame["author_id"].tolist() == ["audre-lorde", "cs-lewis", "ann-lee", "nobody-known"]
    assert fame["log10_hits"].tolist() == pytest.approx([5.5, np.nan, 4.1234, np.nan], nan_ok=True)
    assert fame["reason"].fillna("").tolist() == [
        "",
        "published: no figure there",
        "",
        "published: not in the published universe",
    ]
    assert fame["fame_source"].isna().tolist() == [False, True, False, True]


def test_a_fame_that_is_no_number_stops_the_step(authors: pd.DataFrame, tmp_path: Path) -> None:
    universe = tmp_path / "universe.csv"
    universe.write_text("author_clean,race,gender,log10_hits,count\nAudre Lorde,black,female,very,3\n")
    write(authors, tmp_path / "authors.parquet", AUTHORS)
    out = tmp_path / "fame.parquet"
    with pytest.raises(InputError, match="row 2: 'log10_hits' of Audre Lorde is 'very'"):
        main(
            authors=tmp_path / "authors.parquet",
            universe=[universe],
            fame=out,
            **ONLY_PUBLISHED,
            fame_by_source=tmp_path / "by_source.parquet",
        )
    assert not out.exists()
