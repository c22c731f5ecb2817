"""Step: suppression by each model and group (Berman et al. 2026, Figures 6 and 7)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.model_grid import Band, draw_model_grid
from attribench.step import run
from attribench.tables import read
from attribench.tables.analysis import OVERALL, SUBGROUPS

_TITLES = {
    "s_omit": "Omission suppression, % of answers that name nobody",
    "s_evid": "Evidence-conditioned suppression, % of answers that do not name the true author",
}


def main(
    *,
    overall: Path,
    subgroups: Path,
    groups: dict[str, list[str]],
    models: list[str],
    s_omit_png: Path,
    s_omit_pdf: Path,
    s_evid_png: Path,
    s_evid_pdf: Path,
) -> None:
    """Draw Figures 6 and 7 from the table `subgroups`; `overall` gives the models' means."""
    tables = read(subgroups, SUBGROUPS), read(overall, OVERALL)
    for metric, png, pdf in (("s_omit", s_omit_png, s_omit_pdf), ("s_evid", s_evid_png, s_evid_pdf)):
        style.save(draw_suppression(tables, metric, groups, models), png, pdf)


def draw_suppression(
    tables: tuple[pd.DataFrame, pd.DataFrame],
    metric: str,
    groups: Mapping[str, Sequence[str]],
    models: Sequence[str],
) -> Figure:
    """Return heatmaps of `metric` (`s_omit` or `s_evid`), models × groups, for each data set."""
    bands = [Band("", metric, "indirect", evidence=metric == "s_evid")]
    return draw_model_grid(tables, _TITLES[metric], bands, groups, models)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
