"""Step: measure how well the groups of a benchmark match, in fame and in length of quotes."""

from pathlib import Path

import numpy as np
import pandas as pd

from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, FAME_QUANTILES, MATCHING_QUALITY, MATCHINGS


def measure_quality(benchmark: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Return the table MATCHING_QUALITY: one row per group, in the order of `benchmark`.

    Args:
        benchmark: the table BENCHMARK.
        reference: the reference group, from which differences are counted.
    """
    authors = benchmark.drop_duplicates("author_id")
    of_reference = authors[authors["group"] == reference], benchmark[benchmark["group"] == reference]
    rows = []
    for group in benchmark["group"].unique():
        own, quotes = authors[authors["group"] == group], benchmark[benchmark["group"] == group]
        fame, words = own["log10_hits"], quotes["n_words"]
        rows.append(
            {
                "group": group,
                "is_reference": group == reference,
                "authors": len(own),
                "quotes": len(quotes),
                "mean_log10_hits": fame.mean(),
                **{name: fame.quantile(share) for name, share in FAME_QUANTILES.items()},
                "smd_log10_hits": standardised_difference(fame, of_reference[0]["log10_hits"]),
                "mean_words": words.mean(),
                "smd_words": standardised_difference(words, of_reference[1]["n_words"]),
            }
        )
    return pd.DataFrame(rows, columns=MATCHING_QUALITY.names)


def standardised_difference(values: pd.Series, reference: pd.Series) -> float:
    """Return the mean of `values` less that of `reference`, in standard deviations.

    The standard deviation is the root of the mean of both variances (Austin 2011, Multivariate
    Behavioral Research 46:399). Missing where it is 0 or cannot be known, unless the means agree.
    """
    difference = float(values.mean() - reference.mean())
    if difference == 0:
        return 0.0
    deviation = float(np.sqrt((values.var() + reference.var()) / 2))
    return difference / deviation if deviation > 0 else float("nan")


def main(*, benchmark_table: Path, matchings: Path, quality: Path) -> None:
    """Write MATCHING_QUALITY to `quality`; `matchings` says which group is the reference."""
    groups = read(matchings, MATCHINGS, ["group", "is_reference"])
    reference = groups.loc[groups["is_reference"], "group"].iloc[0]
    write(measure_quality(read(benchmark_table, BENCHMARK), reference), quality, MATCHING_QUALITY)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
