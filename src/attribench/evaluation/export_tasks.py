"""Step: export a data set as a task for lm-evaluation-harness and for inspect_ai.

Both ask the questions of `list_questions`, word for word, and score with our classifier. The files
that need no configuration are copied from ``resources/tasks``.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from attribench.evaluation.exported_task import QUESTIONS, SETTINGS, condition
from attribench.evaluation.prompts import PromptSet, read_prompt_set
from attribench.evaluation.questions import list_questions
from attribench.step import run
from attribench.tables import read
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EVIDENCE

METRICS = ("accuracy", "incorrect", "none", "answered")
_OF_QUOTE = ["match_id", "group", "race", "gender", "author", "aliases", "quote"]


def main(
    *,
    benchmark_table: Path,
    evidence_table: Path,
    prompt_set: Path,
    files: list[Path],
    dataset: str,
    prompts: Sequence[str],
    evidence_settings: Sequence[bool],
    generations: int,
    sampling: Mapping[str, float | None],
    seed: int,
    classifier: str,
    folder: Path,
) -> None:
    """Write the task of a data set to `folder`.

    Args:
        benchmark_table: the table BENCHMARK.
        evidence_table: the table EVIDENCE of the same quotes.
        prompt_set: the prompts.
        files: what every task has: the code for each tool, and the README.
        dataset: the data set's name.
        prompts: names of prompts.
        evidence_settings: without evidence, with, or both.
        generations: answers per question.
        sampling: what is sent beside the messages; None is not sent.
        seed: seed of the first generation.
        classifier: one of CLASSIFIERS.
        folder: where the task goes.

    Raises:
        InputError: a quote that is to be asked about with evidence has none.
    """
    settings = {
        "dataset": dataset,
        "prompts": list(prompts),
        "evidence": list(evidence_settings),
        "generations": generations,
        "seed": seed,
        "sampling": {name: value for name, value in sampling.items() if value is not None},
        "classifier": classifier,
    }
    texts = read_prompt_set(prompt_set, prompts)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / QUESTIONS).open("w", encoding="utf-8") as lines:
        for question in questions_of(read(benchmark_table, BENCHMARK), read(evidence_table, EVIDENCE), texts, settings):
            lines.write(json.dumps(question, ensure_ascii=False) + "\n")
    (folder / SETTINGS).write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    for name, content in harness_tasks(settings).items():
        text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    for file in files:
        shutil.copyfile(file, folder / file.name)
    readme = folder / "README.md"
    readme.write_text(readme.read_text(encoding="utf-8").replace("DATASET", dataset), encoding="utf-8")


def questions_of(
    benchmark: pd.DataFrame, evidence: pd.DataFrame, prompt_set: PromptSet, settings: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield each question of a task, with what `ExportedTask.questions` says it has."""
    asked = list_questions(
        benchmark,
        evidence,
        prompt_set,
        prompts=settings["prompts"],
        evidence_settings=settings["evidence"],
        generations=1,
        endpoint={},
        model="",
        sampling={},
        seed=None,
    )
    known = benchmark.set_index("quote_id")[_OF_QUOTE].astype(object)
    quotes = dict(zip(known.index, known.where(known.notna(), None).to_dict("records"), strict=True))
    columns = (asked[name] for name in ("quote_id", "prompt", "evidence", "question"))
    for quote_id, prompt, with_evidence, question in zip(*columns, strict=True):
        system, user = question.content["messages"]
        yield {
            "condition": condition(prompt, with_evidence),
            "prompt": prompt,
            "evidence": bool(with_evidence),
            "quote_id": quote_id,
            **{str(name): value for name, value in quotes[quote_id].items()},
            "aliases": list(quotes[quote_id]["aliases"]),
            "system": system["content"],
            "user": user["content"],
        }


def harness_tasks(settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the tasks and groups of lm-evaluation-harness by name: one per condition, and one of all.

    A task has one set of parameters, and each generation has a seed of its own. So a condition with several
    generations is a group of tasks, whose mean is the mean of the quotes' values.
    """
    sampling = dict(settings["sampling"])
    if "max_tokens" in sampling:
        sampling["max_gen_toks"] = sampling.pop("max_tokens")
    whole = f"attribench_{settings['dataset']}"
    found: dict[str, dict[str, Any]] = {}
    conditions = []
    for evidence in settings["evidence"]:
        for prompt in settings["prompts"]:
            name = f"{whole}_{condition(prompt, evidence)}"
            conditions.append(name)
            parts = [f"{name}_{g}" for g in range(settings["generations"])] if settings["generations"] > 1 else [name]
            for generation, part in enumerate(parts):
                found[part] = {
                    "include": "shared.yaml",
                    "task": part,
                    "dataset_kwargs": {"prompt": prompt, "evidence": evidence},
                    "generation_kwargs": {
                        "until": [],
                        "do_sample": sampling.get("temperature") != 0,
                        **sampling,
                        "seed": settings["seed"] + generation,
                    },
                }
            if parts != [name]:
                means = [{"metric": metric, "aggregation": "mean", "weight_by_size": False} for metric in METRICS]
                found[name] = {"group": name, "task": parts, "aggregate_metric_list": means}
    return {whole: {"group": whole, "task": conditions}} | found


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
