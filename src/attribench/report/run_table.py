"""What a run was made with: code, packages, and the files that were asked about."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.report.text_table import TextTable

_COST = ("usd", "unpriced")  # of the table of what was spent, where they stand after the counts
_DIGITS = 12  # of a checksum

# How columns of other stages' tables are called, where not by their name: whole names, then single words.
_HEADINGS = {
    "dataset": "Data set", "n": "Answers", "n_authors": "Authors", "expected": "True outcome", "value": "Which",
    "error_rate": "Share wrong", "ci_low": "95 % CI, from", "ci_high": "95 % CI, to",
    "difference_low": "Difference, from", "difference_high": "Difference, to",
    "usd": "Cost, USD", "unpriced": "Answers without a price", "ok": "Complete", "truncated": "Cut off",
    "n_sampled": "Sampled", "n_judged": "Judged", "n_agree": "Judged alike",
    "kappa_low": "Kappa, from", "kappa_high": "Kappa, to", "one": "The one", "other": "The other",
}  # fmt: skip
_WORDS = {
    "smd": "SMD of", "log10": "fame, log10", "min": "least", "max": "greatest", "q25": "25 % quantile of",
    "q75": "75 % quantile of", "median": "median", "is": "", "mean": "mean",
}  # fmt: skip


def run_table(manifests: Sequence[Mapping[str, Any]]) -> TextTable:
    """Return what each model's answers were made with, from the manifests of all models and data sets."""
    rows = [
        [
            manifest["model"]["name"],
            manifest["dataset"],
            _commit(manifest.get("commit")),
            manifest.get("python", ""),
            ", ".join(f"{name} {v}" for name, v in manifest.get("packages", {}).items() if v),
            *(str(manifest.get(f"{file}_sha256", ""))[:_DIGITS] for file in ("benchmark", "evidence")),
            str(manifest.get("prompt_set", {}).get("sha256", ""))[:_DIGITS],
            " ".join(manifest.get("remarks", [])),
        ]
        for manifest in manifests
    ]
    header = ["Model", "Data set", "Commit", "Python", "Packages", "Benchmark", "Evidence", "Prompts", "Remarks"]
    legend = f"The first {_DIGITS} digits of the files' sha256; manifest.json beside the answers has the rest."
    return TextTable("Code and files", header, rows, legend)


def csv_table(path: Path, title: str) -> TextTable:
    """Return a table of another stage as it is read: numbers that are not whole have three decimals.

    What something cost stands before the counts.
    """
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    if set(_COST) <= set(frame.columns):
        place = list(frame.columns).index("answers")
        order = [c for c in frame.columns if c not in _COST]
        frame = frame[[*order[:place], *_COST, *order[place:]]]
    columns = [_heading(name) for name in frame.columns]
    return TextTable(title, columns, [[_shown(cell) for cell in row] for row in frame.to_numpy()])


def _heading(column: str) -> str:
    """Return how a column is called: as the field calls it, and never by an abbreviation of ours."""
    words = " ".join(_WORDS.get(word, word) for word in column.split("_")).strip()
    return _HEADINGS.get(column, words[:1].upper() + words[1:])


def _commit(commit: Mapping[str, Any] | None) -> str:
    if not commit:
        return "unknown"
    return f"{commit['sha1'][:_DIGITS]}{' and changes' if commit['dirty'] else ''}"


def _shown(cell: str) -> str:
    if cell in ("true", "false"):
        return "yes" if cell == "true" else "no"
    try:
        value = float(cell)
    except ValueError:
        return cell
    if value.is_integer() and cell.lstrip("-").isdigit():
        return f"{int(cell):,}"
    return f"{value:.3f}"
