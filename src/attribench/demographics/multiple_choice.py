"""Multiple-choice questions: their wording, the order of their options, and what an answer means.

An answer means something only beside the options in the order in which that request showed
them (Berman et al. 2026, Appendix A.4.2: the order is shuffled for each request).
"""

import re
import string
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from attribench.errors import ConfigError

OTHER = "other"
"""The label that says: none of the categories."""

ATTRIBUTES = ("race", "gender")

# Decoration that models put around a letter: brackets, full stops, emphasis, quotation marks.
_ONE_LETTER = re.compile(r"""[\s("'*_`\[]*(?P<letter>[A-Za-z])(?P<end>[\s)\]"'*_`.:,–—-]*)(?P<text>.*)""", re.DOTALL)
_CITATIONS = re.compile(r"(\s*\[\d+\])+\s*$")


@dataclass(frozen=True)
class MultipleChoice:
    """A question about an author: `text` with ``{author}``, and its options in the written order."""

    system: str
    text: str
    options: tuple[str, ...]
    option: str

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that its answers can give."""
        return tuple(option.lower() for option in self.options)

    def shuffled(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Return the options in an order drawn at random."""
        return tuple(self.options[place] for place in rng.permutation(len(self.options)))

    def messages(self, author: str, options: Sequence[str]) -> list[dict[str, str]]:
        """Return the chat messages that ask about `author` with `options` in the order given."""
        lettered = zip(string.ascii_uppercase, options, strict=False)
        lines = [self.text.format(author=author), " ".join(self.option.format(letter=a, text=b) for a, b in lettered)]
        return [{"role": "system", "content": self.system}, {"role": "user", "content": "\n".join(lines)}]


def read_answer(answer: str, options: Sequence[str]) -> str | None:
    """Return the label that `answer` gives, or None if it is not one letter.

    A letter may stand in brackets or emphasis, and may have footnote marks behind it (a search
    model adds them by itself). The text of its own option may follow it; any other text makes the
    answer invalid, above all the text of another option.

    Args:
        answer: what the model said.
        options: the options in the order of this very request.
    """
    plain = _CITATIONS.sub("", unicodedata.normalize("NFKC", answer))
    found = _ONE_LETTER.fullmatch(plain.strip())
    if found is None:
        return None
    place = string.ascii_uppercase.index(found["letter"].upper())
    if place >= len(options):
        return None
    option = options[place]
    text = found["text"].strip(" \t\n\"'*_`.()").casefold()
    if text and (not found["end"] or text != option.casefold()):
        return None
    return option.lower()


def read_choices(path: Path) -> dict[str, MultipleChoice]:
    """Read the questions for race and gender.

    Raises:
        ConfigError: there is no such file, or it has another form.
    """
    if not path.is_file():
        raise ConfigError(f"The multiple-choice questions were expected at {path}, but there is no such file.")
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        questions = {
            name: MultipleChoice(
                found["system"],
                found["questions"][name]["text"],
                tuple(found["questions"][name]["options"]),
                found["option"],
            )
            for name in ATTRIBUTES
        }
        for name, question in questions.items():
            _check(name, question)
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"{path} holds no multiple-choice questions: {error}. It must have system, questions (race and gender, "
            "each with a text that uses {author} and a list of options, Other among them) and option (with {letter} "
            "and {text})."
        ) from error
    return questions


def _check(name: str, question: MultipleChoice) -> None:
    for text, wanted in ((question.text, {"author"}), (question.option, {"letter", "text"})):
        used = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
        if used != wanted:
            raise ValueError(f"'{text}' must use {sorted(wanted)}, but uses {sorted(used)}")
    labels = question.labels
    if not 2 <= len(labels) <= len(string.ascii_uppercase) or len(set(labels)) < len(labels) or OTHER not in labels:
        raise ValueError(f"the options of '{name}' must be 2 to 26 different ones with Other, but are {labels}")
