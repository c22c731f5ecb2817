"""How fast the matching is: beside a direct transcription of Algorithm 1, and as the number of authors grows.

    PYTHONPATH=src python tests/scale/bench_matching.py [--authors 16000] [--largest 1000000]

The transcription does with pandas what the pseudo-code of Berman et al. 2026, Appendix A.5, says,
line by line. Both are given the same authors and the same generator in one process, and must
return the same matchings; the ratio of their CPU times does not depend much on the computer.
"""

import argparse
import time
from collections.abc import Mapping

import numpy as np
import pandas as pd

from attribench.balance.matching import match_groups, prepare

SHARES = {"reference": 0.06, "a": 0.09, "b": 0.30, "c": 0.55}  # about those of the paper's intersectional groups


def draw_authors(n: int, rng: np.random.Generator) -> dict[str, pd.DataFrame]:
    """Return `n` authors in four groups, about as famous as those of the published universe."""
    return {
        group: pd.DataFrame(
            {
                "log10_hits": rng.normal(5.1, 1.0, int(n * share)).round(4),
                "n_quotes": np.minimum(rng.geometric(0.25, int(n * share)), 10),
            }
        )
        for group, share in SHARES.items()
    }


def transcription(
    reference: pd.DataFrame, comparisons: Mapping[str, pd.DataFrame], threshold: float, rng: np.random.Generator
) -> list[list[int]]:
    """Return the matchings of Algorithm 1 as it stands in the paper, on data frames."""
    shuffled = rng.permutation(len(reference))
    groups = [g.sort_values("log10_hits", kind="stable") for g in comparisons.values()]
    delta = [0.0] * len(groups)
    matchings = []
    for r in shuffled:
        h_r = reference["log10_hits"].iloc[r]
        b_r = int(np.floor(np.log2(reference["n_quotes"].iloc[r])))
        chosen = []
        for j, group in enumerate(groups):
            k = group["log10_hits"].searchsorted(h_r - delta[j])
            ahead = group.iloc[k:]
            bins = np.floor(np.log2(ahead["n_quotes"]))
            for b in range(b_r, -1, -1):
                fits = ahead[bins == b]
                if not fits.empty:
                    chosen.append(fits.index[0])
                    break
        if len(chosen) < len(groups):
            continue
        gaps = [group.loc[g, "log10_hits"] - h_r for group, g in zip(groups, chosen, strict=True)]
        if sum(gap**2 for gap in gaps) < threshold * len(groups):
            matchings.append([int(r), *map(int, chosen)])
            groups = [group.drop(index=g) for group, g in zip(groups, chosen, strict=True)]
            delta = [d + gap for d, gap in zip(delta, gaps, strict=True)]
    return matchings


def compare(n: int) -> None:
    """Print the CPU time of one run of each, and their ratio."""
    tables = draw_authors(n, np.random.default_rng(1))
    reference = tables.pop("reference")
    start = time.process_time()
    slow = transcription(reference, tables, 1.0, np.random.default_rng(2))
    middle = time.process_time()
    fast = match_groups(reference, tables, rng=np.random.default_rng(2)).tolist()
    end = time.process_time()
    if slow != fast:
        raise SystemExit("The two do not return the same matchings.")
    ratio = (middle - start) / (end - middle)
    print(f"{n:,} authors, {len(fast):,} matchings, the same from both:")
    print(f"  transcription {middle - start:8.3f} s\n  match_groups  {end - middle:8.3f} s   ratio {ratio:,.0f}\n")


def grow(largest: int) -> None:
    """Print the CPU time of getting ready and of one run, for ever more authors."""
    print("     authors   ready, s   a run, s   µs per author")
    n = largest
    while n > 10_000:
        n //= 4
    while n <= largest:
        tables = draw_authors(n, np.random.default_rng(1))
        reference = tables.pop("reference")
        start = time.process_time()
        match = prepare(reference, tables)
        middle = time.process_time()
        match(np.random.default_rng(2))
        end = time.process_time()
        print(f"{n:12,} {middle - start:10.3f} {end - middle:10.3f} {1e6 * (end - start) / n:15.2f}")
        n *= 4


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--authors", type=int, default=16_000, help="authors for the comparison")
    parser.add_argument("--largest", type=int, default=1_000_000, help="most authors for the growth")
    arguments = parser.parse_args()
    compare(arguments.authors)
    grow(arguments.largest)
