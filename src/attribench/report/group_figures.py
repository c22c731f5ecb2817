"""Accuracy and suppression of each model by group (Berman et al. 2026, Figures 5 to 7, 12 and 13)."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from attribench.report.model_grid import Band, draw_model_grid

_SUPPRESSION = {
    "s_omit": "Omission suppression, % of answers that name nobody",
    "s_evid": "Evidence-conditioned suppression, % of answers that do not name the true author",
}


def draw_subgroup_accuracy(
    subgroups: pd.DataFrame,
    groups: Mapping[str, Sequence[str]],
    models: Sequence[str],
    prompts: Sequence[str],
    *,
    evidence: bool = False,
    unanswered: str = "exclude",
) -> Figure:
    """Return heatmaps of accuracy, models × groups, for each prompt and data set (Figures 5 and 12).

    Args:
        subgroups: the table SUBGROUPS.
        groups: the groups of each data set, in order, as models and prompts are.
        models: slugs of the models.
        prompts: the prompts, one row of panels each.
        evidence: whether the cells are about the prompts with evidence.
        unanswered: what became of answers without text: `exclude` or `none`.
    """
    bands = [Band(prompt, "accuracy", prompt, evidence) for prompt in prompts]
    title = f"Attribution accuracy by group, % correct, {'with' if evidence else 'without'} evidence"
    return draw_model_grid(subgroups, title, bands, groups, models, unanswered)


def draw_both_settings(
    subgroups: pd.DataFrame,
    groups: Mapping[str, Sequence[str]],
    models: Sequence[str],
    prompt: str,
    *,
    unanswered: str = "exclude",
) -> Figure:
    """Return heatmaps of accuracy with one prompt, without and with evidence, for each data set (Figure 13)."""
    bands = [Band(f"{'with' if e else 'without'} evidence", "accuracy", prompt, e) for e in (False, True)]
    title = f"Attribution accuracy by group, % correct, with the {prompt} prompt"
    return draw_model_grid(subgroups, title, bands, groups, models, unanswered)


def draw_suppression(
    subgroups: pd.DataFrame,
    metric: str,
    groups: Mapping[str, Sequence[str]],
    models: Sequence[str],
    *,
    unanswered: str = "exclude",
) -> Figure:
    """Return heatmaps of `metric` (`s_omit` or `s_evid`), models × groups, for each data set (Figures 6 and 7)."""
    bands = [Band("", metric, "indirect", evidence=metric == "s_evid")]
    return draw_model_grid(subgroups, _SUPPRESSION[metric], bands, groups, models, unanswered)
