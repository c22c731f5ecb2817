"""Step: ask two models for race and gender of the authors, and measure how far they agree.

Asked is only about what no earlier source knows, and of that only what the ledger does not hold.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.chat.identity import identity
from attribench.chat.until_read import Reply, ask_until_read
from attribench.demographics.consensus_agreement import measure_agreement
from attribench.demographics.consensus_requests import Labeller, Request, read_reply
from attribench.demographics.multiple_choice import ATTRIBUTES, read_choices
from attribench.demographics.wikidata_labels import not_persons
from attribench.errors import ConfigError, MissingAnswersError, list_causes
from attribench.ledger.store import Answer
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import AGREEMENT, LABELLER_ANSWERS, LABELS, WIKIDATA

Model = Mapping[str, Any]


def main(
    *,
    authors: Path,
    labelled: list[Path],
    wikidata: list[Path],
    choices: Path,
    model_files: list[Path],
    labellers: Sequence[Model],
    max_requests: int,
    max_missing: float,
    budget_usd: float | None,
    seed: int,
    store: str,
    threads: int,
    answers: Path,
    agreement: Path,
) -> None:
    """Ask both models; write LABELLER_ANSWERS and AGREEMENT.

    Args:
        authors: the table AUTHORS.
        labelled: the table LABELS of the sources that come before, or nothing.
        wikidata: the table WIKIDATA, or nothing: about its figures and groups no model is asked.
        choices: the multiple-choice questions.
        model_files: the files of those models that this step serves itself.
        labellers: the two models, each with the fields of `attribench.settings.Model`.
        max_requests: requests about one attribute of one author until the answer is one letter.
        max_missing: share of a model's answers that may be missing because calls failed.
        budget_usd: most that all models and services together may cost, in USD; None for no limit.
        seed: seed of the order of the options.
        store: folder with the stores of answers, one for each model.
        threads: for a model that this step serves itself.
        answers: where LABELLER_ANSWERS goes.
        agreement: where AGREEMENT goes.

    Raises:
        ConfigError: the labellers are not two different models.
        EndpointError: a labeller cannot be asked, or not as configured.
        BudgetError: a budget allows no further call.
        MissingAnswersError: more than the share `max_missing` of the answers could not be had.
    """
    first, second = _two(labellers)
    questions = read_choices(choices)
    people = read(authors, AUTHORS)
    for path in wikidata:
        people = people[~not_persons(people, read(path, WIKIDATA)).to_numpy()]
    wanted = list_unknown(people, [read(path, LABELS) for path in labelled])
    files = {path.stem: path for path in model_files}
    tables, shortfalls = [], []
    for model in (first, second):
        file = files.get(model["endpoint"].get("file", ""))
        labeller = Labeller(
            identity(model["endpoint"], file, model["id"]), model["id"], model["sampling"], questions, seed
        )
        kept = Path(store) / f"{model['name']}.sqlite"
        replies = label(labeller, wanted, model, file, kept, max_requests, threads, budget_usd)
        table = tabulate(replies, model["name"])
        shortfalls += count_missing(table, len(wanted), max_missing, model["name"])
        tables.append(table)
    if shortfalls:
        raise MissingAnswersError(
            f"{'; '.join(shortfalls)}. A call that failed is no label. What was answered is kept: start the same "
            "command again to ask for what is missing, or set 'demographics.consensus.max_missing' to go on "
            "without it."
        )
    both = pd.concat(tables, ignore_index=True)
    write(both, answers, LABELLER_ANSWERS)
    write(measure_agreement(both, (first["name"], second["name"])), agreement, AGREEMENT)


def list_unknown(authors: pd.DataFrame, earlier: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the labels that no earlier source knows: `author_id`, `author` and `attribute`, in the authors' order."""
    wanted = authors[["author_id", "author"]].merge(pd.DataFrame({"attribute": ATTRIBUTES}), how="cross")
    for labels in earlier:
        known = labels.melt("author_id", list(ATTRIBUTES), "attribute").dropna(subset="value")
        pairs = pd.MultiIndex.from_frame(wanted[["author_id", "attribute"]])
        wanted = wanted[~pairs.isin(pd.MultiIndex.from_frame(known[["author_id", "attribute"]]))]
    return wanted.reset_index(drop=True)


def label(
    labeller: Labeller,
    wanted: pd.DataFrame,
    model: Model,
    file: Path | None,
    store: Path,
    max_requests: int,
    threads: int,
    budget_usd: float | None,
) -> list[Reply[Request]]:
    """Return a model's replies about what is `wanted`: from the store, and by asking what it does not hold."""
    columns = (wanted["author_id"], wanted["author"], wanted["attribute"])
    return ask_until_read(
        [labeller.request(*about, 0) for about in zip(*columns, strict=True)],
        labeller.again,
        read_reply,
        model=model,
        file=file,
        store=store,
        what=f"{model['name']}, labels",
        threads=threads,
        max_requests=max_requests,
        budget_usd=budget_usd,
        section="demographics.consensus.models",
    )


def tabulate(replies: Sequence[Reply[Request]], labeller: str) -> pd.DataFrame:
    """Return the replies of one model as the table LABELLER_ANSWERS, in the order of the authors."""
    rows = [_row(reply.request, reply.answer, reply.reading, labeller) for reply in replies]
    table = pd.DataFrame(rows, columns=LABELLER_ANSWERS.names)
    order = table.groupby(["author_id", "attribute"], sort=False).ngroup()
    return table.assign(order=order).sort_values(["order", "request"])[LABELLER_ANSWERS.names].reset_index(drop=True)


def count_missing(table: pd.DataFrame, n_wanted: int, max_missing: float, labeller: str) -> list[str]:
    """Return what to say when too many calls of one model failed, else nothing."""
    failed = table[table["status"] == "failed"]
    if len(failed) <= max_missing * n_wanted:
        return []
    return [f"{len(failed)} of {n_wanted} labels of {labeller} are missing ({list_causes(failed['cause'])})"]


def _row(request: Request, answer: Answer, given: str | None, labeller: str) -> dict[str, Any]:
    return {
        "author_id": request.author_id,
        "author": request.author,
        "attribute": request.attribute,
        "labeller": labeller,
        "request": request.number,
        "options": list(request.options),
        "status": answer.status,
        "text": answer.text,
        "label": given,
        "cause": answer.cause,
        "key": request.question.key,
        "served_model": answer.served_model,
        "cost": answer.cost,
        "asked_at": answer.asked_at,
    }


def _two(labellers: Sequence[Model]) -> tuple[Model, Model]:
    if len(labellers) != 2:
        raise ConfigError(
            f"'demographics.consensus.models' names {len(labellers)} models, but a consensus is that of two."
        )
    first, second = labellers
    if all(first[part] == second[part] for part in ("id", "endpoint", "sampling")) or first["name"] == second["name"]:
        raise ConfigError(
            f"'demographics.consensus.models' names the same model twice ({first['id']}): it would always agree "
            "with itself. Name two different ones."
        )
    return first, second


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
