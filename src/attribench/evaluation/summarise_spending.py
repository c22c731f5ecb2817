"""Step: add up what the answers took, for each model, data set and stage."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.ledger.contents import read_answers, stored_keys
from attribench.ledger.store import FINAL
from attribench.step import run, screen
from attribench.tables import read, write
from attribench.tables.demographics import LABELLER_ANSWERS
from attribench.tables.evaluation import JUDGE_ANSWERS, RESPONSES
from attribench.tables.fame import SEARCH_HITS
from attribench.tables.spending import SPENDING


def main(
    *,
    responses: list[Path],
    asked: Sequence[tuple[str, str]],
    labeller_answers: list[Path],
    search_hits: list[Path],
    judge_answers: list[Path],
    embedding: Sequence[str] | None,
    stores: str,
    spending: Path,
) -> None:
    """Write SPENDING and print the sum.

    Args:
        responses: the tables RESPONSES.
        asked: for each of them, the data set and the model.
        labeller_answers: the table LABELLER_ANSWERS, or nothing.
        search_hits: the table SEARCH_HITS, or nothing.
        judge_answers: the table JUDGE_ANSWERS, or nothing.
        embedding: the embedding model and its store; None where the embedding asks nobody.
        stores: folder with the folders of stores, for what the tables of labels and judgements do not hold.
        spending: where the table goes.
    """
    rows = []
    seen: dict[str, set[str]] = {}
    for path, (dataset, model) in zip(responses, asked, strict=True):
        table = read(path, RESPONSES).drop_duplicates("key")
        known = seen.setdefault(model, set())
        rows.append(add_up(table[~table["key"].isin(known)], "evaluation", model, dataset))
        known.update(table["key"])
    for path in labeller_answers:
        for name, table in read(path, LABELLER_ANSWERS).groupby("labeller", sort=False):
            rows.append(_stored(table, "labels", str(name), Path(stores) / "demographics"))
    for path in judge_answers:
        for name, table in read(path, JUDGE_ANSWERS).groupby("judge", sort=False):
            rows.append(_stored(table, "judge", str(name), Path(stores) / "audit"))
    if embedding is not None:
        model, store = embedding
        rows.append(add_up(_embeddings(Path(store)), "embeddings", model, ""))
    for path in search_hits:
        rows.append(_searches(read(path, SEARCH_HITS)))
    table = pd.DataFrame(rows, columns=SPENDING.names)
    write(table, spending, SPENDING)
    unpriced = int(table["unpriced"].sum())
    unknown = f", and {unpriced:,} answers whose price is not known" if unpriced else ""
    calls, usd = int(table["calls"].sum()), table["usd"].sum()
    print(f"The answers took {calls:,} calls and {usd:,.2f} USD{unknown} ({spending}).", file=screen(), flush=True)


_COUNTED = ("prompt_tokens", "completion_tokens", "reasoning_tokens")
_COLUMNS = ["status", "attempts", "cost", "seconds", *_COUNTED]
_PORTION = 5_000  # answers at a time: the text of an embedding takes kilobytes


def add_up(answers: pd.DataFrame, stage: str, model: str, dataset: str) -> dict[str, Any]:
    """Return the row of SPENDING for answers with the columns that RESPONSES has for status, calls, tokens and cost."""
    answered = answers[answers["status"] != "failed"]
    counts = answers["status"].value_counts()
    numbers = answered[["cost", "seconds", *_COUNTED]].apply(pd.to_numeric)
    return {
        "stage": stage,
        "model": model,
        "dataset": dataset,
        "answers": len(answers),
        **{status: int(counts.get(status, 0)) for status in (*FINAL, "failed")},
        "calls": int(answers["attempts"].sum()),
        **{name: int(numbers[name].sum()) for name in _COUNTED},
        "answers_with_reasoning": int((numbers["reasoning_tokens"] > 0).sum()),
        "usd": float(numbers["cost"].sum()),
        "unpriced": int(numbers["cost"].isna().sum()),
        "seconds": float(numbers["seconds"].sum()),
    }


def _stored(table: pd.DataFrame, stage: str, model: str, stores: Path) -> dict[str, Any]:
    """Return the row for questions whose table says less of each call than the store."""
    answers = read_answers(stores / f"{model}.sqlite", table["key"].unique().tolist())
    failed = table.loc[table["status"] == "failed"].drop_duplicates("key")[["status"]].assign(attempts=1)
    return add_up(pd.concat([pd.DataFrame(answers, columns=_COLUMNS), failed]), stage, model, "")


def _embeddings(store: Path) -> pd.DataFrame:
    """Return what every embedding in a store took; nothing for a store that is not there."""
    keys = sorted(stored_keys(store))
    portions = (keys[start : start + _PORTION] for start in range(0, len(keys), _PORTION))
    rows = [[answer[name] for name in _COLUMNS] for part in portions for answer in read_answers(store, part)]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _searches(hits: pd.DataFrame) -> dict[str, Any]:
    """Return the row for the search hits, whose table says less of each call."""
    answered = int(hits["n_asked"].sum() - hits["n_failed"].sum())
    usable = int(hits["samples"].map(len).sum())
    unpriced = hits["cost"].isna()
    return {
        "stage": "search hits",
        "model": "dataforseo",
        "dataset": "",
        "answers": int(hits["n_asked"].sum()),
        "ok": usable,
        "refused": 0,
        "truncated": 0,
        "empty": answered - usable,
        "failed": int(hits["n_failed"].sum()),
        "calls": int(hits["n_asked"].sum()),
        **dict.fromkeys((*_COUNTED, "answers_with_reasoning"), 0),
        "usd": float(hits["cost"].sum()),
        "unpriced": int((hits["n_asked"] - hits["n_failed"])[unpriced].sum()),
        "seconds": 0.0,
    }


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
