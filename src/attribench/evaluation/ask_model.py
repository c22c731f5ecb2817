"""Step: ask one model about one data set, and store every answer in the ledger.

Only what the ledger does not hold is asked. The model's server, where this step runs it, is
not even started when nothing is missing.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attribench.chat.endpoint import open_endpoint
from attribench.chat.identity import identity
from attribench.errors import MissingAnswersError
from attribench.evaluation.manifest import write_manifest
from attribench.evaluation.prompts import read_prompt_set
from attribench.evaluation.questions import draw_matchings, list_questions
from attribench.ledger.progress import Progress
from attribench.ledger.runner import ask_all
from attribench.ledger.store import Answer, Question, Store
from attribench.step import run, screen
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import RESPONSES
from attribench.tables.evidence import EVIDENCE


def main(
    *,
    benchmark_table: Path,
    evidence_table: Path,
    prompt_set: Path,
    model_file: list[Path],
    dataset: str,
    model: Mapping[str, Any],
    prompts: Sequence[str],
    evidence_settings: Sequence[bool],
    generations: int,
    max_missing: float,
    seed: int,
    store: str,
    threads: int,
    responses: Path,
    manifest: Path,
) -> None:
    """Ask the questions of one model and data set; write RESPONSES and the manifest.

    Raises:
        MissingAnswersError: more than the share `max_missing` of the answers could not be had.
    """
    texts = read_prompt_set(prompt_set, prompts)
    benchmark = read(benchmark_table, BENCHMARK)
    rng = np.random.default_rng([seed, *f"subset of {dataset}".encode()])
    asked_about = draw_matchings(benchmark, model["subset"], rng)
    file = next(iter(model_file), None)
    endpoint = identity(model["endpoint"], file)
    questions = list_questions(
        asked_about,
        read(evidence_table, EVIDENCE),
        texts,
        prompts=prompts,
        evidence_settings=evidence_settings,
        generations=generations,
        endpoint=endpoint,
        model=model["id"],
        sampling=model["sampling"],
        seed=None if "seed" in model["without"] else seed,
    )
    answers = answer(questions["question"].tolist(), model, file, Path(store), f"{model['name']}, {dataset}", threads)
    table = tabulate(questions, answers)
    require_enough(table, max_missing, model["name"], dataset)
    write(table, responses, RESPONSES)
    write_manifest(
        manifest,
        model=model,
        dataset=dataset,
        prompt_set=prompt_set,
        benchmark=benchmark_table,
        evidence=evidence_table,
        conditions={"prompts": list(prompts), "evidence": list(evidence_settings), "generations": generations},
        endpoint=endpoint,
        matchings=(asked_about["match_id"].nunique(), benchmark["match_id"].nunique()),
        seed=seed,
        responses=table,
    )


def answer(
    questions: Sequence[Question], model: Mapping[str, Any], file: Path | None, store: Path, what: str, threads: int
) -> dict[str, Answer]:
    """Return the answers by key: from the store, and by asking what it does not hold."""
    by_key = {question.key: question for question in questions}
    with Store(store) as ledger:
        answers = ledger.answers(by_key)
        missing = [question for key, question in by_key.items() if key not in answers]
        progress = Progress(what, len(by_key), screen(), stored=len(answers))
        if missing and model["batch"]:
            # Its imports take seconds: only where there are batches.
            from attribench.chat.batch import ask_in_batches

            answers |= asyncio.run(ask_in_batches(missing, model, ledger, store, progress=progress, stream=screen()))
        elif missing:
            with open_endpoint(model, file, threads) as ask:
                asked = ask_all(
                    missing,
                    ask,
                    ledger,
                    concurrency=model["concurrency"],
                    attempts=model["attempts"],
                    progress=progress,
                )
                answers |= asyncio.run(asked)
    return answers


def tabulate(questions: pd.DataFrame, answers: Mapping[str, Answer]) -> pd.DataFrame:
    """Return the table RESPONSES: the questions with their answers beside them."""
    keys = [question.key for question in questions["question"]]
    found = pd.DataFrame([asdict(answers[key]) for key in keys])
    table = pd.concat([questions.drop(columns="question"), found], axis="columns").assign(key=keys)
    counts = ["prompt_tokens", "completion_tokens", "reasoning_tokens"]
    table[counts] = table[counts].astype("Int64")
    return table[RESPONSES.names]


def require_enough(responses: pd.DataFrame, max_missing: float, model: str, dataset: str) -> None:
    """Raise MissingAnswersError when too many answers failed, with their number by cause."""
    failed = responses[responses["status"] == "failed"]
    if len(failed) > max_missing * len(responses):
        causes = ", ".join(f"{count} {cause}" for cause, count in failed["cause"].value_counts().items())
        raise MissingAnswersError(
            f"{len(failed)} of {len(responses)} answers of {model} on {dataset} are missing ({causes}). "
            "The others are kept: start the same command again to ask for what is missing, "
            "or set 'evaluation.max_missing' to go on without them."
        )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
