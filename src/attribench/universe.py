"""The published universe of authors: race, gender and fame of those whom AttriBench knows.

Berman et al. publish it under CC BY 4.0 with the columns ``author_clean``, ``race``,
``gender``, ``log10_hits`` and ``count``.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from attribench.errors import InputError
from attribench.text import normal_form

COLUMNS = ["author_clean", "race", "gender", "log10_hits", "count"]


def read_universe(path: Path) -> pd.DataFrame:
    """Read the universe.

    Returns:
        One row per author: `name` (its normal form), `race` and `gender` (lower case, None
        where empty), `log10_hits` (NaN where empty), `count` (usable quotes). Where several
        rows have one normal form, the one with the most quotes stands for all; a label that
        they disagree about becomes None.

    Raises:
        InputError: there is no such file, a column is missing, there are no rows, or a fame is
            no number.
    """
    if not path.is_file():
        raise InputError(
            f"The published universe was expected at {path}, but there is no such file. "
            "Set 'published_universe' to a table with the columns " + ", ".join(COLUMNS) + "."
        )
    try:
        found = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except ValueError as error:  # no columns, rows of different lengths, not UTF-8
        raise InputError(f"{path} cannot be read as a CSV file in UTF-8: {error}.") from error
    missing = [name for name in COLUMNS if name not in found.columns]
    if missing:
        raise InputError(
            f"{path} lacks the columns {', '.join(missing)}; it has {', '.join(map(str, found.columns))}. "
            f"The published universe has {', '.join(COLUMNS)}."
        )
    if found.empty:
        raise InputError(f"{path} has a header and no authors.")
    table = pd.DataFrame(
        {
            "name": found["author_clean"].map(normal_form),
            "race": _labels(found["race"]),
            "gender": _labels(found["gender"]),
            "log10_hits": _numbers(found, "log10_hits", path),
            "count": _numbers(found, "count", path),
        }
    )
    by_count = table.sort_values("count", ascending=False, kind="stable")
    first = by_count.drop_duplicates("name").set_index("name")
    for label in ("race", "gender"):
        disputed = by_count.groupby("name")[label].nunique() > 1
        first[label] = first[label].mask(disputed.reindex(first.index), None)
    return first.sort_index().reset_index()


def look_up(authors: pd.DataFrame, universe: pd.DataFrame) -> pd.DataFrame:
    """Return the universe's row for each author, by name or else by the first alias that has one.

    A row stands for one person: an alias leads to it only if no author has that name, and to one
    author only, the first.

    Args:
        authors: one row per author, with `author_id`, `author` and `aliases`.
        universe: what `read_universe` returns.

    Returns:
        One row per author, in order: `author_id`, `known` (whether the universe has the author)
        and the universe's columns, missing where it does not.
    """
    known = set(universe["name"])
    own = [normal_form(author) for author in authors["author"]]
    names = [form if form in known else None for form in own]
    taken = set(own)
    for place, aliases in enumerate(authors["aliases"]):
        if names[place] is None:
            forms = (normal_form(alias) for alias in aliases)
            names[place] = next((form for form in forms if form in known and form not in taken), None)
            taken.add(names[place] or "")
    asked = pd.DataFrame({"author_id": authors["author_id"].to_numpy(), "name": names})
    found = asked.merge(universe, on="name", how="left", validate="many_to_one")
    return found.assign(known=found["name"].notna())


def _labels(column: pd.Series) -> pd.Series:
    lowered = column.str.strip().str.lower()
    return lowered.where(lowered != "", None)


def _numbers(found: pd.DataFrame, column: str, path: Path) -> pd.Series:
    text = found[column].str.strip()
    numbers = pd.to_numeric(text, errors="coerce").astype(float)
    wrong = found[(numbers.isna() & (text != "")) | np.isinf(numbers)]
    if len(wrong):
        row = wrong.index[0]
        raise InputError(
            f"{path}, row {row + 2}: '{column}' of {found['author_clean'][row]} is "
            f"'{found[column][row]}', which is no number ({len(wrong)} such rows in all). "
            "Give a number, or leave the cell empty if it is not known."
        )
    return numbers
