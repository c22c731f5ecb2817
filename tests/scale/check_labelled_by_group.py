"""Does the classifier favour a group? Its errors on labelled answers by race, gender and form of the name.

    PYTHONPATH=src python tests/scale/check_labelled_by_group.py --cases <file.jsonl> [--cases <another>]
        --universe universe-authors.csv

A line of a file is an answer: `author`, `aliases`, `quote`, `output`, `outcome`, and where it has it `ambiguous`
(left out). Race and gender of the authors are those of the published universe (columns `author_clean`, `race`,
`gender`); authors whom it does not hold are counted as not on record. Prints the rows of INSTRUMENT_ERROR over all
true outcomes, as Markdown.
"""

import argparse
import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.evaluation.measure_instrument_error import tabulate
from attribench.evaluation.outcomes import classify
from attribench.evaluation.planted import name_form
from attribench.text import normal_form


def load(paths: Iterable[Path], universe: Path) -> pd.DataFrame:
    """Return the unambiguous cases of all files in the form that `tabulate` takes."""
    lines = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    cases = pd.DataFrame([case for case in lines if not case.get("ambiguous")])
    with universe.open(encoding="utf-8", newline="") as file:
        known = {normal_form(row["author_clean"]): row for row in csv.DictReader(file)}
    forms = cases["author"].map(normal_form)
    columns = (cases[name] for name in ("output", "author", "aliases", "quote"))
    outcomes = [classify(text, name, tuple(others), quote) for text, name, others, quote in zip(*columns, strict=True)]
    return pd.DataFrame(
        {
            "author_id": forms,
            **{name: [known.get(form, {}).get(name) for form in forms] for name in ("race", "gender")},
            "name form": cases["author"].map(name_form),
            "expected": cases["outcome"],
            "outcome": outcomes,
        }
    )


def as_markdown(rows: Iterable[dict[str, Any]]) -> str:
    """Return rows of INSTRUMENT_ERROR as a table: rates in percent, differences in points."""
    names = ("by", "", "answers", "authors", "errors", "%", "95 %", "difference", "95 %")
    lines = [f"| {' | '.join(names)} |", "|---|---|---:|---:|---:|---:|---|---:|---|"]
    for row in rows:
        if row["expected"] == "all":
            cells = [str(row[name]) for name in ("attribute", "value", "n", "n_authors", "errors")]
            cells += [f"{100 * row['error_rate']:.1f}", _interval(row["ci_low"], row["ci_high"])]
            cells += [f"{100 * row['difference']:.1f}", _interval(row["difference_low"], row["difference_high"])]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, action="append", required=True, help="labelled answers, JSON lines")
    parser.add_argument("--universe", type=Path, required=True, help="the published author universe")
    options = parser.parse_args()
    print(as_markdown(tabulate(load(options.cases, options.universe), [])))
