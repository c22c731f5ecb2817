"""The rows of a benchmark that was handed in: refused, mended or kept as they are, and said so."""

import re
from collections.abc import Mapping

import numpy as np
import pandas as pd

from attribench.balance.differences import Differences, place
from attribench.errors import InputError
from attribench.text import fold, slug

Groups = Mapping[str, Mapping[str, str]]

_WORD = re.compile(r"\w+")


def refuse_unusable(rows: pd.DataFrame, name: str) -> None:
    """Raise InputError where a row lacks what evaluation needs, or an id occurs twice."""
    for column in ("quote_id", "author_clean", "quote"):
        empty = rows[rows[column].str.strip() == ""]
        if len(empty):
            raise InputError(
                f"The benchmark {name} has no '{column}' in {len(empty)} rows, the first of them {place(empty)}. "
                "Nothing can be asked about such a row: fill it in, or take it out with the rest of its matching."
            )
    wrong = rows[~np.isfinite(numbers(rows["log10_hits"]))]
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


def with_groups(rows: pd.DataFrame, groups: Groups, name: str, differences: Differences) -> pd.DataFrame:
    """Return the rows that belong to a group, with race and gender in lower case, and `group`.

    Raises:
        InputError: a group has no author.
    """
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


def author_ids(rows: pd.DataFrame, differences: Differences) -> pd.Series:
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


def lengths(rows: pd.DataFrame, differences: Differences) -> pd.Series:
    """Return the length of each quote in words, counted here where the file does not say it."""
    counted = rows["quote"].map(lambda quote: max(len(_WORD.findall(quote)), 1)).astype("int64")
    if "quote_words" not in rows:
        return counted
    given = _whole_numbers(rows["quote_words"])
    wrong = rows[given.isna()]
    differences.record_rows("length in words", wrong, "a whole number from 1", "counted here", "quote_words")
    return given.fillna(counted).astype("int64")


def numbers_to_sample(rows: pd.DataFrame, differences: Differences) -> pd.Series:
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


def check_texts_and_ids(rows: pd.DataFrame, differences: Differences) -> None:
    """Record ids of another form than the corpus', and texts that occur twice."""
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


def numbers(text: pd.Series) -> pd.Series:
    """Return `text` as numbers to the last digit, missing for what is none."""

    def number(value: str) -> float:
        try:
            return float(value)
        except ValueError:
            return float("nan")

    return text.map(number).astype(float)


def _whole_numbers(text: pd.Series) -> pd.Series:
    """Return the whole numbers from 1 among `text`, missing for anything else."""
    found = numbers(text)
    return found.where(np.isfinite(found) & (found >= 1) & (found % 1 == 0))
