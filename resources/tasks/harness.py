"""What the tasks of lm-evaluation-harness call: the questions of a condition, and the score of an answer."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset

from attribench.evaluation.exported_task import ExportedTask

TASK = ExportedTask(Path(__file__).parent)


def questions(prompt: str, evidence: bool, **_: Any) -> dict[str, Dataset]:
    """Return the questions of a condition."""
    return {"test": Dataset.from_list(TASK.questions(prompt, evidence))}


def score(question: Mapping[str, Any], answers: Sequence[str]) -> dict[str, float | None]:
    """Return the outcome of an answer as 0 and 1, and whether there is an answer at all."""
    outcome = TASK.outcome(question, answers[0])
    classes = {"accuracy": "correct", "incorrect": "incorrect", "none": "none"}
    scores = {name: None if outcome is None else float(outcome == wanted) for name, wanted in classes.items()}
    return {**scores, "answered": float(outcome is not None)}


def mean(values: Sequence[float | None]) -> float:
    """Return the mean over the answers: where there is none, nothing is scored."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else float("nan")
