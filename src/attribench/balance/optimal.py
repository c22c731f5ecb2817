"""The matching of least cost: an assignment problem for each comparison group.

A pair of a reference author and an author of a comparison group costs the square of their
distance in fame, plus a price for every quote that the reference author's matching loses by it.
The assignment of least total cost is found exactly (Crouse 2016, behind
`scipy.optimize.linear_sum_assignment`). Nothing is random.

The least cost does not keep the group means together by itself. They are a constraint, and its
Lagrange multiplier a *tilt*: the cost of a pair rises with the tilt times its distance, counted
positive where the comparison author is the more famous. The tilt at which the distances of a
group cancel out is found by bisection.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import linear_sum_assignment

from attribench.balance.quote_shelves import Positions, fame_of
from attribench.errors import MatchingError

LOST_QUOTE = 0.02
"""Price of a lost quote, in (log10 hits)²: as much as a distance of 0.14 log10 hits."""

MEAN_DISTANCE = 0.0002
"""Largest distance of a group's mean fame from the reference group's that is aimed at, in log10 hits."""

MOST_PAIRS = 100_000_000
"""Most pairs of authors whose costs are held in memory: 8 bytes each, and five times so at the peak."""

_STEPS = 24  # of the bisection, enough for a tilt exact to 7 digits
_WIDEST_TILT = 1.0  # log10 hits

Fames = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


class OptimalMatching:
    """The matching of least cost of some authors."""

    def __init__(self, reference: pd.DataFrame, comparisons: Iterable[pd.DataFrame], threshold: float) -> None:
        """Get ready; the arguments are those of `match_groups`."""
        self._reference = _Authors(reference)
        self._groups = [_Authors(table) for table in comparisons]
        self._limit = threshold * len(self._groups)
        for group in self._groups:
            if len(group.fames) * len(self._reference.fames) > MOST_PAIRS:
                raise MatchingError(
                    f"The method 'optimal' compares every pair of authors, here {len(self._reference.fames):,} with "
                    f"{len(group.fames):,}, more than the {MOST_PAIRS:,} pairs it has memory for. Set "
                    "'balance.method: algorithm_1', or raise 'balance.min_log10_hits'."
                )

    def __call__(self, rng: np.random.Generator) -> Positions:
        """Return the matchings, as `match_groups` does, by reference author; `rng` is not used."""
        rows = np.arange(len(self._reference.fames))
        while True:
            found = self._assign(rows)
            error = np.zeros(len(found))
            for j, group in self._numbered():
                error += np.square(group.fames[found[:, j]] - self._reference.fames[found[:, 0]])
            accepted = error < self._limit
            if len(found) == len(rows) and accepted.all():
                return found
            rows = found[accepted, 0]  # without those left over or too far away, another may be the best

    def _numbered(self) -> Iterable[tuple[int, "_Authors"]]:
        return enumerate(self._groups, start=1)

    def _assign(self, rows: Positions) -> Positions:
        """Return the matching of least cost of the reference authors at `rows`."""
        found = rows[:, np.newaxis]
        n_quotes = self._reference.n_quotes[rows]
        for _, group in self._numbered():
            fames = self._reference.fames[found[:, 0]]
            kept, columns = _assign_evenly(fames, n_quotes, group, self._limit)
            found = np.column_stack([found[kept], columns])
            n_quotes = np.minimum(n_quotes[kept], group.n_quotes[columns])
        return found


def prepare(reference: pd.DataFrame, comparisons: Iterable[pd.DataFrame], *, threshold: float) -> OptimalMatching:
    """Return the matching of least cost of these authors; the arguments are those of `match_groups`."""
    return OptimalMatching(reference, comparisons, threshold)


class _Authors:
    """The authors of a group."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.fames: Fames = fame_of(table)
        self.n_quotes: Counts = table["n_quotes"].to_numpy(dtype=np.int64)


def _assign_evenly(fames: Fames, n_quotes: Counts, group: _Authors, limit: float) -> tuple[Positions, Positions]:
    """Assign authors of `group` to reference authors so that both have the same mean fame.

    Args:
        fames: fame of the reference authors.
        n_quotes: quotes that their matchings can have so far.
        group: the authors to assign.
        limit: the squared distance from which on a pair is never accepted.

    Returns:
        The places of the assigned in `fames`, and of those assigned to them in `group`.
    """
    distance = group.fames - fames[:, np.newaxis]
    cost = np.square(distance)
    is_near = cost < limit
    cost += LOST_QUOTE * np.maximum(n_quotes[:, np.newaxis] - group.n_quotes, 0)
    # Dearer than any pair that can be accepted, and equally dear: it does not matter who is left over.
    left_over = limit + _WIDEST_TILT * np.sqrt(limit) + LOST_QUOTE * n_quotes.max(initial=0)

    def assign(tilt: float) -> tuple[float, Positions, Positions]:
        rows, columns = linear_sum_assignment(np.where(is_near, cost + tilt * distance, left_over))
        near = is_near[rows, columns]
        rows, columns = rows[near], columns[near]
        return float(distance[rows, columns].mean()) if len(rows) else 0.0, rows, columns

    best = current = assign(0.0)
    low, high = -_WIDEST_TILT, _WIDEST_TILT
    tilt = 0.0
    for _ in range(_STEPS):
        if abs(best[0]) <= MEAN_DISTANCE:
            break
        low, high = (tilt, high) if current[0] > 0 else (low, tilt)
        tilt = (low + high) / 2
        current = assign(tilt)
        if len(current[1]) >= len(best[1]) and abs(current[0]) < abs(best[0]):
            best = current
    return best[1], best[2]
