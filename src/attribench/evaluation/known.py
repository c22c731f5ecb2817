"""The names of a data set's authors, which are persons whatever their words mean: Future, Meek Mill, bell hooks.

Without them, a name made of ordinary words or written without capitals would be overlooked where it is
named as somebody else, and such names are commoner among some groups than among others.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from attribench.evaluation import names
from attribench.evaluation.personal import ODD
from attribench.evaluation.variants import folded_words
from attribench.evaluation.words import kinds
from attribench.text import fold


class Known(NamedTuple):
    """Names of persons: `words`, each in folded words; `written`, as they stand or in capitals, those no run shows."""

    words: frozenset[tuple[str, ...]] = frozenset()
    written: tuple[str, ...] = ()


NOBODY_KNOWN = Known()
_CAPITAL_AFTER = re.compile(r" [^\W\d_a-z]")


def known_names(authors: Iterable[str]) -> Known:
    """Return the names of `authors` in the form that `outcomes.classify` and `outcomes.explain` take."""
    listed = [name for name in authors if name.strip()]
    words = {form for name in listed for form in (folded_words(name), tuple(fold(name).split())) if form}
    unusual = filter(_is_unusual, listed)
    return Known(frozenset(words), tuple(dict.fromkeys(form for name in unusual for form in (name, name.upper()))))


def _is_unusual(name: str) -> bool:
    """Tell whether no run of capitalised words is the whole of `name`, and it is no ordinary word."""
    found = names.runs(name)
    is_run = len(found) == 1 and found[0][0].start == 0 and names.suffix_end(name, found[0][-1].end) == len(name)
    words = fold(name).split()
    return bool(words) and not is_run and not (len(words) == 1 and kinds(words[0]) & ODD)


def written_names(text: str, known: Known) -> list[tuple[int, int]]:
    """Return where a name of `known.written` stands in `text`, unless a capitalised word goes on after it."""
    found = []
    for form in known.written:
        start = text.find(form)
        while start >= 0:
            end = start + len(form)
            whole = not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum()
            if whole and not _CAPITAL_AFTER.match(text, end):
                found.append((start, end))
            start = text.find(form, end)
    return found
