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
from attribench.balance.quote_shelves import FreePlaces


def prepare(reference: pd.DataFrame, comparisons: Iterable[pd.DataFrame], *, threshold: float) -> GreedyMatching:
    """Return the published code's matching of these authors; the arguments are those of `match_groups`."""
    return GreedyMatching(reference, [_Group(table) for table in comparisons], threshold)


class _Group(GreedyGroup):
    """A comparison group in which rows of the original sorted list are scanned."""

    def __init__(self, table: pd.DataFrame) -> None:
        super().__init__(table)
        self._of_any_bin = FreePlaces(self.shelves.size)  # in the order of fame
        self._taken: list[int] = []  # ranks in fame, in order

    def reset(self) -> None:
        super().reset()
        self._of_any_bin.reset()
        self._taken.clear()

    def find(self, target: float, quote_bin: int) -> int:
        shelves, first = self.shelves, self.free.first
        below = bisect_left(shelves.fames_in_order, target)
        from_row = below - bisect_left(self._taken, below)
        to_row = shelves.size - len(self._taken)
        ranks = shelves.ranks
        for begin, end in shelves.shelves_for(quote_bin):
            place = first(bisect_left(ranks, from_row, begin, end))
            if place < end and ranks[place] < to_row:
                return place
        row = self._of_any_bin.first(from_row)
        return shelves.places_by_fame[row] if row < to_row else NOBODY

    def take(self, place: int) -> None:
        super().take(place)
        rank = self.shelves.ranks[place]
        self._of_any_bin.take(rank)
        insort(self._taken, rank)
