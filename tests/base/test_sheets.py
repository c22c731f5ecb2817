"""Sheets that a person fills in: nothing in them can harm, and a spreadsheet program's ways do not matter."""

import csv
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from attribench.errors import InputError
from attribench.sheets import Sheet, harmless
from attribench.tables import TEXT, Column, Table

TABLE = Table(
    "sheet",
    "answer",
    ("case",),
    (
        Column("case", TEXT, "code"),
        Column("answer", TEXT, "the answer"),
        Column("judgement", TEXT, "to fill in", optional=True),
        Column("note", TEXT, "to fill in", optional=True),
    ),
)
SHEET = Sheet(TABLE, "case", "answer", "answers", ("judgement",), "unclear")
ANSWERS = [
    '=HYPERLINK("http://127.0.0.1/?"&A1,"open")',
    "+1 for Maya Angelou",
    "-- Maya Angelou",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "＝1+1",
    'He said "=1",\nthen; left',
    "'Abd al-Rahman, “Zoë”",
    "1984",
]
ALLOWED = {"judgement": ("correct", "incorrect", "none")}


@pytest.fixture
def rows() -> pd.DataFrame:
    return pd.DataFrame({"case": [f"case-{i}" for i in range(len(ANSWERS))], "answer": ANSWERS})


def cells(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_no_cell_is_a_formula(rows: pd.DataFrame, tmp_path: Path) -> None:
    SHEET.write(rows, tmp_path / "sheet.csv")
    found = cells(tmp_path / "sheet.csv")
    assert found[0] == TABLE.names
    assert not any(cell[:1] in set("=+-@\t\r\n＝＋－＠") - {""} for row in found for cell in row)
    assert [row[1] for row in found[1:]] == [f"'{text}" for text in ANSWERS[:7]] + ANSWERS[7:]
    assert harmless("a=b") == "a=b" and harmless("") == ""


@pytest.mark.parametrize("mark", ["kept", "dropped"])
@pytest.mark.parametrize("dialect", [{}, {"delimiter": ";"}, {"lineterminator": "\n", "quoting": csv.QUOTE_ALL}])
def test_what_was_written_can_be_read_when_filled(
    rows: pd.DataFrame, tmp_path: Path, mark: str, dialect: dict[str, Any]
) -> None:
    SHEET.write(rows, tmp_path / "sheet.csv")
    head, *found = cells(tmp_path / "sheet.csv")
    for row in found:
        row[2] = " Correct "
        if mark == "dropped":  # a program may take the apostrophe for its own mark of a text
            row[1] = row[1].removeprefix("'") if row[1] != ANSWERS[8] else row[1]
        row[1] = row[1].replace("\n", "\r\n")
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, **dialect).writerows([head, *reversed(found)])
    filled = SHEET.read(tmp_path / "filled.csv", rows, ALLOWED)
    assert filled["case"].tolist() == rows["case"].tolist()[::-1]
    assert set(filled["judgement"]) == {"correct"}


def test_rows_that_were_sorted_by_one_column_alone_are_refused(rows: pd.DataFrame, tmp_path: Path) -> None:
    mixed = rows.assign(answer=rows["answer"].to_numpy()[::-1], judgement="none", note="")
    mixed.to_csv(tmp_path / "filled.csv", index=False, quoting=csv.QUOTE_ALL)
    with pytest.raises(InputError, match="of its answers, 8 with another answer"):
        SHEET.read(tmp_path / "filled.csv", rows, ALLOWED)


def test_a_long_answer_is_cut_in_a_message(rows: pd.DataFrame, tmp_path: Path) -> None:
    rows = rows.assign(answer="word " * 100)
    rows.assign(judgement="", note="").to_csv(tmp_path / "filled.csv", index=False)
    with pytest.raises(
        InputError, match=r"of 10 rows, 10 lack 'judgement', the first of them (word )+word…\. Fill"
    ) as found:
        SHEET.read(tmp_path / "filled.csv", rows, ALLOWED)
    assert len(str(found.value)) < 400
