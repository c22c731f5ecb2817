"""The manifest beside a model's answers: what was asked, how, of whom, and what came of it."""

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from attribench.chat.preflight import Plan
from attribench.commit import commit_of_code
from attribench.evaluation.remarks import count_reasoning

PACKAGES = ("attribench", "snakemake", "pandas", "pyarrow", "litellm", "openai", "xllamacpp")


def write_manifest(
    path: Path,
    *,
    model: Mapping[str, Any],
    plan: Plan,
    remarks: Sequence[str],
    dataset: str,
    prompt_set: Path,
    benchmark: Path,
    evidence: Path,
    conditions: Mapping[str, Any],
    endpoint: Mapping[str, Any],
    matchings: tuple[int, int],
    seed: int,
    responses: pd.DataFrame,
) -> None:
    """Write the manifest of one model and data set as JSON.

    Args:
        path: where to.
        model: the model's resolved configuration.
        plan: how the model is asked.
        remarks: what was not as it was asked for.
        dataset: name of the data set.
        prompt_set: the file with the prompts.
        benchmark: the benchmark's file.
        evidence: the evidence's file.
        conditions: the prompts, evidence settings and number of generations asked for.
        endpoint: what identifies the place where the model was asked.
        matchings: how many matchings the model was asked about, and how many there are.
        seed: the seed of the first generation.
        responses: the table RESPONSES.
    """
    text = prompt_set.read_text(encoding="utf-8")
    cost = responses["cost"]
    manifest = {
        "dataset": dataset,
        "model": dict(model),
        "conditions": dict(conditions),
        "endpoint": dict(endpoint),
        "parameters_sent": {**model["sampling"], **({} if "seed" in model["without"] else {"seed": seed})},
        "parameters_in_the_providers_words": plan.sent,
        "parameters_left_out": list(model["without"]),
        "why_left_out": plan.left_out,
        "price": plan.price,
        "reasoning": {"planned": plan.reasoning, **count_reasoning(responses, model.get("reasoning"))},
        "remarks": list(remarks),
        "matchings_asked": matchings[0],
        "matchings_in_benchmark": matchings[1],
        "prompt_set": {"file": str(prompt_set), "sha256": _sha256(prompt_set), "texts": yaml.safe_load(text)},
        "benchmark_sha256": _sha256(benchmark),
        "evidence_sha256": _sha256(evidence),
        "answers": len(responses),
        "status": responses["status"].value_counts().sort_index().to_dict(),
        "missing_by_cause": responses.loc[responses["status"] == "failed", "cause"].value_counts().to_dict(),
        "served_models": sorted(responses["served_model"].dropna().unique()),
        "answers_by_served_model": responses["served_model"].value_counts().sort_index().to_dict(),
        "calls": int(responses["attempts"].sum()),
        "retries": int((responses["attempts"] - 1).sum()),
        "prompt_tokens": int(responses["prompt_tokens"].sum()),
        "completion_tokens": int(responses["completion_tokens"].sum()),
        "reasoning_tokens": int(responses["reasoning_tokens"].sum()),
        "cost_usd": float(cost.sum()) if cost.notna().any() else None,
        "answers_of_unknown_cost": int(cost.isna().sum()),
        "first_answer": responses["asked_at"].dropna().min() if responses["asked_at"].notna().any() else None,
        "last_answer": responses["asked_at"].dropna().max() if responses["asked_at"].notna().any() else None,
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "commit": commit_of_code(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
