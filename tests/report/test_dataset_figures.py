"""Figures 9 and 10 and Tables 2 and 3: what stands on them, with the paper's figures beside ours."""

import numpy as np
import pandas as pd
import pytest
from attribench.report.paper_figures import TABLE_2, TABLE_3

from attribench.report import draw_demographics, draw_fame_distribution, style, write_dataset_tables
from attribench.tables import read, write
from attribench.tables.balance import CRITERIA, GROUP_FAME, RUNS
from attribench.tables.report import GROUP_FAME_BESIDE_PAPER, SELECTED_RUNS

pytestmark = pytest.mark.filterwarnings("error")


def texts(axes):
    return [text.get_text() for text in axes.texts]


def label_table(races, genders):
    return pd.DataFrame({"race": races, "gender": genders}, dtype=object)


def benchmark_of(groups, rng, authors=30):
    """Return quotes of so many authors in each group, two of each author."""
    rows = [
        (dataset, group, f"{group} {i}", fame)
        for dataset, names in groups.items()
        for group in names
        for i, fame in enumerate(rng.normal(5, 1, authors))
    ]
    table = pd.DataFrame(rows, columns=["dataset", "group", "author_id", "log10_hits"])
    return pd.concat([table, table], ignore_index=True)


def run_table(selected=1):
    values = {"authors_per_group": [700, 742, 710], "quotes_per_group": [1900, 1950, 1991]}
    fames = {"mean_log10_hits": [5.0, 5.1, 5.2], "range_log10_hits": [0.003, 0.001, 0.002]}
    table = pd.DataFrame({"run": [0, 1, 2], **values, **fames, "rms_log10_hits": [0.3, 0.2, 0.1]})
    for criterion in CRITERIA:
        table[f"rank_{criterion.name}"] = 2.0
    return table.assign(rank_sum=10.0, selected=[i == selected for i in range(3)])[RUNS.names]


def fame_table(groups):
    table = pd.DataFrame({"group": groups, "labelled": 12, "authors": [1000 + i for i in range(len(groups))]})
    return table.assign(mean_log10_hits=[5.0 + i / 8 for i in range(len(groups))], sd_log10_hits=1.0)


def test_demographics_shows_shares_commonest_first_and_the_papers_beside_them():
    labels = label_table(["white"] * 6 + ["black"] * 3 + ["asian"] + [None] * 2, ["female"] * 5 + ["male"] * 7)
    figure = draw_demographics.draw_demographics(labels)
    race, gender = figure.axes
    assert [label.get_text() for label in race.get_yticklabels()] == ["white", "black", "asian"]
    assert [bar.get_width() for bar in race.patches] == pytest.approx([60, 30, 10])
    assert texts(race)[0] == "n = 10 authors; 2 without race on record"
    assert texts(race)[1:] == ["60.0 % (6); the paper: 82 %", "30.0 % (3)", "10.0 % (1)"]
    assert texts(gender)[1:] == ["58.3 % (7); the paper: 64 %", "41.7 % (5)"]
    assert race.yaxis_inverted()


def test_demographics_of_other_labels_has_no_paper_beside_it():
    figure = draw_demographics.draw_demographics(label_table(["martian_x", "村人"], [None, None]))
    assert figure.get_supxlabel() == ""
    assert "the paper" not in "".join(texts(figure.axes[0]))
    assert "no author has a gender on record" in texts(figure.axes[1])[-1].replace("\n", " ")


@pytest.mark.parametrize("order", [1, -1])
def test_fame_distribution_counts_each_author_once(groups, order):
    benchmark = benchmark_of(groups, np.random.default_rng(0))[::order]
    figure = draw_fame_distribution.draw_fame_distribution(benchmark, groups)
    for axes, (dataset, names) in zip(figure.axes, groups.items(), strict=True):
        assert axes.get_title(loc="left") == dataset
        assert [line.get_label() for line in axes.lines] == names
        assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == len(names)
        mean = benchmark.loc[benchmark["dataset"] == dataset, "log10_hits"].mean()
        paper = TABLE_2[dataset]
        beside = f"(the paper: {paper['authors_per_group']}, {paper['mean_log10_hits']:.2f})"
        assert texts(axes)[0] == f"n = 30 per group, mean {mean:.2f} {beside}"
        for line in axes.lines:
            assert np.trapezoid(line.get_ydata(), line.get_xdata()) == pytest.approx(1, abs=0.01)


def test_the_density_is_a_mean_of_bells():
    at = np.linspace(-3, 3, 7)
    values = np.array([-1.0, 1.0])
    width = np.sqrt(2) * 2**-0.2
    bells = [np.exp(-0.5 * ((at - value) / width) ** 2) / (width * np.sqrt(2 * np.pi)) for value in values]
    assert draw_fame_distribution.density(values, at) == pytest.approx(np.mean(bells, axis=0))


def test_fame_distribution_of_another_data_set_and_of_groups_without_spread():
    groups = {"small": ["One", "Same", "Nobody"], "empty": ["A", "B"]}
    rows = [("small", "One", "a", 5.0), ("small", "Same", "b", 4.0), ("small", "Same", "c", 4.0)]
    benchmark = pd.DataFrame(rows, columns=["dataset", "group", "author_id", "log10_hits"])
    figure = draw_fame_distribution.draw_fame_distribution(benchmark, groups)
    small, empty = figure.axes
    assert [line.get_label() for line in small.lines] == ["One", "Same"]
    assert texts(small) == ["n = 0 to 2 per group, mean 4.33"]
    assert "no authors" in texts(empty)
    assert "equally famous" in figure.get_supxlabel()


def test_the_same_tables_give_the_same_bytes(groups, tmp_path):
    benchmark = benchmark_of(groups, np.random.default_rng(0))
    labels = label_table(["white", "black"], ["female", "male"])
    made = []
    for number in (1, 2):
        paths = [tmp_path / f"{name}{number}.{kind}" for name in ("nine", "ten") for kind in ("png", "pdf")]
        style.save(draw_demographics.draw_demographics(labels), *paths[:2])
        style.save(draw_fame_distribution.draw_fame_distribution(benchmark, groups), *paths[2:])
        made.append([path.read_bytes() for path in paths])
    assert made[0] == made[1]


def test_selected_runs_beside_the_papers():
    found = write_dataset_tables.selected_runs({"intersectional": run_table(), "my_own": run_table(2)})
    rows = found.set_index(["dataset", "criterion"])
    assert rows.loc[("intersectional", "authors_per_group")].tolist() == [742, 742, 700, 742]
    assert rows.loc[("intersectional", "range_log10_hits")].tolist() == [0.001, 0.001, 0.003, 0.0017]
    assert rows.loc[("my_own", "rms_log10_hits"), ["value", "best", "worst"]].tolist() == [0.1, 0.1, 0.3]
    assert rows.loc["my_own", "paper"].isna().all()
    text = write_dataset_tables.runs_as_markdown(found)
    assert "| intersectional | Quotes per group | 1,950 | 1,991 | 1,900 | 1,991 |" in text
    assert r"| my\_own | RMS error, log10 hits | 0.1000 | 0.1000 | 0.3000 |  |" in text


def test_fame_of_groups_beside_the_papers(groups):
    found = write_dataset_tables.beside_paper({name: fame_table(names) for name, names in groups.items()})
    for row in found.to_dict("records"):
        assert (row["paper_authors"], row["paper_mean_log10_hits"]) == TABLE_3[row["dataset"], row["group"]]
    text = write_dataset_tables.fame_as_markdown(found)
    assert "| intersectional | Black female | 1,000 | 5.0000 | 847 | 4.7696 |" in text


def test_the_step_writes_all_four_files(groups, tmp_path):
    names = ["intersectional", "other"]
    tables = {"intersectional": fame_table(groups["intersectional"]), "other": fame_table(["A"])}
    tables["other"].loc[0, "mean_log10_hits"] = None
    for name in names:
        write(run_table(), tmp_path / f"{name}.runs.csv", RUNS)
        write(tables[name], tmp_path / f"{name}.fame.csv", GROUP_FAME)
    out = {f"{what}_{kind}": tmp_path / f"{what}.{kind}" for what in ("runs", "fame") for kind in ("csv", "markdown")}
    write_dataset_tables.main(
        runs=[tmp_path / f"{name}.runs.csv" for name in names],
        group_fame=[tmp_path / f"{name}.fame.csv" for name in names],
        datasets=names,
        **out,
    )
    assert len(read(out["runs_csv"], SELECTED_RUNS)) == 2 * len(CRITERIA)
    fame = read(out["fame_csv"], GROUP_FAME_BESIDE_PAPER)
    assert fame["paper_authors"].isna().tolist() == [False] * 4 + [True]
    assert all(line.count("|") == 7 for line in out["fame_markdown"].read_text().splitlines() if line.startswith("|"))
