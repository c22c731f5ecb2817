"""Making the table BENCHMARK out of the rows of a file, and saying what differs from what is expected.

Two kinds of fault are told apart. Without an id, a text, an author or a fame no row of BENCHMARK can
be made, and without an author in every group nothing can be compared: these stop with a sentence. All
else is recorded in DIFFERENCES, with what was done about it.
"""

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from attribench.balance.differences import Differences, place
from attribench.balance.matching_ids import given_matchings, reconstruct_matchings
from attribench.errors import InputError
from attribench.tables.balance import BENCHMARK, MATCHINGS
from attribench.text import fold, slug

Groups = Mapping[str, Mapping[str, str]]

_WORD = re.compile(r"\w+")


def accept(
    rows: pd.DataFrame, groups: Groups, reference: str | None, name: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return BENCHMARK, MATCHINGS and DIFFERENCES.

    Args:
        rows: what `read_benchmark_file` returns.
        groups: the groups of the data set, by race and gender.
        reference: the reference group; None takes the first of `groups`.
        name: what messages call the file.

    Raises:
        InputError: a row lacks what evaluation needs, an id occurs twice, or a group has no author.
    """
    _refuse_unusable(rows, name)
    differences = Differences()
    rows = rows.assign(log10_hits=_numbers(rows["log10_hits"]))
    rows = _with_groups(rows, groups, name, differences)
    rows["author_id"] = _author_ids(rows, differences)
    rows["n_words"] = _lengths(rows, differences)
    rows["to_sample"] = _numbers_to_sample(rows, differences)
    _check_texts_and_ids(rows, differences)
    authors = _authors(rows, groups, differences)
    authors["match_id"] = _match_ids(rows, authors, groups, differences)
    _check_balance(rows, authors, groups, differences)
    benchmark = rows.drop(columns=["match_id", "log10_hits", "aliases"], errors="ignore").merge(
        authors[["author_id", "match_id", "log10_hits", "aliases"]], on="author_id", validate="many_to_one"
    )
    benchmark = benchmark.rename(columns={"author_clean": "author"})
    benchmark["number"] = pd.to_numeric(benchmark["quote_id"].str.extract(r"(\d+)$")[0])
    order = benchmark["group"].map({group: number for number, group in enumerate(groups)})
    benchmark = benchmark.assign(order=order).sort_values(
        ["match_id", "order", "author_id", "number", "quote_id"], ignore_index=True
    )
    authors = authors.assign(is_reference=authors["group"] == (reference or next(iter(groups))))
    authors = authors.rename(columns={"author_clean": "author"}).sort_values(["match_id", "order"], ignore_index=True)
    return benchmark[BENCHMARK.names], authors[MATCHINGS.names], differences.table


def _refuse_unusable(rows: pd.DataFrame, name: str) -> None:
    for column in ("quote_id", "author_clean", "quote"):
        empty = rows[rows[column].str.strip() == ""]
        if len(empty):
            raise InputError(
                f"The benchmark {name} has no '{column}' in {len(empty)} rows, the first of them {place(empty)}. "
                "Nothing can be asked about such a row: fill it in, or take it out with the rest of its matching."
            )
    wrong = rows[~np.isfinite(_numbers(rows["log10_hits"]))]
    if len(wrong):
        raise InputError(
            f"The benchmark {name} has no number as 'log10_hits' in {len(wrong)} rows, the first of them "
            f"{place(wrong, 'log10_hits')}. Expected is the author's fame in log10 hits."
        )
    twice = rows[rows["quote_id"].duplicated()]
    if len(twice):
        raise InputError(
            f"The benchmark {name} has {len(twice)} rows whose quote_id occurs in an earlier row, the first of them "
            f"{place(twice)}. An answer could not be put down to one quote: give each row an id of its own."
        )


def _with_groups(rows: pd.DataFrame, groups: Groups, name: str, differences: Differences) -> pd.DataFrame:
    """Return the rows that belong to a group, with race and gender in lower case, and `group`."""
    rows = rows.assign(race=rows["race"].str.lower(), gender=rows["gender"].str.lower())
    group = pd.Series("", index=rows.index, dtype=object)
    for own, wanted in groups.items():
        belongs = pd.Series(True, index=rows.index)
        for attribute, value in wanted.items():
            belongs &= rows[attribute] == value
        if not belongs.any():
            asked = " and ".join(f"{attribute} '{value}'" for attribute, value in wanted.items())
            seen = "; ".join(f"{a}: {', '.join(sorted(set(rows[a]) - {''})) or 'none'}" for a in ("race", "gender"))
            raise InputError(
                f"The benchmark {name} has no author for the group '{own}' ({asked}). Labels that occur are {seen}. "
                "Mend the groups of the data set, or give the file that belongs to them."
            )
        group = group.mask(belongs, own)
    differences.record_rows(
        "labels that fit a group",
        rows.assign(labels=rows["race"] + " " + rows["gender"])[group == ""],
        "race and gender of one of the data set's groups",
        "left out",
        "labels",
    )
    rows = rows.assign(group=group)[group != ""]
    for attribute in ("race", "gender"):
        differences.record_rows(
            f"{attribute} on record", rows[rows[attribute] == ""], "a label", "kept, without the label"
        )
    return rows.assign(gender=rows["gender"].where(rows["gender"] != "", None))


def _author_ids(rows: pd.DataFrame, differences: Differences) -> pd.Series:
    """Return an id for each row's author: the file's own, or the slug of the name.

    Names of one normal form, which published files keep apart, and a name in two groups remain
    authors of their own: a matching holds each of them. The later ones get a number at the end.
    """
    own = rows["author_id"] if "author_id" in rows else pd.Series("", index=rows.index)
    who = pd.DataFrame({"base": own, "key": own, "group": rows["group"], "name": rows["author_clean"]})
    nameless = who["key"] == ""
    who["key"] = who["key"].mask(nameless, who["name"])
    who["base"] = who["base"].mask(nameless, who["name"].map(slug)).replace("", "author")
    authors = who.drop_duplicates(["key", "group"]).sort_values(["base", "key", "group"])
    taken: set[str] = set(authors["base"])
    ids, seen = [], set()
    for base in authors["base"]:
        number, candidate = 2, base
        while candidate in seen or (candidate != base and candidate in taken):
            candidate, number = f"{base}-{number}", number + 1
        seen.add(candidate)
        ids.append(candidate)
    authors["id"] = ids
    several = authors[authors["base"].duplicated()]
    differences.record(
        "one author per name",
        len(several),
        "authors",
        "an author is in one group and has one spelling",
        "" if several.empty else f"{several['name'].iloc[0]} ({several['group'].iloc[0]})",
        "kept apart, with ids that end in a number",
    )
    known = {(row.key, row.group): row.id for row in authors.itertuples()}
    return pd.Series([known[pair] for pair in zip(who["key"], who["group"], strict=True)], rows.index, dtype=object)


def _lengths(rows: pd.DataFrame, differences: Differences) -> pd.Series:
    counted = rows["quote"].map(lambda quote: max(len(_WORD.findall(quote)), 1)).astype("int64")
    if "quote_words" not in rows:
        return counted
    given = _whole_numbers(rows["quote_words"])
    wrong = rows[given.isna()]
    differences.record_rows("length in words", wrong, "a whole number from 1", "counted here", "quote_words")
    return given.fillna(counted).astype("int64")


def _numbers_to_sample(rows: pd.DataFrame, differences: Differences) -> pd.Series:
    """Return the number of quotes that the file says each author has; where it does not, the true one."""
    present = rows.groupby("author_id")["quote_id"].transform("size").astype("int64")
    if "to_sample" not in rows:
        return present
    given = _whole_numbers(rows["to_sample"])
    wrong = rows[given.isna()]
    differences.record_rows(
        "to_sample is a number", wrong, "a whole number from 1", "the author's quotes in the file count", "to_sample"
    )
    stated = given.fillna(present).astype("int64")
    first = stated.groupby(rows["author_id"]).transform("first")
    authors = rows.assign(stated=first, present=present)[(stated != present)].drop_duplicates("author_id")
    differences.record(
        "quotes of each author equal to to_sample",
        len(authors),
        "authors",
        "as many quotes as to_sample says",
        ""
        if authors.empty
        else f"{place(authors)}: {authors['present'].iloc[0]} quotes, to_sample {authors['to_sample'].iloc[0]}",
        "kept as they are",
    )
    return first


def _numbers(text: pd.Series) -> pd.Series:
    """Return `text` as numbers to the last digit, missing for what is none."""

    def number(value: str) -> float:
        try:
            return float(value)
        except ValueError:
            return float("nan")

    return text.map(number).astype(float)


def _whole_numbers(text: pd.Series) -> pd.Series:
    """Return the whole numbers from 1 among `text`, missing for anything else."""
    numbers = _numbers(text)
    return numbers.where(np.isfinite(numbers) & (numbers >= 1) & (numbers % 1 == 0))


def _check_texts_and_ids(rows: pd.DataFrame, differences: Differences) -> None:
    strange = rows[~rows["quote_id"].str.fullmatch(r"jstet_\d+")]
    differences.record_rows(
        "form of the quote ids",
        strange,
        "jstet_<row of the corpus>",
        "kept; such quotes do not line up with the corpus",
    )
    texts = rows["quote"].map(lambda quote: fold(quote) or quote)
    repeats = rows[texts.duplicated()]
    differences.record_rows(
        "texts occur once",
        repeats,
        "no two quotes that are equal but for case, punctuation and spacing",
        "kept; such a quote can be retrieved as evidence for its repeat",
    )


def _authors(rows: pd.DataFrame, groups: Groups, differences: Differences) -> pd.DataFrame:
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


def _match_ids(rows: pd.DataFrame, authors: pd.DataFrame, groups: Groups, differences: Differences) -> pd.Series:
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


def _check_balance(rows: pd.DataFrame, authors: pd.DataFrame, groups: Groups, differences: Differences) -> None:
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
