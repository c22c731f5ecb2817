"""Searches and items asked of Wikidata through the ledger, so that nothing is asked twice.

A name is one question. Items are asked for in batches of 50 and stored one by one, so that
a changed list of authors does not ask for them again in other batches. That a search found nothing
is an answer; that a call failed is none, and neither is an item that is gone: the next run asks again.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from attribench.demographics.wikidata_api import MOST_IDS, WikidataApi
from attribench.demographics.wikidata_choice import hits_of_name
from attribench.demographics.wikidata_etiquette import user_agent
from attribench.demographics.wikidata_items import LANGUAGES, PROPERTIES, Item, item_from_json, item_from_rows
from attribench.demographics.wikidata_sparql import WikidataQueries
from attribench.ledger.progress import Progress
from attribench.ledger.runner import ask_all
from attribench.ledger.store import Answer, Question, Store
from attribench.step import screen

HITS = 10
"""Hits asked for per name: beside humans there are works, family names and longer names among them."""
PORTION = 5000
"""Answers that are read from the store at a time."""
QUERIES_AT_A_TIME = 1
"""The query service grants a client 60 s of its time per 60 s, which one query after another uses up."""


@dataclass(frozen=True)
class Service:
    """Where Wikidata is asked, and how. `timeout` is in seconds, `concurrency` counts searches."""

    contact: str | None
    api: str
    sparql: str
    timeout: float
    concurrency: int
    attempts: int


@dataclass
class Found:
    """What was found by key (a name, an id), and for those that could not be asked: the cause."""

    answers: dict[str, Any] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    asked_at: dict[str, str] = field(default_factory=dict)


class WikidataLedger:
    """Wikidata, as far as the store knows it, and beyond that as the service answers."""

    def __init__(self, service: Service, store: Store) -> None:
        """Ask `service` for what `store` does not hold.

        Raises:
            ConfigError: the service names no contact.
        """
        agent = user_agent(service.contact)
        self._service, self._store = service, store
        self._api = WikidataApi(
            url=service.api, user_agent=agent, timeout=service.timeout, concurrency=service.concurrency
        )
        self._queries = WikidataQueries(url=service.sparql, user_agent=agent, timeout=service.timeout)
        self._gone: dict[str, Item] = {}

    async def __aenter__(self) -> Self:
        """Open the connections."""
        await self._api.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self._api.__aexit__(kind, error, trace)

    async def search(self, names: Iterable[str], what: str) -> Found:
        """Return for each name the ids of the hits that bear it, best first; `what` is said beside the progress."""
        questions = {name: self._search_question(name) for name in dict.fromkeys(names)}
        found = Found()
        for portion in _portions(list(questions), PORTION):
            stored = self._store.answers(questions[name].key for name in portion)
            for name in portion:
                if questions[name].key in stored:
                    _add_hits(found, name, stored[questions[name].key])
        missing = [name for name in questions if name not in found.answers]
        if missing:
            asked = await ask_all(
                [questions[name] for name in missing],
                self._ask_search,
                self._store,
                concurrency=self._service.concurrency,
                attempts=self._service.attempts,
                progress=Progress(what, len(questions), screen(), stored=len(found.answers)),
            )
            for name in missing:
                _add_hits(found, name, asked[questions[name].key])
        return found

    async def items(self, ids: Iterable[str], what: str) -> Found:
        """Return each item; one that is gone is there, and says so."""
        questions = {qid: self._item_question(qid) for qid in dict.fromkeys(ids)}
        stored = self._store.answers(question.key for question in questions.values())
        missing = [qid for qid, question in questions.items() if question.key not in stored]
        failed: dict[str, str] = {}
        if missing:
            failed = await self._ask_in_batches(missing, what)
            stored |= self._store.answers(questions[qid].key for qid in missing)
        found = Found(failed=failed)
        for qid, question in questions.items():
            if question.key in stored:
                answer = stored[question.key]
                found.answers[qid] = _read_item(qid, json.loads(answer.text or "{}"))
                found.asked_at[qid] = answer.asked_at or ""
            elif qid in self._gone:
                found.answers[qid] = self._gone[qid]
        return found

    async def _ask_in_batches(self, ids: Sequence[str], what: str) -> dict[str, str]:
        """Ask for `ids` and store them; return the cause for each that could not be asked."""
        batches = [
            Question({"service": self._service.sparql, "items": list(portion)}) for portion in _portions(ids, MOST_IDS)
        ]
        answers = await ask_all(
            batches,
            self._ask_batch,
            self._store,
            concurrency=QUERIES_AT_A_TIME,
            attempts=self._service.attempts,
            progress=Progress(f"{what}, in batches of {MOST_IDS}", len(batches), screen()),
        )
        return {
            qid: answers[batch.key].cause or "failed"
            for batch in batches
            if answers[batch.key].status == "failed"
            for qid in batch.content["items"]
        }

    def _search_question(self, name: str) -> Question:
        return Question(
            {"service": self._service.api, "action": "wbsearchentities", "search": name, "language": "en"}
            | {"limit": HITS}
        )

    def _item_question(self, qid: str) -> Question:
        return Question(
            {"service": self._service.sparql, "item": qid}
            | {"properties": list(PROPERTIES), "languages": list(LANGUAGES)}
        )

    async def _ask_search(self, question: Question) -> Answer:
        start = time.monotonic()
        hits = await self._api.search(question.content["search"], limit=question.content["limit"])
        return _answer(hits, start)

    async def _ask_batch(self, question: Question) -> Answer:
        """Store each item of a batch; ask the action API for those that the query service does not know.

        The query service is some minutes behind, and knows nothing of an item that was merged.
        """
        start = time.monotonic()
        ids = question.content["items"]
        rows = await self._queries.rows(ids)
        unknown = [qid for qid in ids if not rows[qid]]
        entities = await self._api.entities(unknown, languages=LANGUAGES) if unknown else {}
        for qid in ids:
            if qid not in entities:
                self._store.add(self._item_question(qid), _answer({"rows": rows[qid]}, start))
            elif "missing" in entities[qid]:
                self._gone[qid] = item_from_json(qid, entities[qid])
            else:
                self._store.add(self._item_question(qid), _answer({"entity": _needed(entities[qid])}, start))
        return _answer({"gone": [qid for qid in ids if qid in self._gone]}, start)


def _portions(whole: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(whole), size):
        yield whole[start : start + size]


def _add_hits(found: Found, name: str, answer: Answer) -> None:
    """Add the ids of one search; the hits themselves are too many to keep."""
    if answer.status == "failed":
        found.failed[name] = answer.cause or "failed"
    else:
        found.answers[name] = hits_of_name(name, json.loads(answer.text or "[]"))
        found.asked_at[name] = answer.asked_at or ""


def _answer(content: Any, start: float) -> Answer:
    return Answer(
        "ok",
        text=json.dumps(content, ensure_ascii=False, separators=(",", ":")),
        cost=0.0,
        seconds=round(time.monotonic() - start, 3),
        asked_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _needed(entity: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item without the claims that are never read, which are most of it."""
    claims = {name: claim for name, claim in (entity.get("claims") or {}).items() if name in PROPERTIES}
    return {**entity, "claims": claims}


def _read_item(qid: str, stored: Mapping[str, Any]) -> Item:
    return item_from_json(qid, stored["entity"]) if "entity" in stored else item_from_rows(qid, stored["rows"])
