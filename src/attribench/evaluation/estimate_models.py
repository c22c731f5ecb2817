"""Step: say what asking every model about every data set would cost, before anything is asked.

Nothing is sent anywhere. What the ledger holds costs nothing.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attribench.chat.embedding import embedding_question
from attribench.chat.estimate import Estimate, identity_if_there, show_estimate
from attribench.evaluation.judge import Judge, audit_questions, read_judge_prompt
from attribench.evaluation.prompts import read_prompt_set
from attribench.evaluation.questions import questions_about
from attribench.ledger.store import Question
from attribench.step import run, screen
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.corpus import QUOTES
from attribench.tables.evaluation import AUDIT_SAMPLE
from attribench.tables.evidence import EVIDENCE
from attribench.tables.spending import ESTIMATE

STAGE = "evaluation"

_ASSUMED_ANSWER = 300  # characters of an answer that the judge will be shown


def main(
    *,
    benchmarks: Mapping[str, str],
    evidence: Mapping[str, str],
    not_built: Sequence[str],
    earlier: list[Path],
    prompt_set: Path,
    models: Sequence[Mapping[str, Any]],
    model_files: Mapping[str, str],
    prompts: Sequence[str],
    evidence_settings: Sequence[bool],
    generations: int,
    judge: Mapping[str, Any] | None,
    judge_prompt: str,
    judge_requests: int,
    judged: int,
    audit_sample: str,
    audit_stores: str,
    embedding: Mapping[str, Any],
    quotes: list[Path],
    embedding_store: str,
    seed: int,
    stores: str,
    estimate: Path,
) -> None:
    """Write ESTIMATE for all models and data sets, with the rows of `earlier` stages above, and print it.

    Args:
        benchmarks: by data set, the file with the table BENCHMARK.
        evidence: by data set, the file with the table EVIDENCE, where it is there.
        not_built: data sets that are not there, and cannot be built for nothing.
        earlier: tables ESTIMATE of the stages before.
        prompt_set: the prompts.
        models: the models, with the fields of `attribench.settings.Model`.
        model_files: by model, the file that is served, if it is served.
        prompts: names of prompts.
        evidence_settings: without evidence, with, or both.
        generations: answers per question.
        judge: the model that judges, with the fields of `attribench.settings.Model`, or None.
        judge_prompt: file with what the judge is told.
        judge_requests: requests about one answer until the judge says one of the three words.
        judged: answers that the judge is asked about.
        audit_sample: the table AUDIT_SAMPLE, if it is there.
        audit_stores: folder with the stores of the judge.
        embedding: the section `evidence` of the configuration.
        quotes: the table QUOTES, where the evidence is found among all quotes of the corpus; else nothing.
        embedding_store: the store of the embeddings of an embedding model.
        seed: seed of the first generation, and of the matchings of a subset.
        stores: folder with the stores of answers.
        estimate: where the table goes.
    """
    texts = read_prompt_set(prompt_set, prompts)
    tables = {name: read(path, BENCHMARK) for name, path in benchmarks.items()}
    found = {name: read(path, EVIDENCE) for name, path in evidence.items()}
    # What was found for quotes of an earlier data set does not serve.
    found = {name: lines for name, lines in found.items() if tables[name]["quote_id"].isin(lines["quote_id"]).all()}
    lines = found | {
        name: assumed_evidence(table, embedding["k"]) for name, table in tables.items() if name not in found
    }
    rows = []
    if embedding["embedding"] != "lsa":
        pool = [*tables.values(), *(read(path, QUOTES, ["quote"]) for path in quotes)]
        texts_to_embed = dict.fromkeys(text for table in pool for text in table["quote"])
        rows.append(estimate_embeddings(list(texts_to_embed), embedding, Path(embedding_store)))
    listed: dict[tuple[str, int | None], list[Question]] = {}
    for model in models:
        file = Path(model_files[model["name"]]) if model["name"] in model_files else None
        costs = Estimate(model, Path(stores) / f"{model['name']}.sqlite")
        for dataset, benchmark in tables.items():
            place = dataset, model["subset"]
            if costs.is_by_key or place not in listed:
                _, questions = questions_about(
                    benchmark,
                    lines[dataset],
                    texts,
                    dataset=dataset,
                    model=model,
                    endpoint=identity_if_there(model, file),
                    prompts=prompts,
                    evidence_settings=evidence_settings,
                    generations=generations,
                    seed=seed,
                )
                listed[place] = questions["question"].tolist()
            row = costs.row(STAGE, dataset, listed[place])
            if dataset not in found and any(evidence_settings):
                row["counted"] += "; the evidence is not found yet: other quotes stand for it"
            rows.append(row)
    if judge is not None:
        file = Path(model_files[judge["name"]]) if judge["name"] in model_files else None
        asked = Judge(
            identity_if_there(judge, file), judge["id"], judge["sampling"], read_judge_prompt(Path(judge_prompt))
        )
        is_drawn = Path(audit_sample).is_file()
        sample = read(audit_sample, AUDIT_SAMPLE) if is_drawn else assumed_sample(list(tables.values()), judged)
        costs = Estimate(judge, Path(audit_stores) / f"{judge['name']}.sqlite")
        questions_to_judge = [request.question for request in audit_questions(sample, asked)]
        row = costs.row("judge", "", questions_to_judge, repeats=judge_requests)
        row["counted"] += "" if is_drawn else f"; the answers are not there yet: {_ASSUMED_ANSWER} characters each"
        rows.append(row)
    table = pd.concat([*(read(path, ESTIMATE) for path in earlier), pd.DataFrame(rows, columns=ESTIMATE.names)])
    write(table, estimate, ESTIMATE)
    show_estimate(table, screen())
    if not_built:
        print(
            f"Not in it: {', '.join(not_built)}, which cannot be built yet without asking a service for labels, fame "
            "or entries. Make the data set first (snakemake dataset), then estimate again.",
            file=screen(),
            flush=True,
        )


def estimate_embeddings(texts: Sequence[str], settings: Mapping[str, Any], store: Path) -> dict[str, Any]:
    """Return the row of ESTIMATE for embedding `texts` with the model that the section `evidence` names."""
    model = {"name": settings["embedding"], "id": settings["embedding"], "endpoint": settings["endpoint"]}
    endpoint = identity_if_there(model, None)
    questions = [embedding_question(endpoint, model["id"], text) for text in texts]
    return Estimate({**model, "sampling": {"max_tokens": 0}}, store).row("embeddings", "", questions)


def assumed_sample(benchmarks: Sequence[pd.DataFrame], number: int) -> pd.DataFrame:
    """Return cases for the judge, for their length alone: quotes of the data sets with answers of one length."""
    quotes = pd.concat(benchmarks, ignore_index=True)[["quote", "author", "aliases"]]
    sample = quotes.iloc[np.arange(number) % len(quotes)] if len(quotes) else quotes
    numbers = [str(place) for place in range(len(sample))]
    return sample.assign(case=numbers, answer=[number.ljust(_ASSUMED_ANSWER, "x") for number in numbers])


def assumed_evidence(benchmark: pd.DataFrame, k: int) -> pd.DataFrame:
    """Return a table EVIDENCE in which each quote has the `k` that follow it, for their length alone."""
    rows = []
    quotes = benchmark[["quote_id", "author", "quote"]].to_numpy().tolist()
    for place, (quote_id, *_) in enumerate(quotes):
        for rank in range(1, k + 1):
            other = quotes[(place + rank - 1) % len(quotes)]
            rows.append((quote_id, rank, *other, 0.5))
    return pd.DataFrame(rows, columns=EVIDENCE.names)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
