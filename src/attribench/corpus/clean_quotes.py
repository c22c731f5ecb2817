"""The step of the stage corpus: from the corpus CSV to usable quotes with their authors.

The steps are those of Berman et al. 2026, App. A.3, in their order, save for the cap, which
runs last: capped before the duplicates are removed, an author would lose quotes for nothing.
"""

from pathlib import Path

import pandas as pd

from attribench import tables
from attribench.corpus import bylines, cap, duplicates, individuals, names, plain_text
from attribench.corpus.funnel import Funnel
from attribench.corpus.identity import identified
from attribench.corpus_file import read_corpus
from attribench.errors import ConfigError, InputError
from attribench.step import run
from attribench.tables.corpus import AUTHORS, FUNNEL, QUOTES

RULES = ("paper", "published")
_OURS = "not in the paper"
_KINDS = {
    individuals.EMPTY: (_OURS, "the author cell is empty or has no letter"),
    individuals.SENTENCE: (
        _OURS,
        "the author cell holds a sentence (a shifted row), and the true author is not certain",
    ),
    individuals.DISPUTED: (_OURS, "the cell itself says that the attribution is wrong or doubtful"),
    individuals.NOBODY: ("A.3.1", "the cell says that nobody knows the author"),
    individuals.SCRIPTURE: ("A.3.1", "the cell names scripture, a proverb or a saying"),
    individuals.SEVERAL: ("A.3.1", "the cell names several people"),
    individuals.CHARACTER: ("A.3.1", "the cell names a fictional character"),
    individuals.ORGANISATION: ("A.3.1", "the cell names an organisation, a band, a publication or a work"),
    individuals.HANDLE: ("A.3.1", "the cell holds the handle of a site's user, from which no individual can be told"),
}


def main(
    *,
    quotes_csv: Path,
    quotes: Path,
    authors: Path,
    funnel: Path,
    rules: str,
    naming_author: str,
    min_words: int,
    max_words: int,
    max_quotes_per_author: int,
    seed: int,
) -> None:
    """Clean the corpus and write the usable quotes, their authors and the account of every filter.

    Args:
        quotes_csv: the corpus, see `read_corpus`.
        quotes: where the table `quotes` goes.
        authors: where the table `authors` goes.
        funnel: where the table `funnel` goes.
        rules: ``paper``, or ``published`` for the rules under which the published sizes come
            out: exact repeats of one author are the only duplicates, forms of a name are not
            merged, shifted rows not put right, a quote has the right length by two counts,
            and an author's first quotes stay, counted before repeats are removed.
        naming_author: ``keep`` or ``drop``: quotes whose text holds their author's surname.
        min_words: shortest quote kept, in words.
        max_words: longest quote kept, in words.
        max_quotes_per_author: most quotes kept of one author.
        seed: decides which quotes of an author above that number stay.

    Raises:
        ConfigError: `rules` is not known, or the word limits leave no room.
        InputError: the corpus cannot be read, or no quote is left.
    """
    if rules not in RULES:
        raise ConfigError(f"corpus.rules is '{rules}'; expected one of {', '.join(RULES)}.")
    if not 1 <= min_words <= max_words or max_quotes_per_author < 1:
        raise ConfigError(
            f"The corpus limits {min_words} to {max_words} words and {max_quotes_per_author} quotes per author "
            "leave no quote. Expected 1 <= min_words <= max_words and at least one quote per author."
        )
    usable, people, account = clean(
        read_corpus(quotes_csv),
        is_paper=rules == "paper",
        drops_naming_author=naming_author == "drop",
        min_words=min_words,
        max_words=max_words,
        most=max_quotes_per_author,
        seed=seed,
    )
    if usable.empty:
        removed = account.set_index("step")["rows_removed"]
        steps = "; ".join(f"{step}: {n}" for step, n in removed[removed > 0].items())
        raise InputError(
            f"No quote of {quotes_csv} is left after cleaning. Removed were: {steps}. Check that the columns hold "
            "what their names say, or loosen corpus.min_words and corpus.max_words."
        )
    tables.write(account, funnel, FUNNEL)
    tables.write(people, authors, AUTHORS)
    tables.write(usable[QUOTES.names], quotes, QUOTES)


def clean(
    corpus: pd.DataFrame,
    *,
    is_paper: bool,
    drops_naming_author: bool,
    min_words: int,
    max_words: int,
    most: int,
    seed: int,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the tables `quotes` (with further columns), `authors` and `funnel`.

    Args:
        corpus: the rows of the corpus file, as `read_corpus` returns them.
        is_paper: whether the rules are the paper's rather than the published files'.
        drops_naming_author: whether quotes that give their author's name away go.
        min_words: see `main`.
        max_words: see `main`.
        most: see `max_quotes_per_author` of `main`.
        seed: see `main`.
    """
    account = Funnel()
    rows, cells = identified(corpus, is_paper)
    account.record("read", _OURS, rows["who"], "the rows of the corpus file")
    rows = _individuals(rows, cells, account)
    rows = _named(rows, cells, account, is_paper)
    aliases = names.aliases(cells[cells["kind"].isna()], rows["cell"])
    rows = _without_bylines(rows, account, aliases)
    if drops_naming_author:
        rows = _not_naming_author(rows, account)
    rows = _of_quality(rows, account, min_words, max_words)
    if is_paper:
        rows = _without_duplicates(rows, account)
        rows = rows.drop(cap.drawn_beyond(rows["author_id"], most, seed))
        account.record(
            "cap", "A.3.5", rows["who"], f"the author has more than {most} usable quotes; which stay is drawn by seed"
        )
    else:
        rows = rows[plain_text.blank_counts(rows["quote"]).between(min_words, max_words)]
        account.record(
            "length between blanks",
            "A.3.5",
            rows["who"],
            f"between blanks the quote has not {min_words} to {max_words} words",
        )
        rows = rows.drop(cap.later_beyond(rows["author_id"], most))
        account.record("cap", "A.3.5", rows["who"], f"the author has {most} quotes in earlier rows")
        rows = rows.drop(duplicates.repeats(rows["author_id"], rows["quote"]))
        account.record(
            "repeats of one author", "A.3.6", rows["who"], "the author has exactly this text in an earlier row"
        )
    rows["quote_id"] = "jstet_" + rows.index.astype(str)
    return rows, _authors(rows, aliases), account.table()


def _individuals(rows: pd.DataFrame, cells: pd.DataFrame, account: Funnel) -> pd.DataFrame:
    rows = rows[rows["quote"].str.strip() != ""]
    account.record("empty quotes", _OURS, rows["who"], "the quote cell is empty")
    account.record(
        "shifted rows put right",
        _OURS,
        rows["who"],
        "the rest of the quote stands in the author cell and a known author in the category",
        changed=int(rows["is_recovered"].sum()),
    )
    spaced = plain_text.single_spaced(rows["quote"])
    changed = int((spaced != rows["quote"]).sum())
    rows = rows.assign(quote=spaced)
    account.record(
        "spacing of quotes",
        _OURS,
        rows["who"],
        "nothing is removed; newlines and doubled spaces become one space",
        changed=changed,
    )
    kinds = cells["kind"].to_numpy(dtype=object)[rows["cell"]]
    stay = pd.Series(True, index=rows.index)
    for kind, (section, why) in _KINDS.items():
        stay &= kinds != kind
        account.record(f"not an individual: {kind}", section, rows["who"][stay], why)
    return rows[stay]


def _named(rows: pd.DataFrame, cells: pd.DataFrame, account: Funnel, is_paper: bool) -> pd.DataFrame:
    uses = rows["cell"].value_counts().reindex(cells.index, fill_value=0)
    account.record(
        "works and second names parted from the author", "A.3.1", rows["who"],
        "nothing is removed; the cell holds more than the author's name",
        changed=_rows(uses, cells["written"] != cells["raw"]),
    )  # fmt: skip
    account.record(
        "second names", "A.3.2", rows["who"], "nothing is removed; the second name (aka) is kept as an alias",
        changed=_rows(uses, cells["alternative"].notna()),
    )  # fmt: skip
    account.record(
        "spacing and punctuation of names", "A.3.3", rows["who"], "nothing is removed; the name is put in one format",
        changed=_rows(uses, cells["name"] != cells["written"]),
    )  # fmt: skip
    if is_paper:
        account.record(
            "forms of a name merged", "A.3.3", rows["who"], "nothing is removed; the author goes by the commonest form",
            changed=_rows(uses, cells["author"] != cells["name"]),
        )  # fmt: skip
    place = rows["cell"].to_numpy()
    given = {column: cells[column].array.take(place) for column in ("author_id", "author", "work")}
    return rows.drop(columns="is_recovered").assign(**given)


def _rows(uses: pd.Series, is_meant: pd.Series) -> int:
    """Return how many rows hold one of the cells that are meant."""
    return int(uses[is_meant.to_numpy(dtype=bool)].sum())


def _without_bylines(rows: pd.DataFrame, account: Funnel, aliases: pd.Series) -> pd.DataFrame:
    before = rows["quote"].tolist()
    shown = rows.drop_duplicates("author_id").set_index("author_id")["author"]
    known = dict(zip(shown.reindex(aliases.index), aliases, strict=True))
    texts = bylines.without_bylines(before, rows["author"].tolist(), known)
    changed = sum(a is not b for a, b in zip(texts, before, strict=True))
    rows["quote"] = pd.Series(texts, index=rows.index, dtype=rows["quote"].dtype)
    account.record(
        "bylines",
        "A.3.4",
        rows["who"],
        "nothing is removed; the author's name is cut from the end of the quote",
        changed=changed,
    )
    return rows


def _not_naming_author(rows: pd.DataFrame, account: Funnel) -> pd.DataFrame:
    names_author = bylines.naming_their_author(rows["quote"].tolist(), rows["author"].tolist())
    rows = rows[~pd.Series(names_author, index=rows.index, dtype=bool)]
    account.record("quotes that name their author", _OURS, rows["who"], "the text gives the author's name away")
    return rows


def _of_quality(rows: pd.DataFrame, account: Funnel, min_words: int, max_words: int) -> pd.DataFrame:
    rows = rows[~plain_text.has_foreign_script(rows["quote"])]
    account.record("script", "A.3.5", rows["who"], "the quote holds letters of another script than Latin")
    rows = rows.assign(n_words=plain_text.word_counts(rows["quote"]))
    rows = rows[rows["n_words"] >= min_words]
    account.record("too short", "A.3.5", rows["who"], f"the quote has fewer than {min_words} words")
    rows = rows[rows["n_words"] <= max_words]
    account.record("too long", "A.3.5", rows["who"], f"the quote has more than {max_words} words")
    return rows


def _without_duplicates(rows: pd.DataFrame, account: Funnel) -> pd.DataFrame:
    rows = rows.assign(plain=plain_text.plain(rows["quote"]))
    rows = rows.drop(duplicates.repeats(rows["author_id"], rows["plain"]))
    account.record(
        "repeats of one author", "A.3.6", rows["who"],
        "the author has this text, but for case, punctuation and spacing, in an earlier row",
    )  # fmt: skip
    rows = rows.drop(duplicates.shared(rows["author_id"], rows["plain"]))
    account.record(
        "texts of several authors",
        "A.3.6",
        rows["who"],
        "the text stands under several authors, so whose it is, is not certain",
    )
    rows = rows.drop(duplicates.contained(rows["author_id"], rows["plain"]))
    account.record("texts inside longer ones", "A.3.6", rows["who"], "a longer quote of the author contains this text")
    return rows


def _authors(usable: pd.DataFrame, aliases: pd.Series) -> pd.DataFrame:
    grouped = usable.groupby("author_id", sort=True)
    found = grouped[["author"]].first()
    found["aliases"] = [aliases.get(author_id, []) for author_id in found.index]
    found["n_quotes"] = grouped.size()
    return found.reset_index()


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
