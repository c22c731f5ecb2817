"""Bylines: the author's own name at the end of a quote (Berman et al. 2026, App. A.3.4)."""

import re
from collections.abc import Iterable

from attribench.text import fold, normal_form

_DASH = r"[-‐‑‒–—―−~∼〜*•|_=/\\]+"
_TAIL = re.compile(
    rf"^(?P<quote>.*?\S)\s*(?:{_DASH}\s*(?:by\s+)?|[(\[{{]\s*(?:[-–—―~]\s*)?(?:(?:quote[ds]?\s+)?by:?\s+)?|(?<=[\s.!?\"”’'])(?:[Bb][Yy]|[Aa]uthor|[Qq]uoted?(?: by)?)\s*:?\s+|(?<=[.!?\"”…])\s*)"
    r"(?P<name>[^()\[\]{}]{2,90}?)\s*[)\]}\"”.,~*-]*\s*$",
    re.S,
)
_REACH = 110
_INITIALS = re.compile(rf"{_DASH}\s*(?:[^\W\d_]\.?\s?){{2,4}}[)\]]?$")


def without_byline(quote: str, names: Iterable[str]) -> str:
    """Return `quote` without the byline at its end, if that names one of `names`, else as it is.

    ``… - Name``, ``… ~Name``, ``… ― Name, Work``, ``… (by Name)``, ``… (Name)``, ``… by Name``
    and ``… .Name`` are bylines; a byline may give the surname or the initials alone after a
    dash or in parentheses. The name of anybody else is part of the quote.
    """
    forms = [form for name in names if (form := normal_form(name))]
    shortened = quote
    for start in _starts(quote):
        match = _TAIL.match(quote[start:])
        if match and _names_author(match, quote[start:], forms):
            shortened = (quote[:start] + match["quote"]).rstrip(" \t\n\r-–—―~*|_(")
            break
    return shortened if fold(shortened) else quote


def without_bylines(quotes: list[str], authors: list[str], aliases: list[list[str]]) -> list[str]:
    """Return each quote without a byline that names its author; an untouched one is the same object."""
    surnames = {author: _surnames(author) for author in set(authors)}
    texts = []
    for quote, author, others in zip(quotes, authors, aliases, strict=True):
        end = quote[-_REACH:].lower()
        if any(name in end for name in surnames[author]) or _INITIALS.search(end[-14:]):
            quote = without_byline(quote, (author, *others))
        texts.append(quote)
    return texts


def _surnames(author: str) -> tuple[str, ...]:
    """Return the last word of the name, as written and folded: without it in sight there is no byline."""
    surname = author.split()[-1].strip(".,").lower()
    return tuple({name for name in (surname, fold(surname).split(" ")[-1]) if name}) or ("",)


def _starts(quote: str) -> list[int]:
    """Return where to begin the search: near the end, so that the first separator is the byline's."""
    floor = max(0, len(quote) - _REACH)
    marks = [m.start() for m in re.finditer(rf"{_DASH}|[(\[{{]|\b[Bb][Yy]\b|[.!?\"”…](?=\s*\S)|\b[Qq]uote|\b[Aa]uthor", quote[floor:])]
    return [max(0, floor + mark - 1) for mark in marks if floor + mark > 1]


def _names_author(match: re.Match[str], text: str, forms: list[str]) -> bool:
    separator = text[match.end("quote") : match.start("name")]
    named = normal_form(re.split(r"[,:;]|\s[-–—―]\s|[\"“]|\s\d{4}", match["name"].strip(), maxsplit=1)[0])
    marked = bool(separator.strip())
    for form in forms:
        parts = form.split()
        if named == form and (marked or len(parts) > 1):
            return True
        if marked and len(parts) > 1 and named == parts[-1] and len(named) > 3:
            return True
        if marked and len(parts) > 1 and named.replace(" ", "") == "".join(p[0] for p in parts):
            return True
    return False
