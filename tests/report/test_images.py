"""Every kind of figure looks as it did when somebody looked at it last, within a tolerance.

To draw the pictures anew after a change that is meant: UPDATE_IMAGES=1 pytest tests/report/test_images.py; then look
at each of tests/report/images before it is committed.
"""

import os
from itertools import product
from pathlib import Path

import pytest
from matplotlib.testing.compare import compare_images

from attribench.report import style
from attribench.report.covariate_balance import draw_covariate_balance
from attribench.report.disparity_figure import draw_disparity
from attribench.report.fame_accuracy import draw_fame_accuracy
from attribench.report.group_figures import draw_subgroup_accuracy
from attribench.report.model_heatmap import draw_model_heatmap
from attribench.report.overall_accuracy import draw_overall_accuracy

IMAGES = Path(__file__).parent / "images"
TOLERANCE = 4.0  # root mean squared difference of the channels, 0 to 255
DPI = 50


@pytest.fixture(scope="module")
def tables(simulated, models):
    return simulated(models[:3], subset=(models[2],))


def draw(name, tables, groups, models, prompts):
    shown, totals = models[:3], tables["overall"]
    by_group = tables["subgroups"]
    return {
        "bars": lambda: draw_overall_accuracy(totals, list(groups), shown, ["direct", "indirect"]),
        "groups": lambda: draw_subgroup_accuracy(by_group, groups, shown, ["direct", "indirect"]),
        "model": lambda: draw_model_heatmap(by_group, shown[2], groups, list(product(prompts, [False, True]))),
        "fame": lambda: draw_fame_accuracy(tables["fame_bins"], list(groups), shown, "direct"),
        "disparity": lambda: draw_disparity(tables["disparity"], totals, list(groups), shown, "direct"),
        "covariates": lambda: draw_covariate_balance(tables["covariates"], list(groups)),
    }[name]()


def save(figure, path):
    with style.house_style():
        figure.savefig(path, dpi=DPI, facecolor="white", metadata={"Software": None})
    return path


@pytest.mark.parametrize("name", ["bars", "groups", "model", "fame", "disparity", "covariates"])
def test_it_looks_as_before(name, tables, groups, models, prompts, tmp_path):
    figure = draw(name, tables, groups, models, prompts)
    if os.environ.get("UPDATE_IMAGES"):
        IMAGES.mkdir(exist_ok=True)
        save(figure, IMAGES / f"{name}.png")
    difference = compare_images(str(IMAGES / f"{name}.png"), str(save(figure, tmp_path / f"{name}.png")), TOLERANCE)
    assert difference is None, difference


def test_the_tolerance_sees_a_group_in_the_wrong_place(tables, groups, models, prompts, tmp_path):
    other = {**groups, "multirace": groups["multirace"][::-1]}
    figure = draw("groups", tables, other, models, prompts)
    assert compare_images(str(IMAGES / "groups.png"), str(save(figure, tmp_path / "groups.png")), TOLERANCE)


def test_the_tolerance_sees_one_bar_that_is_longer(tables, groups, models, prompts, tmp_path):
    overall = tables["overall"].copy()
    overall.loc[0, ["mean", "ci_low", "ci_high"]] += 0.1
    figure = draw("bars", {**tables, "overall": overall}, groups, models, prompts)
    assert compare_images(str(IMAGES / "bars.png"), str(save(figure, tmp_path / "bars.png")), TOLERANCE)
