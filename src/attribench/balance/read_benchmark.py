"""Step: take a benchmark that somebody hands in, a published one or our own, and check it."""

from pathlib import Path

from attribench.balance.benchmark_file import read_benchmark_file
from attribench.balance.handed_in import accept
from attribench.balance.handed_in_rows import Groups
from attribench.step import run
from attribench.tables import write
from attribench.tables.balance import BENCHMARK, MATCHINGS
from attribench.tables.published_benchmark import DIFFERENCES


def main(
    *,
    file: Path,
    groups: Groups,
    reference: str | None,
    benchmark_table: Path,
    matchings: Path,
    differences: Path,
) -> None:
    """Write BENCHMARK and MATCHINGS from `file`, and to `differences` what is not as expected."""
    benchmark, matched, found = accept(read_benchmark_file(file), groups, reference, str(file))
    for row in found.itertuples():
        print(f"{row.check}: {row.count} {row.counted}, the first {row.example}; {row.consequence}.")
    write(benchmark, benchmark_table, BENCHMARK)
    write(matched, matchings, MATCHINGS)
    write(found, differences, DIFFERENCES)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
