"""How fast the analysis is: the paper's whole grid, beside a plain loop over its conditions.

    PYTHONPATH=src python tests/scale/bench_analysis.py [--models 11] [--quotes 7800] [--plain 3]

Answers are drawn for models × 2 data sets × 6 conditions × 3 generations × quotes (3 million rows
with the numbers above). The step reads and writes files, in a process of its own, so that its peak
memory is its own. The plain loop does with pandas, scipy and statsmodels, one condition after the
other, what the definitions say: the tests of every pair of groups, and the bootstrap by drawing
authors and putting their quotes together. It is given a few conditions, must come to the same
figures, and its time is scaled up to all of them.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

from attribench.analysis.summarise_outcomes import TABLES, main
from attribench.tables import FLAG, INTEGER, NUMBER, TEXT, TEXTS, Table, read, write
from attribench.tables.analysis import PAIRWISE, SUBGROUPS
from attribench.tables.balance import BENCHMARK, MATCHINGS
from attribench.tables.covariates import COVARIATES_OF_QUOTES
from attribench.tables.evaluation import OUTCOMES

GROUPS = {"intersectional": ["Black female", "Black male", "White female", "White male"],
          "multirace": ["Asian", "Black", "Latino", "White"]}  # fmt: skip
CONDITIONS = [(prompt, evidence) for prompt in ("direct", "indirect", "indirect_overt") for evidence in (False, True)]
REPLICATES = 1000
QUOTES_PER_AUTHOR = 2.5
WRONG = np.array(["Mark Twain", "Oscar Wilde", "Maya Angelou", "Albert Einstein", "Winston Churchill"])


def filled(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """Return `frame` with something in the columns of `table` that it lacks."""
    fillers = {TEXT: "x", INTEGER: 0, NUMBER: 0.0, FLAG: False}
    rest = [column for column in table.columns if column.name not in frame.columns]
    return frame.assign(**{c.name: [[]] * len(frame) if c.type == TEXTS else fillers[c.type] for c in rest})


def draw_benchmark(folder: Path, name: str, quotes: int, rng: np.random.Generator) -> pd.DataFrame:
    """Write a data set of about `quotes` quotes and what is known of them; return its quotes."""
    groups = GROUPS[name]
    sizes = np.minimum(rng.geometric(1 / QUOTES_PER_AUTHOR, int(quotes / len(groups) / QUOTES_PER_AUTHOR)), 10)
    match = np.repeat(np.repeat(np.arange(len(sizes)), sizes), len(groups))
    place = np.tile(np.arange(len(groups)), len(match) // len(groups))
    fame = rng.normal(5.1, 0.9, len(sizes))[match]
    benchmark = pd.DataFrame(
        {
            "quote_id": [f"jstet_{i}" for i in range(len(match))],
            "match_id": match,
            "group": np.array(groups)[place],
            "author_id": [f"{name}-{m}-{g}" for m, g in zip(match, place, strict=True)],
            "log10_hits": fame,
        }
    )
    benchmark["author"] = benchmark["author_id"]
    write(filled(benchmark, BENCHMARK), folder / f"{name}.benchmark.parquet", BENCHMARK)
    matchings = benchmark.drop_duplicates("author_id").assign(is_reference=lambda b: b["group"] == groups[0])
    rest = {c.name for c in MATCHINGS.columns}
    matchings = filled(matchings[[c for c in matchings if c in rest]], MATCHINGS)
    write(matchings, folder / f"{name}.matchings.parquet", MATCHINGS)
    return benchmark


def draw_covariates(benchmark: pd.DataFrame, name: str, rng: np.random.Generator) -> pd.DataFrame:
    """Return what is known of the quotes, drawn at random."""
    n = len(benchmark)
    return filled(benchmark[["quote_id", "author_id", "group", "log10_hits"]], COVARIATES_OF_QUOTES).assign(
        dataset=name,
        is_matched=True,
        words=rng.integers(5, 31, n),
        reading_ease=rng.normal(70, 20, n),
        names_author=rng.random(n) < 0.01,
        names_work=rng.random(n) < 0.02,
        elsewhere=rng.poisson(0.3, n),
        topic=np.array([f"{i}: topic" for i in range(1, 9)])[rng.integers(0, 8, n)],
    )


def draw_outcomes(benchmark: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Return three generations of answers in every condition: authors and quotes differ in how well known they are."""
    author, group = pd.factorize(benchmark["author_id"])[0], pd.factorize(benchmark["group"])[0]
    known = -2.2 + 0.2 * group + rng.normal(0, 1, author.max() + 1)[author] + rng.normal(0, 1, len(author))
    parts = []
    for prompt, evidence in CONDITIONS:
        correct = 1 / (1 + np.exp(-known - 2.0 * evidence))
        for generation in range(3):
            u = rng.random(len(author))
            outcome = np.where(u < correct, "correct", np.where(u < correct + (1 - correct) * 0.5, "incorrect", "none"))
            names = WRONG[rng.integers(0, len(WRONG), len(author))]
            parts.append(
                pd.DataFrame(
                    {
                        "quote_id": benchmark["quote_id"],
                        "prompt": prompt,
                        "evidence": evidence,
                        "generation": generation,
                        "status": "ok",
                        "outcome": outcome,
                        "names": [[n] if o == "incorrect" else [] for n, o in zip(names, outcome, strict=True)],
                    }
                )
            )
    return filled(pd.concat(parts, ignore_index=True), OUTCOMES)


def make_grid(folder: Path, models: int, quotes: int) -> int:
    """Write the grid to `folder`; return its number of answers."""
    rng, rows, covariates = np.random.default_rng(1), 0, []
    for name in GROUPS:
        benchmark = draw_benchmark(folder, name, quotes, rng)
        covariates.append(draw_covariates(benchmark, name, rng))
        for model in range(models):
            outcomes = draw_outcomes(benchmark, rng)
            write(outcomes, folder / f"{name}.{model}.outcomes.parquet", OUTCOMES)
            rows += len(outcomes)
    write(pd.concat(covariates, ignore_index=True), folder / "covariates.parquet", COVARIATES_OF_QUOTES)
    return rows


def run_step(folder: Path, models: int) -> None:
    """Run the step on the grid in `folder`."""
    main(
        benchmarks=[folder / f"{name}.benchmark.parquet" for name in GROUPS],
        matchings=[folder / f"{name}.matchings.parquet" for name in GROUPS],
        outcomes=[folder / f"{name}.{model}.outcomes.parquet" for name in GROUPS for model in range(models)],
        covariates=folder / "covariates.parquet",
        groups=GROUPS,
        models=[f"model-{model}" for model in range(models)],
        unanswered="exclude",
        family="model",
        bootstrap=REPLICATES,
        fame_bin_width=0.5,
        seed=1,
        threads=2,
        tables=[folder / f"{table}.csv" for table in TABLES],
    )


def plain_condition(quotes: pd.DataFrame, replicates: int, rng: np.random.Generator) -> tuple[pd.DataFrame, dict]:
    """Return the tests of all pairs of groups, and the bootstrap interval of each group, one call after the other."""
    rows = []
    for one, other in combinations(sorted(quotes["group"].unique()), 2):
        first, second = quotes[quotes["group"] == one], quotes[quotes["group"] == other]
        test = stats.ttest_ind(first["value"], second["value"], equal_var=False)
        errors = []
        for part in (first, second):
            fit = smf.ols("value ~ 1", part).fit(cov_type="cluster", cov_kwds={"groups": part["author_id"]})
            errors.append(fit.bse["Intercept"])
        means = [part.groupby("match_id")["value"].mean() for part in (first, second)]
        paired = stats.ttest_rel(*pd.concat(means, axis=1, join="inner").to_numpy().T)
        error = float(np.hypot(*errors))
        rows.append((one, other, test.pvalue, error, paired.pvalue))
    intervals = {}
    for group, part in quotes.groupby("group"):
        values = {author: own["value"].to_numpy() for author, own in part.groupby("author_id")}
        authors = list(values)
        means = []
        for _ in range(replicates):
            drawn = rng.integers(0, len(authors), len(authors))
            means.append(np.concatenate([values[authors[i]] for i in drawn]).mean())
        intervals[group] = np.quantile(means, [0.025, 0.975])
    return pd.DataFrame(rows, columns=["one", "other", "p_value", "se_clustered", "p_paired"]), intervals


def check_plain(folder: Path, conditions: int) -> float:
    """Compare some conditions with the plain loop; return its CPU time for each, in seconds."""
    pairs, groups = read(folder / "pairwise.csv", PAIRWISE), read(folder / "subgroups.csv", SUBGROUPS)
    benchmark = read(folder / "intersectional.benchmark.parquet", BENCHMARK)
    outcomes = read(folder / "intersectional.0.outcomes.parquet", OUTCOMES)
    start, rng = time.process_time(), np.random.default_rng(3)
    for prompt, evidence in CONDITIONS[:conditions]:
        answers = outcomes[(outcomes["prompt"] == prompt) & (outcomes["evidence"] == evidence)]
        value = (answers["outcome"] == "correct").groupby(answers["quote_id"]).mean().rename("value")
        found, intervals = plain_condition(benchmark.merge(value, on="quote_id"), REPLICATES, rng)
        key = "dataset == 'intersectional' and model == 'model-0' and metric == 'accuracy'"
        key += " and prompt == @prompt and evidence == @evidence"
        ours = pairs.query(key).assign(
            one=lambda p: p[["group", "other"]].min(axis=1), two=lambda p: p[["group", "other"]].max(axis=1)
        )
        both = found.merge(ours, left_on=["one", "other"], right_on=["one", "two"], suffixes=("_plain", ""))
        for column in ("p_value", "se_clustered", "p_paired"):
            np.testing.assert_allclose(both[column], both[f"{column}_plain"], rtol=1e-7, atol=1e-12)
        for row in groups.query(key).itertuples():
            width = row.cluster_high - row.cluster_low
            gap = np.abs(np.array([row.cluster_low, row.cluster_high]) - intervals[row.group])
            assert (gap < 0.1 * width).all(), (row, intervals[row.group])
    return (time.process_time() - start) / conditions


def compare(models: int, quotes: int, plain: int) -> None:
    """Make the grid, run both, and print what they took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = make_grid(folder, models, quotes)
        start = time.perf_counter()
        child = "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); import bench_analysis as b; "
        child += "b.run_step(Path(sys.argv[2]), int(sys.argv[3]))"
        here = str(Path(__file__).parent)
        subprocess.run([sys.executable, "-c", child, here, name, str(models)], check=True)
        seconds = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        each = check_plain(folder, plain)
    conditions = models * len(GROUPS) * (len(CONDITIONS) + 2)
    print(f"{rows:,} answers, {conditions} metrics × conditions, {REPLICATES} bootstrap samples, all tables:")
    print(f"  step        {seconds:8.1f} s ({used.ru_utime + used.ru_stime:.1f} s of CPU),"
          f" largest process {used.ru_maxrss / 1024:,.0f} MB")  # fmt: skip
    print(f"  plain loop  {each * conditions:8.1f} s of CPU for tests and intervals by group alone"
          f" ({each:.2f} s each, {plain} run, the same figures)")  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=11, help="models")
    parser.add_argument("--quotes", type=int, default=7800, help="quotes in each data set")
    parser.add_argument("--plain", type=int, default=3, help="conditions for the plain loop, at most 6")
    arguments = parser.parse_args()
    compare(arguments.models, arguments.quotes, arguments.plain)
