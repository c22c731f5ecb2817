"""Tables as the stage analysis makes them, from known shares and without its code."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd
import pytest

GROUPS = {
    "intersectional": ["Black female", "Black male", "White female", "White male"],
    "multirace": ["Asian", "Black", "Latino", "White"],
}
PROMPTS = ["direct", "indirect", "indirect_overt"]
MODELS = [
    "gpt-5.1", "claude-4.6-sonnet", "kimi-k2.5", "deepseek-v3.1", "mistral-large-2512", "mixtral-8x7b",
    "llama-4-maverick-17b-128e-instruct", "qwen3.5-397b", "qwen3-next-80b", "gemini-2.5-flash-lite", "gpt-oss-120b",
]  # fmt: skip

Tables = tuple[pd.DataFrame, pd.DataFrame]


def make_tables(
    models: list[str],
    groups: dict[str, list[str]] = GROUPS,
    evidence: tuple[bool, ...] = (False, True),
    subset: tuple[str, ...] = (),
) -> Tables:
    """Return `subgroups` and `overall`; the last group of each data set is best, and sometimes with a star."""
    rng = np.random.default_rng(7)
    by_group, overall = [], []
    accuracy = [("accuracy", prompt, with_evidence) for prompt in PROMPTS for with_evidence in evidence]
    suppression = [("s_omit", "indirect", False), ("s_evid", "indirect", True)]
    cells = accuracy + [cell for cell in suppression if cell[2] in evidence]
    for model, dataset, (metric, prompt, with_evidence) in product(models, groups, cells):
        condition = {
            "dataset": dataset, "model": model, "metric": metric, "prompt": prompt, "evidence": with_evidence,
        }  # fmt: skip
        means = np.sort(rng.uniform(0.02, 0.45, len(groups[dataset])))
        if metric != "accuracy":
            means = means[::-1]
        counts = {"n_unanswered": 0, "n_missing": 0, "note": None}
        for group, mean in zip(groups[dataset], means, strict=True):
            is_last = group == groups[dataset][-1]
            interval = {"mean": mean, "ci_low": mean - 0.02, "ci_high": mean + 0.02}
            flags = {"is_best": is_last, "is_star": is_last and prompt == "indirect"}
            by_group.append({**condition, "group": group, "n_quotes": 300, **counts, **interval, **flags})
        mean = float(np.mean(means))
        asked = {"n_matchings": 300, "is_subset": model in subset, "n_quotes": 300 * len(means)}
        interval = {"mean": mean, "ci_low": mean - 0.01, "ci_high": mean + 0.01}
        overall.append({**condition, **asked, **counts, **interval})
    return pd.DataFrame(by_group), pd.DataFrame(overall)


@pytest.fixture
def made_up() -> Callable[..., Tables]:
    """Return the function that makes up the tables."""
    return make_tables


@pytest.fixture
def groups() -> dict[str, list[str]]:
    """Return the groups of the paper's two data sets."""
    return GROUPS


@pytest.fixture
def prompts() -> list[str]:
    """Return the prompts of the paper."""
    return PROMPTS


@pytest.fixture
def models() -> list[str]:
    """Return eleven models."""
    return MODELS
