"""The pages of docs/reference, made from the declared tables and the schema of the configuration.

Every table, with its columns, and every key of the configuration is described once, where it is checked; the
pages only show that. `python -m attribench.reference --write` makes them anew, in the folder of the workflow.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import yaml

from attribench import tables
from attribench.tables import (
    analysis,
    balance,
    comparison,
    corpus,
    covariates,
    demographics,
    evaluation,
    evidence,
    fame,
    published_benchmark,
    report,
    selftest,
    spending,
)

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference"
COMMAND = "python -m attribench.reference --write"
TYPES = {pa.string(): "text", pa.int64(): "integer", pa.float64(): "number", pa.bool_(): "yes or no"}

# Where tables are whose file is not called `results/<stage>/<name>.csv`, by the name of the table.
DATA_SET = "results/balance/{dataset}/"
RUN = "results/evaluation/{dataset}/{model}/"
AUDIT = "results/evaluation/audit/"
FILES = {
    **{name: f"{DATA_SET}{name}.parquet" for name in ("candidates", "matchings", "benchmark")},
    **{name: f"{DATA_SET}{name}.csv" for name in ("exclusions", "runs")},
    "matchings of runs": DATA_SET + "runs/{scatteritem}.parquet",
    "fame of groups": DATA_SET + "group_fame.csv",
    "matching quality": DATA_SET + "matching_quality.csv",
    "differences": DATA_SET + "differences.csv, corpus_differences.csv",
    "compared quotes": "results/analysis/compared_quotes.parquet",
    "covariates of quotes": "results/analysis/covariates_of_quotes.parquet",
    **{name: f"results/corpus/{name}.parquet" for name in ("quotes", "authors")},
    "labels": "results/demographics/labels.parquet, labels_before_consensus.parquet",
    "labeller answers": "results/demographics/labeller_answers.parquet",
    "agreement of labellers": "results/demographics/agreement.csv",
    "wikidata": "results/demographics/wikidata.parquet",
    **{name: f"{RUN}{name}.parquet" for name in ("responses", "outcomes")},
    "audit sample": AUDIT + "sample.parquet",
    "audit sheet": AUDIT + "sheet.csv",
    "judge's answers": AUDIT + "judge_answers.parquet",
    "agreement of the audit": AUDIT + "agreement.csv",
    "confusion of the audit": AUDIT + "confusion.csv",
    "disagreements of the audit": AUDIT + "disagreements.csv",
    "error of the instrument": "results/evaluation/instrument_error.csv",
    "embeddings": "results/evidence/embeddings.parquet, {dataset}/embeddings.parquet",
    "evidence": "results/evidence/{dataset}.parquet",
    **{name: f"results/fame/{name.replace(' ', '_')}.parquet" for name in ("fame", "fame by source", "search hits")},
    "mentions": "results/fame/mentions.parquet",
    "fame pairs": "results/fame/{dataset}/pairs.parquet",
    "fame comparison": "results/fame/{dataset}/comparison.csv",
    "selected runs": "results/report/tables/table_2_selected_runs.csv",
    "fame of groups beside the paper's": "results/report/tables/table_3_group_fame.csv",
    "models": "results/report/tables/table_4_models.csv",
    "results beside the paper's": "results/report/tables/beside_paper.csv",
    **{
        f"the paper's {name}": "resources/paper"
        for name in ("models", "results", "Table 2", "Table 3", "labels of the corpus")
    },
    "selftest": "results/selftest/checks.csv",
    "estimate": "results/{evaluation,demographics,fame}/estimate.csv",
}
# The modules that declare each stage's tables, in the order in which data flows.
MODULES: dict[str, list[ModuleType]] = {
    "corpus": [corpus],
    "demographics": [demographics],
    "fame": [fame],
    "balance": [balance, published_benchmark],
    "evidence": [evidence],
    "evaluation": [evaluation, spending],
    "analysis": [analysis, covariates, comparison, selftest],
    "report": [report],
}


def declared() -> dict[str, list[tables.Table]]:
    """Return the declared tables by stage, the stages in the order in which data flows."""
    return {
        stage: [value for module in found for value in vars(module).values() if isinstance(value, tables.Table)]
        for stage, found in MODULES.items()
    }


def file_of(table: tables.Table, stage: str) -> str:
    """Return where `table` is written, or read where it comes with the workflow."""
    return FILES.get(table.name, f"results/{stage}/{table.name.replace(' ', '_')}.csv")


def _row(*cells: str) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def _head(title: str, about: str) -> list[str]:
    return [f"<!-- Made by `{COMMAND}`; changes here are lost. -->", "", f"# {title}", "", about, ""]


def _type(column: tables.Column) -> str:
    name = TYPES.get(column.type) or (f"list of {TYPES.get(column.type.value_type, column.type.value_type)}s")
    return name + (", or missing" if column.optional else "")


def tables_page() -> str:
    """Return the page of all tables: stage, file, what a row is, and the columns."""
    lines = _head(
        "Tables", "Every table, by stage: its file, what one row is (and the columns that name it), its columns."
    )
    for stage, found in declared().items():
        lines += [f"## {stage}", ""]
        for table in found:
            lines += [f"### {table.name}", "", f"`{file_of(table, stage)}`. One row: {table.grain}."]
            lines += [f"Key: {', '.join(f'`{name}`' for name in table.key)}.", ""] if table.key else [""]
            lines += [_row("column", "type", "unit", "meaning"), "|---|---|---|---|"]
            lines += [_row(f"`{c.name}`", _type(c), c.unit, c.meaning) for c in table.columns]
            lines.append("")
    return "\n".join(lines)


def _values(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(json.dumps(value) for value in schema["enum"])
    kinds = schema.get("type", "")
    name = kinds if isinstance(kinds, str) else " or ".join(kinds)
    if name == "array" and "items" in schema:
        name = f"list of {_values(schema['items'])}"
    low = {"minimum": ">= ", "exclusiveMinimum": "> ", "maximum": "<= "}
    return ", ".join([name, *(f"{sign}{schema[key]}" for key, sign in low.items() if key in schema)])


def _default(schema: dict[str, Any]) -> str:
    return f"`{json.dumps(schema['default'])}`" if "default" in schema else ""


def keys(schema: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Yield each key below `schema` with its type, its default and its meaning."""
    required = schema.get("required", [])
    for name, inner in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        yield path, _values(inner), "required" if name in required else _default(inner), inner.get("description", "")
        yield from keys(inner, f"{path}.")
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        if more.get("description"):
            yield f"{prefix}<name>", _values(more), "", more["description"]
        yield from keys(more, f"{prefix}<name>.")


def config_page() -> str:
    """Return the page of all keys of the configuration."""
    schema = yaml.safe_load((ROOT / "schemas" / "config.schema.yaml").read_text(encoding="utf-8"))
    lines = _head(
        "Configuration",
        "Every key of a configuration; one that is not here is refused. `<name>` is a name of your own. "
        "The models of `demographics.consensus` and `audit.judge` are written like those of `models`.",
    )
    lines += [_row("key", "type", "default", "meaning"), "|---|---|---|---|"]
    lines += [_row(f"`{key}`", kind, default, meaning) for key, kind, default, meaning in keys(schema)]
    return "\n".join([*lines, ""])


def pages() -> dict[Path, str]:
    """Return the pages by the file that each goes to."""
    return {PAGES / "tables.md": tables_page(), PAGES / "config.md": config_page()}


def main(arguments: list[str]) -> int:
    """Write the pages where `--write` says so; else say how to."""
    if arguments != ["--write"]:
        print(f"Usage: {COMMAND}", file=sys.stderr)
        return 2
    PAGES.mkdir(parents=True, exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
