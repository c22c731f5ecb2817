"""The matching as the published code does it, which is not quite Algorithm 1.

Three things differ (docs/balance.md says what comes of them):

* the position that the binary search finds among the *remaining* candidates is used as a row
  number in the *original* sorted list: the more authors were taken below the target, the
  further below the target the scan begins;
* the scan ends at the row whose number is the number of remaining candidates, so that the most
  famous ones drop out of sight;
* where no quote bin has a candidate, the first one of any bin in the same stretch is taken.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable

import pandas as pd

from attribench.balance.greedy import NOBODY, GreedyGroup, GreedyMatching
from attribench.balance.quote_shelves import HIGHEST_BIN


def prepare(reference: pd.DataFrame, comparisons: Iterable[pd.DataFrame], *, threshold: float) -> GreedyMatching:
    """Return the published code's matching of these authors; the arguments are those of `match_groups`."""
    return GreedyMatching(reference, [_Group(table) for table in comparisons], threshold)


class _Group(GreedyGroup):
    """A comparison group in which rows of the original sorted list are scanned."""

    def __init__(self, table: pd.DataFrame) -> None:
        super().__init__(table)
        self._taken: list[int] = []  # ranks in fame, in order

    def reset(self) -> None:
        super().reset()
        self._taken.clear()

    def find(self, target: float, quote_bin: int) -> int:
        shelves, ranks, first = self.shelves, self.shelves.ranks, self.free.first
        below = bisect_left(shelves.fames_in_order, target)
        from_row = below - bisect_left(self._taken, below)
        to_row = shelves.size - len(self._taken)
        for begin, end in shelves.down_from[quote_bin]:
            place = first(bisect_left(ranks, from_row, begin, end))
            if ranks[place] < to_row:
                return place
        of_each = (first(bisect_left(ranks, from_row, *shelf)) for shelf in shelves.down_from[HIGHEST_BIN])
        nearest = min(of_each, key=ranks.__getitem__, default=NOBODY)
        return nearest if nearest != NOBODY and ranks[nearest] < to_row else NOBODY

    def take(self, place: int) -> None:
        super().take(place)
        insort(self._taken, self.shelves.ranks[place])
