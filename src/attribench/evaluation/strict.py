"""The outcome as the paper words it: whole names as listed, and any author-like name.

Berman et al. 2026, Sec. 5.1: "For M(q), we detect whether any author-like name appears in the
output without restricting to authors in the dataset. To determine whether a(q) ∈ M(q), we match
against the ground-truth author name and known spelling or alias variants using case-insensitive
string matching." The paper does not say what an author-like name is; here it is two or more
capitalised words in a row, initials and particles among them, which is the least that a regular
expression can mean by it. A name matches as whole words only: Plato is not in "platonic".
"""

import re
from collections.abc import Sequence
from functools import lru_cache

_UPPER = "".join(
    chr(c) for c in [*range(0x41, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2000)] if chr(c).isupper()
)
_WORD = rf"[{_UPPER}][\w'’-]+"
_BETWEEN = rf"(?:[{_UPPER}]\.\s*)*(?:(?:de|da|del|della|di|la|le|van|von|der|den|al|el|bin|ibn|y)\s+)*"
AUTHOR_LIKE = re.compile(rf"\b(?:{_WORD}|(?:[{_UPPER}]\.\s*)+)\s+{_BETWEEN}{_WORD}|\b(?:[{_UPPER}]\.\s*)+{_WORD}")


def classify(output: str, author: str, aliases: Sequence[str] = (), quote: str = "") -> str:
    """Return ``correct``, ``incorrect`` or ``none`` for `output`, by the words of the paper; `quote` is not used."""
    names, pattern = _names(author, tuple(aliases))
    # Looking for the letters first is far faster than the pattern, and settles most answers.
    low = output.lower() if names and output.isascii() else ""
    if (not low or any(name in low for name in names)) and pattern.search(output):
        return "correct"
    return "incorrect" if AUTHOR_LIKE.search(output) else "none"


@lru_cache(maxsize=8192)
def _names(author: str, aliases: tuple[str, ...]) -> tuple[tuple[str, ...], re.Pattern[str]]:
    """Return the listed names in lower case, none where one is not in ASCII, and the pattern for them."""
    listed = [name.strip() for name in (author, *aliases) if name.strip()]
    names = "|".join(map(re.escape, listed))
    pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)" if names else r"(?!)", re.IGNORECASE)
    return tuple(name.lower() for name in listed) if all(map(str.isascii, listed)) else (), pattern
