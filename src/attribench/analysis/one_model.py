"""Everything that is said about one model on one data set: the rows of all tables but the stars."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from attribench.analysis.adjusted import adjust, covariate_matrix
from attribench.analysis.answers import count_statuses, outcome_shares, rank_wrong_authors
from attribench.analysis.bootstrap import AuthorBootstrap
from attribench.analysis.fame import bin_fame, correlate_fame
from attribench.analysis.generations import measure_generations
from attribench.analysis.one_condition import compare_condition
from attribench.analysis.quote_values import average_quotes, judge_answers, metric_values
from attribench.analysis.sensitivity import NO_OWN_NAME, drop_matched
from attribench.tables.analysis import BETTER

Row = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """How answers become figures: the section `analysis` of the configuration, and the seed."""

    unanswered: str
    replicates: int
    fame_bin_width: float
    seed: int


@dataclass
class Dataset:
    """A data set as the analysis needs it; each set of authors has one set of bootstrap draws.

    `benchmark` has `quote_id`, `match_id`, `group`, `author_id`, `author` and `log10_hits`;
    `covariates` are the rows of COVARIATES_OF_QUOTES for the same quotes.
    """

    name: str
    benchmark: pd.DataFrame
    groups: list[str]
    reference: str
    covariates: pd.DataFrame

    def __post_init__(self) -> None:
        """Work out what is the same for all models."""
        self.benchmark = self.benchmark.assign(author_code=pd.factorize(self.benchmark["author_id"])[0])
        self.matrices = covariate_matrix(self.covariates)
        self._drawn: dict[bytes, AuthorBootstrap] = {}

    def bootstrap(self, quotes: pd.DataFrame, options: Options) -> AuthorBootstrap:
        """Return draws of the authors of `quotes`, the same whenever the authors are the same."""
        authors = quotes[["author_code", "group"]].drop_duplicates("author_code").sort_values("author_code")
        key = authors["author_code"].to_numpy().tobytes()
        if key not in self._drawn:
            rng = np.random.default_rng([options.seed, *f"bootstrap of {self.name}".encode()])
            self._drawn[key] = AuthorBootstrap(authors, options.replicates, rng)
        return self._drawn[key]

    def without_own_name(self, options: Options) -> pd.DataFrame:
        """Return the quotes of the sensitivity run, see `drop_matched`."""
        naming = self.covariates.set_index("quote_id")["names_author"]
        drop = self.benchmark["quote_id"].map(naming).fillna(False).astype(bool)
        rng = np.random.default_rng([options.seed, *f"{NO_OWN_NAME} of {self.name}".encode()])
        return drop_matched(self.benchmark, drop, self.groups, rng)


def analyse_model(answers: pd.DataFrame, dataset: Dataset, options: Options) -> dict[str, pd.DataFrame]:
    """Return the rows of all tables for one model on one data set, without the columns `dataset` and `model`.

    Args:
        answers: the table OUTCOMES, with `names`.
        dataset: the data set that the answers are about.
        options: see `Options`.

    Returns:
        Tables by name. In `subgroups`, `pairwise` and `sensitivity` stars and corrected p-values
        are still to be added; `sensitivity_pairs` is what the stars of `sensitivity` need.
    """
    # Comparing and grouping numbers is many times faster than texts.
    answers = answers.astype(dict.fromkeys(["quote_id", "prompt", "status", "outcome"], "category"))
    judged = judge_answers(answers.drop(columns="names"), options.unanswered)
    about = dataset.benchmark.drop(columns=["author", "author_id"])
    quotes = average_quotes(judged).merge(about, on="quote_id", validate="many_to_one")
    found = _by_condition(quotes, dataset, options)
    found["generations"] = [
        {**_condition(metric, prompt, evidence), **measure_generations(rows)}
        for metric, prompt, evidence, rows in metric_values(judged)
    ]
    tables = {name: pd.DataFrame(rows) for name, rows in found.items()}
    tables |= _without_own_name(quotes, dataset, options)
    tables["outcome_shares"] = outcome_shares(quotes, dataset.groups)
    group = dict(zip(about["quote_id"], about["group"], strict=True))
    grouped = answers.assign(group=answers["quote_id"].map(group))
    tables["statuses"] = count_statuses(grouped, dataset.groups)
    authors = dataset.benchmark.drop_duplicates("author_id")
    tables["wrong_authors"] = rank_wrong_authors(answers, authors)
    return tables


def _by_condition(quotes: pd.DataFrame, dataset: Dataset, options: Options) -> dict[str, list[Row]]:
    names = ("overall", "subgroups", "pairwise", "disparity", "fame_bins", "fame_correlation", "adjusted")
    found: dict[str, list[Row]] = {name: [] for name in names}
    bootstrap = dataset.bootstrap(quotes, options)
    for metric, prompt, evidence, cell in metric_values(quotes):
        rows = compare_condition(cell, dataset.groups, dataset.reference, BETTER[metric], bootstrap)
        asked = {"n_matchings": cell["match_id"].nunique(), "is_subset": len(cell) < len(dataset.benchmark)}
        parts: dict[str, Sequence[Row]] = {
            "overall": [asked | rows.overall],
            "subgroups": [row | asked | {"model_mean": rows.overall["mean"]} for row in rows.subgroups],
            "pairwise": rows.pairwise,
            "disparity": rows.disparity,
            "fame_bins": [row | asked for row in bin_fame(cell, options.fame_bin_width)],
            "fame_correlation": [correlate_fame(cell)],
            "adjusted": list(adjust(cell, dataset.matrices, dataset.groups, dataset.reference)),
        }
        for name, part in parts.items():
            found[name].extend(_condition(metric, prompt, evidence) | row for row in part)
    return found


def _without_own_name(quotes: pd.DataFrame, dataset: Dataset, options: Options) -> dict[str, pd.DataFrame]:
    kept = quotes[quotes["quote_id"].isin(set(dataset.without_own_name(options)["quote_id"]))]
    bootstrap = dataset.bootstrap(kept, options)
    subgroups: list[Row] = []
    pairs: list[Row] = []
    for metric, prompt, evidence, cell in metric_values(kept):
        rows = compare_condition(cell, dataset.groups, dataset.reference, BETTER[metric], bootstrap)
        condition = {"variant": NO_OWN_NAME, **_condition(metric, prompt, evidence)}
        subgroups.extend(condition | row for row in rows.subgroups)
        pairs.extend(condition | row for row in rows.pairwise)
    return {"sensitivity": pd.DataFrame(subgroups), "sensitivity_pairs": pd.DataFrame(pairs)}


def _condition(metric: str, prompt: str, evidence: bool) -> Row:
    return {"metric": metric, "prompt": prompt, "evidence": evidence}
