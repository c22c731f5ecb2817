"""Many answers decided at once, by our rules and by the two that ours are compared with."""

import gc
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import pyarrow as pa

from attribench.evaluation import published, strict
from attribench.evaluation.known import NOBODY_KNOWN, Known, known_names
from attribench.evaluation.outcomes import Mention, explain
from attribench.evaluation.words import kinds

Answer = tuple[int, str | None]
"""The place of the question among the questions, and the text; None where there is no answer."""

CHUNK = 10_000
"""Answers that a process is given at a time; fewer than two chunks are decided in this process."""


class Question(NamedTuple):
    """What an answer is judged against."""

    author: str
    aliases: tuple[str, ...]
    quote: str


class Decision(NamedTuple):
    """The outcome of an answer by each classifier, and the names that ours rests on, with their rules.

    The fields stand in the order of `COLUMNS`.
    """

    names: str | None = None
    strict: str | None = None
    published: str | None = None
    mentions: tuple[str, ...] = ()
    mention_rules: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    passed_over_rules: tuple[str, ...] = ()


COLUMNS = pa.schema(
    [(f"outcome_{classifier}", pa.string()) for classifier in ("names", "strict", "published")]
    + [(name, pa.list_(pa.string())) for name in ("names", "name_rules", "passed_over", "passed_over_rules")]
)


def decide_all(answers: Sequence[Answer], questions: Sequence[Question], processes: int = 1) -> Iterator[pa.Table]:
    """Yield the decisions, in order, as tables with `COLUMNS` of at most `CHUNK` rows, one for each answer.

    The authors of `questions` are the data set: names that ours knows, surnames of the published rule.
    The result does not depend on the number of processes.
    """
    chunks = [answers[start : start + CHUNK] for start in range(0, len(answers), CHUNK)]
    if processes < 2 or len(chunks) < 2:
        _prepare(questions)
        yield from map(_decide, chunks)
        return
    # A fresh process: one that is forked would inherit the threads of pyarrow.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(chunks)), context, _prepare_process, (questions,)) as pool:
        yield from pool.map(_decide, chunks)


class _Shared:
    """What every chunk of one table needs, kept by each process."""

    questions: Sequence[Question] = ()
    known: Known = NOBODY_KNOWN
    by_published: Sequence[published.Classifier] = (published.classify,)


def _prepare(questions: Sequence[Question]) -> None:
    _Shared.questions = questions
    authors = dict.fromkeys(question.author for question in questions)
    _Shared.known = known_names(authors)
    _Shared.by_published = (published.classifier(authors),)


def _prepare_process(questions: Sequence[Question]) -> None:
    """Prepare a process of its own, whose garbage collector need not look at what is kept to the end."""
    _prepare(questions)
    kinds("")  # reads the word lists
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _decide(answers: Sequence[Answer]) -> pa.Table:
    seen: dict[Answer, Decision] = {}
    decisions = []
    for answer in answers:
        decision = seen.get(answer)
        if decision is None:
            decision = seen[answer] = _decided(*answer)
        decisions.append(decision)
    # As Python objects, those of a whole model would need gigabytes, and long to come from one process to another.
    columns = [
        pa.array(column, field.type) for column, field in zip(zip(*decisions, strict=True), COLUMNS, strict=True)
    ]
    return pa.table(columns, COLUMNS)


def _decided(place: int, text: str | None) -> Decision:
    if text is None:
        return Decision()
    question = _Shared.questions[place]
    found = explain(text, *question, _Shared.known)
    return Decision(
        found.outcome,
        strict.classify(text, *question),
        _Shared.by_published[0](text, *question),
        *_texts_and_rules(found.mentions),
        *_texts_and_rules(found.passed_over),
    )


def _texts_and_rules(mentions: Sequence[Mention]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not mentions:
        return (), ()
    return tuple([mention.text for mention in mentions]), tuple([mention.rule for mention in mentions])
