"""The accuracy table as CSV and as Markdown."""

import numpy as np
import pytest
from attribench.report.write_accuracy_table import accuracy_rows, escape_markdown, main

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


def test_both_files(made_up, groups, prompts, tmp_path):
    _, overall = made_up(["a|b_c", "plain"], subset=("plain",))
    overall.loc[0, ["mean", "ci_low", "ci_high"]] = np.nan
    overall.loc[0, "note"] = "no scored answer"
    overall.loc[0, "n_unanswered"] = 1234
    overall.loc[1, ["mean", "ci_low", "ci_high"]] = [0.1234, 0.1, 0.15]
    write(overall, tmp_path / "overall.csv", OVERALL)
    main(
        overall=tmp_path / "overall.csv", datasets=list(groups), models=["a|b_c", "plain"], prompts=prompts,
        unanswered="none", csv=tmp_path / "accuracy.csv", markdown=tmp_path / "t" / "accuracy.md",
    )  # fmt: skip
    text = (tmp_path / "t" / "accuracy.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[4] == r"| a\|b\_c | intersectional | direct | no |  |  | 1,200 | 1,234 | 0 | no scored answer |"
    assert lines[5] == r"| a\|b\_c | intersectional | direct | yes | 12.3 | 10.0 to 15.0 | 1,200 | 0 | 0 |  |"
    assert "| plain † |" in text
    assert "count as naming nobody" in text
    assert "asked about a part of the quotes" in text
    assert len(read(tmp_path / "accuracy.csv", OVERALL)) == 2 * 2 * 3 * 2


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
