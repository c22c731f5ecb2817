"""A table of the user's own gives fame by name or alias, and is refused where it is not clear."""

from pathlib import Path

import pandas as pd
import pytest

from attribench.errors import InputError
from attribench.fame.read_table import ask_table, read_fame_table


@pytest.fixture
def authors() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "author_id": ["audre-lorde", "cs-lewis", "ann-lee", "nobody-known"],
            "author": ["Audre Lorde", "C. S. Lewis", "Ann Lee", "Nobody Known"],
            "aliases": [[], [], ["Ann Smith"], []],
        },
        index=[4, 2, 8, 1],
    )


@pytest.mark.parametrize("name", ["fame.csv", "fame.csv.gz", "fame.parquet"])
@pytest.mark.parametrize("measure", ["hits", "log10_hits"])
def test_names_are_found_by_their_normal_form(authors: pd.DataFrame, tmp_path: Path, name: str, measure: str) -> None:
    values = [1000.0, 100.0, None] if measure == "hits" else [3.0, 2.0, None]
    table = pd.DataFrame({"author": ["AUDRE  LORDE", "Ann Smith", "CS Lewis"], measure: values, "more": "x"})
    if name.endswith("parquet"):
        table.to_parquet(tmp_path / name)
    else:
        table.to_csv(tmp_path / name, index=False)
    fame = ask_table(authors, read_fame_table(tmp_path / name))
    nan = float("nan")
    assert fame["log10_hits"].tolist() == pytest.approx([3.0, nan, 2.0, nan], nan_ok=True)
    assert fame["reason"].tolist() == ["", "no figure there", "", "not in the table"]


def test_zero_hits_are_missing_and_zero_log10_is_one_hit(authors: pd.DataFrame, tmp_path: Path) -> None:
    (tmp_path / "hits.csv").write_text("author,hits\nAudre Lorde,0\nAnn Lee,1\n")
    fame = ask_table(authors, read_fame_table(tmp_path / "hits.csv"))
    assert fame["reason"].tolist()[0] == "no results"
    assert fame["log10_hits"].tolist()[2] == 0.0
    (tmp_path / "log10.csv").write_text("author,log10_hits\nAudre Lorde,0\n")
    assert ask_table(authors, read_fame_table(tmp_path / "log10.csv"))["log10_hits"].tolist()[0] == 0.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,hits\nA,1\n", "has the columns name, hits"),
        ("author,fame\nA,1\n", "either 'log10_hits' or 'hits'"),
        ("author,hits,log10_hits\nA,1,0\n", "not both"),
        ("author,hits\nA,1\nB,many\n", "row 3: 'hits' of B is 'many'"),
        ("author,hits\nA,-1\n", "row 2: 'hits' of A is '-1'"),
        ("author,log10_hits\nA,inf\n", "row 2"),
        ("author,hits\nA. B. Cee,10\nAB Cee,100\n", r"'ab cee' more than one fame \(log10 hits of 1, 2\)"),
    ],
)
def test_a_table_that_is_not_clear_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "fame.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        read_fame_table(tmp_path / "fame.csv")


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'fame\.table\.path'"):
        read_fame_table(tmp_path / "fame.csv")
    (tmp_path / "fame.parquet").write_text("no table")
    with pytest.raises(InputError, match="cannot be read as a table"):
        read_fame_table(tmp_path / "fame.parquet")


def test_a_row_that_is_repeated_is_no_contradiction(tmp_path: Path) -> None:
    (tmp_path / "fame.csv").write_text("author,hits\nA Bee,10\na bee,10\nA BEE,\n")
    assert read_fame_table(tmp_path / "fame.csv")["log10_hits"].tolist() == [1.0]
