"""Step: how famous the groups are before anybody is matched (Berman et al. 2026, Table 3)."""

from pathlib import Path

import pandas as pd

from attribench.balance.select_candidates import Groups, assign_groups
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import GROUP_FAME
from attribench.tables.demographics import LABELS
from attribench.tables.fame import FAME


def measure_groups(labels: pd.DataFrame, fame: pd.DataFrame, groups: Groups) -> pd.DataFrame:
    """Return the table GROUP_FAME, in the order of `groups`.

    As in the paper's Table 3, authors of any fame count, also those too little known to be matched.

    Raises:
        MatchingError: no author at all is labelled as a group asks.
    """
    table = labels.merge(fame[["author_id", "log10_hits"]], on="author_id", validate="one_to_one")
    by_group = table.groupby(assign_groups(table, groups))["log10_hits"]
    measured = pd.DataFrame(
        {
            "labelled": by_group.size(),
            "authors": by_group.count(),
            "mean_log10_hits": by_group.mean(),
            "sd_log10_hits": by_group.std(),
        }
    ).reindex(list(groups))
    counts = ["labelled", "authors"]
    measured[counts] = measured[counts].fillna(0).astype("int64")
    return measured.rename_axis("group").reset_index()


def main(*, labels: Path, fame: Path, groups: Groups, group_fame: Path) -> None:
    """Write GROUP_FAME to `group_fame`."""
    write(measure_groups(read(labels, LABELS), read(fame, FAME), groups), group_fame, GROUP_FAME)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
