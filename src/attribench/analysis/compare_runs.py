"""Step: set two runs against each other, quote by quote: a new model version, another prompt set."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from attribench.analysis.clustered import mean_and_variance
from attribench.analysis.means import LEVEL
from attribench.analysis.quote_values import metric_values, quote_values
from attribench.errors import InputError
from attribench.step import run
from attribench.tables import read, typed, write
from attribench.tables.analysis import ALL
from attribench.tables.balance import BENCHMARK
from attribench.tables.comparison import COMPARED_QUOTES, COMPARISON
from attribench.tables.evaluation import OUTCOMES

Run = Mapping[str, str]

_ANSWERS = ["quote_id", "prompt", "evidence", "status", "outcome"]
_CONDITION = ["metric", "prompt", "evidence"]


def main(
    *,
    benchmarks: list[Path],
    comparisons: Mapping[str, Mapping[str, Run]],
    groups: Mapping[str, list[str]],
    unanswered: str,
    comparison: Path,
    compared_quotes: Path,
) -> None:
    """Write COMPARISON and COMPARED_QUOTES.

    Args:
        benchmarks: the benchmark of each data set, in the order of `groups`.
        comparisons: for each name, the `first` and the `second` run: `results` and `model`.
        groups: the groups of each data set, in order.
        unanswered: how answers without text count, in both runs.
        comparison: where the table goes that has a row for each condition and group.
        compared_quotes: where the table goes that has a row for each quote.

    Raises:
        InputError: there is no comparison, a run is not there, or two runs have no quote in common.
    """
    if not comparisons:
        raise InputError(
            "The configuration names no comparison. Add one, such as: "
            "compare: {new-version: {first: {model: old}, second: {model: new}}}, with names of models."
        )
    rows: list[dict[str, Any]] = []
    quotes = []
    for name, runs in comparisons.items():
        about = {"comparison": name, **{side: f"{run['results']}: {run['model']}" for side, run in runs.items()}}
        found = 0
        for (dataset, own), path in zip(groups.items(), benchmarks, strict=True):
            files = {side: outcomes_file(run, dataset) for side, run in runs.items()}
            if not all(file.is_file() for file in files.values()):
                continue
            pairs = pair_quotes(
                read(files["first"], OUTCOMES, _ANSWERS),
                read(files["second"], OUTCOMES, _ANSWERS),
                read(path, BENCHMARK, ["quote_id", "author_id", "group"]),
                unanswered,
            )
            rows.extend({**about, "dataset": dataset, **row} for row in compare_quotes(pairs, own))
            both = pairs.dropna(subset=["first", "second"])
            quotes.append(both.assign(comparison=name, dataset=dataset, difference=both["second"] - both["first"]))
            found += len(both)
        if not found:
            missing = ", ".join(str(outcomes_file(run, dataset)) for run in runs.values() for dataset in groups)
            raise InputError(
                f"The two runs of 'compare.{name}' have no scored quote in common. Looked for were: {missing}. "
                "Evaluate both runs first, on the same data sets, and check the folders and names of models."
            )
    write(typed(pd.DataFrame(rows), COMPARISON), comparison, COMPARISON)
    write(typed(pd.concat(quotes, ignore_index=True), COMPARED_QUOTES), compared_quotes, COMPARED_QUOTES)


def outcomes_file(run: Run, dataset: str) -> Path:
    """Return where a run keeps its outcomes on a data set."""
    return Path(run["results"]) / "evaluation" / dataset / run["model"] / "outcomes.parquet"


def pair_quotes(first: pd.DataFrame, second: pd.DataFrame, benchmark: pd.DataFrame, unanswered: str) -> pd.DataFrame:
    """Return one row per metric, condition and quote that either run was asked about, with its value in both.

    Args:
        first: the table OUTCOMES of the one run.
        second: that of the other.
        benchmark: `quote_id`, `author_id` and `group`; other quotes are left out.
        unanswered: see `judge_answers`.

    Returns:
        Columns `metric`, `prompt`, `evidence`, `quote_id`, `first`, `second` (missing where no
        answer was scored), `author_id`, `group`.
    """
    sides = {"first": first, "second": second}
    values = {
        side: pd.concat(
            [
                cell[["quote_id", "prompt", "evidence", "value"]].assign(metric=metric)
                for metric, _, _, cell in metric_values(quote_values(outcomes, unanswered))
            ]
        ).rename(columns={"value": side})
        for side, outcomes in sides.items()
    }
    keys = [*_CONDITION, "quote_id"]
    paired = values["first"].merge(values["second"], on=keys, how="outer", validate="one_to_one", sort=False)
    return paired.merge(benchmark, on="quote_id", validate="many_to_one")[
        [*keys, "first", "second", "author_id", "group"]
    ]


def compare_quotes(pairs: pd.DataFrame, groups: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of COMPARISON for one data set, without the columns of the comparison.

    The interval is that of the mean difference with its standard error clustered by author, and
    Student's t with as many degrees of freedom as there are authors, less one.

    Args:
        pairs: the result of `pair_quotes`.
        groups: the groups, in order; their rows follow that of all.
    """
    for (metric, prompt, evidence), cell in pairs.groupby(_CONDITION, sort=False):
        for group in (ALL, *groups):
            part = cell if group == ALL else cell[cell["group"] == group]
            yield {"metric": metric, "prompt": prompt, "evidence": evidence, "group": group, **_difference(part)}


def _difference(part: pd.DataFrame) -> dict[str, Any]:
    both = part.dropna(subset=["first", "second"])
    difference = (both["second"] - both["first"]).to_numpy("float64")
    mean, variance, n_authors = mean_and_variance(difference, pd.factorize(both["author_id"])[0])
    row: dict[str, Any] = {
        "n_quotes": len(both),
        "n_authors": n_authors,
        "n_only_first": int((part["first"].notna() & part["second"].isna()).sum()),
        "n_only_second": int((part["first"].isna() & part["second"].notna()).sum()),
        "n_higher": int((difference > 0).sum()),
        "n_lower": int((difference < 0).sum()),
    }
    if both.empty:
        return {**row, "note": "no quote scored in both runs"}
    row |= {"mean_first": float(both["first"].mean()), "mean_second": float(both["second"].mean()), "difference": mean}
    if n_authors < 2:
        return {**row, "note": "one author"}
    if np.ptp(difference) == 0:
        return {**row, "note": "every quote differs by the same" if mean else "no quote differs"}
    error = float(np.sqrt(variance))
    half = float(stats.t.ppf((1 + LEVEL) / 2, n_authors - 1)) * error
    p_value = float(2 * stats.t.sf(abs(mean) / error, n_authors - 1)) if error > 0 else None
    return row | {"ci_low": mean - half, "ci_high": mean + half, "p_value": p_value}


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
