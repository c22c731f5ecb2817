"""Who is the same person: names with one normal form are one author."""

import pandas as pd

from attribench.text import normal_form, slug


def judged_names(cells: pd.DataFrame, rows: pd.Series, *, merge: bool) -> pd.DataFrame:
    """Return `author_id` and `author` (the display form) for each cell of `cells`.

    Args:
        cells: one row per distinct cell with the column `name`, the cleaned name.
        rows: for each corpus row of an individual, in order, the index of its cell in `cells`.
        merge: whether names of one normal form are one author; otherwise only names that
            differ in nothing but capitals are, and authors that share a slug are numbered.

    An author is shown in the commonest form of the name (ties: the form that comes first).
    """
    counts = rows.map(cells["name"]).to_frame("name").assign(row=range(len(rows)))
    grouped = counts.groupby("name", sort=False)["row"]
    forms = pd.DataFrame({"n": grouped.size(), "first": grouped.min()})
    forms["key"] = [normal_form(name) if merge else name.casefold() for name in forms.index]
    ranked = forms.sort_values(["n", "first"], ascending=[False, True])
    display = ranked.reset_index().drop_duplicates("key").set_index("key")["name"]
    forms["author"] = forms["key"].map(display)
    people = forms.sort_values("first").drop_duplicates("key").set_index("key")["author"].map(slug)
    number = people.groupby(people, sort=False).cumcount() + 1
    forms["author_id"] = forms["key"].map(people.where(number == 1, people + "-" + number.astype(str)))
    return forms.loc[:, ["author_id", "author"]].reindex(cells["name"]).set_axis(cells.index)


def aliases(cells: pd.DataFrame, rows: pd.Series) -> pd.Series:
    """Return the aliases of each author: its other forms, commonest first, as lists by `author_id`.

    A second name that is another author's own is no alias: a character's cell names the actor, too.

    Args:
        cells: one row per distinct cell, with `author_id`, `author`, and the forms `name`,
            `written` and `alternative` (None where there is none).
        rows: as in `judged_names`.
    """
    uses = rows.value_counts()
    parts = []
    for place, column in enumerate(("name", "alternative", "written")):
        part = cells[["author_id", "author", column]].rename(columns={column: "form"})
        parts.append(part.assign(n=uses.reindex(cells.index).fillna(0), place=place, order=range(len(cells))))
    forms = pd.concat(parts)
    forms = forms[forms["form"].notna() & (forms["form"] != "") & (forms["form"] != forms["author"]) & (forms["n"] > 0)]
    owners = dict(zip(cells["author"].map(normal_form), cells["author_id"], strict=True))
    owner = forms["form"].map(lambda form: owners.get(normal_form(form)))
    forms = forms[owner.isna() | (owner == forms["author_id"])]
    ranked = forms.groupby(["author_id", "form"], sort=False).agg(
        n=("n", "sum"), place=("place", "min"), order=("order", "min")
    )
    ranked = ranked.reset_index().sort_values(["author_id", "n", "place", "order"], ascending=[True, False, True, True])
    return ranked.groupby("author_id")["form"].agg(list)
