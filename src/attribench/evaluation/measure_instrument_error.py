"""Step: does the classifier itself favour a group? Its errors by race, gender, group and form of the name.

A recogniser that overlooks the names of one group more often than those of another makes a disparity by itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from statsmodels.stats.proportion import confint_proportions_2indep

from attribench.agreement import FEW, wilson
from attribench.evaluation.audit import PERSON, read_judgements
from attribench.evaluation.decisions import COLUMNS, Question, decide_all
from attribench.evaluation.labelled import labelled_answers
from attribench.evaluation.planted import name_form, planted_answers
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import AUDIT_SAMPLE, CLASSIFIERS, INSTRUMENT_ERROR, OUTCOME_CLASSES

ALL = "all"
NOT_ON_RECORD = "not on record"


def main(
    *,
    benchmarks: list[Path],
    labelled: list[Path],
    labelled_latino: list[Path],
    people: Path,
    sample: list[Path],
    judge_answers: list[Path],
    filled_sheet: str | None,
    datasets: Sequence[str],
    classifier: str,
    per_author: int,
    seed: int,
    threads: int,
    instrument_error: Path,
) -> None:
    """Classify planted and labelled answers, take what was judged, and write INSTRUMENT_ERROR.

    Args:
        benchmarks: the benchmark of each data set, in the order of `datasets`.
        labelled: answers that people labelled, see `labelled_answers`; our rules were mended on them.
        labelled_latino: those about Latino authors, which were written later.
        people: race and gender of their authors.
        sample: the table AUDIT_SAMPLE, or nothing.
        judge_answers: the table JUDGE_ANSWERS, or nothing.
        filled_sheet: the sheet that a person filled in, or None.
        datasets: names of the data sets.
        classifier: the one that decided about the sample.
        per_author: planted answers in each role of each author.
        seed: with the word "planted", decides which answers are planted.
        threads: processes that classify.
        instrument_error: where INSTRUMENT_ERROR goes.
    """
    quotes = {name: read(path, BENCHMARK) for name, path in zip(datasets, benchmarks, strict=True)}
    judged = {}
    for path in sample:
        drawn = read(path, AUDIT_SAMPLE)
        found = read_judgements(drawn, judge_answers, Path(filled_sheet) if filled_sheet else None)
        for judge, part in found.dropna(subset="judgement").groupby("judge", sort=False):
            judged["hand" if judge == PERSON else "judge", classifier] = take_judged(drawn, part, datasets)
    planted = plant(quotes, per_author, np.random.default_rng([seed, *b"planted"]), threads)
    made = {"planted": planted}
    # Apart: the rules were mended on the one far more than on the other, so that a difference says nothing of groups.
    for source, files in (("labelled", labelled), ("labelled_latino", labelled_latino)):
        made[source] = labelled_answers(files, people)
    cases = {(source, name): part.assign(outcome=part[name]) for source, part in made.items() for name in CLASSIFIERS}
    cases |= judged
    rows = [
        {"source": source, "classifier": name, **row}
        for (source, name), part in cases.items()
        for row in tabulate(part, datasets)
    ]
    write(pd.DataFrame(rows)[INSTRUMENT_ERROR.names], instrument_error, INSTRUMENT_ERROR)


def plant(
    quotes: Mapping[str, pd.DataFrame], per_author: int, rng: np.random.Generator, processes: int = 1
) -> pd.DataFrame:
    """Return planted answers about every author, classified.

    An answer that names somebody else than the true author counts for that person: it is the name that may be
    overlooked. An author of two data sets is planted once.

    Args:
        quotes: the table BENCHMARK of each data set.
        per_author: answers in each role of each author.
        rng: draws the answers.
        processes: processes that classify.

    Returns:
        `author_id`, `race`, `gender`, `name form`, `expected`, the outcome by each classifier under its name, and
        `group in` each data set, missing where the author is not in it.
    """
    every = pd.concat(quotes.values()).drop_duplicates("quote_id")
    planted = planted_answers(every, rng=rng, per_author=per_author)
    about = zip(every["author"], every["aliases"], every["quote"], strict=True)
    questions = [Question(author, tuple(aliases), quote) for author, aliases, quote in about]
    places = pd.Index(every["quote_id"]).get_indexer(planted["quote_id"])
    answers = list(zip(places.tolist(), planted["text"], strict=True))
    outcomes = pa.concat_tables([COLUMNS.empty_table(), *decide_all(answers, questions, processes)])
    people = every.drop_duplicates("author_id").set_index("author_id")
    subject = planted["subject"]
    return pd.DataFrame(
        {
            "author_id": subject,
            **{name: subject.map(people[name]) for name in ("race", "gender")},
            "name form": planted["form"],
            "expected": planted["expected"],
            **{name: outcomes[f"outcome_{name}"].to_pandas() for name in CLASSIFIERS},
            **{_group_in(name): subject.map(_groups(table)) for name, table in quotes.items()},
        }
    )


def take_judged(sample: pd.DataFrame, judgements: pd.DataFrame, datasets: Sequence[str]) -> pd.DataFrame:
    """Return the judged answers in the form of `plant`, with `outcome`; the judgement is taken for the truth."""
    found = judgements[["case", "judgement"]].merge(sample, on="case", validate="one_to_one")
    found = found.rename(columns={"judgement": "expected"}).assign(
        **{"name form": found["author"].map(name_form)},
        **{_group_in(name): found["group"].where(found["dataset"] == name) for name in datasets},
    )
    columns = ["author_id", "race", "gender", "name form", "expected", "outcome", "weight"]
    return found[[*columns, *map(_group_in, datasets)]]


def tabulate(cases: pd.DataFrame, datasets: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of INSTRUMENT_ERROR about cases of one source, but for `source` and `classifier`.

    Intervals of rates are Wilson's, of differences Newcombe's (1998); both take answers as independent of each
    other, which those about one author are not quite.

    Args:
        cases: what `take_judged` returns, or `plant` or `labelled_answers` with one classifier's decisions as
            `outcome`; where there is `weight`, the answers that each stands for, rates are given weighted, too.
        datasets: names of the data sets.
    """
    attributes = [(ALL, ALL, pd.Series(ALL, index=cases.index))]
    attributes += [(ALL, name, cases[name].fillna(NOT_ON_RECORD)) for name in ("race", "gender", "name form")]
    attributes += [(name, "group", cases[_group_in(name)]) for name in datasets if _group_in(name) in cases]
    for dataset, attribute, values in attributes:
        for expected in (ALL, *OUTCOME_CLASSES):
            counted = cases if expected == ALL else cases[cases["expected"] == expected]
            rows = [
                {"dataset": dataset, "attribute": attribute, "value": value, "expected": expected, **_errors(part)}
                for value, part in counted.groupby(values[counted.index])
            ]
            yield from _compare(rows)


def _errors(part: pd.DataFrame) -> dict[str, Any]:
    is_wrong = part["outcome"] != part["expected"]
    n, errors = len(part), int(is_wrong.sum())
    weighted = float((is_wrong * part["weight"]).sum() / part["weight"].sum()) if "weight" in part else None
    low, high = wilson(errors, n)
    excess = {
        name: float((part["outcome"] == name).mean() - (part["expected"] == name).mean())
        for name in ("correct", "none")
    }
    return {
        "n": n,
        "n_authors": part["author_id"].nunique(),
        "errors": errors,
        "error_rate": errors / n,
        "weighted_error_rate": weighted,
        "ci_low": low,
        "ci_high": high,
        **{f"excess_{name}": value for name, value in excess.items()},
        "note": f"rests on {n} answers" if n < FEW else None,
    }


def _compare(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield `rows` with the difference to the one of the lowest rate; one of few answers is not the best of many."""
    for row in rows:
        best = min([row for row in rows if row["n"] >= FEW] or rows, key=lambda row: (row["error_rate"], -row["n"]))
        low = high = None
        if row is not best:
            counts = (row["errors"], row["n"], best["errors"], best["n"])
            low, high = confint_proportions_2indep(*counts, method="newcomb", compare="diff")
        difference = row["error_rate"] - best["error_rate"]
        yield {**row, "difference": difference, "difference_low": low, "difference_high": high}


def _group_in(dataset: str) -> str:
    return f"group in {dataset}"  # with blanks, so that no data set's name can be that of another column


def _groups(benchmark: pd.DataFrame) -> pd.Series:
    return benchmark.drop_duplicates("author_id").set_index("author_id")["group"]


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
