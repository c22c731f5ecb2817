"""What a model is asked that judges the classifier, and what its answer means."""

import json
import re
import string
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from attribench.errors import ConfigError
from attribench.ledger.store import Question
from attribench.tables.evaluation import OUTCOME_CLASSES

_FIELDS = {"quote", "author", "aliases", "answer"}
_ONE_WORD = re.compile(r"""[\s("'*_`\[]*(?P<word>[a-z]+)[\s)\]"'*_`.!]*""")


@dataclass(frozen=True)
class JudgePrompt:
    """What the judge is told: `question` with the fields of a case, `again` after an answer that is no judgement."""

    system: str
    question: str
    again: str

    def messages(self, case: Mapping[str, Any], *, again: bool) -> list[dict[str, str]]:
        """Return the chat messages about a row of AUDIT_SAMPLE. Each field is JSON, on one line."""
        values = {name: case[name] for name in ("quote", "author", "answer")} | {"aliases": list(case["aliases"])}
        text = self.question.format(**{name: json.dumps(value, ensure_ascii=False) for name, value in values.items()})
        lines = [text, self.again] if again else [text]
        return [{"role": "system", "content": self.system}, {"role": "user", "content": "\n".join(lines)}]


@dataclass(frozen=True)
class Judgement:
    """One request for a judgement about a case."""

    case: Mapping[str, Any]
    number: int
    question: Question


@dataclass(frozen=True)
class Judge:
    """A model that judges, with all that changes its answers: where it is asked, what is sent, and the prompt."""

    endpoint: Mapping[str, Any]
    model: str
    sampling: Mapping[str, Any]
    prompt: JudgePrompt

    def request(self, case: Mapping[str, Any], number: int = 0) -> Judgement:
        """Return request `number` (from 0) about a row of AUDIT_SAMPLE."""
        content = {
            "endpoint": dict(self.endpoint),
            "model": self.model,
            "messages": self.prompt.messages(case, again=number > 0),
            "sampling": dict(self.sampling),
            "request": number,
        }
        return Judgement(case, number, Question(content))

    def again(self, request: Judgement) -> Judgement:
        """Return the request that follows one whose answer was no judgement."""
        return self.request(request.case, request.number + 1)


def audit_questions(sample: pd.DataFrame, judge: Judge) -> list[Judgement]:
    """Return the first request about each row of AUDIT_SAMPLE: what is asked, and paid for, at least."""
    cases: list[Any] = sample[["case", "quote", "author", "aliases", "answer"]].to_dict("records")
    return [judge.request(case) for case in cases]


def read_judgement(request: Judgement, text: str) -> str | None:
    """Return the class that the text of an answer gives, or None if it is not one word, and one of them."""
    found = _ONE_WORD.fullmatch(unicodedata.normalize("NFKC", text).lower())
    return found["word"] if found and found["word"] in OUTCOME_CLASSES else None


def read_judge_prompt(path: Path) -> JudgePrompt:
    """Read what the judge is told.

    Raises:
        ConfigError: there is no such file, or it has another form.
    """
    if not path.is_file():
        raise ConfigError(f"The judge's prompt was expected at {path}, but there is no such file.")
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        prompt = JudgePrompt(*(str(found[name]) for name in ("system", "question", "again")))
        used = {name for _, name, _, _ in string.Formatter().parse(prompt.question) if name is not None}
        if used != _FIELDS:
            raise ValueError(f"'question' must use {sorted(_FIELDS)}, but uses {sorted(used)}")
    except (yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{path} is no judge's prompt: {error}. It must have system, question (with {{quote}}, {{author}}, "
            "{aliases} and {answer}) and again."
        ) from error
    return prompt
