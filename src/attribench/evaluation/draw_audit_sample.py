"""Step: draw a sample of classified answers for the audit, and make the sheet on which a person judges them.

Neither the sheet nor the question to a judge shows what the classifier decided: who sees a decision tends to
agree with it.
"""

import hashlib
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.errors import InputError
from attribench.sheets import Sheet
from attribench.step import run
from attribench.strata import draw_equal_shares
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import AUDIT_SAMPLE, AUDIT_SHEET, OUTCOMES, RESPONSES

SHEET = Sheet(AUDIT_SHEET, "case", "answer", "answers", ("judgement",), "unclear")

STRATA = ("dataset", "model", "group", "prompt", "outcome")
"""What the answers of a stratum have in common; a group is one of a data set."""

_CONDITION = ["quote_id", "prompt", "evidence", "generation"]
_IDENTITY = ["dataset", "model", *_CONDITION, "key"]


def main(
    *,
    benchmarks: list[Path],
    responses: list[Path],
    outcomes: list[Path],
    datasets: Sequence[str],
    models: Sequence[str],
    sample_size: int,
    sample_by: str,
    seed: int,
    sample: Path,
    sheet: Path,
) -> None:
    """Draw `sample_size` answers by `sample_by`; write AUDIT_SAMPLE and the empty AUDIT_SHEET.

    Args:
        benchmarks: the benchmark of each data set, in the order of `datasets`.
        responses: one file for each data set and model; all models of the first data set first.
        outcomes: the same for outcomes.
        datasets: names of the data sets.
        models: slugs of the models.
        sample_size: answers to draw.
        sample_by: `random` or `stratified`.
        seed: decides who is drawn.
        sample: where AUDIT_SAMPLE goes.
        sheet: where AUDIT_SHEET goes.
    """
    quotes = dict(zip(datasets, (read(path, BENCHMARK) for path in benchmarks), strict=True))
    files = dict(zip(product(datasets, models), zip(responses, outcomes, strict=True), strict=True))
    found = []
    for (dataset, model), (said, decided) in files.items():
        answers = read(decided, OUTCOMES, [*_CONDITION, "outcome"]).dropna(subset="outcome")
        answers = answers.merge(read(said, RESPONSES, [*_CONDITION, "key"]), on=_CONDITION, validate="one_to_one")
        answers = answers.merge(quotes[dataset][["quote_id", "group"]], on="quote_id", validate="many_to_one")
        found.append(answers.assign(dataset=dataset, model=model))
    drawn = draw_sample(pd.concat(found, ignore_index=True), sample_size, sample_by, seed)
    # The texts of all answers may not fit into memory: only those that were drawn are read and kept.
    parts = [
        _add_texts(drawn[(drawn["dataset"] == dataset) & (drawn["model"] == model)], said, decided, quotes[dataset])
        for (dataset, model), (said, decided) in files.items()
    ]
    cases = pd.concat(parts).sort_values("place", ignore_index=True)
    cases["case"] = [_code(*map(str, identity)) for identity in cases[[*_IDENTITY, "answer"]].to_numpy()]
    write(cases[AUDIT_SAMPLE.names], sample, AUDIT_SAMPLE)
    SHEET.write(
        cases.assign(other_names=cases["aliases"].map("; ".join))[["case", "quote", "author", "other_names", "answer"]],
        sheet,
    )


def draw_sample(answers: pd.DataFrame, size: int, sample_by: str, seed: int) -> pd.DataFrame:
    """Draw answers from those that were classified.

    A random sample is the first answers in the order of a hash of the seed and of what each answer is. So each has
    the same chance, and when a model or a data set is added, or the sample enlarged, what was drawn before stays in
    the sample as far as there is room, with what a person has judged of it.

    Args:
        answers: `dataset`, `model`, `group`, `key`, `outcome` and the condition of each answer.
        size: number of answers; all of them where there are not more.
        sample_by: `random` gives each answer the same chance (Berman et al. 2026, Sec. 5.1: "1000 random
            classifications"), `stratified` draws the same number from each stratum of `STRATA` that has so many.
        seed: decides which answers are drawn, and in which order they stand.

    Returns:
        The answers drawn, with `place` (from 0) and `weight`, the number of answers that each stands for.

    Raises:
        InputError: no answer was classified.
    """
    if answers.empty:
        raise InputError("No answer of any model was classified: there is nothing to audit.")
    hashes = pd.util.hash_pandas_object(answers[_IDENTITY], index=False, hash_key=f"{seed:016}"[-16:])
    ordered = answers.iloc[np.argsort(hashes.to_numpy(), kind="stable")].reset_index(drop=True)
    if sample_by == "stratified":
        drawn = draw_equal_shares(ordered, STRATA, size, np.random.default_rng([seed, *b"audit"]))
    else:
        drawn = ordered.iloc[:size]
        drawn = drawn.assign(weight=len(answers) / len(drawn))
    return drawn.assign(place=range(len(drawn)))


def _add_texts(drawn: pd.DataFrame, responses: Path, outcomes: Path, benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return answers of one model about one data set with all that AUDIT_SAMPLE holds but the code."""
    texts = read(responses, RESPONSES, [*_CONDITION, "text"]).rename(columns={"text": "answer"})
    lists = ["names", "name_rules", "passed_over", "passed_over_rules"]
    names = read(outcomes, OUTCOMES, [*_CONDITION, *lists])
    about = benchmark[["quote_id", "race", "gender", "author_id", "author", "aliases", "quote"]]
    return drawn.merge(texts, on=_CONDITION).merge(names, on=_CONDITION).merge(about, on="quote_id")


def _code(*identity: str) -> str:
    # The letters before it keep spreadsheet programs from reading it as a number.
    return "case-" + hashlib.sha256("\0".join(identity).encode()).hexdigest()[:12]


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
