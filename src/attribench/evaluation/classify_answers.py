"""Step: decide for each answer whom it names: the true author, somebody else, or nobody."""

from pathlib import Path

import pandas as pd
import pyarrow as pa

from attribench.errors import InputError
from attribench.evaluation.decisions import COLUMNS, Question, decide_all
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import OUTCOMES, RESPONSES

SCORED = ("ok", "truncated")
"""Statuses whose text is an answer; a text under another status is a refusal."""


def classify_table(
    responses: pd.DataFrame, benchmark: pd.DataFrame, classifier: str = "names", threads: int = 1
) -> pd.DataFrame:
    """Return the table OUTCOMES: one row per response, without an outcome where there is no answer.

    `classifier`, one of `CLASSIFIERS`, says whose outcome is the one that is used.
    """
    questions = [
        Question(author, tuple(aliases), quote)
        for author, aliases, quote in zip(benchmark["author"], benchmark["aliases"], benchmark["quote"], strict=True)
    ]
    places = pd.Index(benchmark["quote_id"]).get_indexer(responses["quote_id"])
    strange = responses.loc[places < 0, "quote_id"].unique()
    if len(strange):
        raise InputError(
            f"There are answers about {len(strange)} quotes that the benchmark does not hold, the first of them "
            f"{strange[0]}. Remove responses.parquet, so that the next run makes it from this benchmark; what was "
            "asked before is not asked again."
        )
    is_scored = responses["status"].isin(SCORED) & responses["text"].str.strip().ne("").fillna(value=False)
    texts = responses["text"].astype(object).where(is_scored & responses["text"].notna(), None)
    answers = list(zip(places.tolist(), texts, strict=True))
    found = pa.concat_tables([COLUMNS.empty_table(), *decide_all(answers, questions, threads)])
    outcomes: pd.DataFrame = found.to_pandas(types_mapper=pd.ArrowDtype).set_axis(responses.index)
    outcomes["outcome"] = outcomes[f"outcome_{classifier}"]
    table: pd.DataFrame = pd.concat([responses, outcomes], axis="columns")[OUTCOMES.names]
    return table


def main(*, responses: Path, benchmark_table: Path, classifier: str, threads: int, outcomes: Path) -> None:
    """Classify the answers in `responses` and write OUTCOMES to `outcomes`."""
    wanted = ["quote_id", "prompt", "evidence", "generation", "status", "text"]
    table = classify_table(read(responses, RESPONSES, wanted), read(benchmark_table, BENCHMARK), classifier, threads)
    write(table, outcomes, OUTCOMES)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
