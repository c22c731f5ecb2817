"""The published universe: read with clear errors, one row per name, looked up by name and alias."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from attribench.errors import InputError
from attribench.universe import COLUMNS, look_up, read_universe

HEADER = "author_clean,race,gender,log10_hits,count\n"
Universe = Callable[[str], Path]


@pytest.fixture
def universe(tmp_path: Path) -> Universe:
    def make(rows: str, header: str = HEADER) -> Path:
        path = tmp_path / "universe.csv"
        path.write_text(header + rows, encoding="utf-8")
        return path

    return make


def test_values_are_read_in_one_form(universe: Universe) -> None:
    found = read_universe(universe("Audre Lorde, Black ,FEMALE, 5.25 ,7\nC.S. Lewis,white,male,,\n"))
    assert found.columns.tolist() == ["name", "race", "gender", "log10_hits", "count"]
    assert found["name"].tolist() == ["audre lorde", "cs lewis"]
    assert found.iloc[0].tolist()[1:] == ["black", "female", 5.25, 7.0]
    assert found.iloc[1].isna().tolist() == [False, False, False, True, True]


def test_a_byte_order_mark_and_more_columns_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "universe.csv"
    path.write_text(HEADER.strip() + ",note\nAudre Lorde,black,female,5,7,x\n", encoding="utf-8-sig")
    assert read_universe(path)["name"].tolist() == ["audre lorde"]


def test_an_author_named_like_a_missing_value_is_an_author(universe: Universe) -> None:
    assert read_universe(universe("Null,white,male,5,7\nNA,asian,female,4,1\n"))["name"].tolist() == ["na", "null"]


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected at .*nowhere\.csv, but there is no such file.*published_universe"):
        read_universe(tmp_path / "nowhere.csv")


def test_missing_columns(universe: Universe) -> None:
    path = universe("a,b\n", header="author_clean,ethnicity\n")
    with pytest.raises(InputError, match="lacks the columns race, gender, log10_hits, count; it has author_clean, eth"):
        read_universe(path)


def test_no_rows(universe: Universe) -> None:
    with pytest.raises(InputError, match="has a header and no authors"):
        read_universe(universe(""))


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "universe.csv"
    path.write_text("")
    with pytest.raises(InputError, match=r"universe\.csv"):
        read_universe(path)


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "universe.csv"
    path.write_bytes((HEADER + "Charlotte Brontë,white,female,5,7\n").encode("latin-1"))
    with pytest.raises(InputError, match=r"universe\.csv"):
        read_universe(path)


@pytest.mark.parametrize("wrong", ["many", "5,2", "inf", "-inf", "1e999", "nan", "0x10"])
def test_a_fame_that_is_no_number_is_named_with_row_and_author(wrong: str, universe: Universe) -> None:
    path = universe(f'Audre Lorde,black,female,5,7\nToni Morrison,black,female,"{wrong}",9\nX,,,also,1\n')
    with pytest.raises(InputError) as caught:
        read_universe(path)
    assert f"row 3: 'log10_hits' of Toni Morrison is '{wrong}', which is no number (2 such rows" in str(caught.value)


def test_a_count_that_is_no_number_is_named(universe: Universe) -> None:
    with pytest.raises(InputError, match="row 2: 'count' of Audre Lorde is 'few'"):
        read_universe(universe("Audre Lorde,black,female,5,few\n"))


def test_of_two_spellings_the_one_with_more_quotes_stands(universe: Universe) -> None:
    found = read_universe(
        universe("C.S. Lewis,white,male,5.5,3\nC. S. Lewis,white,male,6.5,30\nCS Lewis,white,male,4.5,\n")
    )
    assert found.to_numpy().tolist() == [["cs lewis", "white", "male", 6.5, 30.0]]


def test_labels_that_spellings_disagree_about_are_unknown(universe: Universe) -> None:
    found = read_universe(
        universe(
            "C.S. Lewis,white,male,5.5,3\nC. S. Lewis,black,male,6.5,30\nAnn Lee,asian,,5,2\nAnn Lee,,female,5,1\n"
        )
    )
    assert found["race"].isna().tolist() == [False, True]
    assert found["gender"].tolist()[1] == "male"
    assert found["race"].tolist()[0] == "asian"  # one spelling only has a label: no dispute


def test_authors_are_found_by_name_or_else_by_the_first_known_alias(universe: Universe) -> None:
    table = read_universe(
        universe("C.S. Lewis,white,male,6,30\nClive Lewis,black,male,4,2\nJack Lewis,asian,male,3,2\n")
    )
    authors = pd.DataFrame(
        {
            "author_id": ["b", "a", "c", "d"],
            "author": ["C. S. Lewis", "Clive Staples Lewis", "Nobody Known", "clive lewis"],
            "aliases": [["Jack Lewis"], ["Unheard Of", "Clive Lewis", "Jack Lewis"], [], ["C.S. Lewis"]],
        },
        index=[9, 8, 7, 6],
    )
    found = look_up(authors, table)
    assert found["author_id"].tolist() == ["b", "a", "c", "d"]
    assert found["known"].tolist() == [True, True, False, True]
    assert found["name"].tolist()[:2] == ["cs lewis", "jack lewis"], "Clive Lewis is somebody else's own name"
    assert found["log10_hits"].isna().tolist() == [False, False, True, False]
    assert found["race"].tolist()[3] == "black"


def test_a_row_of_the_universe_stands_for_one_author(universe: Universe) -> None:
    table = read_universe(universe("Jason Alexander,white,male,6,30\nKevin Spacey,white,male,5,2\n"))
    authors = pd.DataFrame(
        {
            "author_id": ["duckman", "underwood", "spacey", "another"],
            "author": ["Duckman", "Francis Underwood", "Kevin Spacey", "Another"],
            "aliases": [["Jason Alexander"], ["Kevin Spacey"], [], ["Jason Alexander"]],
        }
    )
    found = look_up(authors, table)
    assert found["known"].tolist() == [True, False, True, False]
    assert found["name"].dropna().is_unique


def test_the_sample_universe_is_one() -> None:
    path = Path(__file__).parents[2] / "resources" / "sample" / "universe.csv"
    found = read_universe(path)
    assert set(COLUMNS) - {"author_clean"} < set(found.columns)
    assert found["name"].is_unique
    assert found["log10_hits"].between(0, 12).all()
