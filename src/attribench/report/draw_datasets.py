"""Step: the corpus's authors and the balanced data sets (Berman et al. 2026, Figures 9 and 10)."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.demographics_figure import draw_demographics
from attribench.report.fame_distribution import draw_fame_distribution
from attribench.step import run
from attribench.tables import read
from attribench.tables.balance import BENCHMARK
from attribench.tables.demographics import LABELS
from attribench.tables.report import PAPER_CORPUS_LABELS, PAPER_TABLE_2


def main(
    *,
    labels: list[Path],
    benchmarks: list[Path],
    paper_labels: Path,
    paper_table_2: Path,
    groups: dict[str, list[str]],
    figures: list[Path],
) -> None:
    """Draw those figures that `figures` names, each as PNG there and as PDF beside it.

    Args:
        labels: the table LABELS; no file where every data set was handed in, and so no Figure 9.
        benchmarks: the table BENCHMARK of each data set.
        paper_labels: the table PAPER_CORPUS_LABELS.
        paper_table_2: the table PAPER_TABLE_2.
        groups: the groups of each data set, in the order of `benchmarks`.
        figures: where to.
    """
    drawn: dict[str, Callable[[], Figure]] = {
        "figure_9_demographics": lambda: draw_demographics(
            read(labels[0], LABELS), read(paper_labels, PAPER_CORPUS_LABELS)
        ),
        "figure_10_fame_distribution": lambda: draw_fame_distribution(
            _authors(dict(zip(groups, benchmarks, strict=True))), groups, read(paper_table_2, PAPER_TABLE_2)
        ),
    }
    for png in figures:
        style.save(drawn[png.stem](), png)


def _authors(benchmarks: dict[str, Path]) -> pd.DataFrame:
    columns = ["group", "author_id", "log10_hits"]
    return pd.concat(
        [read(path, BENCHMARK, columns).assign(dataset=name) for name, path in benchmarks.items()], ignore_index=True
    )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
