"""Step: find each quote's nearest neighbours in its data set.

Berman et al. 2026, Section 5.1: k = 5 quotes with their authors, the query's own pair first
with similarity 1.0, then the most similar others of the data set.
"""

from pathlib import Path

import numpy as np

from attribench.evidence.neighbours import nearest
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EMBEDDINGS, EVIDENCE


def main(*, benchmark_table: Path, embeddings: Path, k: int, evidence: Path) -> None:
    """Write EVIDENCE for the quotes of `benchmark_table`, whose vectors are in `embeddings`."""
    quotes = read(benchmark_table, BENCHMARK, ["quote_id", "author", "quote"])
    vectors = read(embeddings, EMBEDDINGS).set_index("quote_id")["vector"]
    pool = np.stack(vectors.loc[quotes["quote_id"]].tolist())
    found = nearest(quotes["quote_id"].tolist(), pool, k)
    texts = quotes.rename(
        columns={"quote_id": "evidence_quote_id", "author": "evidence_author", "quote": "evidence_quote"}
    )
    found = found.merge(texts, on="evidence_quote_id", how="left", validate="many_to_one")
    write(found[EVIDENCE.names], evidence, EVIDENCE)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
