"""What the report says in tables: beside the paper, by group, models, leaderboard, examples."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.report import write_report
from attribench.report.beside_paper import beside_paper, beside_paper_table, paper_models, paper_text
from attribench.report.examples import pick_examples
from attribench.report.group_table import group_table
from attribench.report.leaderboard import columns, leaderboard
from attribench.report.model_table import model_table, models
from attribench.report.run_table import csv_table
from attribench.report.show_model import cost_text, status_table
from attribench.report.text_table import as_markdown
from attribench.tables import read, write
from attribench.tables.report import BESIDE_PAPER, MODELS, PAPER_MODELS, PAPER_RESULTS

PAPER = Path(__file__).parents[2] / "resources" / "paper"


@pytest.fixture(scope="module")
def paper():
    return read(PAPER / "models.csv", PAPER_MODELS), read(PAPER / "results.csv", PAPER_RESULTS)


def test_models_of_the_paper_are_known_by_slug_or_by_what_is_asked_for(paper):
    ids = {
        "gpt-5.1": "openai/gpt-5.1-2026-01-01",
        "mine": "together_ai/Qwen/Qwen3-Next-80B-A3B-Instruct",
        "sonnet": "anthropic/claude-sonnet-4-6",
        "gpt-5.1-mini": "openai/gpt-5.1-mini",
        "local": "openai/smollm2",
    }
    assert paper_models(ids, paper[0]) == {
        "gpt-5.1": "gpt-5.1",
        "mine": "qwen3-next-80b-a3b",
        "sonnet": "claude-4.6-sonnet",
    }


def test_every_model_of_the_papers_configuration_is_one_of_the_papers(paper):
    import yaml

    config = yaml.safe_load((PAPER.parents[1] / "config.paper.yaml").read_text(encoding="utf-8"))
    ids = {name: model["id"] for name, model in config["models"].items()}
    assert sorted(paper_models(ids, paper[0]).values()) == sorted(paper[0]["model"])


def test_the_papers_results_name_its_models_groups_and_metrics(paper, groups, prompts):
    results = paper[1]
    assert set(results["model"].dropna()) <= set(paper[0]["model"])
    assert set(results["prompt"]) <= set(prompts)
    for row in results[results["group"].notna()].to_dict("records"):
        assert {row["group"], row["other"]} <= set(groups[row["dataset"]])
    assert (results["low"] <= results["high"]).all()


def test_ours_stand_beside_the_papers(paper, simulated):
    tables = simulated(["gpt-5.1", "my-kimi", "other"])
    overall, pairwise = tables["overall"], tables["pairwise"]
    found = beside_paper(overall, pairwise, paper[1], {"gpt-5.1": "gpt-5.1", "my-kimi": "kimi-k2.5"})
    rows = found.set_index(["model", "dataset", "metric", "prompt", "group", "other"])
    first = rows.loc[("gpt-5.1", "intersectional", "accuracy", "direct", "", "")]
    ours = overall.set_index(["model", "dataset", "metric", "prompt", "evidence"])
    mean = ours.loc[("gpt-5.1", "intersectional", "accuracy", "direct", False), "mean"]
    assert first["value"] == pytest.approx(100 * mean)
    assert (first["paper_low"], first["paper_high"]) == (26.7, 26.7)
    assert rows.loc[("my-kimi", "multirace", "accuracy", "indirect", "", ""), "paper_low"] == 12.8
    # pairwise has this pair as White against Black, once; the simulated difference is 8 points.
    assert rows.loc[("gpt-5.1", "multirace", "accuracy", "direct", "White", "Black"), "value"] == pytest.approx(8)
    # A mean over models is over those of the paper that are in the run.
    mean = rows.loc[("", "intersectional", "s_omit", "indirect", "White male", "Black female")]
    assert mean["models"] == 2
    assert mean["value"] == pytest.approx(8)
    assert pd.isna(mean["ci_low"])
    assert paper_text({"paper_low": 13.0, "paper_high": 13.0, "group": ""}) == "13.0"
    assert paper_text({"paper_low": 0.0, "paper_high": 10.0, "group": ""}) == "under 10"
    assert paper_text({"paper_low": 25.0, "paper_high": 27.0, "group": ""}) == "25 to 27"
    assert "other" not in set(found["model"])
    text = as_markdown(beside_paper_table(found))
    what = "omission suppression, indirect: White male less Black female"
    assert f"| mean of 2 | intersectional | {what} | Section 5.2 | 8.0 |" in text


def test_a_difference_is_turned_round_where_the_table_has_it_the_other_way(paper, simulated):
    tables = simulated(["gpt-5.1"])
    pairwise = tables["pairwise"].rename(columns={"group": "other", "other": "group"})
    found = beside_paper(tables["overall"], pairwise[tables["pairwise"].columns], paper[1], {"gpt-5.1": "gpt-5.1"})
    row = found[(found["group"] == "White") & (found["metric"] == "accuracy")].iloc[0]
    assert (row["value"], row["ci_low"], row["ci_high"]) == pytest.approx((-8, -10, -6))


def test_without_the_papers_models_nothing_stands_there(paper, simulated, tmp_path):
    tables = simulated(["mine"])
    found = beside_paper(tables["overall"], tables["pairwise"], paper[1], {})
    assert found.empty
    write(found, tmp_path / "beside_paper.csv", BESIDE_PAPER)


def test_means_by_group_are_bold_and_starred_as_the_analysis_says(made_up, groups, prompts):
    subgroups, overall = made_up(["b", "a"])
    own = subgroups["dataset"] == "multirace"
    subgroups.loc[own & (subgroups["group"] == "Asian"), "n_unanswered"] = 7
    names = groups["multirace"]
    table = group_table(overall, subgroups[own], "multirace", names, (prompts, ["b", "a"]), "exclude")
    assert list(table.columns[5:9]) == names
    assert [row[3] for row in table.rows[:2]] == ["b", "a"]
    assert {j for _, j in table.bold} == {8}, "White is best everywhere"
    starred = {tuple(row[:3]) for row in table.rows if row[8].endswith("*")}
    assert {prompt for _, prompt, _ in starred} == {"indirect"}
    assert table.rows[0][-1] == "7 / 0 / 0 / 0"


def test_the_leaderboard(simulated, paper, groups):
    tables = simulated(["gpt-5.1", "other"], subset=("other",))
    overall = tables["overall"]
    overall.loc[overall["model"] == "other", "n_missing"] = 2
    empty = (overall["model"] == "other") & (overall["metric"] == "s_omit")
    overall.loc[empty, ["mean", "ci_low", "ci_high"]] = np.nan
    beside = beside_paper(overall, tables["pairwise"], paper[1], {"gpt-5.1": "gpt-5.1"})
    shown = columns(["direct"], [False, True])
    assert [heading for heading, *_ in shown] == [
        "Accuracy, direct",
        "Omission suppression",
        "Suppression with evidence",
    ]
    lines = leaderboard((overall, tables["disparity"]), beside, shown, list(groups), ["gpt-5.1", "other"])
    assert [line.dataset for line in lines] == ["intersectional"] * 2 + ["multirace"] * 2
    for pair in (lines[:2], lines[2:]):
        assert pair[0].cells[0].value >= pair[1].cells[0].value
    own = {(line.model, line.dataset): line for line in lines}
    assert own["gpt-5.1", "intersectional"].cells[0].note == "paper: 26.7"
    assert own["gpt-5.1", "intersectional"].cells[1].note == "White male > Black female"
    assert own["other", "multirace"].cells[2].text == "–"
    assert own["other", "multirace"].name == "other †"
    assert own["other", "multirace"].n_missing == 2 * 6, "each condition once"
    with_evidence = [heading for heading, *_ in columns(["direct"], [True])]
    assert with_evidence == ["Accuracy, direct + evidence", "Suppression with evidence"]


def manifest(**changes):
    return {
        "dataset": "d", "model": {"name": "gpt-5.1", "id": "openai/gpt-5.1", "endpoint": {"kind": "hosted"}},
        "parameters_sent": {"temperature": 0.7}, "parameters_left_out": ["seed"], "matchings_asked": 3,
        "matchings_in_benchmark": 9, "answers": 10, "served_models": ["gpt-5.1-2026"], "first_answer": None,
        "last_answer": None, "cost_usd": 1.0, "answers_of_unknown_cost": 0, **changes,
    }  # fmt: skip


def test_models_and_versions(paper, tmp_path):
    found = models([manifest(), manifest(dataset="e", served_models=[])], paper[0], {"gpt-5.1": "gpt-5.1"})
    write(found, tmp_path / "models.csv", MODELS)
    assert found["paper_version"].tolist() == ["openai/GPT-5.1"] * 2
    first, second = model_table(read(tmp_path / "models.csv", MODELS)).rows
    assert first[:6] == ["gpt-5.1", "d", "openai/gpt-5.1", "gpt-5.1-2026", "temperature=0.7", "seed"]
    assert first[8] == "3 of 9"
    assert second[3] == ""


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "1.00"),
        ({"cost_usd": None, "answers_of_unknown_cost": 10}, "unknown"),
        ({"answers_of_unknown_cost": 4}, "1.00 and 4 answers of unknown price"),
        ({"cost_usd": 0.0}, "0.00"),
    ],
)
def test_an_unknown_price_is_never_zero(changes, text):
    assert cost_text(manifest(**changes)) == text


def test_statuses_are_counted_by_group(simulated):
    statuses = simulated(["m"])["statuses"]
    table = status_table(statuses, ["dataset", "group"], "t")
    assert table.columns == ["Data set", "Group", "ok", "refused", "truncated"]
    assert table.rows[0] == ["intersectional", "Black female", "35,400", "366", "72"]


def answers_of(rows):
    columns = ["quote_id", "prompt", "evidence", "outcome", "group"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(status="ok", names=[[] for _ in rows], text=table["quote_id"] + " text", author="A", quote="q")


def test_a_suppressed_example_is_one_whose_author_the_model_knows():
    rows = [(f"q{i}", "indirect", False, "none", "g") for i in range(40)]
    rows += [("q7", "direct", False, "correct", "g"), ("q8", "direct", True, "correct", "g")]
    rows += [("q9", "direct", True, "incorrect", "h"), ("q1", "direct", False, "incorrect", "h")]
    for seed in range(3):
        found = pick_examples({"d": answers_of(rows)}, {"d": ["g", "h"]}, np.random.default_rng(seed))
        assert [example.answer for example in found["suppressed"]] == ["q7 text"]
        assert [(e.group, e.answer) for e in found["wrong"]] == [("h", "q1 text")]
        assert found["right"][0].condition == "direct prompt, without evidence"


def test_without_answers_there_are_no_examples():
    assert pick_examples({"d": answers_of([])}, {"d": ["g"]}, np.random.default_rng(0))["right"] == []


def test_a_table_of_another_stage(tmp_path):
    (tmp_path / "x.csv").write_text('step,n_authors,smd_words\n"a, <b>",1200,0.12345\nb,,\n', encoding="utf-8")
    table = csv_table(tmp_path / "x.csv", "X")
    assert list(table.columns) == ["Step", "Authors", "SMD of words"]
    assert table.rows == [["a, <b>", "1,200", "0.123"], ["b", "", ""]]
    assert table.kinds == ["text", "number", "number"]
    (tmp_path / "x.csv").write_text("model,answers,is_x,usd,unpriced\nm,3,true,1.5,0\n", encoding="utf-8")
    spent = csv_table(tmp_path / "x.csv", "X")
    assert list(spent.columns)[1:3] == ["Cost, USD", "Answers without a price"], "what is read first stands first"
    assert spent.rows == [["m", "1.500", "0", "3", "yes"]]


def test_the_report_shows_what_other_stages_hand_it(written_run, tmp_path):
    run = written_run(tmp_path, ["only"], {"d": ["a", "b", "c", "e"]})
    (tmp_path / "evaluation").mkdir()
    spending = tmp_path / "evaluation" / "spending.csv"
    spending.write_text("model,cost_usd\nonly,12.5\n", encoding="utf-8")
    step = run.steps()["write_report"]
    step |= {"spend": [spending], "tables": [tmp_path / "t" / "groups_d.csv", tmp_path / "t" / "table_4_models.csv"]}
    write_report.main(**step)
    page = step["index"].read_text(encoding="utf-8")
    assert "12.500" in page
    assert "no table of what the answers cost" not in page
    assert "none of the paper" in page
    for form in ("csv", "md", "tex"):
        assert (tmp_path / "t" / f"groups_d.{form}").stat().st_size > 100
    assert "<2026>" not in page.replace("&lt;2026&gt;", "")
