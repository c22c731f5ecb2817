"""The task for inspect_ai: `inspect eval inspect_task.py`, with `-T prompt=direct -T evidence=false` for a part."""

from pathlib import Path
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import Score, Scorer, Target, grouped, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from attribench.evaluation.exported_task import ExportedTask

TASK = ExportedTask(Path(__file__).parent)
OUTCOMES = ("correct", "incorrect", "none")


@task
def attribench(prompt: str | None = None, evidence: bool | None = None) -> Task:
    """Return the task: all questions, or those of a prompt or an evidence setting; an epoch is a generation."""
    settings = TASK.settings
    name = f"attribench_{settings['dataset']}"
    return Task(
        name=name,
        dataset=MemoryDataset([sample(question) for question in TASK.questions(prompt, evidence)], name=name),
        solver=ask(),
        scorer=outcome(),
        config=GenerateConfig(**settings["sampling"]),
        epochs=Epochs(settings["generations"], "mean"),
    )


def sample(question: dict[str, Any]) -> Sample:
    """Return a question as a sample."""
    return Sample(
        id=f"{question['quote_id']} {question['condition']}",
        input=[ChatMessageSystem(content=question["system"]), ChatMessageUser(content=question["user"])],
        target=question["author"],
        metadata={name: value for name, value in question.items() if name not in ("system", "user")},
    )


@solver
def ask() -> Solver:
    """Ask once, with the seed of the generation."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await generate(state, seed=TASK.settings["seed"] + state.epoch - 1)

    return solve


@scorer(metrics={name: [grouped(mean(), "condition", all=False)] for name in OUTCOMES})
def outcome() -> Scorer:
    """Score the outcome as 0 and 1; a refusal or a blank is no answer, and not scored."""

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        found = None if is_refused(state) else TASK.outcome(state.metadata, text)
        if found is None:
            return Score.unscored(answer=text, reason="no_response")
        return Score(value={name: float(found == name) for name in OUTCOMES}, answer=text, explanation=found)

    return score


def is_refused(state: TaskState) -> bool:
    """Tell whether a content filter or the model itself refused the question."""
    message = state.output.message if state.output.choices else None
    parts = message.content if message and not isinstance(message.content, str) else []
    return state.output.stop_reason == "content_filter" or any(getattr(part, "refusal", None) for part in parts)
