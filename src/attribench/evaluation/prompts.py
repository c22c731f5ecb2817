"""Prompt sets: what a model is told, word for word.

A prompt set is a YAML file with `system` (the system prompt), `prompts` (by name, with
``{quote}``), `evidence` (what follows a prompt that has evidence, with ``{lines}``) and `line`
(one retrieved quote, with ``{rank}``, ``{quote}``, ``{author}`` and ``{similarity}``). A system
prompt of its own for prompts with evidence can stand under `evidence_system`.
"""

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from attribench.errors import ConfigError

_FIELDS = {"prompts": {"quote"}, "evidence": {"lines"}, "line": {"rank", "quote", "author", "similarity"}}


@dataclass(frozen=True)
class PromptSet:
    """A prompt set that was read and checked."""

    system: str
    prompts: dict[str, str]
    evidence: str
    line: str
    evidence_system: str

    def messages(self, prompt: str, quote: str, evidence: Iterable[Mapping[str, Any]] = ()) -> list[dict[str, str]]:
        """Return the chat messages that ask about `quote`.

        Args:
            prompt: name of the prompt.
            quote: the quote.
            evidence: retrieved quotes, in order, each with `rank`, `quote`, `author` and
                `similarity`; none of them for the no-evidence setting.
        """
        text = self.prompts[prompt].format(quote=quote)
        lines = [self.line.format(**item) for item in evidence]
        if lines:
            text += self.evidence.format(lines="\n".join(lines))
        return [self._evidence_system_message if lines else self._system_message, {"role": "user", "content": text}]

    @cached_property  # one object for all questions: there may be 300,000 of them
    def _system_message(self) -> dict[str, str]:
        return {"role": "system", "content": self.system}

    @cached_property
    def _evidence_system_message(self) -> dict[str, str]:
        return {"role": "system", "content": self.evidence_system}


def read_prompt_set(path: Path, wanted: Iterable[str]) -> PromptSet:
    """Read a prompt set and check that it has the prompts that are `wanted`.

    Raises:
        ConfigError: there is no such file, it has another form, or a prompt is not in it.
    """
    if not path.is_file():
        raise ConfigError(f"The prompt set was expected at {path}, but there is no such file.")
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        prompts = PromptSet(
            found["system"],
            dict(found["prompts"]),
            found["evidence"],
            found["line"],
            found.get("evidence_system", found["system"]),
        )
        _check_fields("evidence", prompts.evidence)
        _check_fields("line", prompts.line)
        prompts.line.format(rank=1, quote="", author="", similarity=1.0)
        for text in prompts.prompts.values():
            _check_fields("prompts", text)
    except (yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            f"{path} is no prompt set: {error}. It must have system, prompts (by name, each with {{quote}}), "
            "evidence (with {lines}) and line (with {rank}, {quote}, {author}, {similarity})."
        ) from error
    missing = [name for name in wanted if name not in prompts.prompts]
    if missing:
        raise ConfigError(
            f"'evaluation.prompts' asks for {', '.join(missing)}, but {path} has only {', '.join(prompts.prompts)}."
        )
    return prompts


def _check_fields(part: str, text: str) -> None:
    used = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    if used - _FIELDS[part] or (part != "line" and used != _FIELDS[part]):
        raise ValueError(f"'{part}' may use {sorted(_FIELDS[part])}, but uses {sorted(used)}")
