"""What Wikidata says about one item, read from either of its two shapes.

The action API sends an item as JSON with claims; the query service sends rows of one statement
each. Both become an `Item`, whose `values` follow Wikidata's own rule: the preferred statements if
there are any, else the normal ones, never the deprecated ones.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

HUMAN, GENDER, ETHNIC_GROUP, OCCUPATION, BORN, DIED = "P31", "P21", "P172", "P106", "P569", "P570"
PROPERTIES = (HUMAN, GENDER, ETHNIC_GROUP, OCCUPATION, BORN, DIED)
LANGUAGES = ("en", "en-gb", "en-ca", "en-us", "mul", "de", "es", "fr", "it", "nl", "pl", "pt", "sv")
"""The languages whose labels are fetched: English, the language-neutral `mul`, and large ones in Latin script."""
_YEAR = 9
"""The precision of a date of which the year is known."""
_QID = re.compile(r"Q[1-9]\d*")


def is_qid(value: object) -> bool:
    """Return whether `value` is the id of an item; the address of an unknown value is not."""
    return isinstance(value, str) and _QID.fullmatch(value) is not None


@dataclass(frozen=True)
class Statement:
    """One statement: `value` is a QID or a date, None where there is none on record.

    `is_none` tells the record that there is no value (novalue) from the one that it is not known (somevalue).
    `precision` is that of a date: 11 is a day, 9 a year, 8 a decade, 7 a century.
    """

    value: str | None
    rank: str
    is_none: bool = False
    precision: int | None = None


@dataclass
class Item:
    """One item. `qid` is its present id, `asked` the one it was asked for under (another after a merge)."""

    qid: str
    asked: str
    statements: dict[str, list[Statement]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)
    sitelinks: int = 0
    missing: bool = False

    def values(self, name: str) -> list[str]:
        """Return the known values of a property among its best-rank statements, each once."""
        best = best_rank(self.statements.get(name, []))
        return list(dict.fromkeys(statement.value for statement in best if statement.value is not None))

    def has_unknown(self, name: str) -> bool:
        """Return whether a best-rank statement of a property says that the value is unknown."""
        best = best_rank(self.statements.get(name, []))
        return any(statement.value is None and not statement.is_none for statement in best)

    def has_none(self, name: str) -> bool:
        """Return whether a best-rank statement of a property says that there is no value."""
        return any(statement.is_none for statement in best_rank(self.statements.get(name, [])))

    @property
    def name(self) -> str | None:
        """The name to show (see `choose_label`)."""
        return choose_label(self.labels)


def best_rank(statements: Iterable[Statement]) -> list[Statement]:
    """Return the preferred statements if there are any, else the normal ones."""
    given = list(statements)
    return [s for s in given if s.rank == "preferred"] or [s for s in given if s.rank == "normal"]


def choose_label(labels: Mapping[str, str]) -> str | None:
    """Return the label in English, else a variety of English, else `mul`, else any in Latin script."""
    english = sorted(language for language in labels if language.startswith("en-"))
    for language in ("en", *english, "mul"):
        if labels.get(language):
            return labels[language]
    return next((labels[language] for language in sorted(labels) if _is_latin(labels[language])), None)


def item_from_json(asked: str, found: Mapping[str, Any]) -> Item:
    """Read an item as wbgetentities sends it under the id `asked`."""
    if "missing" in found:  # its value is the empty string
        return Item(asked, asked, missing=True)
    claims = found.get("claims") or {}
    labels = found.get("labels") or {}
    aliases = found.get("aliases") or {}
    names = [entry["value"] for language in _languages(aliases) for entry in aliases[language]]
    return Item(
        qid=found.get("id", asked),
        asked=asked,
        statements={name: [_statement(claim) for claim in claims[name]] for name in PROPERTIES if name in claims},
        labels={language: entry["value"] for language, entry in dict(labels).items()},
        aliases=list(dict.fromkeys(names)),
        sitelinks=len(found.get("sitelinks") or {}),
    )


def item_from_rows(qid: str, rows: Iterable[Mapping[str, str]]) -> Item:
    """Read an item from the rows of the query service (see `attribench.demographics.wikidata_sparql`)."""
    item = Item(qid, qid)
    aliases: list[tuple[str, str]] = []
    for row in rows:
        kind, value = row.get("kind", ""), row.get("value")
        if kind in PROPERTIES:
            known = value if value is not None and (is_qid(value) or _is_date(kind, value)) else None
            rank = row.get("rank", "").removeprefix("http://wikiba.se/ontology#").removesuffix("Rank").lower()
            # An unknown value has the address of a blank node; where there is none, there is no address.
            precision = int(row["precision"]) if "precision" in row else None
            statement = Statement(known, rank, is_none=value is None, precision=precision)
            item.statements.setdefault(kind, []).append(statement)
        elif value is None:
            continue
        elif kind == "label":
            item.labels[row.get("language", "")] = value
        elif kind == "alias":
            aliases.append((row.get("language", ""), value))
        elif kind == "sitelinks":
            item.sitelinks = int(float(value))
    item.statements = {
        name: sorted(found, key=lambda s: (s.value or "", s.rank)) for name, found in item.statements.items()
    }
    ranked = {language: number for number, language in enumerate(_languages(dict(aliases)))}
    item.aliases = list(dict.fromkeys(value for _, value in sorted(aliases, key=lambda a: (ranked[a[0]], a[1]))))
    return item


def year(date: str) -> int:
    """Return the year of a date as Wikidata writes it; negative before the common era."""
    match = re.match(r"[+-]?\d+", date)
    if match is None:
        raise ValueError(f"'{date}' is no date")
    return int(match.group())


def birth_year(item: Item) -> int | None:
    """Return the year in which a person was born; None where none is on record, several are, or only the decade is."""
    best = best_rank(item.statements.get(BORN, []))
    years = {year(one.value) for one in best if one.value is not None and (one.precision or _YEAR) >= _YEAR}
    return years.pop() if len(years) == 1 else None


def _statement(claim: Mapping[str, Any]) -> Statement:
    snak = claim.get("mainsnak") or {}
    value = (snak.get("datavalue") or {}).get("value")  # there is none for somevalue and novalue
    known: str | None = None
    precision = value.get("precision") if isinstance(value, Mapping) else None
    if isinstance(value, Mapping) and snak.get("snaktype", "value") == "value":
        known = value.get("id") or value.get("time")
        if known is None and "numeric-id" in value:
            known = f"Q{value['numeric-id']}"
        known = known.removeprefix("+") if known else None
    is_none = snak.get("snaktype") == "novalue"
    return Statement(known, claim.get("rank", "normal"), is_none=is_none, precision=precision)


def _languages(given: Mapping[str, Any]) -> list[str]:
    """Return English, its varieties and `mul`, in this order, as far as they are there; then the others."""
    english = [language for language in sorted(given) if language.startswith("en-")]
    first = [language for language in ("en", *english, "mul") if language in given]
    return [*first, *(language for language in sorted(given) if language not in first)]


def _is_date(kind: str, value: str) -> bool:
    return kind in (BORN, DIED) and re.match(r"[+-]?\d+-\d\d-\d\d", value) is not None


def _is_latin(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return bool(letters) and all(unicodedata.name(c, "").startswith("LATIN") for c in letters)
