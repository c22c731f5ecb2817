"""Does an answer name the true author, somebody else, or nobody?

The three outcomes of Berman et al. 2026, Sec. 3: with M(q) the persons an answer presents as
author, speaker or source, ``correct`` where the true author is in M(q), ``incorrect`` where only
others are, ``none`` where M(q) is empty. The rules are those of ``docs/outcomes.md``::

    >>> classify("The line is by Toni Morrison.", "Toni Morrison")
    'correct'
    >>> classify("It was not written by Toni Morrison.", "Toni Morrison")
    'none'
"""

from collections.abc import Sequence
from typing import NamedTuple

from attribench.evaluation.known import NOBODY_KNOWN, Known
from attribench.evaluation.mentions import Found, find
from attribench.evaluation.variants import identity


class Mention(NamedTuple):
    """A name in an answer: the text, where it stands, whether it is the true author's, and the rule that decided."""

    text: str
    start: int
    end: int
    is_author: bool
    rule: str


class Explanation(NamedTuple):
    """An outcome, the names it rests on, and the names passed over, each with the rule that decided."""

    outcome: str
    mentions: tuple[Mention, ...]
    passed_over: tuple[Mention, ...]


_NOBODY = Explanation("none", (), ())


def classify(
    output: str, author: str, aliases: Sequence[str] = (), quote: str = "", known: Known = NOBODY_KNOWN
) -> str:
    """Return ``correct``, ``incorrect`` or ``none`` for the answer `output` to a question about `quote`.

    `author` is the true author, `aliases` the other names that count as the author's; `known` are names of
    persons (`known.known_names`), which count as such whatever their words mean.
    """
    return _outcome(find(output, identity(author, tuple(aliases)), quote, known))


def explain(
    output: str, author: str, aliases: Sequence[str] = (), quote: str = "", known: Known = NOBODY_KNOWN
) -> Explanation:
    """Return the outcome of `output` (as `classify`) with the names that decided it and those passed over.

    Places are offsets into `output`.
    """
    found = find(output, identity(author, tuple(aliases)), quote, known)
    if not found:
        return _NOBODY
    seen = [(Mention(output[f.start : f.end], f.start, f.end, f.is_author, f.why or f.rule), not f.why) for f in found]
    return Explanation(
        _outcome(found),
        tuple(mention for mention, counts in seen if counts),
        tuple(mention for mention, counts in seen if not counts),
    )


def _outcome(found: list[Found]) -> str:
    named = [f.is_author for f in found if not f.why]
    return "none" if not named else "correct" if any(named) else "incorrect"
