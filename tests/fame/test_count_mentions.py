"""Mentions of many names are found in one pass, whatever file the text comes in."""

import csv
import gzip
import random
import time
from pathlib import Path

import pandas as pd
import pytest

from attribench.errors import InputError
from attribench.fame import name_index, text_files
from attribench.fame.count_mentions import ask_mentions, count_mentions, main
from attribench.fame.name_index import NameIndex
from attribench.tables import check, read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.fame import MENTIONS


def find(text: str, *names: str | list[str]) -> list[str]:
    """Return the first name of each mention in `text`."""
    all_names = [[name] if isinstance(name, str) else name for name in names]
    return list(NameIndex({spellings[0]: spellings for spellings in all_names}).find([text]))


def authors(*names: str, aliases: dict[str, list[str]] | None = None) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "author_id": [name.lower().replace(" ", "-") for name in names],
            "author": names,
            "aliases": [(aliases or {}).get(name, []) for name in names],
            "n_quotes": 1,
        }
    )


@pytest.mark.parametrize(
    ("text", "name", "times"),
    [
        ("And I, C. S. Lewis, and a C.S. Lewis book by CS Lewis.", "C. S. Lewis", 3),
        ("As J.R.R. Tolkien and J. R. R. Tolkien said", "JRR Tolkien", 2),
        ("Charlotte Brontë, Charlotte Bronte\u0308, CHARLOTTE BRONTE", "Charlotte Brontë", 3),
        ("Maya Angelou's poem; Maya Angelou’s other poem", "Maya Angelou", 2),
        ("Flannery O'Connor and Flannery O’Connor", "Flannery O'Connor", 2),
        ("Jean-Paul Sartre, Jean Paul  \n Sartre", "Jean-Paul Sartre", 2),
        ("bell hooks; Bell Hooks", "bell hooks", 2),
        ("A prince met Prince and Prince's band", "Prince", 2),
        ("the rich man and Rich Man", "Rich Man", 1),
        ("Simone de Beauvoir", "Simone de Beauvoir", 1),
        ("Ann Leest", "Ann Lee", 0),
    ],
)
def test_a_name_is_found_in_every_spelling_of_its_normal_form(text: str, name: str, times: int) -> None:
    assert find(text, name) == [name] * times


def test_the_longest_name_counts_and_no_word_twice() -> None:
    names = ("Martin Luther", "Martin Luther King", "King George", "Luther King")
    assert find("Martin Luther King George met Martin Luther.", *names) == ["Martin Luther King", "Martin Luther"]


def test_an_alias_counts_and_a_form_that_two_share_counts_for_nobody(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("Ann Smith, Ann Lee, Bo Lee and A. Lee")
    table = authors("Ann Lee", "Abe Lee", "A. Lee", aliases={"Ann Lee": ["Ann Smith", "A. Lee"]})
    found = count_mentions(table, [file], "text")
    assert found["mentions"].tolist() == [2, 0, 0]
    assert found["reason"].tolist() == ["", "no mention", "shares every form of the name with another author"]
    assert check(found, MENTIONS).num_rows == 3


def test_files_of_every_kind_count_alike(tmp_path: Path) -> None:
    texts = ["Audre Lorde said, and bell", 'hooks said, "Audre Lorde"', ""]
    (tmp_path / "a.txt").write_text("\ufeff" + "\n\n".join(texts), encoding="utf-8")
    with gzip.open(tmp_path / "b.txt.gz", "wt") as file:
        file.write("\n".join(texts))
    table = pd.DataFrame({"id": 1, "text": [*texts, None]})
    table.to_csv(tmp_path / "c.csv", index=False, quoting=csv.QUOTE_ALL)
    table.to_csv(tmp_path / "d.csv.gz", index=False)
    table.to_parquet(tmp_path / "e.parquet")
    who = authors("Audre Lorde", "bell hooks")
    counted = {file.name: count_mentions(who, [file], "text")["mentions"].tolist() for file in tmp_path.iterdir()}
    assert counted == {
        "a.txt": [2, 1],
        "b.txt.gz": [2, 1],
        "c.csv": [2, 0],  # a row is a text: no name goes from one to the next
        "d.csv.gz": [2, 0],
        "e.parquet": [2, 0],
    }


def test_a_name_across_two_pieces_of_a_file_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    file.write_text("So Martin Luther King said. " * 50 + "So Martin Luther")  # five words, again and again
    who = authors("Martin Luther King", "Martin Luther")
    for size in (5, 7, 16, 100):
        monkeypatch.setattr(text_files, "_PIECE", size)
        monkeypatch.setattr(name_index, "_MOST_WORDS_AHEAD", size)
        assert count_mentions(who, [file], "text")["mentions"].tolist() == [50, 1]


def test_the_step_counts_and_answers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    who = authors("Audre Lorde", "Nobody Known")
    write(who, tmp_path / "authors.parquet", AUTHORS)
    (tmp_path / "a.txt").write_text("Audre Lorde. " * 100)
    out = tmp_path / "mentions.parquet"
    main(authors=tmp_path / "authors.parquet", files=[tmp_path / "a.txt"], column="text", mentions=out)
    assert "1 files read, 100 mentions of 1 of 2 authors" in capfd.readouterr().err
    fame = ask_mentions(authors("Nobody Known", "Audre Lorde", "Some One"), read(out, MENTIONS))
    assert fame["log10_hits"].tolist() == pytest.approx([float("nan"), 2.0, float("nan")], nan_ok=True)
    assert fame["reason"].tolist() == ["no mention", "", "not looked for"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.txt", None, "there is no such file"),
        ("a.pdf", b"x", "its name must end in .txt"),
        ("a.txt", b"caf\xe9 ", "is not UTF-8"),
        ("a.txt.gz", b"plain", "broken gzip"),
        ("a.csv", b"quote,author\nx,y\n", "has no column 'text'; it has quote, author"),
        ("a.parquet", b"PAR1", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        count_mentions(authors("Audre Lorde"), [tmp_path / name], "text")


def test_the_time_does_not_grow_with_the_number_of_names(tmp_path: Path) -> None:
    random_letters = random.Random(1)
    words = ["".join(random_letters.choices("abcdefghij", k=6)).title() for _ in range(3000)]
    text = " ".join(random_letters.choices(words, k=200_000))
    names = [" ".join(random_letters.choices(words, k=3)) for _ in range(20_000)]
    seconds = []
    for number in (200, 20_000):
        index = NameIndex({name: [name] for name in names[:number]})
        start = time.process_time()
        list(index.find([text]))
        seconds.append(time.process_time() - start)
    assert seconds[1] < 10 * seconds[0] + 0.5  # a hundred times the names
