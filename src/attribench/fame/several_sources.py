"""What several sources say about the same authors, and whether they may stand side by side.

Sources count different things (search results, mentions in a text), so that their figures have
different levels: authors matched on a mixture are not equally famous.
"""

from collections.abc import Mapping

import pandas as pd

from attribench.errors import ConfigError
from attribench.tables.fame import FAME_BY_SOURCE


def by_source(authors: pd.DataFrame, answers: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the table FAME_BY_SOURCE.

    Args:
        authors: one row per author, with `author_id`.
        answers: for each source, one row per author in the order of `authors`, with
            `log10_hits` and `reason`.
    """
    ids = authors["author_id"].to_numpy()
    parts = [
        pd.DataFrame(
            {
                "author_id": ids,
                "fame_source": name,
                "log10_hits": answer["log10_hits"].to_numpy(dtype=float),
                "reason": answer["reason"].to_numpy(dtype=object),
            }
        )
        for name, answer in answers.items()
    ]
    return pd.concat(parts, ignore_index=True)[FAME_BY_SOURCE.names]


def require_one_source(fame: pd.DataFrame, *, mix_sources: bool) -> None:
    """Raise ConfigError when `fame` (the table FAME) has figures of several sources, unless `mix_sources`."""
    used = fame["fame_source"].dropna().value_counts()
    if len(used) > 1 and not mix_sources:
        numbers = ", ".join(f"{count} by {name}" for name, count in used.items())
        raise ConfigError(
            f"The fame of the authors comes from {len(used)} sources ({numbers}), which do not count the same thing: "
            "authors would be matched on figures that cannot be compared. Name one source in 'fame.sources', "
            "or say 'fame.mix_sources: true' to accept it."
        )
