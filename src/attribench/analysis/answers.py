"""What answers were, counted: outcomes, statuses, and whom they credit wrongly."""

from collections.abc import Sequence

import pandas as pd

from attribench.analysis.quote_values import COUNTS, STATUSES
from attribench.tables.analysis import ALL, OUTCOME_SHARES, WRONG_AUTHORS
from attribench.tables.analysis import STATUSES as STATUS_TABLE
from attribench.tables.evaluation import OUTCOME_CLASSES
from attribench.text import normal_form

_SETTING = ["prompt", "evidence"]
MOST_WRONG_AUTHORS = 20


def outcome_shares(quotes: pd.DataFrame, groups: Sequence[str]) -> pd.DataFrame:
    """Return the rows of OUTCOME_SHARES for one model and data set, without these two columns.

    Args:
        quotes: the result of `quote_values`, with `group` and `author_id`.
        groups: the groups in order; their rows follow that of all together.
    """
    parts = []
    for group, rows in [(ALL, quotes), *((group, quotes[quotes["group"] == group]) for group in groups)]:
        grouped = rows.groupby(_SETTING, sort=False)
        counts = grouped[list(COUNTS)].sum().assign(group=group, n_quotes=grouped["correct"].count())
        for outcome in OUTCOME_CLASSES:
            parts.append(counts.assign(outcome=outcome, share=grouped[outcome].mean()).reset_index())
    found = pd.concat(parts, ignore_index=True)
    return _in_order(found, quotes, ["group", "outcome"])[[n for n in OUTCOME_SHARES.names if n in found]]


def count_statuses(answers: pd.DataFrame, groups: Sequence[str]) -> pd.DataFrame:
    """Return the rows of the table `statuses` for one model and data set, with those that never occurred.

    Args:
        answers: one row per answer: `prompt`, `evidence`, `group`, `status`.
        groups: the groups in order.
    """
    counts = answers.groupby([*_SETTING, "group", "status"]).size().rename("n_answers")
    settings = answers[_SETTING].drop_duplicates().astype(object).itertuples(index=False)
    every = [(prompt, evidence, g, s) for prompt, evidence in settings for g in groups for s in STATUSES]
    found = counts.reindex(pd.MultiIndex.from_tuples(every, names=counts.index.names), fill_value=0).reset_index()
    return found[[name for name in STATUS_TABLE.names if name in found]]


def rank_wrong_authors(answers: pd.DataFrame, authors: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of WRONG_AUTHORS for one model and data set: the names that are given most often.

    Names with one normal form are one; a name that an answer gives twice counts once.

    Args:
        answers: one row per answer: `quote_id`, `evidence`, `outcome`, `names`.
        authors: the authors of the data set: `author` and `group`.
    """
    wrong = answers.loc[answers["outcome"] == "incorrect", ["quote_id", "evidence", "names"]].astype(object)
    wrong = wrong.assign(answer=range(len(wrong)))
    given = wrong.explode("names").dropna(subset="names")
    forms = {name: normal_form(name) for name in given["names"].unique()}
    given = given.assign(form=given["names"].map(forms)).drop_duplicates(["answer", "form"])
    group_of = dict(zip(authors["author"].map(normal_form), authors["group"], strict=True))
    parts = []
    for evidence, rows in given.groupby("evidence", sort=True):
        spelling = rows.groupby(["form", "names"]).size().reset_index(name="n")
        spelling = spelling.sort_values(["n", "names"], ascending=[False, True]).drop_duplicates("form")
        counted = rows.groupby("form").agg(n_answers=("answer", "size"), n_quotes=("quote_id", "nunique"))
        counted = counted.reset_index().merge(spelling[["form", "names"]], on="form")
        top = counted.sort_values(["n_answers", "n_quotes", "form"], ascending=[False, False, True])
        top = top.head(MOST_WRONG_AUTHORS).reset_index(drop=True)
        parts.append(
            pd.DataFrame(
                {
                    "evidence": bool(evidence),
                    "rank": range(1, len(top) + 1),
                    "name": top["names"],
                    "n_answers": top["n_answers"],
                    "n_quotes": top["n_quotes"],
                    "share": top["n_answers"] / int((wrong["evidence"] == evidence).sum()),
                    "group": top["form"].map(group_of).astype(object),
                }
            )
        )
    names = [name for name in WRONG_AUTHORS.names if name not in ("dataset", "model")]
    return pd.concat(parts, ignore_index=True)[names] if parts else pd.DataFrame(columns=names)


def _in_order(found: pd.DataFrame, quotes: pd.DataFrame, rest: list[str]) -> pd.DataFrame:
    """Return `found` sorted by setting in the order of `quotes`, then by the columns `rest` as they come."""
    settings = list(quotes[_SETTING].drop_duplicates().itertuples(index=False, name=None))
    place = {setting: number for number, setting in enumerate(settings)}
    order = [place[setting] for setting in zip(found["prompt"], found["evidence"], strict=True)]
    return found.assign(order=order).sort_values("order", kind="stable").drop(columns="order")
