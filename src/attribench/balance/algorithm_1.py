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
from attribench.balance.quote_shelves import HIGHEST_BIN


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
        for begin, end in self.shelves.down_from[quote_bin]:
            place = first(bisect_left(fames, target, begin, end))
            if place < end:
                return place
        return NOBODY


class _AnyBinGroup(_Group):
    """The same; where no shelf has a candidate, the next more famous author of any bin is one."""

    def find(self, target: float, quote_bin: int) -> int:
        place = super().find(target, quote_bin)
        if place != NOBODY:
            return place
        fames, ranks = self.shelves.fames, self.shelves.ranks
        of_each = (self.free.first(bisect_left(fames, target, *shelf)) for shelf in self.shelves.down_from[HIGHEST_BIN])
        nearest = min(of_each, key=ranks.__getitem__, default=NOBODY)
        return nearest if nearest != NOBODY and ranks[nearest] < self.shelves.size else NOBODY
