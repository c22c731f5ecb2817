"""A data set as a task for other tools: its questions, how they are asked, and what an answer to them is.

The files that `export_tasks` writes use this module inside those tools. It needs nothing but the
standard library, as do the classifiers, so that it goes into any environment.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from attribench.evaluation import outcomes, published, strict
from attribench.evaluation.known import Known, known_names

QUESTIONS = "questions.jsonl"
SETTINGS = "task.json"


def condition(prompt: str, evidence: bool) -> str:
    """Return the name of a condition, as it stands in the names of tasks."""
    return f"{prompt}_evidence" if evidence else prompt


class ExportedTask:
    """The task in `folder`.

    `settings` holds `dataset`, `prompts`, `evidence` (the settings, a list), `generations`, `seed` (of the
    first generation), `sampling` (temperature, top_p, max_tokens) and `classifier`.
    """

    def __init__(self, folder: Path) -> None:
        """Read the settings; the questions are read when they are asked for."""
        self.folder = folder
        self.settings: dict[str, Any] = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))

    def questions(self, prompt: str | None = None, evidence: bool | None = None) -> list[dict[str, Any]]:
        """Return the questions of a prompt and of an evidence setting, None for all of them.

        A question has `system` and `user`, the messages that are sent, word for word; `condition`, `prompt`,
        `evidence`; and of the quote `quote_id`, `match_id`, `group`, `race`, `gender`, `author`, `aliases`, `quote`.

        Raises:
            ValueError: the task has no such prompt or setting.
        """
        for value, known in ((prompt, self.settings["prompts"]), (evidence, self.settings["evidence"])):
            if value is not None and value not in known:
                raise ValueError(f"{value} is not in this task. It has: {', '.join(map(str, known))}.")
        return [
            question
            for question in self._questions
            if prompt in (None, question["prompt"]) and evidence in (None, question["evidence"])
        ]

    def outcome(self, question: Mapping[str, Any], text: str | None) -> str | None:
        """Return ``correct``, ``incorrect`` or ``none`` for the answer `text`, or None where it is blank: no answer."""
        text = (text or "").strip()
        if not text:
            return None
        return self._classify(text, question["author"], tuple(question["aliases"]), question["quote"])

    @cached_property
    def _questions(self) -> list[dict[str, Any]]:
        with (self.folder / QUESTIONS).open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    @cached_property
    def _classify(self) -> published.Classifier:
        authors = dict.fromkeys(question["author"] for question in self._questions)
        if self.settings["classifier"] == "published":
            return published.classifier(authors)
        return strict.classify if self.settings["classifier"] == "strict" else _by_names(known_names(authors))


def _by_names(known: Known) -> published.Classifier:
    def decide(output: str, author: str, aliases: Sequence[str] = (), quote: str = "") -> str:
        return outcomes.classify(output, author, aliases, quote, known)

    return decide
