"""Bylines: the author's own name at the end of a quote (Berman et al. 2026, App. A.3.4)."""

import re
from collections.abc import Iterable

from attribench.corpus.name_format import SUFFIX
from attribench.corpus.word_lists import folded, words
from attribench.text import fold, normal_form

_DASH = r"[-‐‑‒–—―−~∼〜*•|_=/\\©®]+"
_SEPARATOR = (
    rf"\s*{_DASH}\s*(?:by\s+)?"
    r"|\s*(?:©|\([cC]\)|[Cc]opyright)\s*(?:\d{4}\s*)?(?:by\s+)?"
    r"|\s*[(\[{]\s*(?:[-–—―~©]\s*)?(?:(?:quote[ds]?\s+)?by:?\s+)?"
    r"|(?:\s+|(?<=[.!?\"”’']))(?:[Bb]y|[Aa]uthor|[Qq]uoted?(?: by)?)\s*:?\s+"
    r"|(?<=[.!?\"”…])\s*"
)
_TAIL = re.compile(
    rf"^(?P<quote>.*?\S)(?:{_SEPARATOR})(?P<name>[^\W\d_][^()\[\]{{}}]{{1,89}}?)"
    r"\s*(?:[(\[][^)\]]*[)\]]?)?\s*[)\]}\"”.,~*-]*\s*$",
    re.S,
)
_REACH = 110
_MARK = re.compile(rf"{_DASH}|[(\[{{]|\b[Bb]y\b|(?<=[.!?\"”…])(?=\s*\S)|\b[Qq]uote|\b[Aa]uthor|\b[Cc]opyright")
_HONORIFIC = re.compile(r"^(?:dr|mr|mrs|ms|prof|professor|rev|reverend|sir|dame|president) ")
_INITIALS = re.compile(rf"{_DASH}\s*(?:[^\W\d_]\.?\s?){{2,4}}[)\]]?$")


def without_byline(quote: str, names: Iterable[str]) -> str:
    """Return `quote` without the byline at its end, if that names one of `names`, else as it is.

    ``… - Name``, ``… ~Name``, ``… ― Name, Work``, ``… (by Name)``, ``… (Name)``, ``… by Name``
    and ``… .Name`` are bylines; a byline may give the surname or the initials alone after a
    dash or in parentheses. The name of anybody else is part of the quote.
    """
    written = [spelling for name in names for spelling in (name, _without_suffix(name))]
    forms = [form for spelling in dict.fromkeys(written) if (form := normal_form(spelling))]
    shortened = quote
    for start in _starts(quote):
        match = _TAIL.match(quote[start:])
        if match and _names_author(match, quote[start:], forms):
            shortened = (quote[:start] + match["quote"]).rstrip(" \t\n\r-–—―~*|_(")
            break
    return shortened if fold(shortened) else quote


def without_bylines(quotes: list[str], authors: list[str], aliases: dict[str, list[str]]) -> list[str]:
    """Return each quote without a byline that names its author; an untouched one is the same object.

    Args:
        quotes: the texts.
        authors: the author of each, as shown.
        aliases: further names of authors, by the name as shown.
    """
    surnames = {author: _surnames([author, *aliases.get(author, ())]) for author in set(authors)}
    texts = []
    for quote, author in zip(quotes, authors, strict=True):
        end = quote[-_REACH:].lower()
        end = end if end.isascii() else f"{end} {fold(end)}"
        if any(name in end for name in surnames[author]) or _INITIALS.search(end[-14:]):
            quote = without_byline(quote, (author, *aliases.get(author, ())))
        texts.append(quote)
    return texts


def naming_their_author(quotes: list[str], authors: list[str]) -> list[bool]:
    """Return whether each quote names its author in the text, so that it gives the answer away.

    The surname counts, written with a capital, where it has four letters or more and is
    neither an English word nor a given name; else the whole name has to stand there.
    """
    names = {author: _telling_name(author) for author in set(authors)}
    return [
        names[author] in quote and re.search(rf"\b{re.escape(names[author])}\b", quote) is not None
        for quote, author in zip(quotes, authors, strict=True)
    ]


def _telling_name(author: str) -> str:
    parts = _without_suffix(author).split()
    surname = parts[-1]
    is_word = folded(surname) in words("common_words") or folded(surname) in words("given_names")
    return author if is_word or len(surname) < 4 or not surname[0].isupper() else surname


def _surnames(names: list[str]) -> tuple[str, ...]:
    """Return the last word of each name, as written and folded: without one in sight there is no byline."""
    found = set()
    for name in names:
        surname = _without_suffix(name).split()[-1].strip(".,").lower()
        found |= {surname, fold(surname).split(" ")[-1]}
    return tuple(found - {""}) or ("",)


def _without_suffix(name: str) -> str:
    return re.sub(rf",? {SUFFIX.pattern}$", "", name, flags=re.I) or name


def _starts(quote: str) -> list[int]:
    """Return where to begin the search: at the last letter or mark before each possible separator."""
    floor = max(0, len(quote) - _REACH)
    return [
        len(quote[: mark.start()].rstrip()) - 1
        for mark in _MARK.finditer(quote, floor)
        if quote[: mark.start()].strip()
    ]


def _names_author(match: re.Match[str], text: str, forms: list[str]) -> bool:
    separator = text[match.end("quote") : match.start("name")]
    named = normal_form(re.split(r"[,:;]|\s[-–—―]\s|[\"“]|\s\d{4}", match["name"].strip(), maxsplit=1)[0])
    named = _HONORIFIC.sub("", named)
    marked = bool(separator.strip())
    before = text[match.end("quote") - 1]
    apart = marked and (not before.isalnum() or separator[0].isspace() or separator[0] in "([{")
    for form in forms:
        parts = form.split()
        if named == form and (marked or len(parts) > 1):
            return True
        if apart and len(parts) > 1 and named == parts[-1] and len(named) > 3:
            return True
        if apart and len(parts) > 1 and named.replace(" ", "") == "".join(p[0] for p in parts):
            return True
    return False
