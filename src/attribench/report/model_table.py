"""The models, their versions, and how they were asked (Berman et al. 2026, Table 4)."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from attribench.report.text_table import TextTable, number, text_of
from attribench.tables.report import MODELS


def models(manifests: Sequence[Mapping[str, Any]], paper: pd.DataFrame, ours: Mapping[str, str]) -> pd.DataFrame:
    """Return the table MODELS from the manifests of all models and data sets.

    Args:
        manifests: what stands beside the answers of each model and data set.
        paper: the table PAPER_MODELS.
        ours: for each of our models that the paper has, the paper's slug of it.
    """
    versions = paper.set_index("model")["version"].to_dict()
    rows = [
        {
            "dataset": manifest["dataset"],
            "model": manifest["model"]["name"],
            "id": manifest["model"]["id"],
            "endpoint": manifest["model"]["endpoint"]["kind"],
            "served": "; ".join(manifest["served_models"]) or None,
            "sent": "; ".join(f"{name}={value}" for name, value in manifest["parameters_sent"].items()),
            "left_out": "; ".join(manifest["parameters_left_out"]) or None,
            "matchings": manifest["matchings_asked"],
            "matchings_in_benchmark": manifest["matchings_in_benchmark"],
            "answers": manifest["answers"],
            "first_answer": manifest["first_answer"],
            "last_answer": manifest["last_answer"],
            "paper_version": versions.get(ours.get(manifest["model"]["name"], "")),
        }
        for manifest in manifests
    ]
    return pd.DataFrame(rows, columns=MODELS.names)


def model_table(found: pd.DataFrame) -> TextTable:
    """Return the table MODELS as it is read."""
    rows = [
        [
            *(text_of(row[name]) for name in ("model", "dataset", "id", "served", "sent", "left_out")),
            " to ".join(dict.fromkeys(text_of(row[name])[:10] for name in ("first_answer", "last_answer"))),
            text_of(row["paper_version"]),
            f"{number(row['matchings'], 0)} of {number(row['matchings_in_benchmark'], 0)}",
            number(row["answers"], 0),
        ]
        for row in found.to_dict("records")
    ]
    header = [
        "Model", "Data set", "Asked for", "Served", "Sent", "Left out", "Answered on", "Paper: version", "Matchings",
        "Answers",
    ]  # fmt: skip
    legend = (
        "Served is what the service says it used. Left out are parameters that the service does not take. "
        "The paper's versions are those of Berman et al. 2026, Table 4."
    )
    return TextTable("Models and versions", header, rows, legend)
