"""Cells that name a person beside a work or a role: ``Al Pacino in Scent of a Woman``.

Berman et al. 2026, App. A.3.1: "If an author preceded these prepositions, we trimmed the
author name rather than removing the row."
"""

import re
from dataclasses import dataclass

from attribench.corpus.name_format import tidy
from attribench.corpus.word_lists import folded, words


@dataclass(frozen=True)
class Role:
    """The `person` of a cell, and the `work` that stands beside the name, if any."""

    person: str
    work: str | None


_NAME = r"(?:[A-Z][\w'’.-]*|de|van|von|la|le|der|al|bin)"
_PERSON = rf"(?P<person>(?:Dr\.? |Mr\.? |Mrs\.? )?[A-Z][\w'’.-]*(?: {_NAME}){{1,3}}?)"
_AFTER_PERSON = (
    re.compile(rf"^{_PERSON}['’]s? character\b.*?(?:\b(?:in|from)\b (?P<work>.+))?$"),
    re.compile(rf"^{_PERSON},? (?:in|from|on) (?P<work>[\"“'‘A-Z0-9].*)$"),
    re.compile(rf"^{_PERSON},? as (?P<role>[\"“'‘A-Z].*?)(?: (?:in|from) (?P<work>.+))?$"),
    re.compile(rf"^{_PERSON} [\"“](?P<work>[^\"”]+)[\"”]?$"),
    re.compile(rf"^{_PERSON} (?P<work>(?:The|A|An) [A-Z]\w*(?: .+)?)$"),
)
_BEFORE_PERSON = (
    re.compile(rf"^(?P<work>.+?),? (?:played by|portrayed by|spoken by) {_PERSON}$"),
    re.compile(rf"^(?P<work>[A-Z\"“].+?),? by {_PERSON}$"),
)
_VERBS = frozenset(("is", "was", "has", "had", "will", "would", "can", "could", "said", "says", "did", "does", "may"))
_SIGN = re.compile(r"\b(?:in|from|on|as|by|character|The|A|An)\b|[\"“|–—]|-\s|\s-|-The\b")
_DASHED = re.compile(r"^(?P<left>[^–—|-]+?)(?:\s+[–—-]+\s+|\s*\|\s*|\s*[–—]\s*|-(?=The\b))(?P<right>.+)$")


def split_role(text: str) -> Role | None:
    """Return the person and the work of a cell that names both without a comma, else None."""
    text = tidy(text)
    if not _SIGN.search(text):
        return None
    for pattern in _AFTER_PERSON:
        if match := pattern.match(text):
            return Role(match["person"], _work(match["work"]))
    dashed = _DASHED.match(text)
    if dashed and "|" in text and _is_person(tidy(dashed["left"])):
        return Role(tidy(dashed["left"]), tidy(dashed["right"]))
    for pattern in _BEFORE_PERSON:
        if match := pattern.match(text):
            return Role(match["person"], _work(match["work"]))
    if dashed:
        left, right = tidy(dashed["left"]), tidy(dashed["right"])
        if _is_title(left) and _is_person(right):
            return Role(right, left)
        if _is_person(left):
            return Role(left, right)
    return None


def leading_person(text: str) -> str | None:
    """Return the person at the head of a text that goes on without a mark: ``Ann Petry Notes from the Street``.

    The person has a given name and surnames that are no ordinary words; a verb behind them makes a sentence.
    """
    first, *rest = text.split()
    name = [first]
    for place, word in enumerate(rest):
        is_initial = place == 0 and re.fullmatch(r"[A-Z]\.?", word) is not None
        if not is_initial and not (word[:1].isupper() and _is_only(word, "surnames")):
            break
        name.append(word)
    if len(name) < 2 or not _is_only(first, "given_names") or not _is_only(name[-1], "surnames"):
        return None
    following = text.split()[len(name) :]
    return " ".join(name) if following and following[0].lower() not in _VERBS else None


def _is_only(word: str, kind: str) -> bool:
    """Return whether a word is in a list of names and is no ordinary word."""
    return word.isalpha() and folded(word) in words(kind) and folded(word) not in words("common_words")


def _work(text: str | None) -> str | None:
    return (tidy(text) or None) if text else None


def _is_person(text: str) -> bool:
    parts = text.split()
    return 2 <= len(parts) <= 4 and all(p[:1].isupper() for p in parts) and not _is_title(text)


def _is_title(text: str) -> bool:
    parts = [folded(p) for p in text.split()]
    return parts[0] in ("the", "a", "an") or (
        parts[0] not in words("given_names") and all(p in words("common_words") for p in parts)
    )
