"""The classifier on labelled answers that were written for this project (`resources/labelled/README.md`)."""

import json
from collections import Counter
from pathlib import Path

import pytest

from attribench.evaluation.outcomes import classify

FOLDER = Path(__file__).parents[2] / "resources" / "labelled"
MIN_ACCURACY = 0.98
MIN_OF_EACH_OUTCOME = 0.96


@pytest.mark.parametrize("name", ["first_round", "second_round"])
def test_outcomes_of_labelled_answers(name: str) -> None:
    cases = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [c for c in cases if classify(c["output"], c["author"], tuple(c["aliases"]), c["quote"]) != c["outcome"]]
    shown = "\n".join(f"{c['id']} {c['outcome']}: [{c['author']}] {c['output']}" for c in wrong)
    assert 1 - len(wrong) / len(cases) >= MIN_ACCURACY, shown
    labelled = Counter(case["outcome"] for case in cases)
    missed = Counter(case["outcome"] for case in wrong)
    assert set(labelled) == {"correct", "incorrect", "none"}
    for outcome, count in labelled.items():
        assert 1 - missed[outcome] / count >= MIN_OF_EACH_OUTCOME, shown
