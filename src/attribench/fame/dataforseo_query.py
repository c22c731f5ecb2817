"""What is sent to DataForSEO: the query for a name, what it must not be, and what it costs.

Source: https://docs.dataforseo.com/v3/serp/google/organic/live/regular
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from attribench.errors import ConfigError
from attribench.ledger.store import Question
from attribench.text import normal_form

LONGEST = 700
"""Longest keyword that the service takes, in characters as sent."""

OPERATOR_FACTOR = 5
"""What a search operator in the keyword multiplies the price by."""

DEPTH = 10
"""Results per page. Always sent, since the price depends on it and its default has changed."""

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_REFUSED = re.compile(r"\bcache:", re.IGNORECASE)
_OPERATORS = re.compile(
    r"\b(allinanchor|allintext|allintitle|allinurl|define|definition|filetype|id|inanchor|info|intext|intitle|inurl"
    r"|link|related|site):",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Search:
    """How names are searched for: `query` is the keyword with {name} where the name goes."""

    url: str
    query: str
    location_code: int
    language_code: str

    def keyword(self, name: str) -> str:
        """Return the keyword for `name` as it is sent: doubled spaces and quotation marks out, % and + encoded."""
        plain = " ".join(name.replace('"', " ").split())
        return self.query.replace("{name}", plain).replace("%", "%25").replace("+", "%2B")

    def question(self, name: str, sample: int) -> Question:
        """Return the question of the ledger: the same for every spelling with one normal form."""
        return Question(
            {
                "service": "dataforseo",
                "url": self.url,
                "name": normal_form(name),
                "query": self.query,
                "location_code": self.location_code,
                "language_code": self.language_code,
                "depth": DEPTH,
                "sample": sample,
            }
        )

    def body(self, keyword: str) -> list[Mapping[str, Any]]:
        """Return the body of one call: the live endpoint takes one task, in a list."""
        return [
            {
                "keyword": keyword,
                "location_code": self.location_code,
                "language_code": self.language_code,
                "device": "desktop",
                "os": "windows",
                "depth": DEPTH,
            }
        ]


def check_search(search: Search) -> None:
    """Raise ConfigError where no name could be asked as `search` says, or the account would be shown to others."""
    if "{name}" not in search.query:
        raise ConfigError(
            f"'fame.dataforseo.query' is '{search.query}', but must hold {{name}} where the author's name goes."
        )
    if _REFUSED.search(search.query):
        raise ConfigError(
            f"'fame.dataforseo.query' is '{search.query}': DataForSEO refuses queries with 'cache:'. "
            "Leave the operator out."
        )
    address = urlsplit(search.url)
    if address.username or address.password:
        raise ConfigError(
            "'fame.dataforseo.url' holds a login. Take it out: login and password are read from the environment "
            "alone (DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD)."
        )
    if address.scheme != "https" and address.hostname not in _LOOPBACK:
        raise ConfigError(
            f"'fame.dataforseo.url' is '{search.url}', which would send the password unencrypted. Use https."
        )


def why_not(name: str, keyword: str) -> str:
    """Return why `keyword`, made from `name`, cannot be sent, or ""."""
    if not normal_form(name):
        return "the name has no letters"
    if len(keyword) > LONGEST:
        return f"the query has {len(keyword)} characters, more than the {LONGEST} that the service takes"
    if _REFUSED.search(keyword):
        return "the query holds 'cache:', which the service refuses"
    return ""


def price(keyword: str, usd_per_call: float) -> float:
    """Return what asking for `keyword` once is expected to cost, in USD."""
    return usd_per_call * (OPERATOR_FACTOR if _OPERATORS.search(keyword) else 1)
