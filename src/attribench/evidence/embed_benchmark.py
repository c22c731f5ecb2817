"""Step: fit the sentence embedding on the quotes of a benchmark itself, and embed them.

For a benchmark that was handed in, which comes without the corpus that it was taken from.
"""

from pathlib import Path

import pandas as pd

from attribench.evidence.lsa import embed
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EMBEDDINGS


def main(*, benchmark_table: Path, dimensions: int, seed: int, embeddings: Path) -> None:
    """Embed the quotes of `benchmark_table` and write EMBEDDINGS to `embeddings`."""
    quotes = read(benchmark_table, BENCHMARK, ["quote_id", "quote"]).sort_values("quote_id", ignore_index=True)
    texts = quotes["quote"].tolist()
    vectors = embed(texts, texts, dimensions=dimensions, seed=seed)
    write(pd.DataFrame({"quote_id": quotes["quote_id"], "vector": list(vectors)}), embeddings, EMBEDDINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
