"""A loopback server that speaks Wikidata's shapes: search, items, and the query service over the same items."""

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from loopback import Loopback, Request
from loopback import Reply as Page

from attribench.demographics import look_up_wikidata, wikidata_etiquette
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import WIKIDATA

ENTITY = "http://www.wikidata.org/entity/"
GENID = "http://www.wikidata.org/.well-known/genid/abc123"
MAP = Path(__file__).parents[2] / "resources" / "ethnic_groups.csv"
CONTACT = "somebody@university.edu"


HTML = Page("<!DOCTYPE html><title>Wikimedia Error</title>", 200, {"Content-Type": "text/html"})


def claim(name: str, value: str | None, rank: str = "normal", without: str = "somevalue") -> dict[str, Any]:
    """Return a statement as the action API sends it; `without` is its kind where it has no value.

    A date may have its precision behind a slash, as in "+1850-00-00T00:00:00Z/7" for a century; else it is a day.
    """
    main: dict[str, Any] = {"snaktype": without if value is None else "value", "property": name}
    if value is not None and value.startswith("Q"):
        main["datavalue"] = {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": value}}
    elif value is not None:
        date, _, precision = value.partition("/")
        main["datavalue"] = {"type": "time", "value": {"time": date, "precision": int(precision or 11)}}
    return {"mainsnak": main, "type": "statement", "rank": rank}


def entity(qid: str, label: str, claims: dict[str, list[Any]], aliases: tuple[str, ...], links: int) -> dict[str, Any]:
    """Return an item as the action API sends it; each claim is a value, or a value with its rank."""
    return {
        "type": "item",
        "id": qid,
        "labels": {"en": {"language": "en", "value": label}},
        "aliases": {"en": [{"language": "en", "value": alias} for alias in aliases]} if aliases else [],
        "claims": {
            name: [claim(name, *value) if isinstance(value, tuple) else claim(name, value) for value in values]
            for name, values in claims.items()
        },
        "sitelinks": {f"site{number}": {"site": f"site{number}", "title": label} for number in range(links)},
    }


class WikidataServer(Loopback):
    """A small Wikidata. `pages` are sent first, one after the other, by part ("search", "items", "sparql")."""

    def __init__(self) -> None:
        self.items: dict[str, dict[str, Any]] = {}
        self.merged: dict[str, str] = {}
        self.unknown_to_queries: set[str] = set()
        self.pages: dict[str, list[Page]] = {"search": [], "items": [], "sparql": []}
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.agents: set[str] = set()
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        super().__init__(self._served)
        self.api = f"{self.address}/w/api.php"
        self.sparql = f"{self.address}/sparql"

    def add(
        self, qid: str, label: str, aliases: tuple[str, ...] = (), links: int = 10, **claims: list[Any]
    ) -> dict[str, Any]:
        """Add a human, or whatever P31 says."""
        self.items[qid] = entity(qid, label, {"P31": ["Q5"], **claims}, aliases, links)
        return self.items[qid]

    def count(self, part: str) -> int:
        return sum(name == part for name, _ in self.seen)

    def _served(self, request: Request) -> Page:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            return self._answer(request.path, request.headers.get("user-agent", ""))
        finally:
            with self._lock:
                self.at_once -= 1

    def _answer(self, path: str, agent: str) -> Page:
        address = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        part = {"wbsearchentities": "search", "wbgetentities": "items"}.get(asked.get("action", ""), "sparql")
        with self._lock:
            self.seen.append((part, asked))
            self.agents.add(agent)
            if self.pages[part]:
                return self.pages[part].pop(0)
        return Page({"search": self._search, "items": self._entities, "sparql": self._select}[part](asked))

    def _search(self, asked: dict[str, str]) -> dict[str, Any]:
        hits = []
        for qid, item in self.items.items():
            names = [("label", entry["value"]) for entry in item["labels"].values()]
            names += [("alias", entry["value"]) for entries in dict(item["aliases"]).values() for entry in entries]
            for kind, text in names:
                if text.lower().startswith(asked["search"].lower()):
                    match = {"type": kind, "language": "en", "text": text}
                    hits.append({"id": qid, "title": qid, "repository": "", "label": names[0][1], "match": match})
                    break
        hits = hits[: int(asked["limit"])]
        return {"searchinfo": {"search": asked["search"]}, "search": hits, "success": 1}

    def _entities(self, asked: dict[str, str]) -> dict[str, Any]:
        ids = asked["ids"].split("|")
        if len(ids) > 50:
            return {"error": {"code": "too-many-entities", "info": "Too many."}}
        found = {}
        for qid in ids:
            item = self.items.get(self.merged.get(qid, qid))
            moved = {"redirects": {"from": qid, "to": self.merged[qid]}} if qid in self.merged else {}
            found[qid] = {**item, **moved} if item else {"id": qid, "missing": ""}
        return {"entities": found, "success": 1}

    def _select(self, asked: dict[str, str]) -> dict[str, Any]:
        ids = dict.fromkeys(re.findall(r"wd:(Q\d+)", asked["query"]))
        rows = []
        for qid in ids:
            if qid in self.items and qid not in self.unknown_to_queries:
                rows += list(_rows(self.items[qid]))
        return {
            "head": {"vars": ["item", "kind", "value", "rank", "precision", "language"]},
            "results": {"bindings": rows},
        }


def _rows(item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an item as the query service has it."""

    def row(kind: str, **values: dict[str, str]) -> dict[str, Any]:
        return {
            "item": {"type": "uri", "value": ENTITY + item["id"]},
            "kind": {"type": "literal", "value": kind},
            **values,
        }

    for name, claims in item["claims"].items():
        for one in claims:
            given = one["mainsnak"].get("datavalue", {}).get("value", {})
            rank = {"type": "uri", "value": f"http://wikiba.se/ontology#{one['rank'].capitalize()}Rank"}
            if one["mainsnak"]["snaktype"] == "novalue":
                yield row(name, rank=rank)
            elif "time" in given:
                # The query service says what is not known of a date as if it were the first.
                date = given["time"].removeprefix("+").replace("-00-00T", "-01-01T")
                precision = {"type": "literal", "value": str(given["precision"])}
                yield row(name, rank=rank, value={"type": "literal", "value": date}, precision=precision)
            else:
                value = ENTITY + given["id"] if "id" in given else GENID
                yield row(name, rank=rank, value={"type": "uri", "value": value})
    texts = [("label", entry) for entry in item["labels"].values()]
    texts += [("alias", entry) for entries in dict(item["aliases"]).values() for entry in entries]
    for kind, entry in texts:
        language = {"type": "literal", "value": entry["language"]}
        text = {"type": "literal", "xml:lang": entry["language"], "value": entry["value"]}
        yield row(kind, value=text, language=language)
    yield row("sitelinks", value={"type": "literal", "value": str(len(item["sitelinks"]))})


@pytest.fixture
def wikidata() -> Iterator[WikidataServer]:
    server = WikidataServer()
    yield server
    server.close()


@pytest.fixture
def wikidata_pages() -> SimpleNamespace:
    """Return the faults of a service: an HTML page, too many requests, a lagging database, an end in the middle."""
    lag = {"error": {"code": "maxlag", "info": "Waiting for a server: 6.1 seconds lagged.", "lag": 6.1}}
    return SimpleNamespace(
        html=HTML,
        too_many=Page(HTML.body, 429, {"Retry-After": "5", "Content-Type": "text/html"}),
        maxlag=Page(lag, 200, {"Retry-After": "5"}),
        maxlag_without_time=Page(lag),
        down=Page("upstream connect error", 503),
        forbidden=Page("Please set a user-agent and respect our robot policy.", 403),
        reset=Page({"search": [], "results": {"bindings": []}}, fault="reset"),
        wrong_shape=Page({"batchcomplete": ""}),
        cut_off=Page('{"head":{},"results":{"bindings":[\njava.util.concurrent.TimeoutException\n\tat com.bigdata'),
        page=Page,
    )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let no time pass while sleeping, but on the clock, and return how long would have been slept."""
    slept: list[float] = []
    sleep = asyncio.sleep

    async def no_sleep(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", no_sleep)
    monkeypatch.setattr(wikidata_etiquette, "time", SimpleNamespace(monotonic=lambda: sum(slept)))
    return slept


LookUp = Callable[..., pd.DataFrame]


@pytest.fixture
def look_up(wikidata: WikidataServer, tmp_path: Path) -> LookUp:
    """Return a function that runs the step for some names, and gives back its table by author."""

    def go(*names: str, aliases: dict[str, list[str]] | None = None, **changed: Any) -> pd.DataFrame:
        frame = pd.DataFrame(
            {
                "author_id": [f"author-{name.lower().replace(' ', '-')}" for name in names],
                "author": list(names),
                "aliases": pd.Series([(aliases or {}).get(name, []) for name in names], dtype=object),
                "n_quotes": pd.Series([1] * len(names), dtype=int),
            }
        )
        write(frame, tmp_path / "authors.parquet", AUTHORS)
        arguments: dict[str, Any] = {
            "authors": tmp_path / "authors.parquet",
            "ethnic_groups": MAP,
            "contact": CONTACT,
            "api": wikidata.api,
            "sparql": wikidata.sparql,
            "timeout": 20.0,
            "concurrency": 2,
            "attempts": 4,
            "max_missing": 0.0,
            "store": str(tmp_path / "cache" / "wikidata.sqlite"),
            "wikidata": tmp_path / "wikidata.parquet",
            **changed,
        }
        look_up_wikidata.main(**arguments)
        return read(tmp_path / "wikidata.parquet", WIKIDATA).set_index("author")

    return go
