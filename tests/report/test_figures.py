"""The figures of the paper and of a model: what stands on them, whatever the config names."""

import os
import re
import subprocess
import sys
from itertools import product

import numpy as np
import pandas as pd
import pytest

from attribench.report import draw_comparisons, draw_results
from attribench.report.covariate_balance import draw_covariate_balance
from attribench.report.disparity_figure import draw_disparity
from attribench.report.fame_accuracy import draw_fame_accuracy
from attribench.report.group_figures import draw_both_settings, draw_subgroup_accuracy, draw_suppression
from attribench.report.labels import gap_words
from attribench.report.model_heatmap import draw_model_heatmap
from attribench.report.overall_accuracy import draw_overall_accuracy
from attribench.tables import write
from attribench.tables.analysis import DISPARITY, FAME_BINS, OVERALL, SUBGROUPS
from attribench.tables.covariates import COVARIATES

pytestmark = pytest.mark.filterwarnings("error")

MAIN = ["direct", "indirect"]
DRAWN = {
    "overall": OVERALL, "subgroups": SUBGROUPS, "fame_bins": FAME_BINS, "disparity": DISPARITY,
    "covariates": COVARIATES,
}  # fmt: skip
RESULTS = ["figure_4_overall_accuracy", "figure_6_s_omit", "figure_13_indirect_overt"]


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
        "4": draw_overall_accuracy(tables[1], list(groups), models, MAIN),
        "5": draw_subgroup_accuracy(tables[0], groups, models, MAIN),
        "6": draw_suppression(tables[0], "s_omit", groups, models),
        "7": draw_suppression(tables[0], "s_evid", groups, models),
        "11": draw_overall_accuracy(tables[1], list(groups), models, MAIN, evidence=True),
        "12": draw_subgroup_accuracy(tables[0], groups, models, MAIN, evidence=True),
        "13": draw_both_settings(tables[0], groups, models, "indirect_overt"),
        "model": draw_model_heatmap(tables[0], models[0], groups, list(product(prompts, evidence))),
    }


@pytest.mark.parametrize("n_models", [1, 2, 11])
def test_overall_accuracy(made_up, groups, models, n_models):
    shown = models[:n_models]
    _, overall = made_up(shown, subset=(shown[-1],))
    figure = draw_overall_accuracy(overall, list(groups), shown, MAIN)
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
    assert "a random subset of the matchings (300)" in figure.get_supxlabel().replace("\n", " ")


@pytest.mark.parametrize("n_models", [1, 2, 11])
def test_subgroup_accuracy(made_up, groups, models, n_models):
    shown = models[:n_models]
    tables = made_up(shown)
    figure = draw_subgroup_accuracy(tables[0], groups, shown, MAIN)
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
        figure = draw_suppression(tables[0], metric, groups, models[:2])
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
    figure = draw_model_heatmap(tables[0], models[1], groups, conditions)
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


def test_both_settings_of_a_prompt(made_up, groups, models):
    tables = made_up(models[:2])
    figure = draw_both_settings(tables[0], groups, models[:2], "indirect_overt")
    titles = [axes.get_title(loc="left") for axes in panels(figure)]
    assert titles == [f"{d}: {e} evidence" for e in ("without", "with") for d in groups]
    for axes, (evidence, dataset) in zip(panels(figure), product([False, True], groups), strict=True):
        rows = rows_of(tables[0], dataset=dataset, prompt="indirect_overt", evidence=evidence)
        assert numbers(axes) == [f"{100 * mean:.1f}" for mean in rows["mean"]]


@pytest.mark.parametrize("evidence", [False, True])
def test_figures_with_evidence_show_other_rows(made_up, groups, models, evidence):
    tables = made_up(models[:1])
    figure = draw_subgroup_accuracy(tables[0], groups, models[:1], ["direct"], evidence=evidence)
    rows = rows_of(tables[0], dataset="multirace", prompt="direct", evidence=evidence)
    assert numbers(panels(figure)[1]) == [f"{100 * mean:.1f}" for mean in rows["mean"]]
    bars = draw_overall_accuracy(tables[1], ["multirace"], models[:1], ["direct"], evidence=evidence).axes[0]
    total = rows_of(tables[1], dataset="multirace", metric="accuracy", prompt="direct", evidence=evidence)
    assert numbers(bars) == [f"{100 * total['mean'].item():.1f}"]


def test_answers_that_are_lacking_are_counted_beside_every_figure(made_up, groups, models, prompts):
    subgroups, overall = made_up(models[:2])
    in_one_group = subgroups["group"].isin(["Asian", "White male"])
    for model, column, n in ((models[0], "n_unanswered", 3), (models[1], "n_missing", 5)):
        overall.loc[overall["model"] == model, column] = n
        subgroups.loc[in_one_group & (subgroups["model"] == model), column] = n
    for name, figure in all_figures((subgroups, overall), groups, models[:2], prompts).items():
        foot = figure.get_supxlabel().replace("\n", " ")
        # Each condition counts once, also where two metrics rest on it.
        conditions = {"4": 4, "5": 4, "6": 2, "7": 2, "11": 4, "12": 4, "13": 4, "model": 12}[name]
        assert f"left out: {3 * conditions} (gpt-5.1 {3 * conditions})" in foot, name
        if name != "model":
            assert f"never scored: {5 * conditions} (claude-4.6-sonnet {5 * conditions})" in foot, name
    counted = draw_overall_accuracy(overall, list(groups), models[:2], MAIN, unanswered="none")
    assert "counted as naming nobody: 12" in counted.get_supxlabel().replace("\n", " ")


@pytest.mark.parametrize("n_models", [1, 11])
def test_accuracy_by_fame(simulated, groups, models, n_models):
    shown = models[:n_models]
    tables = simulated(shown)
    bins = tables["fame_bins"]
    few = (bins["model"] == shown[0]) & (bins["bin_low"] == 3.0)
    bins.loc[few, "n_quotes"] = 4
    figure = draw_fame_accuracy(bins, list(groups), shown, "direct")
    first = figure.axes[0]
    own = rows_of(bins, dataset="intersectional", metric="accuracy", prompt="direct", evidence=False)
    for model in shown:
        expected = own[own["model"] == model].sort_values("bin_low")
        line = next(line for line in first.lines if np.allclose(line.get_ydata(), 100 * expected["mean"].to_numpy()))
        assert list(line.get_xdata()) == [low + 0.25 for low in expected["bin_low"]]
    looks = {(line.get_color(), line.get_linestyle(), line.get_marker()) for line in figure.legends[0].get_lines()}
    assert len(looks) == n_models
    assert [text.get_text() for text in figure.legends[0].get_texts()] == shown
    assert "Hollow: fewer than 10" in figure.get_supxlabel()
    assert ("confidence intervals" in figure.get_supxlabel()) == (n_models == 1)


def test_a_gap_names_no_group_where_several_share_the_place():
    gap = {"group": "a", "other": "b", "value": 0.2, "note": None}
    assert gap_words(gap) == "a > b"
    assert gap_words({**gap, "note": "tied as best: a, c"}) == "a > b (tied)"
    assert gap_words({**gap, "value": 0.0, "note": "all groups alike"}) == "all groups alike"


def test_disparity(simulated, groups, models):
    tables = simulated(models[:3], subset=(models[1],))
    figure = draw_disparity(tables["disparity"], tables["overall"], list(groups), models[:3], "direct")
    assert len(figure.axes) == 2 * 3
    for axes, (dataset, metric) in zip(figure.axes, product(groups, ["accuracy", "s_omit", "s_evid"]), strict=True):
        rows = rows_of(tables["disparity"], dataset=dataset, metric=metric, measure="gap")
        if metric == "accuracy":
            rows = rows_of(rows, prompt="direct", evidence=False)
        (points,) = axes.lines
        assert points.get_xdata() == pytest.approx(100 * rows["value"].to_numpy())
        words = [text.get_text() for text in axes.texts][1:]
        assert words == [gap_words(row) for row in rows.to_dict("records")]
    assert names(figure.axes[0].get_yticklabels())[1] == f"{models[1]} †"


def test_covariate_balance(simulated, groups):
    covariates = simulated(["m"])["covariates"]
    figure = draw_covariate_balance(covariates, list(groups))
    for axes, dataset in zip(figure.axes, groups, strict=True):
        line, *_ = axes.lines
        assert line.get_xdata()[0] == 0.1
        before, after = (collection.get_offsets()[:, 0] for collection in axes.collections)
        for points, matching in ((before, "before"), (after, "after")):
            rows = rows_of(covariates, dataset=dataset, matching=matching, group=groups[dataset][0])
            assert list(points) == pytest.approx(rows["largest_smd"].tolist())
    assert names(figure.axes[0].get_yticklabels())[0] == "words"
    nothing = covariates.assign(largest_smd=np.nan)
    assert "no covariate" in draw_covariate_balance(nothing, ["multirace"]).axes[0].texts[-1].get_text()


def test_every_step_gives_the_same_bytes_twice(simulated, groups, models, tmp_path):
    groups = {"multirace": groups["multirace"]}
    files = {}
    for name, frame in simulated(models[:1], groups).items():
        if name in DRAWN:
            files[name] = tmp_path / f"{name}.csv"
            write(frame, files[name], DRAWN[name])
    common = {"models": models[:1], "unanswered": "exclude", "overall": files["overall"]}
    for run in ("first", "second"):
        draw_results.main(
            **common, subgroups=files["subgroups"], groups=groups, prompts=["direct"],
            figures=[tmp_path / run / f"{name}.png" for name in RESULTS],
        )  # fmt: skip
        draw_comparisons.main(
            **common, **{name: files[name] for name in ("fame_bins", "disparity", "covariates")},
            datasets=list(groups), prompt="direct",
            figures=[tmp_path / run / f"{name}.png" for name in ("figure_8_fame", "disparity", "covariate_balance")],
        )  # fmt: skip
    made = sorted((tmp_path / "first").iterdir())
    assert len(made) == 2 * (len(RESULTS) + 3)
    for file in made:
        assert file.read_bytes() == (tmp_path / "second" / file.name).read_bytes(), file.name
        assert file.stat().st_size > 2000


def test_no_display_is_needed():
    code = (
        "from attribench.report import style; import matplotlib; "
        "f = style.new_figure(2, 2); f.subplots(); assert matplotlib.get_backend().lower() == 'agg'"
    )
    env = {**os.environ, "DISPLAY": "", "MPLBACKEND": "TkAgg"}
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, env=env)
