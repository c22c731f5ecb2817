"""Step: how much accuracy and suppression depend on the instrument that tells whom an answer names.

The same answers, decided by our rules, by the words of the paper and as the published code does
(`docs/outcomes.md`), give three values of each metric.
"""

from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.analysis.means import describe_mean
from attribench.analysis.quote_values import COUNTS, metric_values, quote_values
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.analysis import ALL, INSTRUMENTS
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import CLASSIFIERS, OUTCOMES

"""What stands for the group in rows about all groups together."""


def main(
    *,
    benchmarks: list[Path],
    outcomes: list[Path],
    groups: dict[str, list[str]],
    models: list[str],
    unanswered: str,
    instruments: Path,
) -> None:
    """Write the table `instruments` for all data sets and models.

    Args:
        benchmarks: the benchmark of each data set, in the order of `groups`.
        outcomes: one file for each data set and model; all models of the first data set first.
        groups: the groups of each data set, in the order in which they are reported.
        models: slugs of the models, in the order in which they are reported.
        unanswered: how answers without text count: `exclude` or `none`.
        instruments: where the table goes.
    """
    quotes = {
        dataset: read(path, BENCHMARK, ["quote_id", "group"]) for dataset, path in zip(groups, benchmarks, strict=True)
    }
    columns = ["quote_id", "prompt", "evidence", "status", *(f"outcome_{name}" for name in CLASSIFIERS)]
    rows: list[dict[str, Any]] = []
    for (dataset, model), path in zip(product(groups, models), outcomes, strict=True):
        found = compare_instruments(read(path, OUTCOMES, columns), quotes[dataset], groups[dataset], unanswered)
        rows.extend({"dataset": dataset, "model": model, **row} for row in found)
    numbers = ["mean", "ci_low", "ci_high", "wilson_low", "wilson_high"]
    frame = pd.DataFrame(rows, columns=INSTRUMENTS.names).astype(dict.fromkeys(numbers, "float64"))
    write(frame, instruments, INSTRUMENTS)


def compare_instruments(
    answers: pd.DataFrame, benchmark: pd.DataFrame, groups: list[str], unanswered: str
) -> list[dict[str, Any]]:
    """Return the rows of the table `instruments` for one model on one data set.

    Args:
        answers: one row per answer: `quote_id`, `prompt`, `evidence`, `status`, and `outcome_` and the
            name of each classifier.
        benchmark: `quote_id` and `group` of each quote.
        groups: the groups, in order.
        unanswered: how answers without text count: `exclude` or `none`.

    Returns:
        Rows without the columns `dataset` and `model`, the rows of one classifier after another.
    """
    rows = []
    for classifier in CLASSIFIERS:
        own = answers.assign(outcome=answers[f"outcome_{classifier}"])
        quotes = quote_values(own, unanswered).merge(benchmark, on="quote_id", validate="many_to_one")
        for metric, prompt, evidence, cell in metric_values(quotes):
            for group in (ALL, *groups):
                part = cell if group == ALL else cell[cell["group"] == group]
                counts = {name: int(part[name].sum()) for name in COUNTS}
                condition = {"metric": metric, "prompt": prompt, "evidence": evidence, "group": group}
                mean = describe_mean(part["value"].to_numpy("float64"))
                rows.append({**condition, "classifier": classifier, **counts, **mean})
    return rows


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
