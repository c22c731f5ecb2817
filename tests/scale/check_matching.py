"""How good and how fast the matchings of the published universe are, by each method, beside what is asked for.

    PYTHONPATH=src python tests/scale/check_matching.py --universe universe-authors.csv [--runs 100] [--seed 20260406]

The authors are those of the universe with a fame of 3 or more, with its numbers of quotes; the criteria are
those of the selected run. `published` has to reproduce the paper's Table 2: each figure must lie inside the
range of the runs, give or take a tenth of that range.
"""

import argparse
import time
from pathlib import Path

import pandas as pd

from attribench.balance.match_authors import describe_runs, run_generator
from attribench.balance.matching import number_of_runs, prepare
from attribench.balance.rank_aggregation import measure_runs, rank_runs
from attribench.tables.balance import CRITERIA

GROUPS = {
    "intersectional": {
        "Black female": {"race": "black", "gender": "female"},
        "Black male": {"race": "black", "gender": "male"},
        "White female": {"race": "white", "gender": "female"},
        "White male": {"race": "white", "gender": "male"},
    },
    "multirace": {race.title(): {"race": race} for race in ("latino", "asian", "black", "white")},
}
PAPER = {"intersectional": (742, 1991, 5.0308, 0.0017, 0.2985), "multirace": (831, 1914, 5.0999, 0.0006, 0.3143)}
METHODS = {
    "published": {"method": "published"},
    "algorithm_1, skip": {"method": "algorithm_1"},
    "algorithm_1, any_bin": {"method": "algorithm_1", "unmatched": "any_bin"},
    "optimal": {"method": "optimal"},
}
# Least authors and quotes, largest fame range and RMS error.
TARGETS = {
    ("algorithm_1", "intersectional"): (759, 2240, 0.0005, 0.13),
    ("algorithm_1", "multirace"): (857, 2010, 0.0005, 0.09),
    ("optimal", "intersectional"): (760, 2500, 0.0005, 0.025),
    ("optimal", "multirace"): (858, 2200, 0.0005, 0.02),
}
NAMES = [criterion.name for criterion in CRITERIA]


def candidates(universe: pd.DataFrame, groups: dict[str, dict[str, str]]) -> dict[str, pd.DataFrame]:
    """Return the authors of each group that can be matched."""
    known = universe[universe["log10_hits"] >= 3]
    tables = {}
    for group, labels in groups.items():
        rows = known[(known[list(labels)] == pd.Series(labels)).all(axis="columns")]
        own = rows.rename(columns={"author_clean": "author", "count": "n_quotes"}).assign(group=group)
        tables[group] = own.assign(author_id=own["author"]).sort_values("author_id", ignore_index=True)
    return tables


def check(universe: pd.DataFrame, runs: int, seed: int) -> None:
    """Print the criteria of the selected runs, with their targets, and the CPU time of the runs."""
    universe = universe.assign(race=universe["race"].str.lower(), gender=universe["gender"].str.lower())
    print(f"{'data set':15} {'method':21} {'authors':>8} {'quotes':>7} {'fame':>8} {'range':>7} {'RMS':>7}  targets")
    seconds = dict.fromkeys(METHODS, 0.0)
    for dataset, groups in GROUPS.items():
        tables = candidates(universe, groups)
        reference = next(iter(groups))
        comparisons = {group: tables[group] for group in list(groups)[1:]}
        print(f"{dataset:15} {'the paper':21} {_line(PAPER[dataset])}")
        for name, way in METHODS.items():
            todo = number_of_runs(way["method"], runs)
            start = time.process_time()
            match = prepare(tables[reference], comparisons, **way)
            found = {run: match(run_generator(seed, dataset, run)) for run in range(todo)}
            seconds[name] += time.process_time() - start
            measured = measure_runs(describe_runs(found, tables, reference), todo)
            ranked = rank_runs(measured)
            selected = tuple(ranked.loc[ranked["selected"], NAMES].iloc[0])
            print(f"{'':15} {name:21} {_line(selected)}  {_verdict(way['method'], dataset, selected, measured)}")
    print()
    for name, spent in seconds.items():
        print(
            f"{name}: {spent:.1f} s of CPU for {'one run' if name == 'optimal' else f'{runs} runs'} of both data sets"
        )


def _line(values: tuple[float, ...]) -> str:
    authors, quotes, fame, apart, rms = values
    return f"{authors:8.0f} {quotes:7.0f} {fame:8.4f} {apart:7.4f} {rms:7.4f}"


def _verdict(method: str, dataset: str, values: tuple[float, ...], measured: pd.DataFrame) -> str:
    """Return which targets are reached."""
    if method == "published":
        outside = []
        for name, paper in zip(NAMES, PAPER[dataset], strict=True):
            low, high = measured[name].min(), measured[name].max()
            tenth = (high - low) / 10
            if not low - tenth <= paper <= high + tenth:
                outside.append(f"{name} {low:.4f} to {high:.4f}")
        return f"Table 2 outside the range of the runs: {'; '.join(outside) or 'nothing'}"
    authors, quotes, apart, rms = TARGETS[(method, dataset)]
    missed = [
        f"{what} {wanted}"
        for what, wanted, is_reached in (
            ("authors >=", authors, values[0] >= authors),
            ("quotes >=", quotes, values[1] >= quotes),
            ("range <=", apart, values[3] <= apart),
            ("RMS <=", rms, values[4] <= rms),
        )
        if not is_reached
    ]
    return f"not reached: {', '.join(missed)}" if missed else "all reached"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--universe", type=Path, required=True, help="the published universe of authors")
    parser.add_argument("--runs", type=int, default=100, help="runs of the randomized methods")
    parser.add_argument("--seed", type=int, default=20260406, help="the seed of config.yaml")
    options = parser.parse_args()
    check(
        pd.read_csv(options.universe, keep_default_na=False, na_values={"log10_hits": [""]}), options.runs, options.seed
    )
