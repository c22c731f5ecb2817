"""The step of the stage corpus from file to tables: planted truth, bad input, determinism, the sample."""

import csv
import gzip
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from attribench import tables
from attribench.corpus.clean_quotes import main
from attribench.errors import ConfigError, InputError
from attribench.tables.corpus import AUTHORS, FUNNEL, QUOTES
from attribench.text import normal_form

SAMPLE = Path(__file__).parents[2] / "resources" / "sample"
HEADER = ("quote", "author", "category")
LINE = "the {} of this row is a plain sentence about number {}"
NAMES = ["Ada Nwosu", "Brigid Quill", "Chen Liwei", "Dolores Fuentes", "Emeka Obasi", "Farah Haddad"]

Row = tuple[str, str, str]
Tables = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]


def write_csv(path: Path, rows: list[Row], header: tuple[str, ...] = HEADER) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    return path


def clean(csv_path: Path, folder: Path, **changes: Any) -> Tables:
    values: dict[str, Any] = {
        "rules": "paper",
        "naming_author": "keep",
        "min_words": 5,
        "max_words": 30,
        "max_quotes_per_author": 10,
        "seed": 0,
        **changes,
    }
    folder.mkdir(exist_ok=True)
    quotes, authors, funnel = folder / "quotes.parquet", folder / "authors.parquet", folder / "funnel.csv"
    main(quotes_csv=csv_path, quotes=quotes, authors=authors, funnel=funnel, **values)
    return tables.read(quotes, QUOTES), tables.read(authors, AUTHORS), tables.read(funnel, FUNNEL)


def plain_row(number: int, name: str) -> Row:
    return f"Quote {number}: {LINE.format('text', number)}.", f"{name}, Book {number}", "life"


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """Return a corpus with known faults and, by quote_id, the text of each row that must survive."""
    rng = np.random.default_rng(7)
    clean_rows = [plain_row(number, NAMES[number % len(NAMES)]) for number in range(54)]
    rows: list[tuple[Row, str | None]] = [(row, row[0]) for row in clean_rows]
    text = clean_rows[0][0]
    twin = clean_rows[1]
    rows += [
        ((text.upper().replace(":", " -"), "Ada  Nwosu", ""), None),  # a repeat but for case and punctuation
        ((" ".join(twin[0].split()[2:9]), twin[1], ""), None),  # inside a longer one
        (("Two people are said to have said this one.", "Ada Nwosu", ""), None),
        (("two people are said to have said this one", "Brigid Quill", ""), None),
        (("This one ends in a name. - Chen Liwei", "Chen Liwei", ""), "This one ends in a name."),
        (("The half of it is here", "but the rest of it is there.", "Emeka Obasi, Book"),
         "The half of it is here; but the rest of it is there."),
        (("The half of that is here", "but nobody knows who said it.", "love, rest"), None),
        (("As Haddad likes to say, all is well.", "Farah Haddad", ""), None),
        (("Слова на другом языке в этой строке", "Ada Nwosu", ""), None),
        (("Far too short", "Ada Nwosu", ""), None),
        (("far too long " * 11, "Ada Nwosu", ""), None),
        (("Many of us said this all together.", "Ann Petry & Nella Larsen", ""), None),
        (("Nobody knows who said this one first.", "Anonymous", ""), None),
        (("", "Ada Nwosu", ""), None),
        (("This row has nobody to thank for it.", "", "thanks"), None),
    ]  # fmt: skip
    order = rng.permutation(len(rows))
    path = write_csv(tmp_path / "planted.csv", [rows[i][0] for i in order])
    kept = {f"jstet_{place}": str(rows[i][1]) for place, i in enumerate(order) if rows[i][1] is not None}
    # Of two repeats the first row stays, whichever it is.
    first, second = (int(np.flatnonzero(order == i)[0]) for i in (0, 54))
    if second < first:
        del kept[f"jstet_{first}"]
        kept[f"jstet_{second}"] = rows[54][0][0]
    return path, kept


def test_planted_truth_is_recovered(planted: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    path, kept = planted
    quotes, authors, _ = clean(path, tmp_path / "out", naming_author="drop", max_quotes_per_author=99)
    assert dict(zip(quotes["quote_id"], quotes["quote"], strict=True)) == kept
    with_named, _, _ = clean(path, tmp_path / "keep", max_quotes_per_author=99)
    more = with_named[~with_named["quote_id"].isin(list(kept))]
    assert more["quote"].tolist() == ["As Haddad likes to say, all is well."]
    assert set(authors["author"]) == set(NAMES)
    assert authors["n_quotes"].sum() == len(kept)
    assert quotes["quote_id"].str[6:].astype(int).is_monotonic_increasing
    assert authors["author_id"].is_monotonic_increasing


@pytest.mark.parametrize("rules", ["paper", "published"])
def test_funnel_adds_up(planted: tuple[Path, dict[str, str]], tmp_path: Path, rules: str) -> None:
    quotes, authors, funnel = clean(planted[0], tmp_path / "out", rules=rules, max_quotes_per_author=5)
    assert funnel["rows_left"].iloc[0] == 69
    for before, after in pairwise(funnel.itertuples()):
        assert before.rows_left - after.rows_removed == after.rows_left
        assert before.authors_left - after.authors_removed == after.authors_left
    assert funnel["rows_left"].iloc[-1] == len(quotes)
    assert funnel["authors_left"].iloc[-1] == len(authors)
    assert (funnel[["rows_removed", "authors_removed", "rows_changed"]] >= 0).all().all()
    assert funnel["rows_removed"].sum() == 69 - len(quotes)


def test_same_seed_same_bytes_and_another_seed_another_choice(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "many.csv", [plain_row(n, NAMES[n % 2]) for n in range(60)])
    first, _, _ = clean(path, tmp_path / "one")
    clean(path, tmp_path / "two")
    other, _, _ = clean(path, tmp_path / "three", seed=1)
    for name in ("quotes.parquet", "authors.parquet", "funnel.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert first["author_id"].value_counts().tolist() == [10, 10]
    assert set(first["quote_id"]) != set(other["quote_id"])


def test_published_rules_keep_near_repeats_forms_of_names_and_first_rows(tmp_path: Path) -> None:
    rows: list[Row] = [
        ("All good things come to an end.", "Renée Gold", ""),
        ("All good things come to an end", "Renée Gold", ""),
        ("All good things come to an end.", "Renée Gold", ""),
        ("All good things come to an end.", "Renee Gold", ""),
        ("This is another of the good things.", "Renee Gold", ""),
        ("And this is one too many of them.", "Renee Gold", ""),
    ]
    path = write_csv(tmp_path / "corpus.csv", rows)
    quotes, authors, _ = clean(path, tmp_path / "out", rules="published", max_quotes_per_author=2)
    assert quotes["quote_id"].tolist() == ["jstet_0", "jstet_1", "jstet_3", "jstet_4"]
    assert authors["author_id"].tolist() == ["renee-gold", "renee-gold-2"]


def test_other_forms_of_a_name_become_aliases(tmp_path: Path) -> None:
    rows = [plain_row(1, "E.R. Gold"), plain_row(2, "E. R. Gold"), plain_row(3, "ER Gold")]
    rows.append((LINE.format("end", 4), "E. R. Gold aka Renée Stone", ""))
    quotes, authors, _ = clean(write_csv(tmp_path / "corpus.csv", rows), tmp_path / "out")
    assert authors["author"].tolist() == ["E. R. Gold"]
    assert set(authors["aliases"].iloc[0]) == {"E.R. Gold", "ER Gold", "Renée Stone"}
    assert len(quotes) == 4


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_forms_of_the_file(tmp_path: Path, end: str, zipped: bool, mark: str) -> None:
    lines = [
        "quote,author,category",
        '"line one of it\nand line two of it",Audre Lorde,hope',
        '"a bare return\rstands in this quote","Nella Larsen, Passing",None',
        "None of this is missing at all,Ann Petry,NA",
    ]
    text = (mark + end.join([*lines, ""])).encode()
    path = tmp_path / "corpus.csv"
    path.write_bytes(gzip.compress(text) if zipped else text)
    quotes, _, _ = clean(path, tmp_path / "out")
    assert quotes["quote"].tolist() == [
        "line one of it and line two of it",
        "a bare return stands in this quote",
        "None of this is missing at all",
    ]
    assert quotes["author"].tolist() == ["Audre Lorde", "Nella Larsen", "Ann Petry"]


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv, but there is no such file"):
        clean(tmp_path / "nowhere.csv", tmp_path / "out")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"quote,author,category\n", "no quote"),
        (b"text,author,category\na,b,c\n", "lacks the column quote.*found text, author, category"),
        (b"quote;author;category\na;b;c\n", "lacks the columns quote, author, category"),
        (b"quote,author,category\na,b,c\nd,e,f,g\n", "not well-formed CSV"),
        (b'quote,author,category\n"a,b,c\n', "not well-formed CSV"),
        (b"quote,author,category\n\xff\xfe\xfa,b,c\n", "not UTF-8"),
        (gzip.compress(b"quote,author,category\n" + b"a,b,c\n" * 99, mtime=0)[:-20], "broken gzip"),
        (b"quote,author,category\ntoo short,Ann Petry,c\n", "No quote of .* is left.*too short: 1"),
    ],
)
def test_bad_files_are_explained(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "corpus.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        clean(path, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    "changes", [{"rules": "strict"}, {"min_words": 9, "max_words": 8}, {"max_quotes_per_author": 0}]
)
def test_impossible_settings_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = write_csv(tmp_path / "corpus.csv", [plain_row(1, "Ann Petry")])
    with pytest.raises(ConfigError):
        clean(path, tmp_path / "out", **changes)


def test_sample_rows_are_kept_and_removed_as_its_sources_say(tmp_path: Path) -> None:
    sources = pd.read_csv(SAMPLE / "SOURCES.csv", dtype=str, keep_default_na=False)
    universe = pd.read_csv(SAMPLE / "universe.csv", dtype=str, keep_default_na=False)
    quotes, authors, _ = clean(SAMPLE / "quotes.csv", tmp_path / "out", max_quotes_per_author=99)
    kept = set(quotes["quote_id"].str[6:])
    exercises = sources[sources["exercises"] != ""]
    wrong = [
        f"row {row.row} ({row.exercises}): {row.expected}"
        for row in exercises.itertuples()
        if (row.row in kept) != row.expected.startswith("kept") and "is right too" not in row.expected
    ]
    assert wrong == []
    assert set(universe["author_clean"].map(normal_form)) <= set(authors["author"].map(normal_form))
