"""What Algorithm 1 and the published code have in common: authors are served one after another.

They differ in how a group looks for a candidate, which is all that a `GreedyGroup` is asked for.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import pandas as pd

from attribench.balance.quote_shelves import FreePlaces, Positions, QuoteShelves, fame_of, quote_bins

NOBODY = -1


class GreedyGroup(ABC):
    """A comparison group from which authors are taken, each at most once in a run."""

    def __init__(self, table: pd.DataFrame) -> None:
        """Set up the authors of `table`, all of them free."""
        self.shelves = QuoteShelves(table)
        self.free = FreePlaces(len(self.shelves.rows))

    def reset(self) -> None:
        """Make every author free again."""
        self.free.reset()

    @abstractmethod
    def find(self, target: float, quote_bin: int) -> int:
        """Return the place of the candidate for a target of fame and a quote bin, or NOBODY."""

    def take(self, place: int) -> None:
        """Mark the author at `place` as matched."""
        self.free.take(place)


class GreedyMatching:
    """A greedy matching of the same authors, ready for any number of runs."""

    def __init__(self, reference: pd.DataFrame, groups: Sequence[GreedyGroup], threshold: float) -> None:
        """Get ready; the arguments are those of `match_groups`."""
        self._fames: list[float] = fame_of(reference).tolist()
        self._bins: list[int] = quote_bins(reference).tolist()
        self._groups = groups
        self._limit = threshold * len(groups)

    def __call__(self, rng: np.random.Generator) -> Positions:
        """Serve the reference authors in random order and return the accepted matchings.

        Lines 3 to 24 of Algorithm 1 (Berman et al. 2026, Appendix A.5). Returns what
        `match_groups` does.
        """
        groups = self._groups
        for group in groups:
            group.reset()
        finds = [group.find for group in groups]
        group_fames = [group.shelves.fames for group in groups]
        offsets = [0.0] * len(groups)
        accepted: list[list[int]] = []
        for r in rng.permutation(len(self._fames)).tolist():
            fame, quote_bin = self._fames[r], self._bins[r]
            matching, distances = [r], []
            error = 0.0
            for find, fames, offset in zip(finds, group_fames, offsets, strict=True):
                place = find(fame - offset, quote_bin)
                if place == NOBODY:
                    break
                distance = fames[place] - fame
                error += distance * distance
                matching.append(place)
                distances.append(distance)
            else:
                if error < self._limit:
                    for j, group in enumerate(groups):
                        group.take(matching[j + 1])
                        offsets[j] += distances[j]
                    accepted.append(matching)
        found = np.array(accepted, dtype=np.int64).reshape(len(accepted), 1 + len(groups))
        for j, group in enumerate(groups, start=1):
            found[:, j] = group.shelves.rows[found[:, j]]
        return found
