"""Samples that show small strata as well as large ones: equal shares, with weights that undo them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd


def draw_equal_shares(frame: pd.DataFrame, by: Sequence[str], size: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw `size` rows, the same number from each stratum as far as it has so many.

    Args:
        frame: what is drawn from, with a range as its index; its order matters, so sort it first.
        by: columns whose values make a stratum.
        size: number of rows; all of `frame` where it has not more.
        rng: decides which rows are drawn, and in which order they stand.

    Returns:
        The rows drawn, in random order, with the column `weight`: the rows of `frame` that each stands for.
    """
    strata = frame.groupby(list(by)).indices
    places = [rng.permutation(np.sort(found)) for found in strata.values()]
    shares = allocate([len(found) for found in places], size, rng)
    parts = [
        frame.iloc[found[:share]].assign(weight=len(found) / share)
        for found, share in zip(places, shares, strict=True)
        if share
    ]
    drawn = pd.concat(parts)
    return drawn.iloc[rng.permutation(len(drawn))].reset_index(drop=True)


def allocate(sizes: Sequence[int], total: int, rng: np.random.Generator) -> list[int]:
    """Share `total` among strata as equally as their `sizes` allow; chance says who gets what is left over."""
    left = np.array(sizes)
    shares = np.zeros(len(sizes), dtype=int)
    remaining = min(total, int(left.sum()))
    while remaining:
        open_ = np.flatnonzero(left > shares)
        each = remaining // len(open_)
        if each:
            more = np.minimum(left[open_] - shares[open_], each)
        else:
            more = np.isin(open_, rng.permutation(open_)[:remaining]).astype(int)
        shares[open_] += more
        remaining -= int(more.sum())
    return [int(share) for share in shares]
