"""Batches of items from Wikidata's query service, through the package wikidata_client.

The package sends a query and returns its rows with entity addresses cut to ids. It knows neither
contact nor waiting, and hands on the address of an unknown value as if it were one; what it lacks
is added here and in `attribench.demographics.wikidata_items`.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

import requests  # what wikidata_client calls, and raises
from wikidata_client import api as client

from attribench.demographics.wikidata_api import MOST_IDS, status_failure
from attribench.demographics.wikidata_etiquette import Pauses, retry_after
from attribench.demographics.wikidata_items import LANGUAGES, PROPERTIES, is_qid
from attribench.ledger.runner import CallFailedError

Row = dict[str, str]

# One row per statement, label and alias. All ranks are fetched, and the best are chosen here;
# `wdt:` would hide that a preferred value is unknown.
_QUERY = """\
SELECT ?item ?kind ?value ?rank ?precision ?language WHERE {{
  {{
    VALUES ?item {{ {items} }}
    VALUES (?claim ?main ?full ?kind) {{ {properties} }}
    ?item ?claim ?statement .
    ?statement wikibase:rank ?rank .
    OPTIONAL {{ ?statement ?main ?value }}
    OPTIONAL {{ ?statement ?full ?node . ?node wikibase:timePrecision ?precision }}
  }} UNION {{
    VALUES ?item {{ {items} }}
    VALUES (?name ?kind) {{ (rdfs:label "label") (skos:altLabel "alias") }}
    ?item ?name ?value .
    BIND(LANG(?value) AS ?language)
    FILTER(?language IN ({languages}) && (?kind = "label" || ?language IN ("en", "mul")))
  }} UNION {{
    VALUES ?item {{ {items} }}
    ?item wikibase:sitelinks ?value .
    BIND("sitelinks" AS ?kind)
  }}
}}"""


def write_query(ids: Sequence[str]) -> str:
    """Return the query for the items `ids`, at most 50 of them."""
    if len(ids) > MOST_IDS or not all(map(is_qid, ids)):
        raise ValueError(f"expected at most {MOST_IDS} ids of items, not {', '.join(ids)}")
    return _QUERY.format(
        items=" ".join(f"wd:{qid}" for qid in ids),
        properties=" ".join(f'(p:{name} ps:{name} psv:{name} "{name}")' for name in PROPERTIES),
        languages=", ".join(f'"{language}"' for language in LANGUAGES),
    )


class WikidataQueries:
    """The query service at an address."""

    def __init__(self, *, url: str, user_agent: str, timeout: float) -> None:
        """Introduce us as `user_agent`; a query takes at most `timeout` seconds."""
        self.pauses = Pauses()
        self._url, self._timeout = url, timeout
        client.HEADERS["User-Agent"] = user_agent  # the package has no argument for it

    async def rows(self, ids: Sequence[str]) -> dict[str, list[Row]]:
        """Return the rows of each item; an item that the service does not know has none.

        Raises:
            CallFailedError: no result, or one that ends in the middle.
            EndpointError: the service refuses us.
        """
        await self.pauses.over()
        query = write_query(ids)
        try:
            records = await asyncio.to_thread(client.query, query, timeout=self._timeout, endpoint=self._url)
        except Exception as error:
            failure = _meaning(error, self._url)
            if isinstance(failure, CallFailedError):
                self.pauses.hold(failure.retry_after)
            raise failure from error
        found: defaultdict[str, list[Row]] = defaultdict(list)
        for record in records:
            found[record["item"]].append({key: value for key, value in _plain(record).items() if key != "item"})
        return {qid: found[qid] for qid in ids}


def _plain(record: Mapping[str, object]) -> Row:
    return {key: str(value) for key, value in record.items()}


def _meaning(error: Exception, url: str) -> Exception:
    """Return what an error of the package means for the runner."""
    said = f"{type(error).__name__}: {str(error)[:200]}"
    reply = getattr(error, "response", None)
    if isinstance(error, requests.HTTPError) and reply is not None:
        failure = status_failure(reply.status_code, reply.text, retry_after(reply.headers), url)
        return failure or CallFailedError("http", said, again=True)
    if isinstance(error, requests.Timeout):
        return CallFailedError("timeout", said, again=True)
    if isinstance(error, requests.JSONDecodeError):  # a page of HTML, or a result that ends in a stack trace
        return CallFailedError("not_json", f"{url} sent no complete JSON: {said}", again=True)
    if isinstance(error, requests.RequestException):
        return CallFailedError("connection", said, again=True)
    if isinstance(error, KeyError | TypeError | AttributeError):
        return CallFailedError("shape", f"{url} sent a result of an unknown form: {said}", again=True)
    return error
