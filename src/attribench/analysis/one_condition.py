"""One model in one condition: means of all quotes and of each group, and how groups differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from attribench.analysis.bootstrap import AuthorBootstrap, interval
from attribench.analysis.clustered import compare_clustered, mean_and_variance
from attribench.analysis.comparisons import best_groups, compare_groups
from attribench.analysis.disparity import measure_disparity
from attribench.analysis.means import Values, describe_mean
from attribench.analysis.paired import compare_paired, matching_means
from attribench.analysis.quote_values import COUNTS

Row = dict[str, Any]


@dataclass(frozen=True)
class Compared:
    """Rows of the tables `overall`, `subgroups`, `pairwise` and `disparity`, without the columns of the condition."""

    overall: Row
    subgroups: list[Row]
    pairwise: list[Row]
    disparity: list[Row]


def compare_condition(
    cell: pd.DataFrame, groups: Sequence[str], reference: str, sign: int, bootstrap: AuthorBootstrap
) -> Compared:
    """Return what is to be said about one condition; stars and corrected p-values are added later.

    Args:
        cell: one row per quote: `value` (missing where no answer was scored), `group`,
            `author_code`, `match_id`, those of COUNTS, and the numbers of answers with the event.
        groups: the groups, in order; one without any quote gets its rows all the same.
        reference: the reference group.
        sign: 1 where a higher value is better, -1 where a lower one is.
        bootstrap: draws of the authors that the model was asked about.
    """
    drawn, drawn_overall = bootstrap.draw(cell)
    parts = {group: cell[cell["group"] == group] for group in groups}
    rows = {group: _describe(part, drawn.get(group)) for group, part in parts.items()}
    means = {group: row["mean"] for group, row in rows.items()}
    best = best_groups(means, sign)
    subgroups = []
    for group, row in rows.items():
        tied = "tied for best" if group in best and len(best) > 1 else None
        subgroups.append({"group": group, **row, "is_best": group in best, "note": _joined(row["note"], tied)})
    authors = {group: row["n_authors"] for group, row in rows.items()}
    return Compared(
        _describe(cell, drawn_overall),
        subgroups,
        _compare_pairs(parts, sign),
        measure_disparity(means, authors, drawn, sign, reference),
    )


def _describe(part: pd.DataFrame, drawn: Values | None) -> Row:
    found = describe_mean(part["value"].to_numpy("float64"))
    n_authors = part.loc[part["value"].notna(), "author_code"].nunique()
    counts = {name: int(part[name].sum()) for name in COUNTS}
    low, high = interval(drawn) if drawn is not None and n_authors > 1 else (None, None)
    if n_authors == 1 and found["n_quotes"] > 1:
        found["note"] = _joined(found["note"], "one author")
    events = float((part["value"] * part["n_scored"]).sum())
    asked = events / counts["n_asked"] if counts["n_asked"] else None
    return {
        "n_authors": n_authors, **counts, **found, "mean_asked": asked, "cluster_low": low, "cluster_high": high,
    }  # fmt: skip


def _compare_pairs(parts: dict[str, pd.DataFrame], sign: int) -> list[Row]:
    scored = {group: part[part["value"].notna()] for group, part in parts.items()}
    values = {group: part["value"].to_numpy("float64") for group, part in scored.items()}
    clustered = {
        group: mean_and_variance(values[group], pd.factorize(part["author_code"])[0]) for group, part in scored.items()
    }
    n = 1 + max((int(part["match_id"].max()) for part in scored.values() if len(part)), default=-1)
    matched = {
        group: matching_means(values[group], part["match_id"].to_numpy("int64"), n) for group, part in scored.items()
    }
    return [
        row
        | compare_clustered(clustered, row["group"], row["other"])
        | compare_paired(matched[row["group"]], matched[row["other"]])
        for row in compare_groups(values, sign)
    ]


def _joined(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None
