"""The authors of a comparison group, as greedy matching looks for them.

They stand on *shelves*, one for each quote bin, floor(log2(quotes)), and in order of fame on
each shelf. All shelves lie in one row of places, with an empty place at the end of each. A
disjoint-set forest leads from any place to the next free one, so that a search takes nearly
constant time however many authors were taken before it (Tarjan 1975).
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

HIGHEST_BIN = 62  # of a count of quotes in 64 bits

Positions = npt.NDArray[np.int64]


def fame_of(table: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return the fame of each author, in log10 hits."""
    return table["log10_hits"].to_numpy(dtype=float)


def quote_bins(table: pd.DataFrame) -> npt.NDArray[np.int8]:
    """Return floor(log2(n_quotes)) for each author."""
    exponents: npt.NDArray[np.int32] = np.frexp(table["n_quotes"].to_numpy(dtype=float))[1]
    return exponents.astype(np.int8) - np.int8(1)


class FreePlaces:
    """Places 0 to `size` - 1, some of them taken; place `size` never is."""

    def __init__(self, size: int) -> None:
        """Set up `size` free places."""
        self._untouched = list(range(size + 1))
        self._next = self._untouched.copy()

    def reset(self) -> None:
        """Make every place free again."""
        self._next[:] = self._untouched

    def first(self, place: int) -> int:
        """Return the first free place from `place` on."""
        ahead = self._next
        while (after := ahead[place]) != place:
            ahead[place] = ahead[after]
            place = ahead[after]
        return place

    def take(self, place: int) -> None:
        """Mark `place` as taken."""
        self._next[place] = place + 1


class QuoteShelves:
    """The authors of a comparison group by quote bin and, on each shelf, by fame.

    Authors of equal fame keep the order of the table.

    Attributes:
        rows: for each place, the author's row position in the table; -1 at the end of a shelf.
        fames: for each place, the fame; infinite at the end of a shelf.
        down_from: for each quote bin up to HIGHEST_BIN, where the shelves of this and of all lower
            bins begin and end, the highest first; shelves on which nobody ever stood are left out.
    """

    def __init__(self, table: pd.DataFrame) -> None:
        """Put the authors of `table` on shelves; it has the columns `log10_hits` and `n_quotes`."""
        fame, bins = fame_of(table), quote_bins(table)
        self.size = len(fame)
        by_fame = np.argsort(fame, kind="stable")
        self._shelved = np.argsort(bins[by_fame], kind="stable")  # ranks in fame, shelf by shelf
        per_bin = np.bincount(bins, minlength=1)
        ends = np.cumsum(per_bin) + np.arange(len(per_bin))
        # An author stands as many places further on as shelves end before.
        self._places = np.arange(self.size) + bins[by_fame[self._shelved]]
        self.rows = np.full(self.size + len(per_bin), -1)
        self.rows[self._places] = by_fame[self._shelved]
        fames = np.full(len(self.rows), np.inf)
        fames[self._places] = fame[self.rows[self._places]]
        self.fames: list[float] = fames.tolist()
        shelves = list(zip((ends - per_bin).tolist(), ends.tolist(), strict=True))
        stocked = [shelf for shelf in reversed(shelves) if shelf[0] < shelf[1]]
        self.down_from = [[shelf for shelf in stocked if shelf[1] <= end] for _, end in shelves]
        self.down_from += [stocked] * (HIGHEST_BIN + 1 - len(shelves))

    @cached_property
    def ranks(self) -> list[int]:
        """For each place, the author's rank in fame in the whole group, from 0; `size` at the end of a shelf."""
        ranks = np.full(len(self.rows), self.size)
        ranks[self._places] = self._shelved
        return ranks.tolist()

    @cached_property
    def fames_in_order(self) -> list[float]:
        """The fames of the whole group, in order."""
        return sorted(self.fames)[: self.size]  # what is beyond are the ends of shelves
