"""The figures of the paper and of a model: what stands on them, whatever the config names."""

import os
import re
import subprocess
import sys
from itertools import product

import numpy as np
import pandas as pd
import pytest

from attribench.report import (
    draw_model_heatmap,
    draw_overall_accuracy,
    draw_subgroup_accuracy,
    draw_suppression,
)
from attribench.tables import write
from attribench.tables.analysis import OVERALL, SUBGROUPS

pytestmark = pytest.mark.filterwarnings("error")

MAIN = ["direct", "indirect"]


def panels(figure):
    """Return the axes that are no colour bar."""
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


def numbers(axes):
    return [text.get_text() for text in axes.texts if re.fullmatch(r"\d+\.\d\*?", text.get_text())]


def names(labels):
    return [label.get_text().replace("\n", " ") for label in labels]


def rows_of(table, **values):
    """Return the rows of `table` that have these values."""
    return table[(table[list(values)] == pd.Series(values)).all(axis=1)]


def all_figures(tables, groups, models, prompts, evidence=(False, True)):
    return {
        "4": draw_overall_accuracy.draw_overall_accuracy(tables[1], list(groups), models, MAIN),
        "5": draw_subgroup_accuracy.draw_subgroup_accuracy(tables, groups, models, MAIN),
        "6": draw_suppression.draw_suppression(tables, "s_omit", groups, models),
        "7": draw_suppression.draw_suppression(tables, "s_evid", groups, models),
        "model": draw_model_heatmap.draw_model_heatmap(tables, models[0], groups, list(product(prompts, evidence))),
    }


@pytest.mark.parametrize("n_models", [1, 2, 11])
def test_overall_accuracy(made_up, groups, models, n_models):
    shown = models[:n_models]
    _, overall = made_up(shown, subset=(shown[-1],))
    figure = draw_overall_accuracy.draw_overall_accuracy(overall, list(groups), shown, MAIN)
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(groups)
    assert names(figure.axes[0].get_yticklabels()) == [*shown[:-1], f"{shown[-1]} †"]
    for axes, dataset in zip(figure.axes, groups, strict=True):
        wanted = rows_of(overall, dataset=dataset, metric="accuracy", evidence=False)
        expected = [f"{100 * m:.1f}" for p in MAIN for m in wanted[wanted["prompt"] == p]["mean"]]
        assert numbers(axes) == expected
        assert [bar.get_width() for bar in axes.patches] == pytest.approx(
            [100 * m for p in MAIN for m in wanted[wanted["prompt"] == p]["mean"]]
        )
        assert axes.get_xlim() == figure.axes[0].get_xlim()
    # The bars of the first model are at the top, and every name is between its bars.
    assert figure.axes[0].yaxis_inverted()
    assert "part of the quotes" in figure.get_supxlabel().replace("\n", " ")


@pytest.mark.parametrize("n_models", [1, 2, 11])
def test_subgroup_accuracy(made_up, groups, models, n_models):
    shown = models[:n_models]
    tables = made_up(shown)
    figure = draw_subgroup_accuracy.draw_subgroup_accuracy(tables, groups, shown, MAIN)
    titles = [axes.get_title(loc="left") for axes in panels(figure)]
    assert titles == [f"{dataset}: {prompt}" for prompt in MAIN for dataset in groups]
    assert names(panels(figure)[0].get_yticklabels()) == shown
    for axes, (prompt, dataset) in zip(panels(figure), product(MAIN, groups), strict=True):
        assert names(axes.get_xticklabels()) == groups[dataset]
        rows = rows_of(tables[0], dataset=dataset, metric="accuracy", evidence=False, prompt=prompt)
        star = {True: "*", False: ""}
        assert numbers(axes) == [f"{100 * r['mean']:.1f}{star[r['is_star']]}" for r in rows.to_dict("records")]
        bold = [text.get_fontweight() == "bold" for text in axes.texts if text.get_text() in numbers(axes)]
        assert bold == rows["is_best"].tolist()
        assert "n = 300 quotes per cell" in [text.get_text() for text in axes.texts]
    limits = {axes.collections[0].get_clim() for axes in panels(figure)}
    assert len(limits) == 1
    assert np.sum(list(limits)) == 0


def test_suppression(made_up, groups, models):
    tables = made_up(models[:2])
    for metric, word in (("s_omit", "name nobody"), ("s_evid", "do not name the true author")):
        figure = draw_suppression.draw_suppression(tables, metric, groups, models[:2])
        assert word in figure.get_suptitle().replace("\n", " ")
        for axes, dataset in zip(panels(figure), groups, strict=True):
            rows = rows_of(tables[0], dataset=dataset, metric=metric)
            assert numbers(axes) == [
                f"{100 * m:.1f}{'*' if s else ''}" for m, s in zip(rows["mean"], rows["is_star"], strict=True)
            ]
            # The last group is the least suppressed, so it is the bluest in each row.
            gains = axes.collections[0].get_array().reshape(2, 4)
            assert (gains.argmax(axis=1) == 3).all()


def test_model_heatmap(made_up, groups, models, prompts):
    tables = made_up(models[:2], subset=(models[1],))
    conditions = list(product(prompts, [False, True]))
    figure = draw_model_heatmap.draw_model_heatmap(tables, models[1], groups, conditions)
    assert figure.get_suptitle() == "claude-4.6-sonnet †: accuracy and suppression by group"
    accuracy, suppression = panels(figure)[:2]
    assert names(accuracy.get_yticklabels()) == [*groups["intersectional"], "all groups"]
    assert names(accuracy.get_xticklabels())[:3] == ["direct", "direct + evidence", "indirect"]
    assert names(suppression.get_xticklabels()) == ["omission S_omit", "with evidence S_evid"]
    assert len(numbers(accuracy)) == 5 * 6
    assert len(numbers(suppression)) == 5 * 2
    assert len({axes.collections[0].get_clim() for axes in panels(figure)}) == 1
    assert "n = 300 quotes per group and condition" in [text.get_text() for text in accuracy.texts]
    last_row = accuracy.collections[0].get_array().reshape(5, 6)[-1]
    assert np.abs(last_row).max() < 1e-9


def test_a_config_without_evidence(made_up, groups, models, prompts):
    tables = made_up(models[:1], evidence=(False,))
    figures = all_figures(tables, groups, models[:1], prompts, evidence=(False,))
    for axes in panels(figures["7"]):
        assert axes.texts[-1].get_text().replace("\n", " ") == "not asked: the indirect prompt with evidence"
    assert "Hatched" in figures["model"].get_supxlabel()
    for figure in figures.values():
        figure.canvas.draw()


def test_empty_cells_and_bars(made_up, groups, models, prompts):
    subgroups, overall = made_up(models[:2])
    subgroups.loc[subgroups["group"] == "Asian", ["n_quotes", "mean", "ci_low", "ci_high"]] = [
        0,
        np.nan,
        np.nan,
        np.nan,
    ]
    first = (overall["model"] == models[0]) & (overall["prompt"] == "direct")
    overall.loc[first, ["mean", "ci_low", "ci_high"]] = np.nan
    # No variance: a mean without an interval.
    overall.loc[~first, ["ci_low", "ci_high"]] = np.nan
    figures = all_figures((subgroups, overall), groups, models[:2], prompts)
    assert "no scored answer" in [text.get_text() for text in figures["4"].axes[0].texts]
    assert "Hatched" in figures["6"].get_supxlabel()
    for figure in figures.values():
        figure.canvas.draw()


def test_names_of_any_length_and_script(made_up, prompts):
    groups = {
        "a data set with a name that is much longer than its one column": ["all"],
        "many": ["Native American or Pacific Islander", "Ä", "b", "c", "d", "e", "f", "$g$"],
        "two": ["female", "male"],
    }
    models = ["a-very-long-model-name/with-provider-and-version-2026-01-01-preview", "村上-春樹"]
    for figure in all_figures(made_up(models, groups), groups, models, prompts).values():
        figure.canvas.draw()


def test_every_step_gives_the_same_bytes_twice(made_up, groups, models, prompts, tmp_path):
    groups = {"multirace": groups["multirace"]}
    tables = made_up(models[:1], groups)
    overall, subgroups = tmp_path / "overall.csv", tmp_path / "subgroups.csv"
    write(tables[1], overall, OVERALL)
    write(tables[0], subgroups, SUBGROUPS)
    common = {"overall": overall, "subgroups": subgroups, "groups": groups}
    for run in ("first", "second"):
        files = [tmp_path / run / f"{i}.{kind}" for i in range(5) for kind in ("png", "pdf")]
        draw_overall_accuracy.main(
            overall=overall, datasets=list(groups), models=models[:1], prompts=MAIN, png=files[0], pdf=files[1]
        )
        draw_subgroup_accuracy.main(**common, models=models[:1], prompts=MAIN, png=files[2], pdf=files[3])
        draw_suppression.main(
            **common, models=models[:1], s_omit_png=files[4], s_omit_pdf=files[5], s_evid_png=files[6],
            s_evid_pdf=files[7],
        )  # fmt: skip
        draw_model_heatmap.main(
            **common, model=models[0], prompts=prompts, evidence=[False, True], png=files[8], pdf=files[9]
        )
    for file in (tmp_path / "first").iterdir():
        assert file.read_bytes() == (tmp_path / "second" / file.name).read_bytes(), file.name
        assert file.stat().st_size > 2000


def test_no_display_is_needed():
    code = (
        "from attribench.report import style; import matplotlib; "
        "f = style.new_figure(2, 2); f.subplots(); assert matplotlib.get_backend().lower() == 'agg'"
    )
    env = {**os.environ, "DISPLAY": "", "MPLBACKEND": "TkAgg"}
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, env=env)
