"""The tables that the report writes, from those of the other stages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.report import accuracy_table, analysis_tables, beside_paper, dataset_tables, model_table
from attribench.report.group_table import group_table
from attribench.report.text_table import TextTable
from attribench.tables import Table, read
from attribench.tables.analysis import (
    ADJUSTED,
    DISPARITY,
    FAME_CORRELATION,
    GENERATIONS,
    OVERALL,
    PAIRWISE,
    POWER,
    SENSITIVITY,
    SUBGROUPS,
)
from attribench.tables.balance import GROUP_FAME, RUNS
from attribench.tables.covariates import COVARIATES
from attribench.tables.report import (
    BESIDE_PAPER,
    GROUP_FAME_BESIDE_PAPER,
    MODELS,
    PAPER_MODELS,
    PAPER_RESULTS,
    PAPER_TABLE_2,
    PAPER_TABLE_3,
    SELECTED_RUNS,
)

_ANALYSIS: dict[str, tuple[Table, Callable[[pd.DataFrame], TextTable]]] = {
    "disparity": (DISPARITY, analysis_tables.disparity_table),
    "covariates": (COVARIATES, analysis_tables.covariate_table),
    "adjusted": (ADJUSTED, analysis_tables.adjusted_table),
    "sensitivity": (SENSITIVITY, analysis_tables.sensitivity_table),
    "power": (POWER, analysis_tables.power_table),
    "generations": (GENERATIONS, analysis_tables.generation_table),
    "fame_correlation": (FAME_CORRELATION, analysis_tables.correlation_table),
}


@dataclass(frozen=True)
class Named:
    """What the configuration names: models with what is asked for them, and everything in its order."""

    groups: Mapping[str, Sequence[str]]
    models: Mapping[str, str]
    prompts: Sequence[str]
    evidence: Sequence[bool]
    unanswered: str


@dataclass(frozen=True)
class Written:
    """A table: what goes into the CSV, its declaration, and how it is read."""

    frame: pd.DataFrame
    table: Table
    texts: TextTable


def result_tables(
    analysis: Mapping[str, Path], paper: Mapping[str, Path], manifests: Sequence[Mapping[str, Any]], named: Named
) -> dict[str, Written]:
    """Return the tables about models, by the stem of their files.

    Args:
        analysis: the files of the tables of the stage analysis, by stem.
        paper: the files of the paper's figures, by stem.
        manifests: what stands beside the answers of each model and data set.
        named: what the configuration names.
    """
    overall, subgroups = read(analysis["overall"], OVERALL), read(analysis["subgroups"], SUBGROUPS)
    versions = read(paper["models"], PAPER_MODELS)
    ours = beside_paper.paper_models(named.models, versions)
    beside = beside_paper.beside_paper(
        overall, read(analysis["pairwise"], PAIRWISE), read(paper["results"], PAPER_RESULTS), ours
    )
    models = model_table.models(manifests, versions, ours)
    order = list(named.models), list(named.groups), list(named.prompts)
    accuracy = accuracy_table.accuracy_rows(overall, *order)
    found = {
        "accuracy": Written(accuracy, OVERALL, accuracy_table.accuracy_table(accuracy, named.unanswered)),
        "beside_paper": Written(beside, BESIDE_PAPER, beside_paper.beside_paper_table(beside)),
        "table_4_models": Written(models, MODELS, model_table.model_table(models)),
    }
    for dataset, names in named.groups.items():
        own = subgroups[subgroups["dataset"] == dataset]
        texts = group_table(overall, own, dataset, names, (order[2], order[0]), named.unanswered)
        found[f"groups_{dataset}"] = Written(own, SUBGROUPS, texts)
    for stem, (table, shown) in _ANALYSIS.items():
        frame = read(analysis[stem], table)
        found[stem] = Written(frame, table, shown(frame))
    return found


def data_tables(
    runs: Mapping[str, Path], group_fame: Mapping[str, Path], paper: Mapping[str, Path]
) -> dict[str, Written]:
    """Return Tables 2 and 3, by the stem of their files, from the files of each data set that was built."""
    if not runs:
        return {}
    selected = dataset_tables.selected_runs(
        {name: read(path, RUNS) for name, path in runs.items()}, read(paper["table_2"], PAPER_TABLE_2)
    )
    fame = dataset_tables.beside_paper(
        {name: read(path, GROUP_FAME) for name, path in group_fame.items()}, read(paper["table_3"], PAPER_TABLE_3)
    )
    return {
        "table_2_selected_runs": Written(selected, SELECTED_RUNS, dataset_tables.runs_table(selected)),
        "table_3_group_fame": Written(fame, GROUP_FAME_BESIDE_PAPER, dataset_tables.fame_table(fame)),
    }
