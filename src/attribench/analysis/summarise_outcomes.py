"""Step: accuracy and suppression, overall, by group, and between groups, for all models.

The definitions stand in `docs/analysis.md`.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pandas as pd

from attribench.analysis.many_models import analyse_models
from attribench.analysis.one_model import Dataset, Options
from attribench.analysis.power import measure_power
from attribench.analysis.stars import CONDITION, add_stars, correct
from attribench.errors import InputError
from attribench.step import run
from attribench.tables import Table, read, typed, write
from attribench.tables.analysis import (
    ADJUSTED,
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
from attribench.tables.balance import BENCHMARK, MATCHINGS
from attribench.tables.covariates import COVARIATES_OF_QUOTES

TABLES: dict[str, Table] = {
    "overall": OVERALL,
    "subgroups": SUBGROUPS,
    "pairwise": PAIRWISE,
    "disparity": DISPARITY,
    "adjusted": ADJUSTED,
    "sensitivity": SENSITIVITY,
    "fame_bins": FAME_BINS,
    "fame_correlation": FAME_CORRELATION,
    "power": POWER,
    "generations": GENERATIONS,
    "outcome_shares": OUTCOME_SHARES,
    "wrong_authors": WRONG_AUTHORS,
    "statuses": STATUSES,
}
"""What the step writes, by the name of the file."""


def main(
    *,
    benchmarks: list[Path],
    matchings: list[Path],
    outcomes: list[Path],
    covariates: Path,
    groups: dict[str, list[str]],
    models: list[str],
    unanswered: str,
    family: str,
    bootstrap: int,
    fame_bin_width: float,
    seed: int,
    threads: int,
    tables: list[Path],
) -> None:
    """Write every table of TABLES for all data sets and models.

    Args:
        benchmarks: the benchmark of each data set, in the order of `groups`.
        matchings: its matchings: they say which group is the reference.
        outcomes: one file for each data set and model; all models of the first data set first.
        covariates: the table COVARIATES_OF_QUOTES.
        groups: the groups of each data set, in the order in which they are reported.
        models: slugs of the models, in the order in which they are reported.
        unanswered: how answers without text count: `exclude` or `none`.
        family: which tests are corrected together, a key of `stars.FAMILIES`.
        bootstrap: number of draws of the bootstrap.
        fame_bin_width: width of a bin of fame, in log10 hits.
        seed: where chance comes from.
        threads: processes to use, at most; one is enough where there is little to do.
        tables: where they go; the name of a file is that of its table.

    Raises:
        InputError: a table is not what it should be, or tables do not fit together.
    """
    options = Options(unanswered, bootstrap, fame_bin_width, seed)
    quotes = read(covariates, COVARIATES_OF_QUOTES)
    datasets = {
        name: read_dataset(benchmark, matched, name, groups[name], quotes)
        for name, benchmark, matched in zip(groups, benchmarks, matchings, strict=True)
    }
    tasks = [(*pair, path) for pair, path in zip(product(groups, models), outcomes, strict=True)]
    found = collect(analyse_models(tasks, datasets, options, threads), family)
    for path in tables:
        write(found[path.stem], path, TABLES[path.stem])


def collect(parts: Sequence[tuple[str, str, Mapping[str, pd.DataFrame]]], family: str) -> dict[str, pd.DataFrame]:
    """Return the tables of TABLES: those of all models, with stars and corrected p-values.

    Args:
        parts: data set, model, and what `analyse_model` returns for them.
        family: which tests are corrected together.
    """
    found = {name: _together(parts, name) for name in (*TABLES, "sensitivity_pairs") if name != "power"}
    pairs = correct(found["pairwise"], family)
    found["power"] = measure_power(pairs, list(BETTER))
    found["pairwise"] = pairs
    found["subgroups"] = add_stars(found["subgroups"], pairs)
    others = correct(found.pop("sensitivity_pairs"), family)
    keys = ["variant", *CONDITION]
    main = found["subgroups"][[*CONDITION, "group", "mean", "is_star"]]
    main = main.rename(columns={"mean": "mean_all", "is_star": "is_star_all"})
    found["sensitivity"] = add_stars(found["sensitivity"], others, keys).merge(main, on=[*CONDITION, "group"])
    return {name: typed(found[name], table) for name, table in TABLES.items()}


def _together(parts: Sequence[tuple[str, str, Mapping[str, pd.DataFrame]]], name: str) -> pd.DataFrame:
    frames = [frames[name].assign(dataset=dataset, model=model) for dataset, model, frames in parts]
    # Columns in which one model has nothing must not decide about the types of the others.
    return pd.concat([frame.astype(object) for frame in frames], ignore_index=True).infer_objects()


def read_dataset(benchmark: Path, matchings: Path, name: str, groups: list[str], covariates: pd.DataFrame) -> Dataset:
    """Return a data set from its files.

    Raises:
        InputError: the benchmark has a group that is not among `groups`, or no reference group is on record.
    """
    columns = ["quote_id", "match_id", "group", "author_id", "author", "log10_hits"]
    quotes = read(benchmark, BENCHMARK, columns)
    unknown = sorted(set(quotes["group"]) - set(groups))
    if unknown:
        raise InputError(
            f"{benchmark} has quotes of the group '{unknown[0]}', but the data set '{name}' has the groups "
            f"{', '.join(groups)}. Name the groups in the configuration as they are named in the file."
        )
    matched = read(matchings, MATCHINGS, ["group", "is_reference"])
    reference = matched.loc[matched["is_reference"], "group"]
    of_quotes = covariates[(covariates["dataset"] == name) & covariates["is_matched"]]
    return Dataset(name, quotes, groups, reference.iloc[0] if len(reference) else groups[0], of_quotes)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
