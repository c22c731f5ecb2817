"""Answers that people labelled, kept with the workflow: whom does each name, and how do the classifiers decide it?

The answers are described in `resources/labelled/README.md`. Our rules were mended on most of them, so that their rate
of errors is none of the field; what they show is whether the errors that are left fall on one group.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa

from attribench.errors import InputError
from attribench.evaluation.decisions import COLUMNS, Question, decide_all
from attribench.evaluation.planted import name_form
from attribench.tables.evaluation import CLASSIFIERS


def labelled_answers(files: Sequence[Path], people: Path) -> pd.DataFrame:
    """Return the labelled answers, classified.

    Args:
        files: one JSON object a line: `author`, `aliases`, `quote`, `output`, `outcome`.
        people: a CSV file with `author`, `race` and `gender`; empty where it is left open.

    Returns:
        `author_id` (the name), `race`, `gender`, `name form`, `expected`, and the outcome by each classifier under
        its name.

    Raises:
        InputError: an author of an answer is not among the people.
    """
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    cases = pd.DataFrame([json.loads(line) for line in lines])
    known = pd.read_csv(people, dtype="str", index_col="author", na_values="", keep_default_na=False)
    missing = sorted(set(cases["author"]) - set(known.index))
    if missing:
        raise InputError(f"{people} lacks the authors {', '.join(missing)} of labelled answers. Add a line for each.")
    about = zip(cases["author"], cases["aliases"], cases["quote"], strict=True)
    questions = [Question(author, tuple(aliases), quote) for author, aliases, quote in about]
    answers = list(enumerate(cases["output"]))
    outcomes = pa.concat_tables([COLUMNS.empty_table(), *decide_all(answers, questions)])
    return pd.DataFrame(
        {
            "author_id": cases["author"],
            **{name: cases["author"].map(known[name]) for name in ("race", "gender")},
            "name form": cases["author"].map(name_form),
            "expected": cases["outcome"],
            **{name: outcomes[f"outcome_{name}"].to_pandas() for name in CLASSIFIERS},
        }
    )
