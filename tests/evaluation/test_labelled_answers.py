"""The classifier on labelled answers that were written for this project (`resources/labelled/README.md`)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from attribench.evaluation.outcomes import classify

FOLDER = Path(__file__).parents[2] / "resources" / "labelled"


@pytest.mark.parametrize(
    ("name", "least", "least_of_each"),
    [
        ("first_round", 0.98, 0.96),
        ("second_round", 0.98, 0.96),
        ("third_round", 0.92, 0.82),
        ("fourth_round", 0.98, 0.96),
    ],
)
def test_outcomes_of_labelled_answers(name: str, least: float, least_of_each: float) -> None:
    cases = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [c for c in cases if classify(c["output"], c["author"], tuple(c["aliases"]), c["quote"]) != c["outcome"]]
    shown = "\n".join(f"{c['id']} {c['outcome']}: [{c['author']}] {c['output']}" for c in wrong)
    assert 1 - len(wrong) / len(cases) >= least, shown
    labelled = Counter(case["outcome"] for case in cases)
    missed = Counter(case["outcome"] for case in wrong)
    assert set(labelled) == {"correct", "incorrect", "none"}
    for outcome, count in labelled.items():
        assert 1 - missed[outcome] / count >= least_of_each, shown
