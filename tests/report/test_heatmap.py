"""The cells of a heatmap: numbers, colours, bold and stars."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from attribench.report import style
from attribench.report.heatmap import Cells, colour_limit, draw_cells, draw_nothing, make_cells, with_gain

CONDITION = {"dataset": "d", "model": "m", "prompt": "indirect", "evidence": False}


def cells_of(percent, gain, is_best=None, is_star=None, is_few=None):
    percent, gain = pd.DataFrame(percent, dtype=float), pd.DataFrame(gain, dtype=float)
    flags = [pd.DataFrame(np.zeros(percent.shape, bool) if f is None else f) for f in (is_best, is_star, is_few)]
    return Cells(percent, gain, *flags)


def drawn(cells, limit):
    with style.house_style():
        figure = style.new_figure(4, 3)
        axes = figure.subplots()
        draw_cells(axes, cells, limit)
        figure.canvas.draw()
    return axes


@pytest.mark.parametrize(("metric", "sign"), [("accuracy", 1), ("s_omit", -1), ("s_evid", -1)])
def test_gain_is_positive_for_the_better_end_of_each_metric(metric, sign):
    subgroups = pd.DataFrame([{**CONDITION, "metric": metric, "group": "g", "mean": 0.30, "model_mean": 0.25}])
    assert with_gain(subgroups)["gain"].tolist() == pytest.approx([sign * 5.0])


def test_cells_come_in_the_given_order_and_missing_ones_stay_empty():
    rows = pd.DataFrame(
        {
            "model": ["m"],
            "group": ["b"],
            "n_quotes": [9],
            "mean": [0.5],
            "gain": [2.0],
            "is_best": [True],
            "is_star": [True],
        }
    )
    cells = make_cells(rows, "model", "group", (["m", "n"], ["a", "b"]))
    assert cells.percent.to_numpy().tolist()[0][1] == 50.0
    assert cells.percent.isna().to_numpy().sum() == 3
    assert cells.is_best.to_numpy().tolist() == [[False, True], [False, False]]
    assert cells.is_few.all(axis=None)
    enough = make_cells(rows.assign(n_quotes=10), "model", "group", (["m"], ["b"]))
    assert not enough.is_few.any(axis=None)
    assert not make_cells(rows.iloc[:0], "model", "group", (["m"], ["a"])).has_data


def test_the_limit_is_the_largest_distance_of_all_panels():
    panels = [cells_of([[1]], [[-7.5]]), cells_of([[1]], [[3]]), cells_of([[np.nan]], [[np.nan]])]
    assert colour_limit(panels) == 7.5
    assert colour_limit([cells_of([[1]], [[0.01]])]) == 5.0
    assert colour_limit([]) == 5.0


def test_numbers_bold_and_stars():
    axes = drawn(
        cells_of([[1.04, 22.25], [np.nan, 100]], [[0, 9], [np.nan, -9]], [[0, 1], [0, 0]], [[0, 1], [0, 0]]), 9
    )
    assert [text.get_text() for text in axes.texts] == ["1.0", "22.2*", "100.0"]
    assert [text.get_fontweight() for text in axes.texts] == ["normal", "bold", "normal"]
    assert [text.get_position() for text in axes.texts] == [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5)]


def test_cells_with_few_quotes_are_hatched():
    axes = drawn(cells_of([[1, 2]], [[0, 5]], is_few=[[True, False]]), 5)
    few = [patch for patch in axes.patches if patch.get_hatch() and patch.get_x() < 1 and not patch.get_fill()]
    assert len(few) == 1
    assert [bool(text.get_path_effects()) for text in axes.texts] == [True, False]


def test_blue_is_better_red_is_worse_and_limits_are_symmetric():
    axes = drawn(cells_of([[1, 2, 3]], [[-5, 0, 5]]), 5)
    (mesh,) = axes.collections
    assert mesh.get_clim() == (-5, 5)
    worse, same, better = mesh.to_rgba(mesh.get_array().ravel())[:, :3]
    assert worse[0] > worse[2]
    assert better[2] > better[0]
    assert same.min() > 0.9


def test_text_stands_out_from_every_colour():
    def luminance(colour):
        rgb = np.array(to_rgb(colour))
        return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]

    gains = np.linspace(-1, 1, 41)[None, :]
    axes = drawn(cells_of(np.ones_like(gains), gains), 1)
    colours = mpl.colormaps[style.DIVERGING](np.linspace(0, 1, 41))
    for text, colour in zip(axes.texts, colours, strict=True):
        light, dark = sorted([luminance(text.get_color()), luminance(colour[:3])], reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_a_panel_without_data_says_so():
    with style.house_style():
        axes = style.new_figure(3, 2).subplots()
        draw_nothing(axes, "not asked: the indirect prompt")
    assert axes.texts[0].get_text() == "not asked: the indirect prompt"
