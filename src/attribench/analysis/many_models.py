"""The analysis of several models, in several processes where there is much to do."""

import logging
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from attribench.analysis.one_model import Dataset, Options, analyse_model
from attribench.errors import InputError
from attribench.tables import read
from attribench.tables.evaluation import OUTCOMES

Task = tuple[str, str, Path]
Found = tuple[str, str, dict[str, pd.DataFrame]]

MANY_ANSWERS = 300_000
"""Answers from which on starting further processes, which takes seconds, is worth it."""

_ANSWERS = ["quote_id", "prompt", "evidence", "generation", "status", "outcome", "names"]

log = logging.getLogger(__name__)


def analyse_models(
    tasks: Sequence[Task], datasets: Mapping[str, Dataset], options: Options, threads: int
) -> list[Found]:
    """Return data set, model, and what `analyse_model` says, for each of `tasks`, in their order.

    Args:
        tasks: data set, model, and the file with the outcomes.
        datasets: the data sets by name.
        options: see `Options`.
        threads: processes to use, at most.

    Raises:
        InputError: a file is not what it should be, or has answers about other quotes.
    """
    n_answers = sum(pq.read_metadata(path).num_rows for _, _, path in tasks if path.is_file())
    workers = min(threads, len(tasks)) if n_answers >= MANY_ANSWERS else 1
    if workers < 2:
        return [_analyse(task, datasets, options) for task in tasks]
    fresh = multiprocessing.get_context("spawn")
    with (
        _one_thread_each(),
        ProcessPoolExecutor(workers, fresh, initializer=_remember, initargs=(dict(datasets), options)) as pool,
    ):
        return list(pool.map(_analyse_remembered, tasks))


def _analyse(task: Task, datasets: Mapping[str, Dataset], options: Options) -> Found:
    name, model, path = task
    answers = read(path, OUTCOMES, _ANSWERS)
    log.info("%s, %s: %d answers", name, model, len(answers))
    check_quotes(answers, datasets[name].benchmark, path)
    return name, model, analyse_model(answers, datasets[name], options)


_remembered: tuple[dict[str, Dataset], Options]


def _remember(datasets: dict[str, Dataset], options: Options) -> None:
    global _remembered
    _remembered = datasets, options


def _analyse_remembered(task: Task) -> Found:
    return _analyse(task, *_remembered)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let new processes do linear algebra in one thread: the matrices are small, and the processes fill the cores."""
    name = "OPENBLAS_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def check_quotes(answers: pd.DataFrame, benchmark: pd.DataFrame, path: Path) -> None:
    """Raise InputError if there are answers about quotes that the benchmark does not hold."""
    asked = pd.Series(answers["quote_id"].unique())
    strange = asked[~asked.isin(benchmark["quote_id"])]
    if len(strange):
        raise InputError(
            f"{path} has answers about {len(strange)} quotes that the benchmark does not hold, the first "
            f"of them {strange.iloc[0]}. Remove the file, so that the next run makes it from this benchmark."
        )
