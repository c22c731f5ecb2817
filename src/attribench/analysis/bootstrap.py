"""The cluster bootstrap: authors are drawn with replacement within each group, with all their quotes.

A draw is a set of weights, how often each author was drawn, so that the mean of a group in
all draws is a product of two matrices (Davison and Hinkley 1997, section 2.4 and 3.8). The draws
are the same for all models, metrics and conditions that are about the same authors.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from attribench.analysis.means import LEVEL, Values

Codes = npt.NDArray[np.int64]


class AuthorBootstrap:
    """Draws of the authors of one data set.

    Attributes:
        replicates: number of draws.
    """

    def __init__(self, authors: pd.DataFrame, replicates: int, rng: np.random.Generator) -> None:
        """Draw the authors of each group anew, `replicates` times.

        Args:
            authors: one row per author: `author_code`, a whole number, and `group`.
            replicates: number of draws.
            rng: where chance comes from.
        """
        self.replicates = replicates
        codes = authors["author_code"].to_numpy()
        self._place = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
        self._place[codes] = np.arange(len(codes))
        self._n = len(codes)
        self._members: dict[str, Codes] = {}
        self._weights: dict[str, npt.NDArray[np.float32]] = {}
        group = authors["group"].to_numpy()
        for name in dict.fromkeys(group):
            members = np.flatnonzero(group == name)
            n = len(members)
            self._members[name] = members
            drawn = rng.integers(0, n, size=(replicates, n)) + n * np.arange(replicates)[:, None]
            counts = np.bincount(drawn.ravel(), minlength=replicates * n)
            self._weights[name] = counts.reshape(replicates, n).astype(np.float32)

    def draw(self, cell: pd.DataFrame) -> tuple[dict[str, Values], Values]:
        """Return the mean of each group, and of all quotes, in every draw.

        Args:
            cell: one row per quote: `author_code` and `value`, missing where no answer was scored.

        Returns:
            Arrays of length `replicates`; a mean is missing in a draw without any scored quote.
        """
        value = cell["value"].to_numpy("float64")
        known = ~np.isnan(value)
        place = self._place[cell["author_code"].to_numpy()[known]]
        counts = np.bincount(place, minlength=self._n)
        sums = np.bincount(place, weights=value[known], minlength=self._n)
        totals = {
            group: self._weights[group] @ np.stack([sums[members], counts[members]], axis=1).astype(np.float32)
            for group, members in self._members.items()
        }
        return {group: _ratio(total) for group, total in totals.items()}, _ratio(np.sum(list(totals.values()), axis=0))


def _ratio(total: npt.NDArray[np.float32]) -> Values:
    sums, counts = total.astype(np.float64).T
    means: Values = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    return means


def interval(draws: Values, level: float = LEVEL) -> tuple[float | None, float | None]:
    """Return the percentile interval of `draws`, or nothing where they are missing or do not vary."""
    draws = draws[~np.isnan(draws)]
    if len(draws) < 2 or np.ptp(draws) < 1e-6:  # single precision
        return None, None
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def largest_gap(draws: Mapping[str, Values]) -> Values:
    """Return the largest less the smallest mean in every draw; groups without any mean do not count."""
    means = np.stack([values for values in draws.values() if not np.isnan(values).all()])
    return np.asarray(means.max(axis=0) - means.min(axis=0))
