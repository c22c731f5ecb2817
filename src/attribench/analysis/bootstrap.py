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
            authors: one row per author: `author_id` and `group`.
            replicates: number of draws.
            rng: where chance comes from.
        """
        self.replicates = replicates
        self._code = pd.Series(np.arange(len(authors)), index=authors["author_id"].to_numpy())
        self._members: dict[str, Codes] = {}
        self._weights: dict[str, npt.NDArray[np.float32]] = {}
        group = authors["group"].to_numpy()
        for name in dict.fromkeys(group):
            members = np.flatnonzero(group == name)
            n = len(members)
            self._members[name] = members
            self._weights[name] = rng.multinomial(n, np.full(n, 1 / n), size=replicates).astype(np.float32)

    def draw(self, cell: pd.DataFrame) -> tuple[dict[str, Values], Values]:
        """Return the mean of each group, and of all quotes, in every draw.

        Args:
            cell: one row per quote: `author_id` and `value`, missing where no answer was scored.

        Returns:
            Arrays of length `replicates`; a mean is missing in a draw without any scored quote.
        """
        value = cell["value"].to_numpy("float64")
        known = ~np.isnan(value)
        code = self._code.reindex(cell["author_id"]).to_numpy()[known]
        counts = np.bincount(code, minlength=len(self._code))
        sums = np.bincount(code, weights=value[known], minlength=len(self._code))
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
