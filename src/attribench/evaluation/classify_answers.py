"""Step: decide for each answer whom it names: the true author, somebody else, or nobody."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from attribench.evaluation.outcomes import Mention, explain
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import OUTCOMES, RESPONSES

SCORED = ("ok", "truncated")
"""Statuses whose text is an answer; a text under another status is a refusal."""


def classify_table(responses: pd.DataFrame, benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return the table OUTCOMES: one row per response, without an outcome where there is no answer."""
    about = benchmark.set_index("quote_id")
    rows: list[tuple[str | None, list[str], list[str], list[str], list[str]]] = []
    for quote_id, status, text in zip(responses["quote_id"], responses["status"], responses["text"], strict=True):
        if status in SCORED and isinstance(text, str) and text.strip():
            quote = about.loc[quote_id]
            found = explain(text, quote["author"], tuple(quote["aliases"]), quote["quote"])
            rows.append((found.outcome, *_texts_and_rules(found.mentions), *_texts_and_rules(found.passed_over)))
        else:
            rows.append((None, [], [], [], []))
    names = ["outcome", "names", "name_rules", "passed_over", "passed_over_rules"]
    outcomes = pd.DataFrame(rows, columns=names, index=responses.index)
    return pd.concat([responses, outcomes], axis="columns")[OUTCOMES.names]


def _texts_and_rules(mentions: Sequence[Mention]) -> tuple[list[str], list[str]]:
    return [mention.text for mention in mentions], [mention.rule for mention in mentions]


def main(*, responses: Path, benchmark_table: Path, outcomes: Path) -> None:
    """Classify the answers in `responses` and write OUTCOMES to `outcomes`."""
    wanted = ["quote_id", "prompt", "evidence", "generation", "status", "text"]
    table = classify_table(read(responses, RESPONSES, wanted), read(benchmark_table, BENCHMARK))
    write(table, outcomes, OUTCOMES)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
