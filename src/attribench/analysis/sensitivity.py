"""The same analysis without the quotes that name their own author, still matched."""

import numpy as np
import pandas as pd

NO_OWN_NAME = "no_own_name"


def drop_matched(benchmark: pd.DataFrame, drop: pd.Series, groups: list[str], rng: np.random.Generator) -> pd.DataFrame:
    """Return the rows of `benchmark` without those to drop, and with equally many quotes in a matching again.

    From every author of a matching as many quotes stay as that author has left who has fewest;
    which of them go is drawn at random. A matching in which an author has none left goes whole.

    Args:
        benchmark: one row per quote: `quote_id`, `match_id`, `group`.
        drop: for each row, whether it goes.
        groups: the groups; a matching has an author of each.
        rng: where chance comes from.
    """
    shuffled = benchmark.iloc[rng.permutation(len(benchmark))]
    left = shuffled[~drop.reindex(shuffled.index).to_numpy(bool)]
    sizes = left.groupby(["match_id", "group"]).size().unstack(fill_value=0).reindex(columns=groups, fill_value=0)
    # A group that the data set has nobody of cannot be matched.
    present = [group for group in groups if (benchmark["group"] == group).any()]
    most = sizes[present].min(axis="columns")
    rank = left.groupby(["match_id", "group"]).cumcount()
    kept = left.index[rank < left["match_id"].map(most)]
    return benchmark.loc[benchmark.index.isin(kept)]
