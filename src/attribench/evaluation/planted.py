"""Planted truth: answers whose outcome is known, since they are made from templates and names.

A classifier that overlooks the names of one group more often than another's makes a disparity by
itself. Here every author of a benchmark is put into the same sentences, once as the true author
and once as somebody else, so that its errors can be counted by group, with as many answers as
wanted and nothing labelled by hand.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from attribench.text import fold

COLUMNS = ["quote_id", "text", "expected", "role", "subject", "kind", "variant", "form"]

NAMED: Mapping[str, Sequence[str]] = {
    "bare": ("{name}", "{name}.", "The author is {name}.", "— {name}", "Author: {name}", "It's {name}, I believe."),
    "by": (
        "This line is by {name}.",
        'The quote "{quote}" is by {name}, who wrote it late in life.',
        "It is attributed to {name}, although the source is not certain.",
        "These words were first spoken by {name} at a meeting in 1967.",
        "The passage comes from an essay by {name} on freedom and memory.",
    ),
    "subject": (
        "{name} wrote this in a letter to a friend.",
        "In this passage, {name} reflects on love and loss.",
        "As {name} once put it, nothing is lost for ever.",
        "{name} said this in an interview about growing up poor.",
        "The context is a speech in which {name} urged the crowd to stay calm.",
    ),
    "possessive": (
        "It is from {name}'s novel *The Long Winter*.",
        "{name}'s essay on exile contains this line.",
        "The words are {name}'s.",
    ),
    "repeated quote": ('"{quote}" - {name}', '"{quote}"\n\n— {name}, *Collected Essays*'),
    "evidence": ('The first example, "{quote}" - {name} (similarity: 1.0000), is the quote itself.',),
}
"""Sentences that name a person as author, by kind."""

BESIDE: Mapping[str, Sequence[str]] = {
    "two authors": (
        "Often attributed to {other}, it was in fact written by {name}.",
        "It was not {other} but {name} who wrote it.",
        "Either {name} or {other} said this.",
    ),
}
"""Sentences that name another person too; whether that counts makes no difference where {name} is the true author."""

PASSED_OVER: Mapping[str, Sequence[str]] = {
    "denied": (
        "It was not written by {name}.",
        "{name} never said this.",
        "The line is wrongly attributed to {name}; its author is unknown.",
    ),
    "setting": (
        "It was written shortly after the death of {name}.",
        "The poem is addressed to {name}.",
        "It was translated by {name} in 1985.",
        "The speech was given during the presidency of {name}.",
    ),
    "named after": ("It was read aloud at the {name} Memorial Library.", "A street called {name} Avenue runs there."),
}
"""Sentences in which a person is named and is no author: nobody is."""

NOBODY: Mapping[str, Sequence[str]] = {
    "unknown": ("The author of this quote is unknown.", "I do not know who wrote this.", "Anonymous", "A proverb."),
    "context": (
        "It was written during the Second World War, when many families had to leave their homes.",
        "The quote reflects the ideals of the Civil Rights Movement in the United States.",
        "An American poet wrote this in New York in the 1950s.",
        'The quote "{quote}" is about hope and the passing of time.',
    ),
}
"""Sentences that name nobody."""

_PARTICLES = re.compile(r" (?:de|da|do|dos|del|della|di|du|la|le|van|von|der|den|el|al|ibn|bin|bint|wa|y|e|ter|af|av) ")
_LOWER = frozenset(
    [
        "de",
        "da",
        "do",
        "dos",
        "del",
        "di",
        "du",
        "la",
        "van",
        "von",
        "der",
        "den",
        "al",
        "ibn",
        "bin",
        "wa",
        "y",
        "of",
        "the",
    ]
)
_SUFFIX = re.compile(r",? (?:Jr|Sr|II|III|IV|fils|père)\.?$")
_FORMS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("single", lambda name: " " not in name),
    ("suffix", _SUFFIX.search),
    ("digits or lower case", lambda name: any(c.isdigit() for c in name) or not name[:1].isupper()),
    ("particle", lambda name: _PARTICLES.search(name) or re.search(r"\b(?:al|el|ul)-", name, re.IGNORECASE)),
    ("marks", lambda name: not name.isascii() and _without_marks(name) != name),
    ("hyphen or apostrophe", re.compile(r"[-'’]").search),
    ("initials", re.compile(r"\b[A-Z]\.").search),
)


def planted_answers(benchmark: pd.DataFrame, *, rng: np.random.Generator, per_author: int) -> pd.DataFrame:
    """Return answers with known outcome about every author of `benchmark`.

    Args:
        benchmark: columns `quote_id`, `author_id`, `author`, `aliases` and `quote`, as in BENCHMARK.
        rng: draws sentences, quotes and the other authors.
        per_author: answers in each of three roles, for each author.

    Returns:
        One row per answer: `quote_id` (of the question that it answers), `text`, `expected`
        (`correct`, `incorrect` or `none`), `role` (what its subject is: `author`, the true one;
        `other`, named in answer to a question about another author; `nobody`, the true author, whose
        name is not there), `subject` (an `author_id`: whose group an error is counted for), `kind` of
        sentence, `variant` in which the name is written (empty for nobody), and `form` of the subject's name
        (`name_form`). The outcome follows from the template: nobody judged the text.
    """
    ids_of, names_of, texts = (benchmark[name].astype(str).tolist() for name in ("author_id", "author", "quote"))
    quote_ids, aliases_of = benchmark["quote_id"].astype(str).tolist(), benchmark["aliases"].tolist()
    quotes: dict[str, list[int]] = {}
    for number, author in enumerate(ids_of):
        quotes.setdefault(author, []).append(number)
    names = {author: names_of[places[0]] for author, places in quotes.items()}
    words = {author: _words(names[author], aliases_of[places[0]]) for author, places in quotes.items()}
    ids = list(quotes)
    rows: list[tuple[str, ...]] = []
    own: list[int | None]
    for subject, name in names.items():
        own = [*_places(quotes[subject], per_author, rng)]
        others = [_stranger(ids, words, subject, rng) for _ in range(per_author)]
        far = [_places(quotes[other], 1, rng)[0] if other else None for other in others]
        for role, places in (("author", own), ("other", far), ("nobody", own)):
            sentences = _sentences(role, per_author, rng)
            for place, other, (kind, template) in zip(places, others, sentences, strict=True):
                if place is None or (other is None and "{other}" in template):
                    continue
                variant, written = _written(name, role, kind, rng)
                text = template.format(name=written, quote=texts[place], other=names.get(other or "", ""))
                expected = _expected(role, kind)
                rows.append((quote_ids[place], text, expected, role, subject, kind, variant, name_form(name)))
    return pd.DataFrame(rows, columns=COLUMNS)


def name_form(name: str) -> str:
    """Return what is special about the form of `name`: the first of `_FORMS` that holds, else `plain`."""
    return next((form for form, holds in _FORMS if holds(name)), "plain")


def _expected(role: str, kind: str) -> str:
    if role == "nobody" or kind in PASSED_OVER:
        return "none"
    return "correct" if role == "author" else "incorrect"


def _sentences(role: str, count: int, rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Yield kinds and templates: each template once, in random order, before any comes again."""
    kinds = {"author": {**NAMED, **BESIDE, **PASSED_OVER}, "other": {**NAMED, **PASSED_OVER}, "nobody": NOBODY}[role]
    pool = [(kind, template) for kind, templates in kinds.items() for template in templates]
    for number in range(count):
        if number % len(pool) == 0:
            order = rng.permutation(len(pool))
        yield pool[order[number % len(pool)]]


def _places(places: Sequence[int], count: int, rng: np.random.Generator) -> list[int]:
    return [places[i] for i in rng.integers(len(places), size=count)]


def _stranger(
    ids: Sequence[str], words: Mapping[str, frozenset[str]], subject: str, rng: np.random.Generator
) -> str | None:
    """Return another author, none of whose names shares a word with the subject's; None if there is none."""
    for place in rng.integers(len(ids), size=20):
        other = ids[int(place)]
        if not words[other] & words[subject]:
            return other
    return next((other for other in ids if not words[other] & words[subject]), None)


def _words(author: str, aliases: Sequence[str]) -> frozenset[str]:
    return frozenset(word for name in (author, *aliases) for word in fold(name).split())


def _written(name: str, role: str, kind: str, rng: np.random.Generator) -> tuple[str, str]:
    """Return how a name is written, and the name written so; as listed in half of the answers."""
    if role == "nobody":
        return "", ""
    if kind == "named after":  # what is named after a person is spelt with capitals
        name = " ".join(word if word in _LOWER else word[:1].upper() + word[1:] for word in name.split())
    ways = [("as listed", name)] * 4 + [("bold", f"**{name}**"), ("capitals", name.upper())]
    if _without_marks(name) != name:
        ways += [("without marks", _without_marks(name))] * 2
    if kind in PASSED_OVER or role != "author":
        return ways[rng.integers(len(ways))]
    parts = name.split()
    if parts[-1] in ("Jr.", "Jr"):  # other suffixes tell a person from a relative
        ways.append(("without suffix", " ".join(parts[:-1]).rstrip(",")))
    ways.append(("lower case", name.lower()))
    if len(parts) == 2 and all(len(part) > 1 and part.isalpha() and part.istitle() for part in parts):
        ways.append(("initial", f"{parts[0][0]}. {parts[1]}"))
        if kind == "bare":
            ways.append(("family name first", f"{parts[1]}, {parts[0]}"))
    return ways[rng.integers(len(ways))]


def _without_marks(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
