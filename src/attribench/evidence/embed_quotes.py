"""Step: fit the sentence embedding on the corpus and embed every quote of the data sets."""

from pathlib import Path

import pandas as pd

from attribench.evidence.lsa import embed
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK
from attribench.tables.corpus import QUOTES
from attribench.tables.evidence import EMBEDDINGS


def main(*, quotes: Path, benchmarks: list[Path], dimensions: int, seed: int, embeddings: Path) -> None:
    """Embed the quotes of all `benchmarks`, each once, and write EMBEDDINGS to `embeddings`."""
    corpus = read(quotes, QUOTES, ["quote"])["quote"].tolist()
    wanted = pd.concat([read(path, BENCHMARK, ["quote_id", "quote"]) for path in benchmarks])
    wanted = wanted.drop_duplicates("quote_id").sort_values("quote_id", ignore_index=True)
    vectors = embed(corpus, wanted["quote"].tolist(), dimensions=dimensions, seed=seed)
    table = pd.DataFrame({"quote_id": wanted["quote_id"], "vector": list(vectors)})
    write(table, embeddings, EMBEDDINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
