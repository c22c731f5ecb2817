"""The questions that a model is asked about a benchmark: quote × prompt × evidence × generation."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from attribench.errors import InputError
from attribench.evaluation.prompts import PromptSet
from attribench.ledger.store import Question


def draw_matchings(benchmark: pd.DataFrame, number: int | None, rng: np.random.Generator) -> pd.DataFrame:
    """Return the rows of `number` matchings drawn at random, or all for None or too large a number.

    The matchings of a smaller number are among those of a larger one, so that raising the number
    asks only about what is new.
    """
    matchings = np.sort(benchmark["match_id"].unique())
    if number is None or number >= len(matchings):
        return benchmark
    drawn = rng.permutation(matchings)[:number]
    return benchmark[benchmark["match_id"].isin(drawn)]


def questions_about(
    benchmark: pd.DataFrame,
    evidence: pd.DataFrame,
    prompt_set: PromptSet,
    *,
    dataset: str,
    model: Mapping[str, Any],
    endpoint: Mapping[str, Any],
    prompts: Sequence[str],
    evidence_settings: Sequence[bool],
    generations: int,
    seed: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the part of a data set's `benchmark` that a model is asked about, and the questions about it.

    Args:
        benchmark: the table BENCHMARK.
        evidence: the table EVIDENCE of the same quotes.
        prompt_set: the texts.
        dataset: the data set's name.
        model: the model, with the fields of `attribench.settings.Model`.
        endpoint: what identifies the place where the model is asked.
        prompts: names of prompts.
        evidence_settings: without evidence (False), with (True), or both.
        generations: answers per question.
        seed: seed of the first generation, and of the matchings of a subset.

    Raises:
        InputError: see `list_questions`.
    """
    rng = np.random.default_rng([seed, *f"subset of {dataset}".encode()])
    asked_about = draw_matchings(benchmark, model["subset"], rng)
    questions = list_questions(
        asked_about,
        evidence,
        prompt_set,
        prompts=prompts,
        evidence_settings=evidence_settings,
        generations=generations,
        endpoint=endpoint,
        model=model["id"],
        sampling=model["sampling"],
        seed=None if "seed" in model["without"] else seed,
    )
    return asked_about, questions


def list_questions(
    benchmark: pd.DataFrame,
    evidence: pd.DataFrame,
    prompt_set: PromptSet,
    *,
    prompts: Sequence[str],
    evidence_settings: Sequence[bool],
    generations: int,
    endpoint: Mapping[str, Any],
    model: str,
    sampling: Mapping[str, Any],
    seed: int | None,
) -> pd.DataFrame:
    """Return every question, generation by generation, so that a part of a run covers all quotes.

    Args:
        benchmark: the table BENCHMARK.
        evidence: the table EVIDENCE of the same quotes.
        prompt_set: the texts.
        prompts: names of prompts.
        evidence_settings: without evidence (False), with (True), or both.
        generations: answers per question.
        endpoint: what identifies the place where the model is asked.
        model: the model's id.
        sampling: what is sent beside the messages.
        seed: the seed of the first generation, sent with the others; None sends none.

    Returns:
        Columns `quote_id`, `prompt`, `evidence`, `generation` and `question`.

    Raises:
        InputError: a quote that is to be asked about with evidence has none.
    """
    lines: dict[str, list[dict[str, Any]]] = defaultdict(list)
    retrieved = evidence.rename(columns={"evidence_quote": "quote", "evidence_author": "author"})
    columns = ["rank", "quote", "author", "similarity"]
    for quote_id, *values in retrieved.sort_values("rank")[["quote_id", *columns]].itertuples(index=False):
        lines[quote_id].append(dict(zip(columns, values, strict=True)))
    bare = [quote_id for quote_id in benchmark["quote_id"] if quote_id not in lines]
    if bare and any(evidence_settings):
        raise InputError(f"The evidence has nothing for {len(bare)} quotes of the benchmark, the first {bare[0]}.")
    # What several questions have in common is one object: there may be 300,000 of them.
    asked = [
        (quote_id, prompt, with_evidence, prompt_set.messages(prompt, quote, lines[quote_id] if with_evidence else ()))
        for with_evidence in evidence_settings
        for prompt in prompts
        for quote_id, quote in zip(benchmark["quote_id"], benchmark["quote"], strict=True)
    ]
    rows = []
    for generation in range(generations):
        sent = {**sampling, **({} if seed is None else {"seed": seed + generation})}
        shared = {"endpoint": endpoint, "model": model, "sampling": sent, "generation": generation}
        for quote_id, prompt, with_evidence, messages in asked:
            rows.append((quote_id, prompt, with_evidence, generation, Question({**shared, "messages": messages})))
    return pd.DataFrame(rows, columns=["quote_id", "prompt", "evidence", "generation", "question"])
