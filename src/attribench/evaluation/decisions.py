"""Many answers decided at once, by our rules and by the two that ours are compared with."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from attribench.evaluation import published, strict
from attribench.evaluation.outcomes import Mention, explain

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
    """The outcome of an answer by each classifier, and the names that ours rests on, with their rules."""

    names: str | None = None
    strict: str | None = None
    published: str | None = None
    mentions: tuple[str, ...] = ()
    mention_rules: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    passed_over_rules: tuple[str, ...] = ()


def decide_all(
    answers: Sequence[Answer], questions: Sequence[Question], processes: int = 1
) -> Iterator[list[Decision]]:
    """Yield a decision for each answer, in order, in lists of at most `CHUNK`.

    The data set of the published rule is the authors of `questions`. The result does not depend on
    the number of processes.
    """
    chunks = [answers[start : start + CHUNK] for start in range(0, len(answers), CHUNK)]
    if processes < 2 or len(chunks) < 2:
        _prepare(questions)
        yield from map(_decide, chunks)
        return
    # A fresh process: one that is forked would inherit the threads of pyarrow.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(chunks)), context, _prepare, (questions,)) as pool:
        yield from pool.map(_decide, chunks)


class _Shared:
    """What every chunk of one table needs, kept by each process."""

    questions: Sequence[Question] = ()
    by_published: Sequence[published.Classifier] = (published.classify,)


def _prepare(questions: Sequence[Question]) -> None:
    _Shared.questions = questions
    _Shared.by_published = (published.classifier(dict.fromkeys(q.author for q in questions)),)


def _decide(answers: Sequence[Answer]) -> list[Decision]:
    seen: dict[Answer, Decision] = {}
    decisions = []
    for answer in answers:
        decision = seen.get(answer)
        if decision is None:
            decision = seen[answer] = _decided(*answer)
        decisions.append(decision)
    return decisions


def _decided(place: int, text: str | None) -> Decision:
    if text is None:
        return Decision()
    question = _Shared.questions[place]
    found = explain(text, *question)
    return Decision(
        found.outcome,
        strict.classify(text, *question),
        _Shared.by_published[0](text, *question),
        *_texts_and_rules(found.mentions),
        *_texts_and_rules(found.passed_over),
    )


def _texts_and_rules(mentions: Sequence[Mention]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(mention.text for mention in mentions), tuple(mention.rule for mention in mentions)
