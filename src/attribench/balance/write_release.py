"""Step: write a benchmark as a folder that can be published: data, data card, metadata, checksums."""

import hashlib
import json
from collections.abc import Mapping
from csv import QUOTE_NONNUMERIC
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.balance.croissant import ReleasedFile, describe
from attribench.balance.data_card import write_card
from attribench.commit import commit_of_code
from attribench.step import run
from attribench.tables import read
from attribench.tables.balance import BENCHMARK, MATCHING_QUALITY, MATCHINGS
from attribench.tables.corpus import FUNNEL
from attribench.tables.demographics import LABELS
from attribench.tables.fame import FAME

PUBLISHED_COLUMNS = [
    *("quote_id", "author_clean", "author_alt_name", "author_raw", "quote", "quote_words", "race", "gender"),
    *("gender_source", "race_source", "google_hits", "log10_hits", "to_sample"),
]

_HITS = ("published", "dataforseo")  # sources of fame that count search results


def main(
    *,
    benchmark_table: Path,
    matchings: Path,
    quality: Path,
    labels: list[Path],
    fame: list[Path],
    funnel: list[Path],
    source_file: Path,
    dataset: str,
    origin: Mapping[str, Any],
    date_published: str,
    parquet: Path,
    csv: Path,
    card: Path,
    croissant: Path,
    version_file: Path,
    checksums: Path,
) -> None:
    """Write the six files of a release.

    `labels`, `fame` and `funnel` are empty for a benchmark that was handed in; `source_file` is that
    benchmark, or else the corpus.

    The version is made from the data, so that the same data have the same version.
    """
    benchmark = read(benchmark_table, BENCHMARK)
    label_table = read(labels[0], LABELS) if labels else None
    fame_table = read(fame[0], FAME) if fame else None
    parquet.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_bytes(benchmark_table.read_bytes())
    table = published_form(benchmark, read(matchings, MATCHINGS), label_table, fame_table)
    # Every text in quotation marks: pandas leaves a lone carriage return bare, which reads as a row's end.
    table.to_csv(csv, lineterminator="\n", quoting=QUOTE_NONNUMERIC)
    # Semantic versioning: the layout of the folder, and the data as its build.
    version = f"1.0.0+{_sha256(parquet)[:12]}"
    version_file.write_text(version + "\n", encoding="utf-8")
    name = f"AttriBench {dataset}"
    made_from = {"File": source_file.name, "sha256 of the file": _sha256(source_file)}
    if funnel:
        made_from["Rows of the file"] = str(read(funnel[0], FUNNEL)["rows_left"].iloc[0])
    made_from |= sources(benchmark, label_table, fame_table) | {"Code": _code()}
    text = write_card(
        benchmark, read(quality, MATCHING_QUALITY), name=name, version=version, origin=origin, provenance=made_from
    )
    card.write_text(text, encoding="utf-8")
    files = [
        _released(parquet, "The benchmark, one row per quote.", "application/vnd.apache.parquet"),
        _released(csv, "The same quotes in the columns of the published AttriBench files.", "text/csv"),
    ]
    description = (
        f"{len(benchmark)} quotes by authors of different race and gender who are about equally famous, to measure "
        "whom language models give credit to."
    )
    terms = {key: origin[key] for key in ("creator", "license", "url")} | {"date_published": date_published}
    metadata = describe(BENCHMARK, files, name=name, description=description, version=version, terms=terms)
    croissant.write_text(json.dumps(metadata, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    summed = sorted((parquet, csv, card, croissant, version_file), key=lambda path: path.name)
    checksums.write_text("".join(f"{_sha256(path)}  {path.name}\n" for path in summed), encoding="utf-8")


def published_form(
    benchmark: pd.DataFrame, matchings: pd.DataFrame, labels: pd.DataFrame | None, fame: pd.DataFrame | None
) -> pd.DataFrame:
    """Return the benchmark in the published columns, with `match_id` and `group` at the end.

    The raw name of an author is not kept by any table and stays empty, as do the sources and the
    number of hits where they are not known.
    """
    table = benchmark.merge(matchings[["author_id", "to_sample"]], on="author_id", how="left", validate="many_to_one")
    table = table.rename(columns={"author": "author_clean", "n_words": "quote_words"})
    table["author_alt_name"] = ["; ".join(names) for names in table["aliases"]]
    table["author_raw"] = ""
    for column in ("race_source", "gender_source"):
        known = {} if labels is None else dict(zip(labels["author_id"], labels[column], strict=True))
        table[column] = table["author_id"].map(known)
    counted = set() if fame is None else set(fame.loc[fame["fame_source"].isin(_HITS), "author_id"])
    hits = (10.0 ** table["log10_hits"]).round()
    table["google_hits"] = hits.where(table["author_id"].isin(counted))
    return table[[*PUBLISHED_COLUMNS, "match_id", "group"]]


def sources(benchmark: pd.DataFrame, labels: pd.DataFrame | None, fame: pd.DataFrame | None) -> dict[str, str]:
    """Return which sources the labels and the fame of the authors of a benchmark come from, with their numbers."""
    counted = {}
    for table, attribute in ((labels, "race"), (labels, "gender"), (fame, "fame")):
        if table is not None:
            own = table.loc[table["author_id"].isin(benchmark["author_id"]), f"{attribute}_source"]
            counts = own.value_counts()
            counted[f"Source of {attribute}"] = ", ".join(f"{name} ({n} authors)" for name, n in counts.items())
    return counted


def _code() -> str:
    commit = commit_of_code()
    if commit is None:
        return f"attribench {version_of('attribench')}"
    changed = ", changed since" if commit["dirty"] else ""
    return f"attribench {version_of('attribench')}, commit {commit['sha1']}{changed}"


def _released(path: Path, description: str, media_type: str) -> ReleasedFile:
    return ReleasedFile(path.name, description, media_type, path.stat().st_size, _sha256(path))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
