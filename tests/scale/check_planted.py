"""The classifier's error by group on planted answers, for every author of the published universe.

    PYTHONPATH=src python tests/scale/check_planted.py --universe universe-authors.csv [--per-author 10] [--wrong 40]

The universe (columns `author_clean`, `race`, `gender`) gives the names and the groups; every author is
put into the sentences of `attribench.evaluation.planted`, as the true author, as somebody else, and
with nobody named. Prints the share decided wrongly in percent by role and group, by form of the name,
and by kind of sentence, and the largest difference between groups. `--share` takes every n-th author;
with `--strangers` the names of the data set's other authors are not known, as if they were of none.
"""

import argparse
import csv
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.evaluation.decisions import Question, decide_all
from attribench.evaluation.outcomes import classify
from attribench.evaluation.planted import planted_answers

QUOTE = "What is given away comes back by another road."


def universe(path: Path, step: int) -> pd.DataFrame:
    """Return every `step`-th author in the form of a benchmark with one quote each."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(r["author_clean"], r["race"], r["gender"]) for r in csv.DictReader(file)][::step]
    table = pd.DataFrame(rows, columns=["author", "race", "gender"])
    ids = [str(n) for n in range(len(table))]
    return table.assign(author_id=ids, quote_id=ids, quote=QUOTE, aliases=[[]] * len(table))


def decide(planted: pd.DataFrame, benchmark: pd.DataFrame, processes: int, strangers: bool) -> pd.DataFrame:
    """Return `planted` with the column `wrong`, and the group of the subject; `strangers`: no author is known."""
    questions = [Question(author, (), QUOTE) for author in benchmark["author"]]
    answers = list(zip(planted["quote_id"].astype(int).tolist(), planted["text"], strict=True))
    if strangers:
        found = [classify(text, *questions[place]) for place, text in answers]
    else:
        chunks = decide_all(answers, questions, processes)
        found = [outcome for chunk in chunks for outcome in chunk["outcome_names"].to_pylist()]
    labels = benchmark.set_index("author_id")
    group = (labels["race"] + " " + labels["gender"]).rename("group")
    return planted.assign(decided=found, wrong=planted["expected"].ne(found)).join(group, on="subject")


def shares(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the percent decided wrongly by role (rows) and by `column`."""
    return (100 * table.groupby(["role", column])["wrong"].mean()).unstack().round(2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--universe", type=Path, required=True)
    parser.add_argument("--per-author", type=int, default=10)
    parser.add_argument("--share", type=int, default=1, help="take every n-th author")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--wrong", type=int, default=0, help="print so many that are decided wrongly")
    parser.add_argument("--strangers", action="store_true", help="know no other author's name")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    authors = universe(options.universe, options.share)
    rng = np.random.default_rng(options.seed)
    planted = planted_answers(authors, rng=rng, per_author=options.per_author)
    table = decide(planted, authors, options.processes, options.strangers)
    names = authors.set_index("author_id")["author"]
    print(f"{len(authors):,} authors, {len(table):,} answers")
    for column in ("group", "form", "kind", "variant"):
        print(f"\n{shares(table, column).to_string()}")
    whole = names[names.str.split().map(lambda words: len(words) > 1 and all(w[:1].isupper() for w in words))].index
    print("\nonly names of two or more words, each with a capital")
    print(shares(table[table["subject"].isin(whole)], "group").to_string())
    by_group = 100 * table.groupby(["role", "group"])["wrong"].mean().unstack()
    print("\nlargest difference between groups, percentage points")
    print((by_group.max(axis=1) - by_group.min(axis=1)).round(2).to_string())
    wrong = table[table["wrong"]]
    for row in wrong.sample(min(options.wrong, len(wrong)), random_state=1).itertuples(index=False):
        print(f"{row.role} {row.group} [{names[row.subject]}] {row.expected}, decided {row.decided}: {row.text}")
