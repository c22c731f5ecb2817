"""Step: accuracy and suppression, overall, by group, and between groups, for all models.

The definitions stand in `docs/analysis.md`.
"""

import logging
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.analysis.comparisons import best_groups, compare_groups, has_star
from attribench.analysis.means import describe_mean
from attribench.analysis.quote_values import metric_values, quote_values
from attribench.errors import InputError
from attribench.step import run
from attribench.tables import Table, read, write
from attribench.tables.analysis import BETTER, OVERALL, PAIRWISE, SUBGROUPS
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import OUTCOMES

Row = dict[str, Any]

log = logging.getLogger(__name__)


def main(
    *,
    benchmarks: list[Path],
    outcomes: list[Path],
    groups: dict[str, list[str]],
    models: list[str],
    unanswered: str,
    overall: Path,
    subgroups: Path,
    pairwise: Path,
) -> None:
    """Write the tables `overall`, `subgroups` and `pairwise` for all data sets and models.

    Args:
        benchmarks: the benchmark of each data set, in the order of `groups`.
        outcomes: one file for each data set and model; all models of the first data set first.
        groups: the groups of each data set, in the order in which they are reported.
        models: slugs of the models, in the order in which they are reported.
        unanswered: how answers without text count: `exclude` or `none`.
        overall: where the table goes that has a row for each condition.
        subgroups: where the table goes that has a row for each condition and group.
        pairwise: where the table goes that has a row for each condition and pair of groups.

    Raises:
        InputError: a table is not what it should be, or tables do not fit together.
    """
    quotes = {
        dataset: _read_benchmark(path, dataset, groups[dataset])
        for dataset, path in zip(groups, benchmarks, strict=True)
    }
    tables: dict[str, list[Row]] = {OVERALL.name: [], SUBGROUPS.name: [], PAIRWISE.name: []}
    for (dataset, model), path in zip(product(groups, models), outcomes, strict=True):
        answers = read(path, OUTCOMES, ["quote_id", "prompt", "evidence", "status", "outcome"])
        log.info("%s, %s: %d answers", dataset, model, len(answers))
        _check_quotes(answers, quotes[dataset], path)
        found = summarise(answers, quotes[dataset], groups[dataset], unanswered)
        for name, rows in found.items():
            tables[name].extend({"dataset": dataset, "model": model, **row} for row in rows)
    for table, path in ((OVERALL, overall), (SUBGROUPS, subgroups), (PAIRWISE, pairwise)):
        write(_frame(tables[table.name], table), path, table)


def summarise(
    answers: pd.DataFrame, benchmark: pd.DataFrame, groups: Sequence[str], unanswered: str
) -> dict[str, list[Row]]:
    """Return the rows of the three tables for one model on one data set.

    Args:
        answers: one row per answer, as `quote_values` wants it.
        benchmark: `quote_id`, `match_id` and `group` of each quote.
        groups: the groups, in order; one without any quote gets its rows all the same.
        unanswered: how answers without text count: `exclude` or `none`.

    Returns:
        Rows under the tables' names, without the columns `dataset` and `model`.
    """
    quotes = quote_values(answers, unanswered).merge(benchmark, on="quote_id", validate="many_to_one")
    rows: dict[str, list[Row]] = {OVERALL.name: [], SUBGROUPS.name: [], PAIRWISE.name: []}
    for metric, prompt, evidence, cell in metric_values(quotes):
        condition = {"metric": metric, "prompt": prompt, "evidence": evidence}
        asked = {"n_matchings": cell["match_id"].nunique(), "is_subset": len(cell) < len(benchmark)}
        rows[OVERALL.name].append({**condition, **asked, **_counts(cell), **_mean(cell)})
        by_group, pairs = _compare(cell, groups, BETTER[metric])
        rows[SUBGROUPS.name].extend({**condition, **row} for row in by_group)
        rows[PAIRWISE.name].extend({**condition, **row} for row in pairs)
    return rows


def _compare(cell: pd.DataFrame, groups: Sequence[str], sign: int) -> tuple[list[Row], list[Row]]:
    parts = {group: cell[cell["group"] == group] for group in groups}
    means = {group: _mean(part) for group, part in parts.items()}
    pairs = compare_groups({group: part["value"].to_numpy("float64") for group, part in parts.items()}, sign)
    best = best_groups({group: found["mean"] for group, found in means.items()}, sign)
    rows = []
    for group, part in parts.items():
        row = {"group": group, **_counts(part), **means[group]}
        row["is_best"] = group in best
        row["is_star"] = best == [group] and has_star(group, pairs)
        if row["is_best"] and len(best) > 1:
            row["note"] = "; ".join(filter(None, [row["note"], "tied for best"]))
        rows.append(row)
    return rows, pairs


def _mean(cell: pd.DataFrame) -> Row:
    return describe_mean(cell["value"].to_numpy("float64"))


def _counts(cell: pd.DataFrame) -> Row:
    return {name: int(cell[name].sum()) for name in ("n_unanswered", "n_missing")}


def _frame(rows: list[Row], table: Table) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=table.names)
    numbers = [c.name for c in table.columns if c.unit or c.name in ("t", "df", "p_value")]
    return frame.astype(dict.fromkeys(numbers, "float64"))


def _read_benchmark(path: Path, dataset: str, groups: Sequence[str]) -> pd.DataFrame:
    benchmark = read(path, BENCHMARK, ["quote_id", "match_id", "group"])
    unknown = sorted(set(benchmark["group"]) - set(groups))
    if unknown:
        raise InputError(
            f"{path} has quotes of the group '{unknown[0]}', but the data set '{dataset}' has the groups "
            f"{', '.join(groups)}. Name the groups in the configuration as they are named in the file."
        )
    return benchmark


def _check_quotes(answers: pd.DataFrame, benchmark: pd.DataFrame, path: Path) -> None:
    strange = answers.loc[~answers["quote_id"].isin(benchmark["quote_id"]), "quote_id"].unique()
    if len(strange):
        raise InputError(
            f"{path} has answers about {len(strange)} quotes that the benchmark does not hold, the first "
            f"of them {strange[0]}. Remove the file, so that the next run makes it from this benchmark."
        )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
