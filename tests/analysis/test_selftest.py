"""The self-test at a small size, and that it can fail."""

import sys
from collections import Counter
from pathlib import Path

import httpx
import pandas as pd
import pytest

from attribench.analysis.judge_selftest import main as judge
from attribench.analysis.run_selftest import as_markdown, rate_rows
from attribench.analysis.selftest_server import PlannedChat, serving
from attribench.analysis.selftest_truth import SCENARIOS
from attribench.analysis.selftest_workflow import check_workflow, make_up
from attribench.errors import AttribenchError
from attribench.evaluation.outcomes import classify
from attribench.tables import write
from attribench.tables.selftest import SELFTEST

ROOT = Path(__file__).parents[2]
GIVEN = ["Anna", "Otto", "Maria", "Peter", "Julia", "Martin"]
FAMILY = [f"{start}{end}" for start in ("Hollen", "Branden", "Wester", "Linden", "Rosen") for end in
          ("dorf", "berg", "feld", "hoff", "mann", "stein", "bach", "wald")]  # fmt: skip
WORDS = ["river", "stone", "light", "morning", "window", "garden", "letter", "silence", "thunder", "bread", "winter"]

GOOD = [0.95] * 20


def verdicts(scenario, held=(), significant=(), stars=()):
    rows = pd.DataFrame(rate_rows(scenario, dict(held), dict(significant), dict(stars)))
    return dict(zip(rows["what"], rows["holds"], strict=True))


def test_rates_that_are_not_as_promised_do_not_hold():
    what = "bootstrap, one group"
    key = f"interval holds the truth: {what}"
    assert verdicts("gaps", {what: [0.94, 0.96] * 50})[key]
    assert not verdicts("gaps", {what: [0.89, 0.91] * 50})[key], "too narrow"
    assert not verdicts("gaps", {what: [0.99, 1.0] * 50})[key], "too wide"
    assert verdicts("gaps", {"normal, one group": [0.5] * 50})["interval holds the truth: normal, one group"] is None


def test_stars_without_a_difference_do_not_hold_above_five_per_cent():
    key = "conditions with a star without a difference: clustered"
    assert verdicts("equal groups", stars={"clustered": [0.0, 0.1]})[key]
    assert not verdicts("equal groups", stars={"clustered": [0.0, 0.12]})[key]
    found = verdicts("equal groups", stars={"plain t-test": [0.5, 0.5]})
    assert list(found.values()) == [None], "the plain test is reported, not judged"


def table(holds):
    row = {"part": "gaps", "what": "a rate", "found": "0.8", "expected": "0.9 to 1", "is_checked": True}
    return pd.DataFrame([{**row, "holds": holds}, {**row, "what": "b", "is_checked": False, "holds": None}])


def test_the_report_stays_and_the_target_fails(tmp_path):
    paths = {name: tmp_path / name for name in ("checks", "report", "passed")}
    paths["checks"] = tmp_path / "checks.csv"
    write(table(False), paths["checks"], SELFTEST)
    with pytest.raises(AttribenchError, match=r"1 of 1 checks .*\n  - gaps: a rate: found 0.8"):
        judge(**paths)
    assert not paths["passed"].exists()
    assert "| a rate | 0.8 | 0.9 to 1 | **no** |" in as_markdown(table(False), 10, 5)
    write(table(True), paths["checks"], SELFTEST)
    judge(**paths)
    assert paths["passed"].read_text() == "1 checks hold.\n"


def test_the_server_has_an_outage_when_it_is_told():
    frames = {"direct": 'Who? "{quote}"', "indirect": 'When? "{quote}"'}
    plan = {("A b.", "direct", False): "x", ("A b.", "direct", True): "y"}
    chat = PlannedChat(plan, frames, [("A b.", "direct", True)], "\n\nExamples:\n")
    assert chat.question('When? "A b."\n\nExamples:\n1. "C d."') == ("A b.", "indirect", True)

    def ask(text):
        body = {"model": "m", "messages": [{"role": "user", "content": text}]}
        return httpx.post(f"{chat.url}/chat/completions", json=body)

    with serving(chat):
        chat.is_out = True
        assert ask('Who? "A b."').json()["choices"][0]["message"]["content"] == "x"
        assert ask('Who? "A b."\n\nExamples:\n').status_code == 503
        chat.is_out = False
        assert ask('Who? "A b."\n\nExamples:\n').json()["choices"][0]["message"]["content"] == "y"
    assert chat.refused == 1
    assert chat.answered == Counter({("A b.", "direct", False): 1, ("A b.", "direct", True): 1})


def test_the_planned_texts_say_what_is_planned():
    _, plan = make_up(SCENARIOS[0], 8, GIVEN, FAMILY, WORDS, 1)
    answered = plan[plan["outcome"].notna()]
    assert set(answered["outcome"]) == {"correct", "incorrect", "none"}
    said = [classify(r.text, r.author, (), r.quote) for r in answered.itertuples()]
    assert said == answered["outcome"].tolist()


def test_the_workflow_on_a_small_benchmark(tmp_path):
    quotes, plan = make_up(SCENARIOS[0], 8, GIVEN, FAMILY, WORDS, 1)
    checks = check_workflow(tmp_path / "run", quotes, plan, SCENARIOS[0], root=ROOT, python=sys.executable, seed=1)
    assert len(checks) == 9
    # With eight authors in a group, intervals are too narrow to be held to their promise.
    assert [check for check in checks if not check.holds and "hold the truth" not in check.what] == []
