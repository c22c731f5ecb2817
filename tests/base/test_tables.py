"""Tables are checked against their declaration, written whole, and read as they were written."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from attribench import tables
from attribench.errors import InputError
from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, Column, Table, check, read, write

PLAIN = Table(
    "plain",
    "thing",
    ("id",),
    (
        Column("id", TEXT, "name of the thing"),
        Column("count", INTEGER, "how many"),
        Column("size", NUMBER, "how big", "m", optional=True),
        Column("new", FLAG, "whether it is new"),
        Column("remark", TEXT, "what is said about it", optional=True),
    ),
)
LISTED = Table(
    "listed", "thing", ("id",), (Column("id", TEXT, "name of the thing"), Column("words", TEXTS, "words about it"))
)

AWKWARD = [
    "plain",
    "with, commas",
    'with "quotes" and ""two""',
    "on\ntwo lines",
    "carriage\r\nreturn",
    " spaces around ",
    "NA",
    "null",
    "nan",
    "Zoë 村上 🖋",
    "'",
    "a\\b",
    "#1",
    "007",
    "true",
]


def plain(**columns: object) -> pd.DataFrame:
    found: dict[str, object] = {
        "id": ["a", "b"],
        "count": [1, 2],
        "size": [0.5, np.nan],
        "new": [True, False],
        "remark": ["good", None],
    }
    return pd.DataFrame(found | columns)


Break = Callable[[pd.DataFrame], pd.DataFrame]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda t: t.drop(columns="size"), "missing: size; not declared: none"),
        (lambda t: t.assign(colour="red"), "missing: none; not declared: colour"),
        (lambda t: t.rename(columns={"size": "length"}), "missing: size; not declared: length"),
        (lambda t: pd.concat([t, t[["count"]]], axis="columns"), "has a column twice"),
        (lambda t: t.assign(count=["one", "two"]), "wrong type"),
        (lambda t: t.assign(count=[1.5, 2.5]), "wrong type"),
        (lambda t: t.assign(id=[1, 2]), "wrong type"),
        (lambda t: t.assign(new=["yes", "no"]), "wrong type"),
        (lambda t: t.assign(id=["a", None]), r"column 'id' \(name of the thing\): 1 of 2 values are missing"),
        (lambda t: t.assign(count=pd.array([1, None], dtype="Int64")), "column 'count'.* 1 of 2 values are missing"),
        (lambda t: t.assign(id=["a", "a"]), "one row per thing, but 1 rows repeat a key, the first of them id=a"),
    ],
    ids=["missing", "unknown", "renamed", "twice", "text", "fraction", "number", "flag", "null", "no count", "key"],
)
def test_a_table_that_breaks_its_declaration_is_refused(broken: Break, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said) as caught:
        write(broken(plain()), tmp_path / "plain.parquet", PLAIN)
    assert "'plain'" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_columns_come_in_the_declared_order_with_meaning_and_unit() -> None:
    checked = check(plain()[["remark", "new", "size", "count", "id"]], PLAIN)
    assert checked.schema.names == PLAIN.names
    assert checked.schema.field("size").metadata == {b"meaning": b"how big", b"unit": b"m"}
    assert checked.schema.metadata == {b"table": b"plain", b"grain": b"thing", b"key": b"id"}


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
class TestFiles:
    def test_what_is_written_is_read(self, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / "new" / "folder" / f"plain.{suffix}"
        n = len(AWKWARD)
        table = plain(
            id=[f"id {text}" for text in AWKWARD],
            count=[2**53 + 1 + i for i in range(n)],
            size=[0.1, 1 / 3, 1e-300, -0.0, np.nan, *np.linspace(-1e9, 1e9, n - 5)],
            new=[i % 2 == 0 for i in range(n)],
            remark=[*AWKWARD[:-1], None],
        )
        write(table, path, PLAIN)
        pd.testing.assert_frame_equal(read(path, PLAIN), table, check_exact=True)

    def test_an_empty_text_is_not_a_missing_one(self, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / f"plain.{suffix}"
        write(plain(remark=["", None]), path, PLAIN)
        remark = read(path, PLAIN)["remark"]
        assert remark.isna().tolist() == [False, True]
        assert remark[0] == ""

    def test_a_table_without_rows_keeps_its_columns(self, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / f"plain.{suffix}"
        write(plain().iloc[:0], path, PLAIN)
        found = read(path, PLAIN)
        assert found.columns.tolist() == PLAIN.names
        assert len(found) == 0

    def test_part_of_the_columns_can_be_read(self, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / f"plain.{suffix}"
        write(plain(), path, PLAIN)
        pd.testing.assert_frame_equal(read(path, PLAIN, ["new", "id"]), plain()[["new", "id"]])

    def test_same_values_give_the_same_bytes(self, suffix: str, tmp_path: Path) -> None:
        one, two, other = (tmp_path / f"{name}.{suffix}" for name in ("one", "two", "other"))
        write(plain(), one, PLAIN)
        shuffled = plain().set_index(pd.Index([7, 3]))[["new", "id", "remark", "size", "count"]]
        write(shuffled, two, PLAIN)
        write(plain(count=[1, 3]), other, PLAIN)
        assert one.read_bytes() == two.read_bytes() != other.read_bytes()

    def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
        self, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / f"plain.{suffix}"
        write(plain(), path, PLAIN)
        before = path.read_bytes()

        def fail(self: Path, target: Path) -> None:
            assert self.stat().st_size > 0, "nothing was written aside"
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", fail)
        with pytest.raises(OSError, match="No space left"):
            write(plain(count=[5, 6]), path, PLAIN)
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]

    def test_a_file_that_is_not_there_is_named(self, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / f"plain.{suffix}"
        with pytest.raises(InputError, match=r"'plain' was expected at .*, but there is no such file") as caught:
            read(path, PLAIN)
        assert str(path) in str(caught.value)

    def test_another_file_is_refused(self, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / f"plain.{suffix}"
        path.write_bytes(b"\x00\x01 no table at all\nnor here")
        with pytest.raises(InputError, match="does not hold the table 'plain'") as caught:
            read(path, PLAIN)
        assert str(path) in str(caught.value)


def test_a_parquet_write_that_stops_half_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plain.parquet"
    write(plain(), path, PLAIN)
    before = path.read_bytes()

    def half(table: pa.Table, where: Path, **_: object) -> None:
        Path(where).write_bytes(b"half")
        raise OSError("gone")

    monkeypatch.setattr(tables.pq, "write_table", half)
    with pytest.raises(OSError, match="gone"):
        write(plain(count=[5, 6]), path, PLAIN)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "other",
    [
        pa.table({"id": ["a"], "count": [1]}),
        pa.table({"id": ["a"], "count": ["many"], "size": [1.0], "new": [True], "remark": ["x"]}),
        pa.table({"id": pa.array([None], pa.string()), "count": [1], "size": [1.0], "new": [True], "remark": ["x"]}),
    ],
    ids=["missing columns", "wrong type", "null"],
)
def test_a_parquet_file_of_another_table_is_refused(other: pa.Table, tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    pq.write_table(other, path)
    with pytest.raises(InputError, match="does not hold the table 'plain'"):
        read(path, PLAIN)


def test_a_csv_file_with_a_missing_value_that_must_be_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("id,count,size,new,remark\na,,1.0,true,x\n")
    with pytest.raises(InputError, match="'plain'"):
        read(path, PLAIN)


def test_lists_of_texts_come_back(tmp_path: Path) -> None:
    path = tmp_path / "listed.parquet"
    write(pd.DataFrame({"id": ["a", "b"], "words": [["x, y", ""], []]}), path, LISTED)
    assert [list(words) for words in read(path, LISTED)["words"]] == [["x, y", ""], []]


def every_declared_table() -> list[Table]:
    from attribench.tables import analysis, balance, corpus, demographics, evaluation, evidence, fame

    modules = [analysis, balance, corpus, demographics, evaluation, evidence, fame]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Table)]


@pytest.mark.parametrize("table", every_declared_table(), ids=lambda table: table.name)
def test_every_declared_table_says_what_it_holds(table: Table) -> None:
    assert table.grain
    assert set(table.key) <= set(table.names)
    assert len(set(table.names)) == len(table.names)
    assert all(column.meaning for column in table.columns)
    assert not any(column.optional for column in table.columns if column.name in table.key)
