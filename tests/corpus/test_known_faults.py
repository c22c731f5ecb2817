"""Faults that such corpora are known for, one test for each kind, from the file to the tables.

Kinds that one module decides alone are tested in `test_authors` and `test_cleaning`.
"""

import csv
from pathlib import Path

import pandas as pd
import pytest

from attribench import tables
from attribench.corpus.clean_quotes import main
from attribench.corpus_file import read_corpus
from attribench.tables.corpus import AUTHORS, FUNNEL, QUOTES

TEXT = "every row has another text in it, which is number {}"


def clean(folder: Path, rows: list[tuple[str, str, str]], naming_author: str = "keep") -> dict[str, pd.DataFrame]:
    with (folder / "corpus.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("quote", "author", "category"), *rows])
    paths = {
        "quotes": folder / "quotes.parquet",
        "authors": folder / "authors.parquet",
        "funnel": folder / "funnel.csv",
    }
    main(
        quotes_csv=folder / "corpus.csv",
        **paths,
        rules="paper",
        naming_author=naming_author,
        min_words=5,
        max_words=30,
        max_quotes_per_author=10,
        seed=0,
    )
    declared = {"quotes": QUOTES, "authors": AUTHORS, "funnel": FUNNEL}
    return {name: tables.read(path, declared[name]) for name, path in paths.items()}


def by(*authors: str) -> list[tuple[str, str, str]]:
    """Return one usable row for each author cell."""
    return [(TEXT.format(f"{number} {number}"), author, "") for number, author in enumerate(authors)]


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        # The work is cut off, so that an author's works do not part the author.
        (["Toni Morrison, Beloved", "Toni Morrison, Sula", "Toni Morrison"], {"Toni Morrison"}),
        # A suffix after a comma belongs to the name.
        (["Sammy Davis, Jr.", "Sammy Davis Jr.", "Sammy Davis Jr"], {"Sammy Davis Jr."}),
        # A one-word name and a title are no turned name ...
        (["Sophocles, Antigone", "Sophocles"], {"Sophocles"}),
        # ... and a turned name is the same person's as the straight one.
        (["Larsen, Nella", "Nella Larsen"], {"Nella Larsen"}),
        # Doubled spaces, also between initials.
        (["N.K.  Jemisin, The  Fifth Season", "N. K. Jemisin"], {"N. K. Jemisin"}),
        # ... also of two words, and with initials ...
        (["Larsen Woods, Nella", "Nella Larsen Woods"], {"Nella Larsen Woods"}),
        (["Du Bois, W. E. B.", "W.E.B. Du Bois"], {"W. E. B. Du Bois"}),
        # ... and one that is run together the same as the one that is not; capitals make one word a name.
        (["nellalarsen", "NellaLarsen", "Nella Larsen"], {"Nella Larsen"}),
        (["Nagarjuna", "Nag Arjuna"], {"Nagarjuna", "Nag Arjuna"}),
        # Dashes before the name and commas after it.
        (["― Audre Lorde", "—Audre Lorde", "– Audre Lorde,", "Audre Lorde,"], {"Audre Lorde"}),
        # Lower case by choice, whatever other rows do with it.
        (["bell hooks", "bell hooks, All About Love"], {"bell hooks"}),
        # A joiner inside a name is kept in what is shown, and left out where names are compared.
        (["මාර්ටින් වික්\u200dරමසිංහ", "මාර්ටින් වික්රමසිංහ", "මාර්ටින් වික්\u200dරමසිංහ"], {"මාර්ටින් වික්\u200dරමසිංහ"}),
        # Composed and decomposed letters.
        (["Ana Castillo Ib\u00e1\u00f1ez", "Ana Castillo Iba\u0301n\u0303ez"], {"Ana Castillo Ib\u00e1\u00f1ez"}),
        # Marks, periods and spaces.
        (
            ["Octavio Páz", "Octavio Paz", "Octavio Paz", "W. E. B. Du Bois", "W E B Du Bois", "W.E.B. Du Bois"],
            {"Octavio Paz", "W. E. B. Du Bois"},
        ),
        # A suffix and a first name tell people of one surname apart.
        (
            ["Alexandre Dumas", "Alexandre Dumas fils", "Firoozeh Dumas"],
            {"Alexandre Dumas", "Alexandre Dumas fils", "Firoozeh Dumas"},
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)  # fmt: skip
def test_whose_the_rows_are(tmp_path: Path, cells: list[str], shown: set[str]) -> None:
    found = clean(tmp_path, by(*cells))
    assert set(found["authors"]["author"]) == shown
    assert len(found["quotes"]) == len(cells)


@pytest.mark.parametrize(
    ("cell", "step"),
    [
        ("parties do not need to win every time.", "sentence"),
        ("Spurious quote attributed to George Eliot but never said by her .", "disputed"),
        ("Aphra Behn (attributed, not found in any major work, fake)", "disputed"),
        ("attributed to Saint Augustine", "disputed"),
        ("Ann Petry and Nella Larsen", "several"),
        ("Ann Petry & Nella Larsen", "several"),
    ],
)
def test_cells_that_name_no_one_author_go_and_are_counted(tmp_path: Path, cell: str, step: str) -> None:
    found = clean(tmp_path, by("Audre Lorde", cell))
    assert found["authors"]["author"].tolist() == ["Audre Lorde"]
    counted = found["funnel"].set_index("step")["rows_removed"]
    assert counted[counted > 0].index.str.contains(step).tolist() == [True]


def test_a_text_of_two_authors_goes_from_both(tmp_path: Path) -> None:
    rows = [
        *by("Ann Petry", "Nella Larsen"),
        ("We are what we keep in mind.", "Ann Petry", ""),
        ("we are what we keep in mind", "Nella Larsen", ""),
    ]
    found = clean(tmp_path, rows)
    assert found["quotes"]["quote_id"].tolist() == ["jstet_0", "jstet_1"]
    assert found["funnel"].set_index("step")["rows_removed"]["texts of several authors"] == 2


@pytest.mark.parametrize(("naming_author", "n"), [("keep", 2), ("drop", 1)])
def test_a_quote_that_names_its_author(tmp_path: Path, naming_author: str, n: int) -> None:
    rows = [*by("Ann Petry"), ("Petry once told me to breathe.", "Ann Petry", "")]
    assert len(clean(tmp_path, rows, naming_author)["quotes"]) == n


def test_a_line_end_inside_quotation_marks_is_no_row_end(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_bytes(b'quote,author,category\n"line one\nline two",Audre Lorde,hope\n')
    assert read_corpus(path).to_numpy().tolist() == [["line one\nline two", "Audre Lorde", "hope"]]


def test_a_bare_carriage_return_is_no_row_end_even_without_quotation_marks(tmp_path: Path) -> None:
    # So pandas writes it: unquoted.
    frame = pd.DataFrame([["two\rrow", "Ann Petry", "x"], ["three", "Nella Larsen", "y"]])
    frame.to_csv(tmp_path / "corpus.csv", index=False, header=["quote", "author", "category"], lineterminator="\n")
    assert b"two\rrow,Ann" in (tmp_path / "corpus.csv").read_bytes()
    assert read_corpus(tmp_path / "corpus.csv").to_numpy().tolist() == frame.to_numpy().tolist()
