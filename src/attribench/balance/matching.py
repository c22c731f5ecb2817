"""Fame matching: which author of each comparison group goes with which reference author.

There are three methods, each in a module of its own: `algorithm_1` is the paper's, `published`
does as the published code, `optimal` finds the matching of least cost. All of them give matchings
without replacement, and accept one by the same threshold.
"""

from collections.abc import Callable, Mapping
from typing import Literal, get_args

import numpy as np
import pandas as pd

from attribench.balance import algorithm_1, published
from attribench.balance.quote_shelves import Positions, fame_of

Method = Literal["algorithm_1", "published", "optimal"]
Unmatched = Literal["skip", "any_bin"]
Run = Callable[[np.random.Generator], Positions]


def match_groups(
    reference: pd.DataFrame,
    comparisons: Mapping[str, pd.DataFrame],
    *,
    method: Method = "algorithm_1",
    threshold: float = 1.0,
    unmatched: Unmatched = "skip",
    rng: np.random.Generator,
) -> Positions:
    """Match the authors of the reference group to authors of every comparison group.

    Args:
        reference: one row per author, with `log10_hits` (fame) and `n_quotes` (1 or more).
        comparisons: such a table for each of the M comparison groups.
        method: how to match: `algorithm_1` (Berman et al. 2026, Appendix A.5), `published` (as
            their code does), or `optimal` (least total cost).
        threshold: the paper's lambda, in (log10 hits)²: a matching is accepted when the sum of
            the squared fame distances to the reference author is below lambda × M.
        unmatched: with `algorithm_1`, for a reference author for whom some group has no candidate
            in the same or any lower quote bin: no matching (`skip`, as the paper), or the next
            more famous author of whatever bin (`any_bin`). The other methods have no use for it:
            `published` always falls back to any bin, and `optimal` has no bins.
        rng: decides the order in which reference authors are served; not used by `optimal`.

    Returns:
        One row per matching: the row position of the reference author in `reference`, then that
        of its match in each comparison group. In the order of acceptance, and with `optimal` in
        that of `reference`.

    Raises:
        ValueError: `method` or `unmatched` is not known, a fame is not finite, or an author has
            no quotes.
        MatchingError: there are too many authors for `optimal`.
    """
    return prepare(reference, comparisons, method=method, threshold=threshold, unmatched=unmatched)(rng)


def prepare(
    reference: pd.DataFrame,
    comparisons: Mapping[str, pd.DataFrame],
    *,
    method: Method = "algorithm_1",
    threshold: float = 1.0,
    unmatched: Unmatched = "skip",
) -> Run:
    """Return `match_groups` of these authors as a function of `rng` alone.

    For many runs on the same authors: what all runs have in common is worked out once.
    """
    if method not in get_args(Method) or unmatched not in get_args(Unmatched):
        raise ValueError(f"no such way of matching: method={method!r}, unmatched={unmatched!r}")
    tables = list(comparisons.values())
    for table in (reference, *tables):
        if not np.isfinite(fame_of(table)).all():
            raise ValueError("every author needs a finite fame to be matched")
        if not (table["n_quotes"] >= 1).all():
            raise ValueError("every author needs a quote to be matched")
    if method == "published":
        return published.prepare(reference, tables, threshold=threshold)
    if method == "optimal":
        from attribench.balance import optimal  # scipy takes long to load, and only this method needs it

        return optimal.prepare(reference, tables, threshold=threshold)
    return algorithm_1.prepare(reference, tables, threshold=threshold, any_bin=unmatched == "any_bin")


def number_of_runs(method: Method, runs: int) -> int:
    """Return how many of `runs` runs are worth doing: with `optimal` one, since all would be the same."""
    return 1 if method == "optimal" else runs
