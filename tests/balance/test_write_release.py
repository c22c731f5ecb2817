"""The folder of a released benchmark: complete, consistent, escaped, and the same bytes each time."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml

from attribench.balance import read_benchmark
from attribench.balance.data_card import UNIVERSE_LIMIT, escape
from attribench.balance.measure_quality import measure_quality
from attribench.balance.write_release import PUBLISHED_COLUMNS, main
from attribench.tables import TEXT, read, write
from attribench.tables.balance import BENCHMARK, MATCHING_QUALITY, MATCHINGS
from attribench.tables.corpus import FUNNEL
from attribench.tables.demographics import LABELS
from attribench.tables.fame import FAME

GROUPS = {"Women": {"race": "black", "gender": "female"}, "<b>Men</b> | *x*": {"race": "black", "gender": "male"}}
FILES = ["README.md", "SHA256SUMS", "VERSION", "benchmark.csv", "benchmark.parquet", "croissant.json"]
SOURCE = "quote,author,category\n"
Released = dict[str, Path]


def world() -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(8)
    rows, authors = [], []
    for match in range(4):
        for group, labels in GROUPS.items():
            name = f"{labels['gender'].title()} Author {match}"
            author_id = name.lower().replace(" ", "-")
            fame = round(float(rng.normal(5, 0.4)), 4)
            authors.append({"author_id": author_id, "author": name, "group": group, "log10_hits": fame, **labels})
            authors[-1] |= {"match_id": match, "is_reference": group == "Women", "n_quotes": 9, "to_sample": match + 1}
            for _ in range(match + 1):
                rows.append(
                    {key: authors[-1][key] for key in ("match_id", "group", "author_id", "author", "log10_hits")}
                    | {
                        "quote_id": f"jstet_{len(rows)}",
                        "quote": f'Saying, "number {len(rows)}"\nof é\rthings',
                        **labels,
                    }
                    | {"aliases": ["A. One", "B. Two"] if match == 1 else [], "n_words": 5 + len(rows) % 3}
                )
    people = pd.DataFrame(authors)
    benchmark = pd.DataFrame(rows)[BENCHMARK.names]
    return {
        "benchmark": benchmark,
        "matchings": people[MATCHINGS.names],
        "quality": measure_quality(benchmark, "Women"),
        "labels": people.assign(race_source="consensus", gender_source="wikidata", reason="")[LABELS.names],
        "fame": people.assign(fame_source=["published", "mentions"] * 4, reason="")[FAME.names],
        "funnel": pd.DataFrame(
            [
                {c.name: "" if c.type == TEXT else 0 for c in FUNNEL.columns} | {"step": step, "rows_left": rows}
                for step, rows in (("read", 321), ("cap", 20))
            ]
        ),
    }


@pytest.fixture
def release(tmp_path: Path) -> Callable[..., Released]:
    """Return a function that writes a release and returns its files by name."""
    tables = world()
    given = {name: tmp_path / f"{name}.parquet" for name in tables if name != "quality"}
    given |= {"quality": tmp_path / "quality.csv", "funnel": tmp_path / "funnel.csv"}
    given["source"] = tmp_path / "quotes<script>.csv"
    given["source"].write_text(SOURCE)
    for name, table in (
        ("benchmark", BENCHMARK),
        ("matchings", MATCHINGS),
        ("quality", MATCHING_QUALITY),
        ("labels", LABELS),
        ("fame", FAME),
        ("funnel", FUNNEL),
    ):
        write(tables[name], given[name], table)

    def run(folder: str = "release", **changes: Any) -> Released:
        out = {name: tmp_path / folder / name for name in FILES}
        origin = {
            "is_handed_in": False,
            "universe": "all",
            "options": {"balance.method": "algorithm_1", "seed": 7},
            "creator": "A & B",
            "license": "https://creativecommons.org/licenses/by/4.0/",
            "url": "https://example.org/data",
        } | changes
        handed_in = origin["is_handed_in"]
        main(
            benchmark_table=given["benchmark"],
            matchings=given["matchings"],
            quality=given["quality"],
            labels=[] if handed_in else [given["labels"]],
            fame=[] if handed_in else [given["fame"]],
            funnel=[] if handed_in else [given["funnel"]],
            source_file=given["source"],
            dataset="some_set",
            origin=origin,
            date_published="2026",
            parquet=out["benchmark.parquet"],
            csv=out["benchmark.csv"],
            card=out["README.md"],
            croissant=out["croissant.json"],
            version_file=out["VERSION"],
            checksums=out["SHA256SUMS"],
        )
        assert sorted(path.name for path in (tmp_path / folder).iterdir()) == FILES
        return out

    return run


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_checksums_are_those_of_all_other_files(release: Callable[..., Released]) -> None:
    files = release()
    lines = [line.split("  ") for line in files["SHA256SUMS"].read_text().splitlines()]
    assert [name for _, name in lines] == [name for name in FILES if name != "SHA256SUMS"]
    assert all(digest == sha256(files[name]) for digest, name in lines)


def test_the_same_data_give_the_same_bytes(release: Callable[..., Released]) -> None:
    one, other = release("one"), release("other")
    assert all(one[name].read_bytes() == other[name].read_bytes() for name in FILES)
    version = one["VERSION"].read_text().strip()
    assert version == f"1.0.0+{sha256(one['benchmark.parquet'])[:12]}"


def test_croissant_has_the_required_keys_and_the_columns(release: Callable[..., Released]) -> None:
    files = release()
    found = json.loads(files["croissant.json"].read_text(encoding="utf-8"))
    required = {"@context", "@type", "conformsTo", "name", "description", "license", "url", "creator", "datePublished"}
    assert required | {"version", "distribution", "recordSet"} <= set(found)
    assert found["@type"] == "sc:Dataset"
    assert found["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert found["@context"]["conformsTo"] == "dct:conformsTo"
    assert found["version"] == files["VERSION"].read_text().strip()
    described = {entry["@id"]: entry for entry in found["distribution"]}
    assert set(described) == {"benchmark.parquet", "benchmark.csv"}
    for name, entry in described.items():
        assert entry["@type"] == "cr:FileObject"
        assert entry["sha256"] == sha256(files[name])
        assert entry["contentSize"] == f"{files[name].stat().st_size} B"
    (records,) = found["recordSet"]
    schema = pq.read_schema(files["benchmark.parquet"])
    assert [field["source"]["extract"]["column"] for field in records["field"]] == schema.names
    assert {field["source"]["fileObject"]["@id"] for field in records["field"]} == {"benchmark.parquet"}
    ids = [field["@id"] for field in records["field"]]
    assert len(set(ids)) == len(ids)
    assert records["key"] == [{"@id": "benchmark/quote_id"}]
    kinds = {field["name"]: (field["dataType"], field.get("repeated", False)) for field in records["field"]}
    assert kinds["aliases"] == ("sc:Text", True)
    assert kinds["match_id"] == ("sc:Integer", False)
    assert kinds["log10_hits"] == ("sc:Float", False)


def test_the_card_counts_right(release: Callable[..., Released]) -> None:
    card = release()["README.md"].read_text(encoding="utf-8")
    assert "20 quotes by 8 authors in 2 groups, in 4 matchings" in card
    quality = world()["quality"]
    for row in quality.itertuples():
        line = f"| {escape(row.group)} | 4 | 10 | {row.mean_log10_hits:.4f} | {row.smd_log10_hits:.3f} |"
        assert line in card
    apart = quality["mean_log10_hits"].max() - quality["mean_log10_hits"].min()
    assert f"lie {apart:.4f} log10 hits apart" in card
    assert all(f"| `{name}` |" in card for name in BENCHMARK.names)
    assert UNIVERSE_LIMIT in card
    for row in re.findall(r"(?:^\|.*\n)+", card, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in row.splitlines()}
        assert len(cells) == 1, "every line of a table has as many cells"


def test_the_card_names_the_file_that_load_dataset_reads(release: Callable[..., Released]) -> None:
    files = release()
    _, head, _ = files["README.md"].read_text(encoding="utf-8").split("---\n", 2)
    found = yaml.safe_load(head)
    assert found == {
        "pretty_name": "AttriBench some_set",
        "configs": [{"config_name": "default", "data_files": "benchmark.parquet"}],
    }
    assert files[found["configs"][0]["data_files"]].is_file()


def test_the_card_says_what_the_data_were_made_from(release: Callable[..., Released]) -> None:
    card = release()["README.md"].read_text(encoding="utf-8")
    assert f"| sha256 of the file | {hashlib.sha256(SOURCE.encode()).hexdigest()} |" in card
    assert "| Rows of the file | 321 |" in card
    assert "| Source of race | consensus (8 authors) |" in card
    assert "| Source of fame | published (4 authors), mentions (4 authors) |" in card
    assert re.search(r"\| Code \| attribench \S+(, commit [0-9a-f]{40}(, changed since)?)? \|", card)
    assert r"| balance.method | algorithm\_1 |" in card


def test_markdown_and_html_are_escaped(release: Callable[..., Released]) -> None:
    card = release()["README.md"].read_text(encoding="utf-8")
    assert "<script>" not in card and "quotes&lt;script&gt;.csv" in card
    assert r"&lt;b&gt;Men&lt;/b&gt; \| \*x\*" in card
    assert "A &amp; B" in card
    assert escape("a\n# b [c](d) `e` _f_") == r"a \# b \[c\](d) \`e\` \_f\_"


def test_limits_are_those_of_the_origin(release: Callable[..., Released]) -> None:
    other = release("other", universe="none")["README.md"].read_text(encoding="utf-8")
    assert UNIVERSE_LIMIT not in other
    mixed = release("mixed", universe="some")["README.md"].read_text(encoding="utf-8")
    assert f"of some authors come from the published universe. {UNIVERSE_LIMIT}" in mixed
    handed_in = release("handed_in", is_handed_in=True, universe="none")["README.md"].read_text(encoding="utf-8")
    assert f"published AttriBench files: {UNIVERSE_LIMIT}" in handed_in
    assert "is reconstructed by rank of fame" in handed_in
    assert "Taken from the benchmark" in handed_in


def test_the_csv_is_in_the_published_columns(release: Callable[..., Released]) -> None:
    table = pd.read_csv(release()["benchmark.csv"])
    assert list(table.columns) == ["Unnamed: 0", *PUBLISHED_COLUMNS, "match_id", "group"]
    assert set(table["race_source"]) == {"consensus"}
    assert set(table["gender_source"]) == {"wikidata"}
    women = table[table["group"] == "Women"]
    assert (np.log10(women["google_hits"]) - women["log10_hits"]).abs().max() < 1e-3
    assert table.loc[table["group"] != "Women", "google_hits"].isna().all(), "mentions are no hits"
    assert (table["to_sample"] == table.groupby("author_clean")["quote_id"].transform("size")).all()


@pytest.mark.parametrize("name", ["benchmark.csv", "benchmark.parquet"])
def test_what_is_released_can_be_handed_in(release: Callable[..., Released], tmp_path: Path, name: str) -> None:
    files = release()
    out = {key: tmp_path / f"{key}.parquet" for key in ("benchmark_table", "matchings")}
    differences = tmp_path / "differences.csv"
    read_benchmark.main(file=files[name], groups=GROUPS, reference=None, differences=differences, **out)
    pd.testing.assert_frame_equal(read(out["benchmark_table"], BENCHMARK), world()["benchmark"])
    assert len(differences.read_text().splitlines()) == 1, "nothing differs"
