"""Step: find each quote's nearest neighbours in its data set, or in the corpus.

Berman et al. 2026, Section 5.1: k = 5 quotes with their authors, the query's own pair first
with similarity 1.0, then the most similar others of the data set.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from attribench.evidence.neighbours import nearest
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.corpus import QUOTES
from attribench.tables.evidence import EMBEDDINGS, EVIDENCE


def main(*, benchmark_table: Path, corpus: list[Path], embeddings: Path, k: int, evidence: Path) -> None:
    """Write EVIDENCE for the quotes of `benchmark_table`.

    Args:
        benchmark_table: the table BENCHMARK.
        corpus: the table QUOTES where the evidence is found there, else nothing.
        embeddings: the vectors of all quotes.
        k: quotes for each quote, itself among them.
        evidence: where EVIDENCE goes.
    """
    columns = ["quote_id", "author", "quote"]
    quotes = read(benchmark_table, BENCHMARK, columns)
    pool = pd.concat([quotes, *(read(path, QUOTES, columns) for path in corpus)]).drop_duplicates("quote_id")
    vectors = read(embeddings, EMBEDDINGS).set_index("quote_id")["vector"]
    found = nearest(
        pool["quote_id"].tolist(),
        np.stack(vectors.loc[pool["quote_id"]].tolist()),
        k,
        queries=quotes["quote_id"].tolist(),
    )
    texts = pool.rename(
        columns={"quote_id": "evidence_quote_id", "author": "evidence_author", "quote": "evidence_quote"}
    )
    found = found.merge(texts, on="evidence_quote_id", how="left", validate="many_to_one")
    write(found[EVIDENCE.names], evidence, EVIDENCE)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
