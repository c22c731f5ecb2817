"""Step: embed every quote of the data sets, or of the corpus where the evidence is found there."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.evidence.embedding import embed
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.corpus import QUOTES
from attribench.tables.evidence import EMBEDDINGS


def main(
    *, quotes: Path, benchmarks: list[Path], settings: Mapping[str, Any], seed: int, store: str, embeddings: Path
) -> None:
    """Embed each quote once and write EMBEDDINGS.

    Args:
        quotes: the table QUOTES, which lsa is fitted on.
        benchmarks: the tables BENCHMARK.
        settings: the section `evidence` of the configuration.
        seed: for lsa.
        store: where the vectors of an embedding model are kept.
        embeddings: where EMBEDDINGS goes.
    """
    corpus = read(quotes, QUOTES, ["quote_id", "quote"])
    wanted = pd.concat([read(path, BENCHMARK, ["quote_id", "quote"]) for path in benchmarks])
    if settings["pool"] == "corpus":
        wanted = pd.concat([wanted, corpus])
    wanted = wanted.drop_duplicates("quote_id").sort_values("quote_id", ignore_index=True)
    vectors = embed(wanted["quote"].tolist(), corpus["quote"].tolist(), settings=settings, seed=seed, store=Path(store))
    write(pd.DataFrame({"quote_id": wanted["quote_id"], "vector": list(vectors)}), embeddings, EMBEDDINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
