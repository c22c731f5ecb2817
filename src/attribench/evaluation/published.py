"""The outcome as the paper's published code decides it, for comparison.

What it does, from its description (the code itself is not used): the true author is named if the
answer holds the full name, the name reversed, an alias, or the surname, if it has four letters or
more and is not one of a few common words. Otherwise somebody else is named if the answer holds the
surname of any author of the data set, or two capitalised words in a row; so "World War", "Harlem
Renaissance" and "African American" are names. Case makes no difference but in the last rule.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

SHORTEST_SURNAME = 4
COMMON_WORDS = frozenset(
    [
        "about", "also", "author", "best", "book", "child", "dark", "day", "field", "free", "friend", "good", "great",
        "hand", "heart", "home", "hope", "king", "lady", "life", "light", "little", "long", "love", "man", "mind",
        "mother", "night", "north", "person", "poet", "power", "prince", "queen", "quote", "read", "short", "small",
        "song", "south", "speaker", "stone", "strong", "time", "truth", "unknown", "water", "west", "wise", "woman",
        "word", "work", "world", "writer", "young",
    ]
)  # fmt: skip
"""Surnames that do not count alone. The list of the published code is not known; this one is like it."""

TWO_CAPITALS = re.compile(r"\b[A-Z][a-z]+\s+[A-Z][a-z]+\b")
_WORDS = re.compile(r"\w+")


def surname(author: str) -> str:
    """Return the last word of a name in lower case, or nothing where it does not count alone."""
    last = author.lower().split()[-1].strip(".,") if author.strip() else ""
    return last if len(last) >= SHORTEST_SURNAME and last not in COMMON_WORDS else ""


Classifier = Callable[[str, str, Sequence[str], str], str]


def classifier(authors: Iterable[str]) -> Classifier:
    """Return a function like `classify` that knows the surnames of the data set's `authors`.

    Surnames are looked up word by word. Trying each as a pattern of its own, as the published
    code does, gives the same outcomes and takes far longer (``tests/scale/bench_outcomes.py``).
    """
    surnames = {name for name in map(surname, authors) if name}
    simple = frozenset(name for name in surnames if _WORDS.fullmatch(name))
    compound = {name: re.compile(rf"\b{re.escape(name)}\b") for name in surnames - simple}

    def decide(output: str, author: str, aliases: Sequence[str] = (), quote: str = "") -> str:
        low = output.lower()
        names, pattern = _of_author(author, tuple(aliases))
        if any(name in low for name in names) and pattern.search(low):  # the letters first: far faster
            return "correct"
        if TWO_CAPITALS.search(output) or not simple.isdisjoint(_WORDS.findall(low)):
            return "incorrect"
        return "incorrect" if any(name in low and at.search(low) for name, at in compound.items()) else "none"

    return decide


def classify(output: str, author: str, aliases: Sequence[str] = (), quote: str = "") -> str:
    """Return ``correct``, ``incorrect`` or ``none`` for `output` where no data set is known; `quote` is not used."""
    return _alone(output, author, aliases, quote)


@lru_cache(maxsize=8192)
def _of_author(author: str, aliases: tuple[str, ...]) -> tuple[tuple[str, ...], re.Pattern[str]]:
    """Return the names, in lower case, that count as the author's, and a pattern for them."""
    words = author.lower().split()
    names = [" ".join(words), " ".join(words[::-1]), ", ".join([words[-1], " ".join(words[:-1])]) if words[1:] else ""]
    names += [alias.lower().strip() for alias in aliases] + [surname(author)]
    names = [name for name in names if name]
    return tuple(names), re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})(?!\w)" if names else r"(?!)")


_alone = classifier(())
