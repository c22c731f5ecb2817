"""Our numbers of usable quotes beside the published ones, and what every difference comes from.

    PYTHONPATH=src python tests/scale/check_counts.py --corpus quotes.csv.gz --universe universe.csv

The published universe gives the number of usable quotes (at most 10) of each author. The rules are switched on
one after the other, from those of the published files to the default ones; the cause of a difference is the
first rule by which the author's number leaves the published one for good. Where no step has the published
number, other rules are tried on the author alone, to see which one the published file may have followed there.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.corpus import bylines, duplicates, names, plain_text
from attribench.corpus.identity import identified
from attribench.corpus_file import read_corpus
from attribench.text import normal_form

MOST, SHORTEST, LONGEST = 10, 5, 30
TARGET = 0.965
OTHER_FORM = "the published file counts one spelling of the name only"
EITHER = "the published file counts a quote that is too long or short by one of the two counts"
EARLY_CAP = "the published file cut to ten rows before it looked at the length"
THERE_TOO = "the published file removes texts of several authors here, too"
BYLINE = "the published file left the byline, and so the quote too long"
LETTERS = "the published file removes texts that stand letter by letter inside longer ones"
NOBODY = "not an individual by our rules, or a name that the corpus does not hold so"
UNKNOWN = "not found"


def individuals(corpus: pd.DataFrame, is_paper: bool) -> pd.DataFrame:
    """Return the rows by individuals, without bylines, with what decides about them.

    Columns: `author`, `name` (as the cell spells it, in the one format), `head` (the cell before its first
    comma), `form` (normal form of the author), `is_recovered`, `quote`, `whole` (with the byline), `plain`,
    `fits` (length by runs of letters and script), `fits_between_blanks`.
    """
    rows, cells = identified(corpus, is_paper)
    is_person = cells["kind"].isna().to_numpy()
    rows = rows[(rows["quote"].str.strip() != "") & is_person[rows["cell"].to_numpy()]]
    place = rows["cell"].to_numpy()
    rows = rows.assign(**{column: cells[column].to_numpy(dtype=object)[place] for column in ("author", "name", "raw")})
    rows["whole"] = plain_text.single_spaced(rows["quote"])
    aliases = names.aliases(cells[is_person], rows["cell"])
    shown = cells[is_person].drop_duplicates("author_id").set_index("author_id")["author"]
    known = dict(zip(shown.reindex(aliases.index), aliases, strict=True))
    rows["quote"] = bylines.without_bylines(rows["whole"].tolist(), rows["author"].tolist(), known)
    rows["head"] = rows["raw"].str.split(",").str[0].str.split().str.join(" ")
    forms = {name: normal_form(name) for name in rows["author"].unique()}
    rows["form"] = rows["author"].map(forms)
    rows["plain"] = plain_text.plain(rows["quote"])
    foreign = plain_text.has_foreign_script(rows["quote"])
    rows["fits"] = plain_text.word_counts(rows["quote"]).between(SHORTEST, LONGEST) & ~foreign
    rows["fits_between_blanks"] = plain_text.blank_counts(rows["quote"]).between(SHORTEST, LONGEST) & ~foreign
    return rows


def counted(
    rows: pd.DataFrame,
    key: pd.Series,
    *,
    both_lengths: bool = True,
    near: bool = False,
    shared: bool = False,
    contained: bool = False,
    cap_last: bool = False,
) -> pd.Series:
    """Return the number of usable quotes by `key`."""
    usable = rows[rows["fits"] & rows["fits_between_blanks"]] if both_lengths else rows[rows["fits"]]
    who = key[usable.index]
    if shared:
        gone = duplicates.shared(who, usable["plain"])
    if not cap_last:
        usable = usable[who.groupby(who, sort=False).cumcount() < MOST]
    usable = usable.drop(duplicates.repeats(key[usable.index], usable["plain" if near else "quote"]))
    if shared:
        usable = usable.drop(usable.index.intersection(gone))
    if contained:
        usable = usable.drop(duplicates.contained(key[usable.index], usable["plain"]))
    return key[usable.index].value_counts().clip(upper=MOST)


def steps(published: pd.DataFrame, ours: pd.DataFrame) -> Iterator[tuple[str, pd.Series, bool]]:
    """Yield each step's name, the numbers after it, and whether they are by normal form."""
    folded = {column: published[column].str.casefold() for column in ("head", "name")}
    yield "the cell before its first comma", counted(published, folded["head"]), False
    yield "name cleaned", counted(published, folded["name"]), False
    yield "forms merged", counted(published, published["form"]), True
    still = ours[~ours["is_recovered"]]
    yield "turned or run-together name put right", counted(still, still["form"]), True
    yield "shifted row", counted(ours, ours["form"]), True
    switches: dict[str, bool] = {}
    for name, switch in (
        ("length by one count", {"both_lengths": False}),
        ("near-repeat", {"near": True}),
        ("several authors", {"shared": True}),
        ("contained", {"contained": True}),
        ("cap after the duplicates", {"cap_last": True}),
    ):
        switches |= switch
        yield name, counted(ours, ours["form"], **switches), True


def other_rule(own: pd.DataFrame, count: int) -> str:
    """Return which other rule gives the published number from the rows of one author."""
    rows: list[Any] = list(own.itertuples())
    usable = [row for row in rows if row.fits and row.fits_between_blanks]
    texts = list(dict.fromkeys(row.quote for row in usable[:MOST]))
    if sum(not any(a != b and a in b for b in texts) for a in texts) == count:
        return LETTERS
    by_spelling = defaultdict(list)
    for row in rows:
        for spelling in (row.raw, row.raw.split(",")[0], row.name):
            by_spelling[spelling].append(row)
    fitting = ([r for r in part if r.fits and r.fits_between_blanks] for part in by_spelling.values())
    if any(len({r.quote for r in part[:MOST]}) == count for part in fitting):
        return OTHER_FORM
    if len({r.quote for r in usable[:MOST] if not r.is_shared}) == count:
        return THERE_TOO
    for first in (rows[:MOST], [r for r in rows if r.fits][:MOST], [r for r in rows if r.fits_between_blanks][:MOST]):
        if len({r.quote for r in first if r.fits and r.fits_between_blanks}) == count:
            return EARLY_CAP
    if len({r.quote for r in [r for r in rows if r.fits or r.fits_between_blanks][:MOST]}) == count:
        return EITHER
    if len({r.whole for r in [r for r in usable if r.quote == r.whole][:MOST]}) == count:
        return BYLINE
    return UNKNOWN


def check(published: pd.DataFrame, ours: pd.DataFrame, universe: pd.DataFrame) -> None:
    """Print the agreement of each step, and the causes of all differences under the default rules."""
    spelt = universe["author_clean"].str.split().str.join(" ").str.casefold()
    form = universe["author_clean"].map(normal_form)
    wanted = universe["count"].astype(int)
    # A spelling that is not ours is looked up by its normal form, and that among the spellings of the cells.
    spellings = [
        {normal_form(head): own for head, own in rows.drop_duplicates("head")[["head", "form"]].to_numpy()}
        for rows in (published, ours)
    ]
    found = {}
    for name, counts, by_form in steps(published, ours):
        merged = counts.groupby({key: normal_form(key) for key in counts.index}).sum().clip(upper=MOST)
        alias = form.map(spellings[name not in ("name cleaned", "forms merged")]).map(merged)
        exact = form.map(counts) if by_form else spelt.map(counts).fillna(form.map(merged))
        found[name] = exact.fillna(alias).fillna(0).astype(int)
    print("agreement with the published numbers, rules switched on one after the other:")
    for name, counts in found.items():
        share = (counts == wanted).mean()
        mark = f"  (`rules: published`; asked for: {TARGET:.1%})" if name == "name cleaned" else ""
        print(f"  {name:40} {(counts == wanted).sum():6} of {len(universe)}  {share:.1%}{mark}")
    *_, last = found
    differ = universe.index[found[last] != wanted]
    pairs = pd.DataFrame({"who": published["form"], "plain": published["plain"]}).drop_duplicates()
    several = set(pairs.loc[pairs["plain"].duplicated(), "plain"])
    rows = published[published["form"].isin(set(form[differ]))]
    own = dict(iter(rows.assign(is_shared=rows["plain"].isin(several)).groupby("form")))
    causes: Counter[str] = Counter()
    examples: defaultdict[str, list[str]] = defaultdict(list)
    names_of_steps = list(found)
    for place in differ:
        reached = [n for n, name in enumerate(names_of_steps) if found[name][place] == wanted[place]]
        if reached:
            cause = names_of_steps[reached[-1] + 1]
        elif form[place] not in own:
            cause = NOBODY
        else:
            cause = other_rule(own[form[place]], int(wanted[place]))
        causes[cause] += 1
        author = universe.loc[place, "author_clean"]
        examples[cause].append(f"{author} ({wanted[place]}, {found[last][place]})")
    print(f"\n{len(differ)} authors differ under the default rules (published, ours):")
    for cause, number in causes.most_common():
        print(f"  {number:5}  {cause}: {'; '.join(examples[cause][:: max(1, number // 3)][:4])}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True, help="the corpus, plain or .gz")
    parser.add_argument("--universe", type=Path, required=True, help="the published universe of authors")
    options = parser.parse_args()
    whole = read_corpus(options.corpus)
    check(
        individuals(whole, False),
        individuals(whole, True),
        pd.read_csv(options.universe, keep_default_na=False),
    )
