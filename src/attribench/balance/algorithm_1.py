"""The matching of the paper: Algorithm 1 of Berman et al. 2026, Appendix A.5.

Every author of the reference group is matched to one author of each comparison group, without
replacement: the first one that is at least as famous as the target and has the same number of
quotes, in bins of powers of two. The target is the reference author's fame less the group's
running offset, which keeps the group means together.

The paper scans the remaining candidates from the position that a binary search finds; here the
scan is a look into a disjoint-set forest.
"""

from bisect import bisect_left
from collections.abc import Iterable

import pandas as pd

from attribench.balance.greedy import NOBODY, GreedyGroup, GreedyMatching
from attribench.balance.quote_shelves import FreePlaces


def prepare(
    reference: pd.DataFrame, comparisons: Iterable[pd.DataFrame], *, threshold: float, any_bin: bool
) -> GreedyMatching:
    """Return Algorithm 1 for these authors; the arguments are those of `match_groups`."""
    kind = _AnyBinGroup if any_bin else _Group
    return GreedyMatching(reference, [kind(table) for table in comparisons], threshold)


class _Group(GreedyGroup):
    """A comparison group in which the remaining candidates are searched."""

    def find(self, target: float, quote_bin: int) -> int:
        fames, first = self.shelves.fames, self.free.first
        for begin, end in self.shelves.shelves_for(quote_bin):
            place = first(bisect_left(fames, target, begin, end))
            if place < end:
                return place
        return NOBODY


class _AnyBinGroup(_Group):
    """The same; where no shelf has a candidate, the next more famous author of any bin is one."""

    def __init__(self, table: pd.DataFrame) -> None:
        super().__init__(table)
        self._of_any_bin = FreePlaces(self.shelves.size)  # in the order of fame

    def reset(self) -> None:
        super().reset()
        self._of_any_bin.reset()

    def find(self, target: float, quote_bin: int) -> int:
        place = super().find(target, quote_bin)
        if place != NOBODY:
            return place
        rank = self._of_any_bin.first(bisect_left(self.shelves.fames_in_order, target))
        return self.shelves.places_by_fame[rank] if rank < self.shelves.size else NOBODY

    def take(self, place: int) -> None:
        super().take(place)
        self._of_any_bin.take(self.shelves.ranks[place])
