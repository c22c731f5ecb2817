"""Fame matching: Algorithm 1 of Berman et al. 2026, Appendix A.5.

Every author of the reference group is matched to one author of each comparison group, without
replacement: the first one that is at least as famous as the target and has the same number of
quotes, in bins of powers of two. The target is the reference author's fame less the group's
running offset, which keeps the group means together.

The paper scans the remaining candidates from the position that a binary search finds. Here
each bin of a group is a sorted list of its own, with a disjoint-set forest that leads from any
place to the next free one, so that a search takes nearly constant time however many authors
were taken before it (Tarjan 1975).
"""

from bisect import bisect_left
from collections.abc import Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

Positions = npt.NDArray[np.int64]


def match_groups(
    reference: pd.DataFrame,
    comparisons: Mapping[str, pd.DataFrame],
    *,
    method: Literal["algorithm_1"] = "algorithm_1",
    threshold: float = 1.0,
    unmatched: Literal["skip", "any_bin"] = "skip",
    rng: np.random.Generator,
) -> Positions:
    """Match the authors of the reference group to authors of every comparison group.

    Args:
        reference: one row per author, with `log10_hits` (fame) and `n_quotes` (1 or more).
        comparisons: such a table for each of the M comparison groups.
        method: how to match.
        threshold: the paper's lambda, in (log10 hits)²: a matching is accepted when the sum of
            the squared fame distances to the reference author is below lambda × M.
        unmatched: for a reference author for whom some group has no candidate in the same or
            any lower quote bin: no matching (`skip`, as the paper), or the next more famous
            author of whatever bin (`any_bin`, as the published code).
        rng: decides the order in which reference authors are served.

    Returns:
        One row per matching, in the order of acceptance: the row position of the reference
        author in `reference`, then that of its match in each comparison group.

    Raises:
        ValueError: `method` or `unmatched` is not known, or a fame is not finite.
    """
    if method != "algorithm_1" or unmatched not in ("skip", "any_bin"):
        raise ValueError(f"no such way of matching: method={method!r}, unmatched={unmatched!r}")
    for table in (reference, *comparisons.values()):
        if not np.isfinite(table["log10_hits"].to_numpy(dtype=float)).all():
            raise ValueError("every author needs a finite fame to be matched")
    groups = [_Group(table) for table in comparisons.values()]
    fames = reference["log10_hits"].tolist()
    bins = _quote_bins(reference)
    offsets = [0.0] * len(groups)
    accepted: list[list[int]] = []
    for r in rng.permutation(len(reference)).tolist():
        fame = fames[r]
        places = []
        for group, offset in zip(groups, offsets, strict=True):
            place = group.first_free(fame - offset, bins[r], any_bin=unmatched == "any_bin")
            if place is None:
                break
            places.append(place)
        if len(places) < len(groups):
            continue
        distances = [group.fames[p] - fame for group, p in zip(groups, places, strict=True)]
        if sum(d * d for d in distances) < threshold * len(groups):
            for j, (group, place) in enumerate(zip(groups, places, strict=True)):
                group.take(place)
                offsets[j] += distances[j]
            accepted.append([r, *(g.positions[p] for g, p in zip(groups, places, strict=True))])
    return np.array(accepted, dtype=np.int64).reshape(len(accepted), 1 + len(groups))


def _quote_bins(table: pd.DataFrame) -> list[int]:
    """Return floor(log2(n_quotes)) for each author."""
    return [int(n).bit_length() - 1 for n in table["n_quotes"]]


class _Group:
    """The authors of a comparison group in order of fame, and which of them are free."""

    def __init__(self, table: pd.DataFrame) -> None:
        order = np.argsort(table["log10_hits"].to_numpy(dtype=float), kind="stable")
        self.positions: list[int] = order.tolist()
        self.fames: list[float] = table["log10_hits"].to_numpy(dtype=float)[order].tolist()
        quote_bins = np.array(_quote_bins(table), dtype=np.int64)[order]
        self._bins = quote_bins.tolist()
        self._all = _FreePlaces(self.fames, list(range(len(order))))
        self._by_bin: dict[int, _FreePlaces] = {}
        for quote_bin in set(self._bins):
            places = np.flatnonzero(quote_bins == quote_bin).tolist()
            self._by_bin[quote_bin] = _FreePlaces([self.fames[p] for p in places], places)

    def first_free(self, target: float, quote_bin: int, *, any_bin: bool) -> int | None:
        """Return the place of the first free author at or above `target` in fame, or None.

        The author's quote bin is `quote_bin`, or else the highest lower one with such an author.
        """
        for b in range(quote_bin, -1, -1):
            free = self._by_bin.get(b)
            place = free.first(target) if free is not None else None
            if place is not None:
                return place
        return self._all.first(target) if any_bin else None

    def take(self, place: int) -> None:
        """Mark the author at `place` as matched."""
        self._all.take(place)
        self._by_bin[self._bins[place]].take(place)


class _FreePlaces:
    """Places in order of fame; finds the first free one at or above a fame."""

    def __init__(self, fames: list[float], places: list[int]) -> None:
        self._fames = fames
        self._places = places
        self._rank = {place: rank for rank, place in enumerate(places)}
        self._next = list(range(len(places) + 1))

    def first(self, target: float) -> int | None:
        rank = self._find(bisect_left(self._fames, target))
        return self._places[rank] if rank < len(self._places) else None

    def take(self, place: int) -> None:
        rank = self._rank[place]
        self._next[rank] = rank + 1

    def _find(self, rank: int) -> int:
        ahead = self._next
        while ahead[rank] != rank:
            ahead[rank] = ahead[ahead[rank]]
            rank = ahead[rank]
        return rank
