"""Step: embed every quote of the data sets, and others where they cost nothing or the evidence is found among them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.evidence.embedding import embed
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, CANDIDATES
from attribench.tables.corpus import QUOTES
from attribench.tables.evidence import EMBEDDINGS


def main(
    *,
    quotes: Path,
    benchmarks: list[Path],
    candidates: list[Path],
    settings: Mapping[str, Any],
    seed: int,
    store: str,
    embeddings: Path,
) -> None:
    """Embed each quote once and write EMBEDDINGS.

    Args:
        quotes: the table QUOTES, which lsa is fitted on.
        benchmarks: the tables BENCHMARK.
        candidates: the tables CANDIDATES whose authors' quotes are embedded, too; or nothing.
        settings: the section `evidence` of the configuration.
        seed: for lsa.
        store: where the vectors of an embedding model are kept.
        embeddings: where EMBEDDINGS goes.
    """
    corpus = read(quotes, QUOTES, ["quote_id", "author_id", "quote"])
    others = corpus
    if settings["pool"] != "corpus":
        authors = {author for path in candidates for author in read(path, CANDIDATES, ["author_id"])["author_id"]}
        others = corpus[corpus["author_id"].isin(authors)]
    own = [read(path, BENCHMARK, ["quote_id", "quote"]) for path in benchmarks]
    wanted = pd.concat([*own, others[["quote_id", "quote"]]])
    wanted = wanted.drop_duplicates("quote_id").sort_values("quote_id", ignore_index=True)
    vectors = embed(wanted["quote"].tolist(), corpus["quote"].tolist(), settings=settings, seed=seed, store=Path(store))
    write(pd.DataFrame({"quote_id": wanted["quote_id"], "vector": list(vectors)}), embeddings, EMBEDDINGS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
