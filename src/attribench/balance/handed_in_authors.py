"""The authors of a benchmark that was handed in: their fame, their matchings, and whether the groups are equal."""

import pandas as pd

from attribench.balance.differences import Differences, place
from attribench.balance.handed_in_rows import Groups
from attribench.balance.matching_ids import given_matchings, reconstruct_matchings


def authors_of(rows: pd.DataFrame, groups: Groups, differences: Differences) -> pd.DataFrame:
    """Return one row per author, with fame, aliases, and number of quotes."""
    fames = rows.groupby("author_id")["log10_hits"].nunique()
    disputed = rows[rows["author_id"].isin(fames.index[fames > 1])].drop_duplicates("author_id")
    differences.record(
        "one fame per author",
        len(disputed),
        "authors",
        "the same log10_hits in all rows of an author",
        "" if disputed.empty else place(disputed, "log10_hits"),
        "the first row's counts",
    )
    authors = rows.drop_duplicates("author_id")[["author_id", "author_clean", "group", "log10_hits", "to_sample"]]
    authors = authors.set_index("author_id")
    by_author = rows.groupby("author_id")
    authors["n_quotes"] = by_author.size()
    authors["aliases"] = by_author["aliases"].agg(
        lambda lists: list(dict.fromkeys(name for names in lists for name in names))
    )
    authors["order"] = authors["group"].map({group: number for number, group in enumerate(groups)})
    return authors.reset_index()


def match_ids(rows: pd.DataFrame, authors: pd.DataFrame, groups: Groups, differences: Differences) -> pd.Series:
    """Return the matching of each author, as the file says or reconstructed; record what is odd about them."""
    wanted = "one author of each group with the same match_id"
    given, why = given_matchings(rows, authors)
    if given is not None:
        match_id = given
    else:
        match_id = reconstruct_matchings(authors)
        differences.record(
            "matchings are on record",
            match_id.nunique(),
            "matchings",
            wanted,
            why,
            "reconstructed by rank of fame among the authors with the same to_sample: who was matched with whom "
            "may have been otherwise",
        )
    sizes = authors.groupby(match_id)["group"].nunique()
    lacking = sizes.index[sizes < len(groups)]
    differences.record(
        "matchings are whole",
        len(lacking),
        "matchings",
        "one author of each group",
        ""
        if lacking.empty
        else f"matching {lacking[0]}: {', '.join(authors.loc[match_id == lacking[0], 'group'])} only",
        "kept; comparisons between groups are not of equally many authors",
    )
    uneven = authors.groupby(match_id)["n_quotes"].nunique()
    uneven_ids = uneven.index[uneven > 1]
    differences.record(
        "equal quotes in a matching",
        len(uneven_ids),
        "matchings",
        "as many quotes of each author",
        ""
        if uneven_ids.empty
        else f"matching {uneven_ids[0]}: quotes "
        f"{', '.join(map(str, authors.loc[match_id == uneven_ids[0], 'n_quotes']))}",
        "kept as they are",
    )
    return match_id


def check_balance(rows: pd.DataFrame, authors: pd.DataFrame, groups: Groups, differences: Differences) -> None:
    """Record groups that have fewer authors or quotes than the largest."""
    for check, counts in (
        ("equal authors in groups", authors["group"].value_counts()),
        ("equal quotes in groups", rows["group"].value_counts()),
    ):
        counts = counts.reindex(list(groups))
        most = int(counts.max())
        fewer = counts[counts < most]
        what = check.split()[1]
        differences.record(
            check,
            len(fewer),
            "groups",
            f"{most} {what}, as in the largest group",
            "" if fewer.empty else f"{fewer.index[0]}: {fewer.iloc[0]} {what}",
            "kept as they are",
        )
