"""Our results beside those that the paper prints in its text."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from attribench.report.labels import METRICS
from attribench.report.text_table import TextTable, number
from attribench.tables.analysis import OVERALL, PAIRWISE
from attribench.tables.report import BESIDE_PAPER


def paper_models(ids: Mapping[str, str], paper: pd.DataFrame) -> dict[str, str]:
    """Return, for each of our models that the paper has, the paper's slug of it.

    Args:
        ids: what is asked for each of our slugs, as litellm spells it.
        paper: the table PAPER_MODELS.
    """
    known = {
        _normal(name): row["model"]
        for row in paper.to_dict("records")
        for name in (row["model"], row["version"], *(row["also"].split(";") if isinstance(row["also"], str) else []))
    }
    found = {slug: known.get(_normal(slug), known.get(_normal(asked))) for slug, asked in ids.items()}
    return {slug: theirs for slug, theirs in found.items() if theirs}


def _normal(name: str) -> str:
    return name.rpartition("/")[2].strip().lower()


def beside_paper(
    overall: pd.DataFrame, pairwise: pd.DataFrame, results: pd.DataFrame, ours: Mapping[str, str]
) -> pd.DataFrame:
    """Return the table BESIDE_PAPER.

    Args:
        overall: the table OVERALL.
        pairwise: the table PAIRWISE.
        results: the table PAPER_RESULTS.
        ours: for each of our models that the paper has, the paper's slug of it.
    """
    means = {tuple(row[key] for key in OVERALL.key): row for row in overall.to_dict("records")}
    differences = {tuple(row[key] for key in PAIRWISE.key): row for row in pairwise.to_dict("records")}
    rows = []
    for row in results.astype(object).where(results.notna(), None).to_dict("records"):
        names = [slug for slug, theirs in ours.items() if row["model"] in (None, theirs)]
        found = {name: _gap(differences, row, name) if row["group"] else _share(means, row, name) for name in names}
        known = {name: estimate for name, estimate in found.items() if estimate is not None}
        if row["model"] is not None:
            rows += [_line(row, name, estimate, 1) for name, estimate in known.items()]
        elif known:
            mean = sum(value for value, _, _ in known.values()) / len(known)
            rows.append(_line(row, "", (mean, None, None), len(known)))
    return pd.DataFrame(rows, columns=BESIDE_PAPER.names)


Estimate = tuple[float, float | None, float | None]
Rows = Mapping[tuple[Any, ...], Mapping[Any, Any]]


def _share(means: Rows, row: Mapping[Any, Any], model: str) -> Estimate | None:
    own = means.get((row["dataset"], model, row["metric"], row["prompt"], row["evidence"]))
    return (100 * own["mean"], 100 * own["ci_low"], 100 * own["ci_high"]) if own else None


def _gap(differences: Rows, row: Mapping[Any, Any], model: str) -> Estimate | None:
    """Return the difference between two groups, which `pairwise` has one way round only."""
    key = (row["dataset"], model, row["metric"], row["prompt"], row["evidence"])
    if own := differences.get((*key, row["group"], row["other"])):
        return 100 * own["difference"], 100 * own["ci_low"], 100 * own["ci_high"]
    if own := differences.get((*key, row["other"], row["group"])):
        return -100 * own["difference"], -100 * own["ci_high"], -100 * own["ci_low"]
    return None


def _line(row: Mapping[Any, Any], model: str, ours: Estimate, models: int) -> dict[str, Any]:
    same = {name: row[name] for name in ("dataset", "metric", "prompt", "evidence", "place")}
    groups = {name: row[name] or "" for name in ("group", "other")}
    value = dict(zip(("value", "ci_low", "ci_high"), ours, strict=True))
    return {
        **same, **groups, **value, "model": model, "models": models,
        "paper_low": row["low"], "paper_high": row["high"],
    }  # fmt: skip


def beside_paper_table(rows: pd.DataFrame) -> TextTable:
    """Return the table BESIDE_PAPER as it is read."""
    cells = []
    for row in rows.to_dict("records"):
        what = f"{METRICS[row['metric']]}, {row['prompt']}{' + evidence' if row['evidence'] else ''}"
        what += f": {row['group']} less {row['other']}" if row["group"] else ""
        known = row["ci_low"] is not None and not pd.isna(row["ci_low"])
        interval = f"{row['ci_low']:.1f} to {row['ci_high']:.1f}" if known else ""
        name = row["model"] or f"mean of {row['models']}"
        cells.append([name, row["dataset"], what, row["place"], number(row["value"], 1), interval, paper_text(row)])
    legend = (
        "Percent, or percentage points for a difference between groups. The paper's figures are those that Berman et "
        "al. 2026 print in their text; a mean is over the paper's eleven models there, and over those of them that "
        "are in this run here."
    )
    header = ["Model", "Data set", "What", "Paper: where", "Ours", "95 % CI", "Paper"]
    return TextTable("Our results beside the paper's", header, cells, legend)


def paper_text(row: Mapping[Any, Any]) -> str:
    """Return what the paper gives: a figure, a range, or that it is under a bound."""
    low, high = row["paper_low"], row["paper_high"]
    if low == high:
        return f"{low:g}" if row["group"] else f"{low:.1f}"
    return f"under {high:g}" if low == 0 else f"{low:g} to {high:g}"
