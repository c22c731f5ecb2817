"""Step: the accuracy of each model in each condition, as CSV and as Markdown."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.report import labels
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.analysis import OVERALL

_HEADER = (
    "Model", "Data set", "Prompt", "Evidence", "Accuracy, %", "95 % CI", "Quotes", "Without text", "Missing", "Note",
)  # fmt: skip
_ALIGNMENT = ("---", "---", "---", "---", "---:", "---:", "---:", "---:", "---:", "---")
_UNANSWERED = {
    "exclude": "Answers without text are left out of the accuracy.",
    "none": "Answers without text count as naming nobody.",
}
_SPECIAL = re.compile(r"([\\`*_\[\]|~])")


def main(
    *,
    overall: Path,
    datasets: list[str],
    models: list[str],
    prompts: list[str],
    unanswered: str,
    csv: Path,
    markdown: Path,
) -> None:
    """Write the accuracy table twice; `csv` has the columns of the table `overall`."""
    rows = accuracy_rows(read(overall, OVERALL), models, datasets, prompts)
    write(rows, csv, OVERALL)
    markdown.parent.mkdir(parents=True, exist_ok=True)
    markdown.write_text(accuracy_markdown(rows, unanswered), encoding="utf-8")


def accuracy_rows(overall: pd.DataFrame, models: list[str], datasets: list[str], prompts: list[str]) -> pd.DataFrame:
    """Return the rows about accuracy, by model, data set, prompt and evidence in the given order."""
    rows = overall[overall["metric"] == "accuracy"]
    places: dict[str, list[Any]] = {
        "model": models,
        "dataset": datasets,
        "prompt": prompts,
        "evidence": [False, True],
    }
    keys = [rows[name].map({value: i for i, value in enumerate(order)}) for name, order in places.items()]
    order = pd.concat(keys, axis="columns").sort_values(list(places), kind="stable").index
    return rows.loc[order].reset_index(drop=True)


def accuracy_markdown(rows: pd.DataFrame, unanswered: str) -> str:
    """Return `rows` of the table `overall` as a Markdown table with its legend."""
    lines = [_line(_HEADER), _line(_ALIGNMENT)]
    for row in rows.to_dict("records"):
        model = escape_markdown(str(row["model"])) + (f" {labels.DAGGER}" if row["is_subset"] else "")
        texts = [escape_markdown(str(row[name])) for name in ("dataset", "prompt")]
        counts = [f"{row[name]:,}" for name in ("n_quotes", "n_unanswered", "n_missing")]
        note = escape_markdown(row["note"]) if isinstance(row["note"], str) else ""
        interval = _percent(row["ci_low"]) and f"{_percent(row['ci_low'])} to {_percent(row['ci_high'])}"
        evidence = "yes" if row["evidence"] else "no"
        lines.append(_line([model, *texts, evidence, _percent(row["mean"]), interval, *counts, note]))
    legend = [
        "Accuracy is the mean over quotes; a quote's value is the share of its generations that name the true",
        f"author. {_UNANSWERED[unanswered]} Missing answers could not be had and are never scored.",
    ]
    if rows["is_subset"].any():
        legend.append(escape_markdown(labels.SUBSET))
    return "# Attribution accuracy\n\n" + "\n".join(lines) + "\n\n" + "\n".join(legend) + "\n"


def escape_markdown(text: str) -> str:
    """Return `text` so that it is shown as it is in a Markdown table: no markup, HTML or new line."""
    return _SPECIAL.sub(r"\\\1", escape(" ".join(text.split()), quote=False))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(share: float) -> str:
    return "" if pd.isna(share) else f"{100 * share:.1f}"


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
