"""A hundred author cells of the corpus, drawn at random in strata and labelled by reading before any was run."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from attribench.corpus.authors import clean_author

CELLS = [json.loads(line) for line in Path(__file__).with_name("author_cells.jsonl").read_text("utf-8").splitlines()]
TARGETS = {"comma": 0.98, "nocomma_ge3": 0.98, "nocomma_single": 0.9, "hard": 0.9}


def key(text: str | None) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text or "").lower() if c.isalnum())


def is_right(cell: dict[str, Any]) -> bool:
    found = clean_author(cell["raw"])
    if found is None or not cell["keep"]:
        return (found is not None) == cell["keep"]
    return key(found.name) in map(key, [cell["name"], *cell.get("accept", [])])


@pytest.mark.parametrize("stratum", TARGETS)
def test_cells_are_read_right_as_often_as_is_asked_for(stratum: str) -> None:
    cells = [cell for cell in CELLS if cell["stratum"] == stratum]
    wrong = [cell["raw"] for cell in cells if not is_right(cell)]
    assert len(cells) >= 14 and 1 - len(wrong) / len(cells) >= TARGETS[stratum], wrong


def test_the_score_can_fail() -> None:
    assert not is_right({"raw": "Ann Petry", "keep": True, "name": "Nella Larsen"})
    assert not is_right({"raw": "Ann Petry", "keep": False})
    assert not is_right({"raw": "jane_doe", "keep": True, "name": "Jane Doe"})
