"""What a stored reply says about the number of results, and when it says nothing."""

import json
import re
from typing import Any

import pytest

from attribench.fame.dataforseo_reply import Count, check_reply, read_count


def stored(count: Any, *, code: int = 20000, sent: str = "Audre Lorde", **result: Any) -> str:
    page = {"keyword": sent, "se_results_count": count, "items_count": 9, "spell": None, "datetime": "now"} | result
    return json.dumps({"status_code": code, "data": {"keyword": sent}, "result": [page]})


def spell(kind: str | None, keyword: str = "Andre Lord") -> dict[str, Any]:
    return {"spell": {"keyword": keyword, "type": kind}}


@pytest.mark.parametrize(
    ("text", "hits", "reason"),
    [
        (stored(85_600_000), 85_600_000, ""),
        (stored(0, items_count=0), 0, ""),
        (stored(None), None, "no count"),
        (stored(0), None, "contradictory: a count of 0, and 9 results shown"),
        (stored(5000, items_count=0), None, "contradictory: a count of 5000, and 0 results"),
        (stored(3, organic_items=9), None, "contradictory: a count of 3, and 9 pages"),
        (stored(-1), None, "no number of results"),
        (stored("1,240"), None, "no number of results"),
        (stored(1.5), None, "no number of results"),
        (stored(True), None, "no number of results"),
        (stored(5000, code=40102), None, "contradictory: no results"),
        (stored(5000, keyword="albert einstein"), None, "about another query, 'albert einstein'"),
        (stored(5000, keyword="audre  lorde"), 5000, ""),
        (stored(5000, sent="A %2B B", keyword="A B"), 5000, ""),
        (stored(5000, **spell("did_you_mean")), 5000, ""),
        (stored(5000, **spell("showing_results_for")), None, "corrected .*showing results for: 'Andre Lord'"),
        (stored(5000, **spell("including_results_for")), None, "corrected"),
        (stored(5000, **spell("no_results_found_for")), None, "corrected"),
        (stored(5000, **spell(None)), None, "corrected .*of an unknown kind"),
        (stored(5000, **spell("showing_results_for", "audre lorde")), 5000, ""),
        (json.dumps({"status_code": 40102, "result": None}), 0, ""),
    ],
)
def test_a_count_is_taken_only_where_it_is_one_for_the_query(text: str, hits: int | None, reason: str) -> None:
    found = read_count(text)
    assert found.hits == hits
    assert re.search(reason or "^$", found.reason)


def test_a_suggestion_is_kept() -> None:
    assert read_count(stored(5000, **spell("did_you_mean"))) == Count(5000, "", "now", "Andre Lord")


def test_an_answer_is_stored_without_its_pages() -> None:
    page = {"keyword": "x", "se_results_count": 12, "items_count": 2, "items": [{"type": "organic"}, {"type": "paid"}]}
    task = {"status_code": 20000, "cost": 0.002, "data": {"keyword": "x"}, "result": [page]}
    answer = check_reply({"status_code": 20000, "tasks_error": 0, "tasks": [task]})
    assert (answer.status, answer.cost) == ("ok", 0.002)
    assert answer.text is not None
    kept = json.loads(answer.text)["result"][0]
    assert "items" not in kept
    assert (kept["organic_items"], kept["items_count"]) == (1, 2)


def test_an_unknown_cost_is_unknown() -> None:
    task = {"status_code": 40102, "data": {}, "result": None}
    assert check_reply({"status_code": 20000, "tasks": [task]}).cost is None
