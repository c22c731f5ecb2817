"""The workflow itself, run on simulated answers: every stage from the questions to the figures.

A benchmark of made-up quotes and authors is handed in, and a model is asked over a loopback server
that answers by a plan; the plan says what each answer is. During an outage the server fails for a
part of one group's questions.
"""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from attribench.analysis.quote_values import average_quotes, judge_answers, metric_values
from attribench.analysis.selftest_server import PlannedChat, Question, serving
from attribench.analysis.selftest_truth import GROUPS, Scenario, draw_answers, draw_benchmark
from attribench.errors import AttribenchError
from attribench.tables import read
from attribench.tables.analysis import SUBGROUPS
from attribench.tables.evaluation import OUTCOMES

LOST = 0.2
"""Share of the first group's questions that meet the outage."""

_DATASET, _MODEL = "simulated", "simulated"
_FIGURES = ["n_quotes", "n_unanswered", "mean", "ci_low", "ci_high", "wilson_low", "wilson_high"]
_FIGURES += ["cluster_low", "cluster_high"]
_CELL = ["metric", "prompt", "evidence", "group"]


@dataclass(frozen=True)
class Check:
    """Something that either is as it must be, or not: what was found, and what was expected."""

    what: str
    found: str
    expected: str
    holds: bool


def make_up(
    scenario: Scenario, authors: int, given: Sequence[str], family: Sequence[str], words: Sequence[str], seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a benchmark of made-up quotes, and the planned answers with their texts.

    Args:
        scenario: what is true.
        authors: authors in each group.
        given: given names.
        family: family names; those of the wrong answers are the last of them.
        words: words that quotes are made of.
        seed: where chance comes from.
    """
    rng = np.random.default_rng([seed, *b"workflow"])
    quotes = draw_benchmark(authors, rng)
    n_wrong = len(family) // 10
    first = rng.choice(len(given), quotes["author_code"].max() + 1)
    last = rng.permutation(len(family) - n_wrong)
    code = quotes["author_code"].to_numpy()
    names = [f"{given[first[c]]} {family[last[c % len(last)]]}" for c in code]
    texts = [" ".join(rng.choice(words, rng.integers(8, 25))).capitalize() + "." for _ in code]
    quotes = quotes.assign(author=names, quote=texts)
    plan = draw_answers(quotes, scenario, 1, rng).merge(quotes, on="quote_id")
    wrong = [
        f"{given[g]} {family[f]}"
        for g, f in zip(
            rng.integers(0, len(given), len(plan)),
            rng.integers(len(family) - n_wrong, len(family), len(plan)),
            strict=True,
        )
    ]
    said = {
        "correct": "This line was written by " + plan["author"] + ".",
        "incorrect": "This line was written by " + pd.Series(wrong, index=plan.index) + ".",
        "none": pd.Series("It was written in a time of hardship and speaks of hope.", index=plan.index),
    }
    plan["text"] = np.select([plan["outcome"] == o for o in said], list(said.values()), "")
    # Answers that the simulation loses are empty ones here; the outage is what makes some fail.
    plan["status"] = plan["status"].where(plan["outcome"].notna(), "empty")
    return quotes, plan


def check_workflow(
    folder: Path, quotes: pd.DataFrame, plan: pd.DataFrame, scenario: Scenario, *, root: Path, python: str, seed: int
) -> list[Check]:
    """Run the workflow three times, in and after an outage, and return what was checked.

    Args:
        folder: where it runs; what is there is removed.
        quotes: the benchmark, see `make_up`.
        plan: the answers, see `make_up`.
        scenario: what is true.
        root: the folder of the Snakefile.
        python: the interpreter that has Snakemake.
        seed: where chance comes from.

    Raises:
        AttribenchError: the workflow failed where it must not.
    """
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "resources").mkdir(parents=True)
    for part in ("words", "prompts"):
        (folder / "resources" / part).symlink_to(root / "resources" / part)
    _write_benchmark(quotes, folder / "benchmark.csv")
    prompt_set = yaml.safe_load((folder / "resources/prompts/paper.yaml").read_text(encoding="utf-8"))
    asked: list[Question] = list(zip(plan["quote"], plan["prompt"], plan["evidence"], strict=True))
    luck = np.random.default_rng([seed, *b"outage"]).random(len(plan))
    is_lost = ((plan["group"] == GROUPS[0]) & (luck < LOST)).to_numpy()
    lost = [question for question, gone in zip(asked, is_lost, strict=True) if gone]
    evidence = prompt_set["evidence"].partition("{lines}")[0]
    chat = PlannedChat(dict(zip(asked, plan["text"], strict=True)), prompt_set["prompts"], lost, evidence)
    with serving(chat):
        chat.is_out = True
        strict = _run(folder, root, python, _config(chat.url, 0.0, seed), "evaluate")
        stopped = f"{len(lost)} of {len(plan)} answers" in strict.stdout
        checks = [Check("an outage stops the run and says how much is missing", str(stopped), "True", stopped)]
        tolerant = _config(chat.url, 0.9, seed)
        during = _tables(folder, root, python, tolerant)
        chat.is_out = False
        _forget(folder)
        after = _tables(folder, root, python, _config(chat.url, 0.0, seed))
        calls = sum(chat.answered.values())
    checks.append(_equal("every question is answered once", calls, len(plan)))
    agree = _agreement(folder, plan)
    checks.append(_equal("answers whose outcome is the planned one", agree, len(plan)))
    return [*checks, *_check_figures(during, after, plan, is_lost, scenario)]


def _check_figures(
    during: pd.DataFrame, after: pd.DataFrame, plan: pd.DataFrame, is_lost: Any, scenario: Scenario
) -> list[Check]:
    hit = GROUPS[0]
    rows = {"during": during.set_index(_CELL), "after": after.set_index(_CELL)}
    is_hit = rows["after"].index.get_level_values("group") == hit
    others = [rows[when][~is_hit][_FIGURES] for when in ("during", "after")]
    checks = [_equal("an outage in one group changes figures of other groups", _differing(*others), 0)]
    missing = int(during.loc[(during["group"] == hit) & (during["metric"] == "accuracy"), "n_missing"].sum())
    checks.append(_equal("answers counted as missing in the group", missing, int(is_lost.sum())))
    for when, left in (("during", plan[~is_lost]), ("after", plan)):
        expected = _means(left)
        found = rows[when]["mean"]
        differing = int((~np.isclose(found, expected.reindex(found.index), rtol=0, atol=1e-12)).sum())
        checks.append(_equal(f"figures {when} the outage that are not those of the answers there are", differing, 0))
        held = _holding(rows[when].reset_index(), scenario)
        least = int(np.floor(0.8 * len(found)))
        checks.append(
            Check(
                f"intervals {when} the outage that hold the truth (bootstrap of authors)",
                f"{held} of {len(found)}",
                f"at least {least}",
                held >= least,
            )
        )
    return checks


def _equal(what: str, found: int, expected: int) -> Check:
    return Check(what, str(found), str(expected), found == expected)


def _differing(one: pd.DataFrame, other: pd.DataFrame) -> int:
    same = (one == other) | (one.isna() & other.isna())
    return int((~same).to_numpy().sum())


def _means(plan: pd.DataFrame) -> pd.Series:
    """Return the mean of each group in each condition, straight from the plan."""
    quotes = average_quotes(judge_answers(plan[["quote_id", "prompt", "evidence", "status", "outcome"]], "exclude"))
    group = plan.drop_duplicates("quote_id").set_index("quote_id")["group"]
    means = {
        (metric, prompt, evidence, name): part["value"].mean()
        for metric, prompt, evidence, cell in metric_values(quotes)
        for name, part in cell.groupby(cell["quote_id"].map(group))
    }
    return pd.Series(means).rename_axis(_CELL)


def _holding(rows: pd.DataFrame, scenario: Scenario) -> int:
    truths = [scenario.truth(m, p, bool(e))[g] for m, p, e, g in rows[_CELL].to_numpy().tolist()]
    return int(((rows["cluster_low"] <= truths) & (rows["cluster_high"] >= truths)).sum())


def _agreement(folder: Path, plan: pd.DataFrame) -> int:
    keys = ["quote_id", "prompt", "evidence"]
    found = read(folder / f"results/evaluation/{_DATASET}/{_MODEL}/outcomes.parquet", OUTCOMES, [*keys, "outcome"])
    both = plan[[*keys, "outcome"]].merge(found, on=keys, suffixes=("", "_found"), validate="one_to_one")
    same = (both["outcome"] == both["outcome_found"]) | (both["outcome"].isna() & both["outcome_found"].isna())
    return int(same.sum())


def _write_benchmark(quotes: pd.DataFrame, path: Path) -> None:
    labels = quotes["group"].str.lower().str.split(" ", expand=True)
    columns = {"quote_id": "quote_id", "author": "author_clean", "quote": "quote", "log10_hits": "log10_hits"}
    table = quotes[[*columns, "match_id"]].rename(columns=columns)
    table.assign(race=labels[0], gender=labels[1], author_id=[f"a{c}" for c in quotes["author_code"]]).to_csv(path)


def _config(url: str, max_missing: float, seed: int) -> dict[str, Any]:
    groups = {group: dict(zip(("race", "gender"), group.lower().split(" "), strict=True)) for group in GROUPS}
    return {
        "seed": seed,
        "datasets": {_DATASET: {"benchmark": "benchmark.csv", "groups": groups}},
        "evidence": {},
        "evaluation": {
            "prompt_set": "resources/prompts/paper.yaml",
            "prompts": ["direct", "indirect"],
            "evidence": [False, True],
            "generations": 1,
            "max_missing": max_missing,
        },
        "models": {
            _MODEL: {
                "id": f"openai/{_MODEL}",
                "endpoint": {"kind": "url", "url": url},
                "concurrency": 16,
                "attempts": 1,
            }
        },
        "analysis": {},
    }


def _run(
    folder: Path, root: Path, python: str, config: dict[str, Any], target: str
) -> subprocess.CompletedProcess[str]:
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    command = [python, "-m", "snakemake", target, "--snakefile", str(root / "Snakefile"), "--directory", str(folder)]
    command += ["--configfile", str(folder / "config.yaml"), "--cores", "2", "--workflow-profile", "none"]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def _tables(folder: Path, root: Path, python: str, config: dict[str, Any]) -> pd.DataFrame:
    done = _run(folder, root, python, config, "analysis")
    if done.returncode:
        raise AttribenchError(f"The workflow failed on simulated answers. Its last words were:\n{done.stdout[-2000:]}")
    return read(folder / "results/analysis/subgroups.csv", SUBGROUPS)


def _forget(folder: Path) -> None:
    """Remove what the model was asked, but not what it answered: the ledger."""
    shutil.rmtree(folder / "results/evaluation")
