"""The two steps of the stage: embed the quotes, and retrieve each one's evidence."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import pytest

from attribench.errors import InputError
from attribench.evidence import embed_quotes, retrieve_evidence
from attribench.tables import read, write
from attribench.tables.balance import BENCHMARK, CANDIDATES
from attribench.tables.corpus import QUOTES
from attribench.tables.evidence import EMBEDDINGS, EVIDENCE

TEXTS = [
    "The sea was calm and the ship lay still upon the sea",
    "A ship upon the sea needs no road",
    "Freedom is never given, it is won by those who fight",
    "Those who fight for freedom never sleep",
    "Bread and salt are the poor man's feast",
    "The poor man shares his bread",
    "Love is a garden that needs water",
    "Water the garden and love will grow",
]
Tables = tuple[Path, list[Path]]


def benchmark(numbers: list[int]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "quote_id": [f"jstet_{i}" for i in numbers],
            "match_id": 0,
            "group": [f"G{i % 2}" for i in numbers],
            "race": "black",
            "gender": None,
            "author_id": [f"author-{i}" for i in numbers],
            "author": [f"Author {i}" for i in numbers],
            "aliases": [[] for _ in numbers],
            "quote": [TEXTS[i] for i in numbers],
            "n_words": 6,
            "log10_hits": 5.0,
        }
    )


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    corpus = benchmark(list(range(8)))[["quote_id", "author_id", "author", "quote", "n_words"]].assign(work=None)
    write(corpus, tmp_path / "quotes.parquet", QUOTES)
    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    write(benchmark([7, 0, 1, 2, 3, 6]), paths[0], BENCHMARK)
    write(benchmark([1, 4, 5]), paths[1], BENCHMARK)
    return tmp_path / "quotes.parquet", paths


@pytest.fixture
def embed(tables: Tables, tmp_path: Path) -> Callable[..., Path]:
    def go(name: str, benchmarks: list[Path], pool: str = "data_set", candidates: Sequence[Path] = ()) -> Path:
        out = tmp_path / name
        settings = {"embedding": "lsa", "dimensions": 5, "pool": pool}
        embed_quotes.main(
            quotes=tables[0],
            benchmarks=benchmarks,
            candidates=list(candidates),
            settings=settings,
            seed=1,
            store=str(tmp_path / "none.sqlite"),
            embeddings=out,
        )
        return out

    return go


Embed = Callable[..., Path]


def test_quotes_of_all_data_sets_are_embedded_once(tables: Tables, embed: Embed) -> None:
    found = read(embed("e.parquet", tables[1]), EMBEDDINGS)
    assert found["quote_id"].tolist() == [f"jstet_{i}" for i in range(8)]
    assert {len(vector) for vector in found["vector"]} == {5}


def test_quotes_of_candidates_are_embedded_too_and_are_no_evidence(
    tables: Tables, embed: Embed, tmp_path: Path
) -> None:
    candidates = benchmark([1, 3, 5])[["author_id", "author", "group", "log10_hits"]].assign(n_quotes=1)
    write(candidates, tmp_path / "candidates.parquet", CANDIDATES)
    alone = read(embed("alone.parquet", tables[1][1:]), EMBEDDINGS).set_index("quote_id")["vector"]
    embeddings = embed("more.parquet", tables[1][1:], candidates=[tmp_path / "candidates.parquet"])
    found = read(embeddings, EMBEDDINGS).set_index("quote_id")["vector"]
    assert found.index.tolist() == [f"jstet_{i}" for i in (1, 3, 4, 5)]
    assert all((found[quote] == vector).all() for quote, vector in alone.items())
    retrieve_evidence.main(
        benchmark_table=tables[1][1], corpus=[], embeddings=embeddings, k=5, evidence=tmp_path / "evidence.parquet"
    )
    evidence = read(tmp_path / "evidence.parquet", EVIDENCE)
    assert set(evidence["evidence_quote_id"]) == {"jstet_1", "jstet_4", "jstet_5"}


def test_same_seed_same_bytes_and_no_regard_to_the_order_of_data_sets(tables: Tables, embed: Embed) -> None:
    one, two = embed("one_way.parquet", tables[1]), embed("the_other.parquet", tables[1][::-1])
    assert one.read_bytes() == two.read_bytes()


def test_evidence_is_of_the_data_set_itself_with_author_and_text(tables: Tables, embed: Embed, tmp_path: Path) -> None:
    embeddings = embed("e.parquet", tables[1])
    out = tmp_path / "evidence.parquet"
    retrieve_evidence.main(benchmark_table=tables[1][0], corpus=[], embeddings=embeddings, k=3, evidence=out)
    found = read(out, EVIDENCE)
    assert found.groupby("quote_id").size().to_dict() == {f"jstet_{i}": 3 for i in (7, 0, 1, 2, 3, 6)}
    first = found[found["rank"] == 1]
    assert (first["evidence_quote_id"] == first["quote_id"]).all() and (first["similarity"] == 1).all()
    second = found[found["rank"] == 2].set_index("quote_id")["evidence_quote_id"].to_dict()
    pairs = {0: 1, 1: 0, 2: 3, 3: 2, 6: 7, 7: 6}
    assert second == {f"jstet_{a}": f"jstet_{b}" for a, b in pairs.items()}
    number = found["evidence_quote_id"].str.removeprefix("jstet_").astype(int)
    assert (found["evidence_quote"] == number.map(dict(enumerate(TEXTS)))).all()
    assert (found["evidence_author"] == "Author " + number.astype(str)).all()
    assert not found["evidence_quote_id"].isin(["jstet_4", "jstet_5"]).any()


def test_a_data_set_smaller_than_k(tables: Tables, embed: Embed, tmp_path: Path) -> None:
    out = tmp_path / "evidence.parquet"
    embeddings = embed("e.parquet", tables[1])
    retrieve_evidence.main(benchmark_table=tables[1][1], corpus=[], embeddings=embeddings, k=5, evidence=out)
    assert read(out, EVIDENCE).groupby("quote_id").size().tolist() == [3, 3, 3]


def test_a_missing_input_is_named(tables: Tables, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'embeddings' was expected at"):
        retrieve_evidence.main(
            benchmark_table=tables[1][0],
            corpus=[],
            embeddings=tmp_path / "no.parquet",
            k=5,
            evidence=tmp_path / "e.parquet",
        )


def test_evidence_from_the_whole_corpus(tables: Tables, embed: Embed, tmp_path: Path) -> None:
    embeddings = embed("e.parquet", tables[1][1:], "corpus")
    assert len(read(embeddings, EMBEDDINGS)) == 8
    out = tmp_path / "evidence.parquet"
    retrieve_evidence.main(benchmark_table=tables[1][1], corpus=[tables[0]], embeddings=embeddings, k=2, evidence=out)
    found = read(out, EVIDENCE)
    assert found["quote_id"].tolist() == ["jstet_1", "jstet_1", "jstet_4", "jstet_4", "jstet_5", "jstet_5"]
    assert found["evidence_quote_id"].tolist() == ["jstet_1", "jstet_0", "jstet_4", "jstet_5", "jstet_5", "jstet_4"]
    assert found["evidence_author"].tolist()[1] == "Author 0" and found["evidence_quote"].tolist()[1] == TEXTS[0]
