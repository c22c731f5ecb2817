"""Step: accuracy of each model by group (Berman et al. 2026, Figure 5)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.model_grid import Band, draw_model_grid
from attribench.step import run
from attribench.tables import read
from attribench.tables.analysis import OVERALL, SUBGROUPS


def main(
    *,
    overall: Path,
    subgroups: Path,
    groups: dict[str, list[str]],
    models: list[str],
    prompts: list[str],
    png: Path,
    pdf: Path,
) -> None:
    """Draw Figure 5 from the table `subgroups`; `overall` gives the means that colours depart from."""
    tables = read(subgroups, SUBGROUPS), read(overall, OVERALL)
    style.save(draw_subgroup_accuracy(tables, groups, models, prompts), png, pdf)


def draw_subgroup_accuracy(
    tables: tuple[pd.DataFrame, pd.DataFrame],
    groups: Mapping[str, Sequence[str]],
    models: Sequence[str],
    prompts: Sequence[str],
    *,
    evidence: bool = False,
) -> Figure:
    """Return heatmaps of accuracy, models × groups, for each prompt and data set."""
    bands = [Band(prompt, "accuracy", prompt, evidence) for prompt in prompts]
    setting = "with" if evidence else "without"
    return draw_model_grid(
        tables, f"Attribution accuracy by group, % correct, {setting} evidence", bands, groups, models
    )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
