"""Step: ask one model about one data set, and store every answer in the ledger.

Only what the ledger does not hold is asked. The model's server, where this step runs it, is
not even started when nothing is missing.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from operator import attrgetter
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.chat.endpoint import open_endpoint
from attribench.chat.identity import identity
from attribench.chat.preflight import Plan, plan_calls, require_ready
from attribench.chat.prices import at_price, open_budget
from attribench.errors import MissingAnswersError, list_causes
from attribench.evaluation.manifest import write_manifest
from attribench.evaluation.prompts import read_prompt_set
from attribench.evaluation.questions import questions_about
from attribench.evaluation.remarks import remarks
from attribench.ledger.progress import Progress
from attribench.ledger.runner import ask_all
from attribench.ledger.store import Answer, Question, Store
from attribench.step import run, screen
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import RESPONSES
from attribench.tables.evidence import EVIDENCE

_FROM_ANSWER = [name for name in RESPONSES.names if name in Answer.__dataclass_fields__]
_answer_values = attrgetter(*_FROM_ANSWER)


def main(
    *,
    benchmark_table: Path,
    evidence_table: Path,
    prompt_set: Path,
    model_file: list[Path],
    preflight: list[Path],
    dataset: str,
    model: Mapping[str, Any],
    prompts: Sequence[str],
    evidence_settings: Sequence[bool],
    generations: int,
    max_missing: float,
    budget_usd: float | None,
    seed: int,
    store: str,
    threads: int,
    responses: Path,
    manifest: Path,
) -> None:
    """Ask the questions of one model and data set; write RESPONSES and the manifest.

    Args:
        benchmark_table: the table BENCHMARK.
        evidence_table: the table EVIDENCE of the same quotes.
        prompt_set: the prompts.
        model_file: the file that this step serves, or nothing.
        preflight: how the hosted models are asked, as `check_models` found; nothing for any other model.
        dataset: the data set's name.
        model: the model, with the fields of `attribench.settings.Model`.
        prompts: names of prompts.
        evidence_settings: without evidence, with, or both.
        generations: answers per question.
        max_missing: share of the answers that may be missing.
        budget_usd: most that all models and services together may cost, in USD; None for no limit.
        seed: seed of the first generation, and of the matchings of a subset.
        store: the store of this model's answers.
        threads: processor threads for a model file.
        responses: where RESPONSES goes.
        manifest: where the manifest goes.

    Raises:
        EndpointError: the model cannot be asked, or not as configured.
        BudgetError: a budget allows no further call.
        MissingAnswersError: more than the share `max_missing` of the answers could not be had.
    """
    texts = read_prompt_set(prompt_set, prompts)
    benchmark = read(benchmark_table, BENCHMARK)
    file = next(iter(model_file), None)
    endpoint = identity(model["endpoint"], file, model["id"])
    asked_about, questions = questions_about(
        benchmark,
        read(evidence_table, EVIDENCE),
        texts,
        dataset=dataset,
        model=model,
        endpoint=endpoint,
        prompts=prompts,
        evidence_settings=evidence_settings,
        generations=generations,
        seed=seed,
    )
    plan = Plan(**json.loads(preflight[0].read_text())[model["name"]]) if preflight else plan_calls(model, seed)
    what = f"{model['name']}, {dataset}"
    answers = answer(questions["question"].tolist(), model, plan, file, Path(store), what, threads, budget_usd)
    table = tabulate(questions, answers)
    require_enough(table, max_missing, model["name"], dataset)
    found = remarks(table, model)
    for remark in found:
        print(f"{what}: {remark}", file=screen(), flush=True)
    write(table, responses, RESPONSES)
    write_manifest(
        manifest,
        model=model,
        plan=plan,
        remarks=found,
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
    questions: Sequence[Question],
    model: Mapping[str, Any],
    plan: Plan,
    file: Path | None,
    store: Path,
    what: str,
    threads: int,
    budget_usd: float | None,
) -> dict[str, Answer]:
    """Return the answers by key: from the store, and by asking what it does not hold."""
    by_key = {question.key: question for question in questions}
    with Store(store) as ledger:
        answers = ledger.answers(by_key)
        missing = [question for key, question in by_key.items() if key not in answers]
        progress = Progress(what, len(by_key), screen(), stored=len(answers))
        if missing:
            require_ready([plan])
            with ExitStack() as opened:
                budget = opened.enter_context(open_budget(model, store, together=budget_usd))
                if model["batch"]:
                    # Its imports take seconds: only where there are batches.
                    from attribench.chat.batch import ask_in_batches

                    in_batches = ask_in_batches(
                        missing, model, ledger, store, progress=progress, stream=screen(), budget=budget
                    )
                    return answers | asyncio.run(in_batches)
                ask = opened.enter_context(open_endpoint(model, file, threads))
                asked = ask_all(
                    missing,
                    at_price(ask, model),
                    ledger,
                    concurrency=model["concurrency"],
                    attempts=model["attempts"],
                    progress=progress,
                    budget=budget,
                )
                answers |= asyncio.run(asked)
    return answers


def tabulate(questions: pd.DataFrame, answers: Mapping[str, Answer]) -> pd.DataFrame:
    """Return the table RESPONSES: the questions with their answers beside them."""
    keys = [question.key for question in questions["question"]]
    found = pd.DataFrame([_answer_values(answers[key]) for key in keys], columns=_FROM_ANSWER)
    table = pd.concat([questions.drop(columns="question"), found], axis="columns").assign(key=keys)
    counts = ["prompt_tokens", "completion_tokens", "reasoning_tokens"]
    table[counts] = table[counts].astype("Int64")
    return table[RESPONSES.names]


def require_enough(responses: pd.DataFrame, max_missing: float, model: str, dataset: str) -> None:
    """Raise MissingAnswersError when too many answers failed, with their number by cause."""
    failed = responses[responses["status"] == "failed"]
    if len(failed) > max_missing * len(responses):
        raise MissingAnswersError(
            f"{len(failed)} of {len(responses)} answers of {model} on {dataset} are missing "
            f"({list_causes(failed['cause'])}). "
            "The others are kept: start the same command again to ask for what is missing, "
            "or set 'evaluation.max_missing' to go on without them. What the service said of each is in the table "
            "'attempts' of the model's store (docs/troubleshooting.md)."
        )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
