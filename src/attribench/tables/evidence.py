"""The table of the stage evidence: which quotes go into the prompt."""

import pyarrow as pa

from attribench.tables import INTEGER, NUMBER, TEXT, Column, Table
from attribench.tables.columns import quote_id

EMBEDDINGS = Table(
    "embeddings",
    "quote",
    ("quote_id",),
    (
        quote_id(),
        Column("vector", pa.list_(pa.float32()), "the quote's embedding, of length 1 unless all zero"),
    ),
)

EVIDENCE = Table(
    "evidence",
    "quote × rank",
    ("quote_id", "rank"),
    (
        quote_id(),
        Column("rank", INTEGER, "place in the prompt, from 1; the quote itself is first"),
        Column("evidence_quote_id", TEXT, "the retrieved quote"),
        Column("evidence_author", TEXT, "its author"),
        Column("evidence_quote", TEXT, "its text"),
        Column("similarity", NUMBER, "cosine similarity to the quote", "-1 to 1"),
    ),
)
