"""Step: embed the quotes of a benchmark that was handed in, which comes without the corpus it was taken from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.evidence.embedding import embed
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EMBEDDINGS


def main(*, benchmark_table: Path, settings: Mapping[str, Any], seed: int, store: str, embeddings: Path) -> None:
    """Embed the quotes of `benchmark_table`, on which lsa is fitted too, and write EMBEDDINGS to `embeddings`."""
    quotes = read(benchmark_table, BENCHMARK, ["quote_id", "quote"]).sort_values("quote_id", ignore_index=True)
    texts = quotes["quote"].tolist()
    vectors = embed(texts, texts, settings=settings, seed=seed, store=Path(store))
    write(pd.DataFrame({"quote_id": quotes["quote_id"], "vector": list(vectors)}), embeddings, EMBEDDINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
