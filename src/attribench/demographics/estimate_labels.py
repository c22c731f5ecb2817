"""Step: say what asking the two models for labels would cost, before anything is asked."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.chat.estimate import Estimate, identity_if_there
from attribench.demographics.ask_labellers import list_unknown
from attribench.demographics.consensus_requests import Labeller
from attribench.demographics.multiple_choice import read_choices
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import LABELS
from attribench.tables.spending import ESTIMATE


def main(
    *,
    authors: Path,
    labelled: Sequence[str],
    all_authors: bool,
    choices: Path,
    model_files: Mapping[str, str],
    labellers: Sequence[Mapping[str, Any]],
    max_requests: int,
    seed: int,
    store: str,
    estimate: Path,
) -> None:
    """Write ESTIMATE for the labels of the authors whom no earlier source knows.

    Args:
        authors: the table AUTHORS.
        labelled: the table LABELS of the sources that come before, or nothing.
        all_authors: whether there are such sources, but what they say is not known yet.
        choices: the multiple-choice questions.
        model_files: by model, the file that is served, if it is served.
        labellers: the two models.
        max_requests: requests about one attribute of one author, at most.
        seed: seed of the order of the options.
        store: folder with the stores of answers.
        estimate: where the table goes.
    """
    questions = read_choices(choices)
    wanted = list_unknown(read(authors, AUTHORS), [read(path, LABELS) for path in labelled])
    rows = []
    for model in labellers:
        file = Path(model_files[model["name"]]) if model["name"] in model_files else None
        costs = Estimate(model, Path(store) / f"{model['name']}.sqlite")
        labeller = Labeller(identity_if_there(model, file), model["id"], model["sampling"], questions, seed)
        about = zip(wanted["author_id"], wanted["author"], wanted["attribute"], strict=True)
        asked = [labeller.request(*author, 0).question for author in about]
        row = costs.row("labels", "", asked, repeats=max_requests)
        if all_authors:
            row["counted"] += "; all authors, as if no earlier source knew any of them"
        rows.append(row)
    write(pd.DataFrame(rows, columns=ESTIMATE.names), estimate, ESTIMATE)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
