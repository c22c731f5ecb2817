"""The classifier on labelled answers that were written for this project (`resources/labelled/README.md`)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from attribench.evaluation.outcomes import classify

FOLDER = Path(__file__).parents[2] / "resources" / "labelled"
ROUNDS = Path(__file__).with_name("blind_rounds.jsonl")
"""Ten rounds of composed answers, labelled before the classifier saw them (`docs/outcomes.md`); their authors have no
race and gender on record, so that the measurement of errors by group leaves them out."""


@pytest.mark.parametrize(
    ("name", "least", "least_of_each"),
    [
        ("first_round", 0.98, 0.96),
        ("second_round", 0.98, 0.96),
        ("third_round", 0.92, 0.82),
        ("fourth_round", 0.98, 0.96),
        (ROUNDS.stem, 0.98, 0.96),
    ],
)
def test_outcomes_of_labelled_answers(name: str, least: float, least_of_each: float) -> None:
    path = ROUNDS if name == ROUNDS.stem else FOLDER / f"{name}.jsonl"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [case for case in cases if not case.get("ambiguous")]
    wrong = [c for c in cases if classify(c["output"], c["author"], tuple(c["aliases"]), c["quote"]) != c["outcome"]]
    shown = "\n".join(f"{c['id']} {c['outcome']}: [{c['author']}] {c['output']}" for c in wrong)
    assert 1 - len(wrong) / len(cases) >= least, shown
    labelled = Counter(case["outcome"] for case in cases)
    missed = Counter(case["outcome"] for case in wrong)
    assert set(labelled) == {"correct", "incorrect", "none"}
    for outcome, count in labelled.items():
        assert 1 - missed[outcome] / count >= least_of_each, shown
