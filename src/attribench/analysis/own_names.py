"""Whether a quote gives its author or its work away."""

import re
from collections.abc import Iterable, Sequence

from attribench.text import fold, normal_form

_SUFFIX = re.compile(r",? (?:Jr|Sr|Jnr|Snr|II|III|IV)\.?$", re.IGNORECASE)
_SHORTEST_SURNAME = 4
_SHORTEST_TITLE = 2
"""Words in the shortest title of a work that is looked for: most words are titles."""


def names_author(quote: str, author: str, aliases: Iterable[str], not_telling: frozenset[str]) -> bool:
    """Return whether `quote` holds a name of its author.

    A whole name or alias counts in any spelling of one normal form. A surname alone counts where
    it is written with a capital, has four letters or more and is not in `not_telling`.

    Args:
        quote: the text.
        author: the author's name.
        aliases: further names of the author.
        not_telling: words that are names and something else, folded: given names, common words.
    """
    text = f" {normal_form(quote)} "
    names = [name for name in (author, *aliases) if name]
    whole = (normal_form(name) for name in names)
    if any(f" {name} " in text for name in whole if " " in name or (name not in not_telling and len(name) > 3)):
        return True
    surnames = {_SUFFIX.sub("", name).split()[-1] for name in names if len(name.split()) > 1}
    return any(_stands_in(surname, quote) for surname in surnames if _is_telling(surname, not_telling))


def _is_telling(surname: str, not_telling: frozenset[str]) -> bool:
    return len(surname) >= _SHORTEST_SURNAME and surname[0].isupper() and fold(surname) not in not_telling


def _stands_in(surname: str, quote: str) -> bool:
    return surname in quote and re.search(rf"\b{re.escape(surname)}\b", quote) is not None


def names_work(quote: str, work: str | None) -> bool | None:
    """Return whether `quote` holds the title of its work, a title of two words or more; None where no work is known."""
    title = fold(work) if work else ""
    if not title:
        return None
    return len(title.split()) >= _SHORTEST_TITLE and f" {title} " in f" {fold(quote)} "


def openings(texts: Sequence[str], n_words: int) -> list[str]:
    """Return the first `n_words` of each text, without case, marks and punctuation: what repeats have in common."""
    longest = 40 * n_words  # letters beyond which no opening reaches, so that long texts cost no more than short ones
    return [" ".join(fold(text[:longest]).split(" ")[:n_words]) for text in texts]
