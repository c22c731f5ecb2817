"""Figures 9 and 10 and Tables 2 and 3: what stands on them, with the paper's figures beside ours."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.report import dataset_tables, draw_datasets, style
from attribench.report.demographics_figure import draw_demographics
from attribench.report.fame_distribution import density, draw_fame_distribution
from attribench.report.text_table import as_markdown
from attribench.report.written_tables import data_tables
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, CRITERIA, GROUP_FAME, RUNS
from attribench.tables.report import (
    GROUP_FAME_BESIDE_PAPER,
    PAPER_CORPUS_LABELS,
    PAPER_TABLE_2,
    PAPER_TABLE_3,
    SELECTED_RUNS,
)

PAPER = Path(__file__).parents[2] / "resources" / "paper"
SHARES = read(PAPER / "corpus_labels.csv", PAPER_CORPUS_LABELS)
TABLE_2 = read(PAPER / "table_2.csv", PAPER_TABLE_2)
TABLE_3 = read(PAPER / "table_3.csv", PAPER_TABLE_3)

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
    figure = draw_demographics(labels, SHARES)
    race, gender = figure.axes
    assert [label.get_text() for label in race.get_yticklabels()] == ["white", "black", "asian"]
    assert [bar.get_width() for bar in race.patches] == pytest.approx([60, 30, 10])
    assert texts(race)[0] == "n = 10 authors; 2 without race on record"
    assert texts(race)[1:] == ["60.0 % (6); the paper: 82 %", "30.0 % (3)", "10.0 % (1)"]
    assert texts(gender)[1:] == ["58.3 % (7); the paper: 64 %", "41.7 % (5)"]
    assert race.yaxis_inverted()


def test_demographics_of_other_labels_has_no_paper_beside_it():
    figure = draw_demographics(label_table(["martian_x", "村人"], [None, None]), SHARES)
    assert figure.get_supxlabel() == ""
    assert "the paper" not in "".join(texts(figure.axes[0]))
    assert "no author has a gender on record" in texts(figure.axes[1])[-1].replace("\n", " ")


@pytest.mark.parametrize("order", [1, -1])
def test_fame_distribution_counts_each_author_once(groups, order):
    benchmark = benchmark_of(groups, np.random.default_rng(0))[::order]
    figure = draw_fame_distribution(benchmark, groups, TABLE_2)
    for axes, (dataset, names) in zip(figure.axes, groups.items(), strict=True):
        assert axes.get_title(loc="left") == dataset
        assert [line.get_label() for line in axes.lines] == names
        assert len({(line.get_color(), line.get_linestyle()) for line in axes.lines}) == len(names)
        mean = benchmark.loc[benchmark["dataset"] == dataset, "log10_hits"].mean()
        beside = {"intersectional": "(the paper: 742, 5.03)", "multirace": "(the paper: 831, 5.10)"}[dataset]
        assert texts(axes)[0] == f"n = 30 per group, mean {mean:.2f} {beside}"
        for line in axes.lines:
            assert np.trapezoid(line.get_ydata(), line.get_xdata()) == pytest.approx(1, abs=0.01)


def test_the_density_is_a_mean_of_bells():
    at = np.linspace(-3, 3, 7)
    values = np.array([-1.0, 1.0])
    width = np.sqrt(2) * 2**-0.2
    bells = [np.exp(-0.5 * ((at - value) / width) ** 2) / (width * np.sqrt(2 * np.pi)) for value in values]
    assert density(values, at) == pytest.approx(np.mean(bells, axis=0))


def test_fame_distribution_of_another_data_set_and_of_groups_without_spread():
    groups = {"small": ["One", "Same", "Nobody"], "empty": ["A", "B"]}
    rows = [("small", "One", "a", 5.0), ("small", "Same", "b", 4.0), ("small", "Same", "c", 4.0)]
    benchmark = pd.DataFrame(rows, columns=["dataset", "group", "author_id", "log10_hits"])
    figure = draw_fame_distribution(benchmark, groups, TABLE_2)
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
        paths = [tmp_path / f"{name}{number}.png" for name in ("nine", "ten")]
        style.save(draw_demographics(labels, SHARES), paths[0])
        style.save(draw_fame_distribution(benchmark, groups, TABLE_2), paths[1])
        paths += [path.with_suffix(".pdf") for path in paths]
        made.append([path.read_bytes() for path in paths])
    assert made[0] == made[1]


def test_selected_runs_beside_the_papers():
    found = dataset_tables.selected_runs({"intersectional": run_table(), "my_own": run_table(2)}, TABLE_2)
    rows = found.set_index(["dataset", "criterion"])
    assert rows.loc[("intersectional", "authors_per_group")].tolist() == [742, 742, 700, 742]
    assert rows.loc[("intersectional", "range_log10_hits")].tolist() == [0.001, 0.001, 0.003, 0.0017]
    assert rows.loc[("my_own", "rms_log10_hits"), ["value", "best", "worst"]].tolist() == [0.1, 0.1, 0.3]
    assert rows.loc["my_own", "paper"].isna().all()
    text = as_markdown(dataset_tables.runs_table(found))
    assert "| intersectional | Quotes per group | 1,950 | 1,991 | 1,900 | 1,991 |" in text
    assert r"| my\_own | RMS error, log10 hits | 0.1000 | 0.1000 | 0.3000 |  |" in text


def test_fame_of_groups_beside_the_papers(groups):
    found = dataset_tables.beside_paper({name: fame_table(names) for name, names in groups.items()}, TABLE_3)
    assert found.set_index("group").loc["Latino", "paper_mean_log10_hits"] == 4.900775
    assert found.set_index("group").loc["White male", "paper_authors"] == 6098
    text = as_markdown(dataset_tables.fame_table(found))
    assert "| intersectional | Black female | 1,000 | 5.0000 | 847 | 4.7696 |" in text


def test_tables_from_files(groups, tmp_path):
    names = ["intersectional", "other"]
    tables = {"intersectional": fame_table(groups["intersectional"]), "other": fame_table(["A"])}
    tables["other"].loc[0, "mean_log10_hits"] = None
    for name in names:
        write(run_table(), tmp_path / f"{name}.runs.csv", RUNS)
        write(tables[name], tmp_path / f"{name}.fame.csv", GROUP_FAME)
    files = [{name: tmp_path / f"{name}.{what}.csv" for name in names} for what in ("runs", "fame")]
    written = data_tables(*files, {path.stem: path for path in PAPER.glob("*.csv")})
    for stem, table in (("table_2_selected_runs", SELECTED_RUNS), ("table_3_group_fame", GROUP_FAME_BESIDE_PAPER)):
        write(written[stem].frame, tmp_path / f"{stem}.csv", table)
    assert len(read(tmp_path / "table_2_selected_runs.csv", SELECTED_RUNS)) == 2 * len(CRITERIA)
    fame = read(tmp_path / "table_3_group_fame.csv", GROUP_FAME_BESIDE_PAPER)
    assert fame["paper_authors"].isna().tolist() == [False] * 4 + [True]
    assert data_tables({}, {}, {}) == {}


def test_the_step_draws_what_is_asked_for(groups, tmp_path):
    benchmark = benchmark_of(groups, np.random.default_rng(0))
    files = []
    for dataset in groups:
        own = benchmark[benchmark["dataset"] == dataset].drop(columns="dataset")
        own = own.assign(
            quote_id=[f"jstet_{i}" for i in range(len(own))], race=None, gender=None, author="A", quote="q"
        )
        own = own.assign(match_id=0, n_words=5, aliases=[[] for _ in range(len(own))])
        files.append(tmp_path / f"{dataset}.parquet")
        write(own, files[-1], BENCHMARK)
    common = {
        "benchmarks": files, "groups": groups, "paper_labels": PAPER / "corpus_labels.csv",
        "paper_table_2": PAPER / "table_2.csv",
    }  # fmt: skip
    draw_datasets.main(labels=[], figures=[tmp_path / "figure_10_fame_distribution.png"], **common)
    assert (tmp_path / "figure_10_fame_distribution.pdf").read_bytes().startswith(b"%PDF")
