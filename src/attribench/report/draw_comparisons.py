"""Step: fame, disparity and covariates: Figure 8 of Berman et al. 2026 and two of our own."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.covariate_balance import draw_covariate_balance
from attribench.report.disparity_figure import draw_disparity
from attribench.report.fame_accuracy import draw_fame_accuracy
from attribench.step import run
from attribench.tables import read
from attribench.tables.analysis import DISPARITY, FAME_BINS, OVERALL
from attribench.tables.covariates import COVARIATES


def main(
    *,
    overall: Path,
    fame_bins: Path,
    disparity: Path,
    covariates: Path,
    datasets: list[str],
    models: list[str],
    prompt: str,
    unanswered: str,
    figures: list[Path],
) -> None:
    """Draw those figures that `figures` names, each as PNG there and as PDF beside it.

    `datasets` and `models` give the order; `prompt` is the one whose accuracy is shown.
    """
    order = (datasets, models, prompt)
    drawn: dict[str, Callable[[], Figure]] = {
        "figure_8_fame": partial(draw_fame_accuracy, read(fame_bins, FAME_BINS), *order, unanswered=unanswered),
        "disparity": partial(
            draw_disparity, read(disparity, DISPARITY), read(overall, OVERALL), *order, unanswered=unanswered
        ),
        "covariate_balance": partial(draw_covariate_balance, read(covariates, COVARIATES), datasets),
    }
    for png in figures:
        style.save(drawn[png.stem](), png)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
