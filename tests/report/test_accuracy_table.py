"""The accuracy table, and the forms in which every table is written."""

import re

import numpy as np
import pytest

from attribench.report.accuracy_table import accuracy_rows, accuracy_table
from attribench.report.text_table import (
    TextTable,
    as_latex,
    as_markdown,
    escape_latex,
    escape_markdown,
    write_texts,
)
from attribench.tables import read, write
from attribench.tables.analysis import OVERALL


def test_rows_come_in_the_order_of_the_config(made_up):
    _, overall = made_up(["b", "a"])
    shuffled = overall.sample(frac=1, random_state=0)
    rows = accuracy_rows(
        shuffled, ["b", "a"], ["multirace", "intersectional"], ["indirect", "direct", "indirect_overt"]
    )
    assert set(rows["metric"]) == {"accuracy"}
    assert list(dict.fromkeys(rows["model"])) == ["b", "a"]
    assert list(dict.fromkeys(rows["dataset"])) == ["multirace", "intersectional"]
    assert rows["prompt"].tolist()[:4] == ["indirect", "indirect", "direct", "direct"]
    assert rows["evidence"].tolist()[:4] == [False, True, False, True]
    assert len(rows) == 2 * 2 * 3 * 2


def test_all_three_forms(made_up, groups, prompts, tmp_path):
    _, overall = made_up(["a|b_c", "plain"], subset=("plain",))
    overall.loc[0, ["mean", "ci_low", "ci_high"]] = np.nan
    overall.loc[0, "note"] = "no scored answer"
    overall.loc[0, "n_unanswered"] = 1234
    overall.loc[1, ["mean", "ci_low", "ci_high", "mean_asked"]] = [0.1234, 0.1, 0.15, 0.0617]
    rows = accuracy_rows(overall, ["a|b_c", "plain"], list(groups), prompts)
    write(rows, tmp_path / "t/accuracy.csv", OVERALL)
    write_texts(accuracy_table(rows, "none"), tmp_path / "t/accuracy.csv")
    text = (tmp_path / "t" / "accuracy.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[4] == r"| a\|b\_c | intersectional | direct | no |  |  |  | 1,200 | 1,234 | 0 | no scored answer |"
    assert lines[5] == r"| a\|b\_c | intersectional | direct | yes | 12.3 | 10.0 to 15.0 | 6.2 | 1,200 | 0 | 0 |  |"
    assert lines[3] == "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    assert "| plain † |" in text
    assert "count as naming nobody" in text
    assert "a random subset of the matchings (300)" in text
    latex = (tmp_path / "t" / "accuracy.tex").read_text(encoding="utf-8")
    assert r"a|b\_c & intersectional & direct & yes & 12.3 & 10.0 to 15.0 & 6.2 & 1,200 & 0 & 0 &  \\" in latex
    assert r"plain \textdagger{}" in latex
    assert r"\begin{tabular}{llllrrrrrrl}" in latex
    assert r"\label{tab:accuracy}" in latex
    assert r"Accuracy, \%" in latex
    assert len(read(tmp_path / "t/accuracy.csv", OVERALL)) == 2 * 2 * 3 * 2


def test_bold_cells_and_long_tables():
    table = TextTable("T", ["a", "b"], [["x", "1.0*"]] * 60, bold={(0, 1)})
    assert "| x | **1.0\\*** |" in as_markdown(table)
    latex = as_latex(table, "t")
    assert latex.count(r"\textbf{1.0*}") == 1
    assert r"\begin{longtable}{lr}" in latex


@pytest.mark.parametrize("rows", [2, 60])
def test_latex_can_be_compiled(rows):
    odd = "50 % & $x_1^2$ #1 {~} \\end{tabular} †"
    latex = as_latex(TextTable(odd, [odd, "n"], [[odd, "1"]] * rows, odd), "t")
    opened, closed = (re.findall(rf"\\{word}{{(\w+)}}", latex) for word in ("begin", "end"))
    assert sorted(opened) == sorted(closed), "what a cell says ends nothing"
    bare = re.sub(r"\\.", "", latex)  # what is escaped, and the first letter of every command
    assert bare.count("{") == bare.count("}")
    assert not set(bare) & set("%$#^~_†")
    body = [line for line in latex.splitlines() if line.endswith(r"1 \\")]
    assert len(body) == rows
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 for line in body), "as many cells as columns"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("gpt-5.1", "gpt-5.1"),
        ("a_b*c`d~e", r"a\_b\*c\`d\~e"),
        ("a|b\nc", r"a\|b c"),
        ("<script>alert(1)</script> & [x](y)", r"&lt;script&gt;alert(1)&lt;/script&gt; &amp; \[x\](y)"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_markdown_is_escaped(text, escaped):
    assert escape_markdown(text) == escaped


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("50 % of $x_1 & #2", r"50 \% of \$x\_1 \& \#2"),
        ("a{b}~c^d\\e", r"a\{b\}\textasciitilde{}c\textasciicircum{}d\textbackslash{}e"),
        ("two\nlines", "two lines"),
    ],
)
def test_latex_is_escaped(text, escaped):
    assert escape_latex(text) == escaped
