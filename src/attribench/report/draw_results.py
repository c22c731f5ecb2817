"""Step: accuracy and suppression of the models (Berman et al. 2026, Figures 4 to 7 and 11 to 13)."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from attribench.report import style
from attribench.report.group_figures import draw_both_settings, draw_subgroup_accuracy, draw_suppression
from attribench.report.overall_accuracy import draw_overall_accuracy
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
    unanswered: str,
    figures: list[Path],
) -> None:
    """Draw those figures that `figures` names, each as PNG there and as PDF beside it.

    `groups`, `models` and `prompts` give the order; the prompts are those of Figures 4, 5, 11 and 12.
    """
    totals = read(overall, OVERALL)
    by_group = read(subgroups, SUBGROUPS)
    bars = partial(draw_overall_accuracy, totals, list(groups), models, prompts, unanswered=unanswered)
    cells = partial(draw_subgroup_accuracy, by_group, groups, models, prompts, unanswered=unanswered)
    drawn: dict[str, Callable[[], Figure]] = {
        "figure_4_overall_accuracy": bars,
        "figure_5_subgroup_accuracy": cells,
        "figure_6_s_omit": partial(draw_suppression, by_group, "s_omit", groups, models, unanswered=unanswered),
        "figure_7_s_evid": partial(draw_suppression, by_group, "s_evid", groups, models, unanswered=unanswered),
        "figure_11_accuracy_with_evidence": partial(bars, evidence=True),
        "figure_12_subgroup_accuracy_with_evidence": partial(cells, evidence=True),
        "figure_13_indirect_overt": partial(
            draw_both_settings, by_group, groups, models, "indirect_overt", unanswered=unanswered
        ),
    }
    for png in figures:
        style.save(drawn[png.stem](), png)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
