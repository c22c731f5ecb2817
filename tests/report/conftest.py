"""Tables as the stage analysis makes them, from known shares and without its code."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from attribench.report import show_model
from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, Table, write
from attribench.tables.analysis import (
    ADJUSTED,
    ADJUSTMENTS,
    ALL,
    BETTER,
    DISPARITY,
    FAME_BINS,
    FAME_CORRELATION,
    GENERATIONS,
    OUTCOME_SHARES,
    OVERALL,
    PAIRWISE,
    POWER,
    SENSITIVITY,
    STATUSES,
    SUBGROUPS,
    WRONG_AUTHORS,
)
from attribench.tables.balance import BENCHMARK
from attribench.tables.comparison import COMPARISON
from attribench.tables.covariates import COVARIATES
from attribench.tables.evaluation import OUTCOMES, RESPONSES
from attribench.tables.selftest import SELFTEST

ROOT = Path(__file__).parents[2]

GROUPS = {
    "intersectional": ["Black female", "Black male", "White female", "White male"],
    "multirace": ["Asian", "Black", "Latino", "White"],
}
PROMPTS = ["direct", "indirect", "indirect_overt"]
MODELS = [
    "gpt-5.1", "claude-4.6-sonnet", "kimi-k2.5", "deepseek-v3.1", "mistral-large-2512", "mixtral-8x7b",
    "llama-4-maverick-17b-128e-instruct", "qwen3.5-397b", "qwen3-next-80b", "gemini-2.5-flash-lite", "gpt-oss-120b",
]  # fmt: skip

ANALYSIS = {
    "overall": OVERALL, "subgroups": SUBGROUPS, "fame_bins": FAME_BINS, "disparity": DISPARITY,
    "fame_correlation": FAME_CORRELATION, "generations": GENERATIONS, "covariates": COVARIATES, "power": POWER,
    "outcome_shares": OUTCOME_SHARES, "wrong_authors": WRONG_AUTHORS, "statuses": STATUSES, "adjusted": ADJUSTED,
    "pairwise": PAIRWISE, "sensitivity": SENSITIVITY,
}  # fmt: skip
COVARIATE_NAMES = ["words", "characters", "reading_ease", "names_author", "names_work", "elsewhere", "birth_year"]
TOPICS = ["love, heart, life", "people, freedom, justice", "books, reading, words", "god, faith, soul"]
WRONG = [
    ("Maya Angelou", "Black female"), ("<script>alert('w')</script>", None), ("Oscar Wilde", "White male"),
    ("Albert Einstein", None), ("Rumi", None), ("Mark Twain", "White male"), ("Toni Morrison", "Black female"),
]  # fmt: skip

# What a model may say: a script, a picture that runs one, and the end of an element.
HOSTILE = "<script>window.hacked = 1</script> said <img src=x onerror='window.hacked = 2'> </p></main> & so on."
REPORT_TABLES = [
    "accuracy", "beside_paper", "disparity", "covariates", "adjusted", "sensitivity", "power", "generations",
    "fame_correlation", "table_4_models", "groups_intersectional", "groups_multirace",
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
        overall_mean = float(np.mean(means))
        counts = {"n_unanswered": 0, "n_missing": 0, "note": None}
        asked = {"n_matchings": 300, "is_subset": model in subset, "model_mean": overall_mean}
        for group, mean in zip(groups[dataset], means, strict=True):
            is_last = group == groups[dataset][-1]
            interval = {"mean": mean, "ci_low": mean - 0.02, "ci_high": mean + 0.02}
            flags = {"is_best": is_last, "is_star": is_last and prompt == "indirect"}
            by_group.append({**condition, "group": group, "n_quotes": 300, **counts, **interval, **flags, **asked})
        interval = {"mean": overall_mean, "ci_low": overall_mean - 0.01, "ci_high": overall_mean + 0.01}
        overall.append({**condition, **asked, "n_quotes": 300 * len(means), **counts, **interval})
    return filled(pd.DataFrame(by_group), SUBGROUPS), filled(pd.DataFrame(overall), OVERALL)


def filled(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Return `frame` with the columns of `table` that it lacks: missing where that may be, else nothing or 0."""
    nothing = {TEXT: "", FLAG: False, INTEGER: 0, NUMBER: 0.0}
    lacking = [column for column in table.columns if column.name not in frame]
    values = {c.name: None if c.optional and c.type == TEXT else nothing[c.type] for c in lacking if c.type != TEXTS}
    values |= {c.name: np.nan for c in lacking if c.optional and c.type in (NUMBER, INTEGER)}
    lists = {c.name: [[] for _ in range(len(frame))] for c in lacking if c.type == TEXTS}
    return frame.assign(**values, **lists)[table.names]


def simulate(
    models: list[str], groups: dict[str, list[str]] = GROUPS, subset: tuple[str, ...] = ()
) -> dict[str, pd.DataFrame]:
    """Return all tables of the stage analysis that the report reads, by name, as a run of `models` could give them."""
    rng = np.random.default_rng(11)
    subgroups, overall = make_tables(models, groups, subset=subset)
    conditions = overall[[*OVERALL.key]].to_dict("records")
    by_condition = dict(iter(subgroups.groupby(list(OVERALL.key))))
    bins, gaps, correlations, spread = [], [], [], []
    for condition in conditions:
        ability = rng.uniform(2, 12)
        for low in np.arange(3.0, 8.0, 0.5):
            mean = min(0.95, 0.01 * ability * (low - 2) ** 1.1)
            n = int(400 * np.exp(-((low - 5) ** 2) / 1.5)) + 4
            asked = {"n_matchings": 300, "is_subset": condition["model"] in subset, "n_asked": n}
            bins.append({**condition, **asked, "bin_low": low, "bin_high": low + 0.5,
                         "n_quotes": n, "n_authors": n // 2, "mean": mean,
                         "ci_low": max(0, mean - 0.03), "ci_high": mean + 0.03})  # fmt: skip
        own = by_condition[tuple(condition.values())].sort_values("mean")
        best, worst = own.iloc[-1], own.iloc[0]
        if condition["metric"] != "accuracy":
            best, worst = worst, best
        gap = abs(best["mean"] - worst["mean"])
        for measure, value in (("gap", gap), ("ratio", worst["mean"] / best["mean"])):
            gaps.append({**condition, "measure": measure, "group": best["group"], "other": worst["group"],
                         "value": value, "ci_low": max(0, value - 0.05), "ci_high": value + 0.05,
                         "chance": 0.045 if measure == "gap" else np.nan, "replicates": 1000})  # fmt: skip
        rho = ability / 20
        correlations.append({**condition, "n_authors": 2900, "rank_correlation": rho, "ci_low": rho - 0.03,
                             "ci_high": rho + 0.03, "p_value": 1e-9})  # fmt: skip
        spread.append({**condition, "n_generations": 3, "n_quotes": 7900, "agreement": 0.9, "sd_within": 0.1,
                       "mean_lowest": 0.1, "mean_highest": 0.12, "sd_of_means": 0.01})  # fmt: skip
    covariates = [
        {"dataset": dataset, "matching": matching, "covariate": covariate, "level": level, "group": group,
         "n_quotes": 1991, "n_unknown": 0, "mean": 10.0, "sd": 2.0, "smd": smd, "largest_smd": smd,
         "is_over_line": smd > 0.1}
        for dataset, names in groups.items()
        for covariate, level in [*((c, "") for c in COVARIATE_NAMES), *(("topic", t) for t in TOPICS)]
        for matching, smd in (("before", rng.uniform(0.05, 0.5)), ("after", rng.uniform(0, 0.2)))
        for group in names
    ]  # fmt: skip
    power = [
        {"dataset": dataset, "metric": metric, "n_comparisons": 66, "quotes_per_group": 1991.0,
         "authors_per_group": 742.0, "design_effect": 1.4, "smallest_gap": 0.031, "smallest_gap_best": 0.02,
         "smallest_gap_worst": 0.04, "smallest_gap_corrected": 0.044}
        for dataset, metric in product(groups, BETTER)
    ]  # fmt: skip
    settings = overall.loc[overall["metric"] == "accuracy", ["dataset", "model", "prompt", "evidence"]].to_dict(
        "records"
    )
    shares = [
        {**setting, "group": group, "outcome": outcome, "n_quotes": 1991, "n_asked": 5973, "share": share}
        for setting in settings
        for group in [*groups[setting["dataset"]], ALL]
        for outcome, share in zip(("correct", "incorrect", "none"), rng.dirichlet((2, 3, 4)), strict=True)
    ]
    wrong = [
        {"dataset": dataset, "model": model, "evidence": evidence, "rank": rank, "name": name,
         "n_answers": 90 - 9 * rank, "n_quotes": 60 - 5 * rank, "share": 0.1 / rank, "group": group}
        for dataset, model, evidence in product(groups, models, (False, True))
        for rank, (name, group) in enumerate(WRONG, start=1)
    ]  # fmt: skip
    statuses = [
        {**setting, "group": group, "status": status, "n_answers": n}
        for setting in settings
        for group in groups[setting["dataset"]]
        for status, n in (("ok", 5900), ("refused", 61), ("truncated", 12))
    ]
    adjusted = [
        {**condition, "adjustment": adjustment, "group": group, "reference": groups[condition["dataset"]][0],
         "n_quotes": 7900, "n_authors": 2900, "log_odds": 0.5, "log_odds_low": 0.3, "log_odds_high": 0.7,
         "p_value": 0.001, "difference": 0.06, "ci_low": 0.04, "ci_high": 0.08}
        for condition in conditions
        for adjustment in ADJUSTMENTS
        for group in groups[condition["dataset"]][1:]
    ]  # fmt: skip
    pairs = [
        {**condition, "group": group, "other": other, "difference": 0.08, "ci_low": 0.06, "ci_high": 0.1,
         "n_group": 1991, "n_other": 1991, "family": "f"}
        for condition in conditions
        for other, group in combinations(groups[condition["dataset"]], 2)
    ]  # fmt: skip
    without_own_names = subgroups.assign(variant="no_own_name", mean_all=subgroups["mean"], is_star_all=False)
    made = {
        "fame_bins": bins, "disparity": gaps, "fame_correlation": correlations, "generations": spread,
        "covariates": covariates, "power": power, "outcome_shares": shares, "wrong_authors": wrong,
        "statuses": statuses, "adjusted": adjusted, "pairwise": pairs,
        "sensitivity": without_own_names.to_dict("records"),
    }  # fmt: skip
    tables = {name: filled(pd.DataFrame(rows), ANALYSIS[name]) for name, rows in made.items()}
    return {"overall": overall, "subgroups": subgroups, **tables}


@dataclass(frozen=True)
class Files:
    """A run's files, as the steps of the report take them, below a folder."""

    folder: Path
    models: list[str]
    groups: dict[str, list[str]]

    def steps(self) -> dict[str, dict[str, Any]]:
        """Return what the rules hand to `show_model` (for the first model) and to `write_report`."""
        root, out = self.folder, self.folder / "report"
        captions = ROOT / "resources/captions"
        common = {
            "groups": self.groups, "prompts": PROMPTS, "evidence": [False, True], "unanswered": "exclude",
            "templates": sorted((ROOT / "resources/report").glob("*.*")),
        }  # fmt: skip
        model = self.models[0]
        own = {
            f"{name}s": [root / f"{dataset}.{model}.{name}.{kind}" for dataset in self.groups]
            for name, kind in (("outcome", "parquet"), ("response", "parquet"), ("manifest", "json"))
        }
        show = {
            **{path.stem: path for path in (root / "analysis").glob("*.csv")}, **own, **common, "model": model,
            "benchmarks": [root / f"{dataset}.parquet" for dataset in self.groups], "seed": 1,
            "captions": [captions / "model_heatmap.rst", captions / "figure_8_fame.rst"],
            "png": out / "models" / f"{model}.png", "fame_png": out / "figures/fame" / f"{model}.png",
            "page": out / "models" / f"{model}.html",
        }  # fmt: skip
        made = {str(root / f"{name}.csv"): "" for name in ("comparison", "checks")}
        wanted = inspect.signature(show_model.main).parameters
        figures = sorted((out / "figures").glob("*.png"))
        report = {
            **common, "analysis": list((root / "analysis").glob("*.csv")), "runs": [], "group_fame": [], "built": [],
            "manifests": [root / f"{d}.{m}.manifest.json" for d in self.groups for m in self.models],
            "paper": sorted((ROOT / "resources/paper").glob("*.csv")), "figures": figures, "quality": [], "audit": [],
            "spend": [], "on_demand": made,
            "captions": [captions / "workflow.rst", *(captions / f"{f.stem}.rst" for f in figures)],
            "models": {name: f"openai/{name}" for name in self.models},
            "config": {"models": self.models, "datasets": list(self.groups), "analysis": {}},
            "tables": [out / "tables" / f"{name}.csv" for name in REPORT_TABLES], "index": out / "index.html",
        }  # fmt: skip
        return {"show_model": {name: show[name] for name in wanted}, "write_report": report}


def write_run(folder: Path, models: list[str], groups: dict[str, list[str]] = GROUPS) -> Files:
    """Write what the report reads of a run: tables, answers (some of them hostile) and manifests."""
    for name, frame in simulate(models, groups, subset=(models[-1],)).items():
        write(frame, folder / "analysis" / f"{name}.csv", ANALYSIS[name])
    comparison = {
        "comparison": "newer", "first": "a <b>run</b>", "second": "another", "dataset": "multirace", "group": "Asian",
        "metric": "accuracy", "prompt": "direct", "evidence": False, "mean_first": 0.25, "mean_second": 0.375,
        "difference": 0.125, "ci_low": 0.1, "ci_high": 0.15,
    }  # fmt: skip
    check = {"part": "workflow", "what": "a", "found": "0", "expected": "0", "is_checked": True, "holds": True}
    write(filled(pd.DataFrame([comparison]), COMPARISON), folder / "comparison.csv", COMPARISON)
    write(
        filled(pd.DataFrame([check, {**check, "what": "b", "holds": False}]), SELFTEST), folder / "checks.csv", SELFTEST
    )
    rng = np.random.default_rng(5)
    for dataset, names in groups.items():
        quotes = [(f"jstet_{i}", i // 4, names[i % 4], f"Author <b>{i}</b>", f"Quote & number {i}") for i in range(16)]
        benchmark = pd.DataFrame(quotes, columns=["quote_id", "match_id", "group", "author", "quote"])
        write(filled(benchmark.assign(author_id="a"), BENCHMARK), folder / f"{dataset}.parquet", BENCHMARK)
        keys = list(product(benchmark["quote_id"], PROMPTS, (False, True), range(2)))
        answers = pd.DataFrame(keys, columns=["quote_id", "prompt", "evidence", "generation"])
        answers["outcome"] = rng.choice(["correct", "incorrect", "none"], len(answers))
        answers["names"] = [["Somebody <i>Else</i>"] if o == "incorrect" else [] for o in answers["outcome"]]
        answers = answers.assign(status="ok", key="k", text=HOSTILE, cost=0.01)
        for model in models:
            write(filled(answers[[c for c in OUTCOMES.names if c in answers]], OUTCOMES),
                  folder / f"{dataset}.{model}.outcome.parquet", OUTCOMES)  # fmt: skip
            write(filled(answers[[c for c in RESPONSES.names if c in answers]], RESPONSES),
                  folder / f"{dataset}.{model}.response.parquet", RESPONSES)  # fmt: skip
            manifest = {
                "dataset": dataset, "model": {"name": model, "id": f"openai/{model}", "endpoint": {"kind": "hosted"}},
                "parameters_sent": {"temperature": 0.7, "top_p": 0.95}, "parameters_left_out": ["seed"],
                "matchings_asked": 4, "matchings_in_benchmark": 4, "prompt_set": {"sha256": "ab" * 32},
                "benchmark_sha256": "cd" * 32, "evidence_sha256": "ef" * 32, "answers": len(answers),
                "served_models": [f"{model}-<2026>"], "prompt_tokens": 9000, "completion_tokens": 800,
                "reasoning_tokens": 0, "cost_usd": 1.25, "answers_of_unknown_cost": 3, "python": "3.11.7",
                "first_answer": "2026-11-29T10:00:00Z", "last_answer": "2026-11-30T10:00:00Z",
                "packages": {"pandas": "3"}, "commit": {"sha1": "0123456789abcdef", "dirty": False},
                "remarks": ["The service <thinks>."],
            }  # fmt: skip
            (folder / f"{dataset}.{model}.manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return Files(folder, models, groups)


@pytest.fixture(scope="session")
def written_run() -> Callable[..., Files]:
    """Return the function that writes a run's files."""
    return write_run


@pytest.fixture(scope="session")
def simulated() -> Callable[..., dict[str, pd.DataFrame]]:
    """Return the function that makes up all tables of the analysis."""
    return simulate


@pytest.fixture
def made_up() -> Callable[..., Tables]:
    """Return the function that makes up the tables."""
    return make_tables


@pytest.fixture(scope="session")
def groups() -> dict[str, list[str]]:
    """Return the groups of the paper's two data sets."""
    return GROUPS


@pytest.fixture(scope="session")
def prompts() -> list[str]:
    """Return the prompts of the paper."""
    return PROMPTS


@pytest.fixture(scope="session")
def models() -> list[str]:
    """Return eleven models."""
    return MODELS
