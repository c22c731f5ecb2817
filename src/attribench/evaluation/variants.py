"""Whether a name means the author: other spellings, orders, initials, a surname alone.

The rules hold for every author alike; nothing is known of a single person but the name and the
aliases passed in (Berman et al. 2026, Sec. 5.1, match "the ground-truth author name and known
spelling or alias variants").
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from attribench.evaluation.spelling import alike, letters, same_by_sound
from attribench.evaluation.words import Kind, group, kinds
from attribench.text import fold, normal_form

PARTICLES = group("particles")
FAMILY_FIRST = group("family_first")
"""Chinese, Korean and Vietnamese surnames, which stand before the given name."""
_NICKNAMES = group("nicknames")
_JUNIOR = frozenset({"jr", "junior", "ii", "iii", "iv"})
_YOUNGER = frozenset({"fils", "younger"})
_SENIOR = frozenset({"sr", "senior", "pere", "elder", "i"})
_DEGREES = frozenset(
    {
        "roshi",
        "sensei",
        "rinpoche",
        "pasha",
        "bey",
        "san",
        "ji",
        "jee",
        "sahib",
        "saheb",
        "maharaj",
        "phd",
        "md",
        "esq",
        "obe",
        "cbe",
        "mbe",
        "kbe",
    }
)
_NUMERALS = frozenset(["ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi"])
_WHOLE = {
    "st": "saint",
    "ste": "sainte",
    "doctor": "dr",
    "abdul": "abd",
    "abdel": "abd",
    "abdal": "abd",
    "abdur": "abd",
}
_SUFFIXES = _JUNIOR | _YOUNGER | _SENIOR | _DEGREES


def _is_initials(token: str) -> bool:
    return len(token) <= 3 and (len(token) == 1 or not any(c in "aeiouy" for c in token))


def _fits(a: str, b: str) -> bool:
    if a == b or (len(a) == 1 and b.startswith(a)) or (len(b) == 1 and a.startswith(b)):
        return True
    return f"{a} {b}" in _NICKNAMES or f"{b} {a}" in _NICKNAMES


def _spread(tokens: Sequence[str], spread: bool) -> list[str]:
    """Return `tokens` with runs of initials (``jrr``) taken apart where `spread`."""
    if not spread:
        return list(tokens)
    return [c for t in tokens for c in (t if _is_initials(t) else (t,))]


def _same_given(a: Sequence[str], b: Sequence[str]) -> bool:
    """Tell whether two rows of given names fit: in order, initials standing for names, middle ones left out."""
    if not a or not b or not _fits(a[0], b[0]):
        return False
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    if len(short) > 1 and all(len(t) == 1 for t in short[1:]) and all(len(t) == 1 for t in long[1:]):
        return all(_fits(x, y) for x, y in zip(short[1:], long[1:], strict=False))
    rest = iter(long[1:])
    return all(any(_fits(x, y) for y in rest) for x in short[1:])


def folded_words(name: str) -> tuple[str, ...]:
    """Return the folded words of `name`, with ``St`` written out."""
    return tuple(_WHOLE.get(t, t) for t in fold(name).split())


class Identity:
    """The names under which an author is known."""

    def __init__(self, author: str, aliases: Sequence[str]) -> None:
        """Take the author's name and the other names that are known to be the author's."""
        listed = [name for name in (author, *aliases) if name]
        self.forms = {form for form in map(folded_words, listed) if form}
        self.forms |= {tuple(t for t in form if t not in ("the", "of")) for form in self.forms if len(form) > 2}
        self.joined = {"".join(form) for form in self.forms}
        self.sorted = {tuple(sorted(form)) for form in self.forms if len(form) > 1}
        self.texts = tuple({t for f in map(fold, listed) if f for t in (f, normal_form(f))})
        suffixes = {t for form in self.forms for t in form} & _SUFFIXES
        self.younger = bool(suffixes & _YOUNGER)
        self.junior = bool(suffixes & {"jr", "junior"})
        self.senior = bool(suffixes & _SENIOR)
        self.full = [core for form in sorted(self.forms) if len(core := _without_title(form)) > 1]
        self.surnames = _surnames(author)
        self.singles = self.surnames | {form for form in self.forms if len(form) == 1}
        self.hints = {t for form in map(fold, listed) for t in form.split()} | {t for form in self.forms for t in form}
        self._seen: dict[tuple[str, ...], str | None] = {}

    def match(self, tokens: tuple[str, ...]) -> str | None:
        """Return the rule by which the folded words `tokens` name the author, or None."""
        if tokens not in self._seen:
            if len(self._seen) > 4096:
                self._seen.clear()
            self._seen[tokens] = self._match(tuple(_WHOLE.get(t, t) for t in tokens))
        return self._seen[tokens]

    def _match(self, tokens: tuple[str, ...]) -> str | None:
        if tokens in self.forms or "".join(tokens) in self.joined:
            return "name"
        marks = set(tokens) & _SUFFIXES
        if bool(marks & _YOUNGER) != self.younger and (marks & _YOUNGER or len(tokens) > 1):
            return None
        if (marks & _JUNIOR and self.senior) or (marks & _SENIOR - {"i"} and self.junior) or (len(tokens) > 7):
            return None
        rest = tokens
        while True:
            core = tuple(t for t in rest if t not in _SUFFIXES)
            rule = self._match_core(core) if core else None
            if rule or len(rest) < 2 or not kinds(rest[0]) & Kind.HONORIFIC:
                return rule
            rest = rest[1:]

    def _match_core(self, core: tuple[str, ...]) -> str | None:
        if "".join(core) in self.joined:
            return "name"
        if len(core) > 1:
            if tuple(sorted(core)) in self.sorted:
                return "order"
            rule = next((r for form in self.full if (r := _same(core, form))), None)
            if rule:
                return rule
        if core in self.surnames:
            return "surname"
        single = core[0]
        if (
            len(core) == 1
            and len(single) > 4
            and any(len(n) == 1 and len(n[0]) > 4 and alike(single, n[0]) for n in self.singles)
        ):
            return "surname"
        return None


def _without_title(form: Sequence[str]) -> tuple[str, ...]:
    kept = [t for t in form if t not in _SUFFIXES and t != "the"]
    while len(kept) > 2 and kinds(kept[0]) & Kind.HONORIFIC and not kinds(kept[0]) & Kind.GIVEN:
        kept = kept[1:]
    return tuple(kept)


def _surnames(author: str) -> set[tuple[str, ...]]:
    """Return the surnames of `author`: the last word, with its particles, hyphened whole, or the last two."""
    core = _without_title(folded_words(author))
    if len(core) < 2:
        return set()
    found = {core[-1:], folded_words(author.split()[-1])} if core[-1] not in _NUMERALS else set()
    i = len(core) - 1
    while i > 1 and core[i - 1] in PARTICLES:
        i -= 1
        found.add(core[i:])
    if len(core) > 2 and len(core[-2]) > 1:
        found.add(core[-2:])
    if core[0] in FAMILY_FIRST and len(core) < 4 and not _is_western(core[-1]):
        found.add(core[:1])
    written = author.split()
    if len(written) == 2 and re.fullmatch(r"\w+-[^\W\d_]+", written[1]) and written[1].split("-")[1].islower():
        found.add(core[:1])  # Ban Ki-moon
    return {s for s in found if len("".join(s)) > 1 and not s[-1].isdigit() and not set(s) & _SUFFIXES}


def _is_western(last: str) -> bool:
    """Tell whether the last word of a name is a surname of families that go last: Kim Stanley Robinson."""
    return bool(kinds(last) & Kind.FAMILY) and not kinds(last) & Kind.GIVEN and last not in FAMILY_FIRST


@lru_cache(maxsize=65536)
def _glued(name: tuple[str, ...]) -> tuple[str, ...]:
    """Return `name` with each particle run together with the word after it: Le Guin, LeGuin."""
    found: list[str] = []
    held = ""
    for i, token in enumerate(name):
        if token in PARTICLES and 0 < i < len(name) - 1:
            held += token
        else:
            found.append(held + token)
            held = ""
    return tuple(found)


@lru_cache(maxsize=65536)
def _without_particles(name: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(token for token in name if token not in PARTICLES)


def _same(core: tuple[str, ...], form: tuple[str, ...]) -> str | None:
    """Return the rule by which the name `core` is a form of the name `form`, or None."""
    foreign = set(core).isdisjoint(form) and PARTICLES.isdisjoint(core) and PARTICLES.isdisjoint(form)
    if foreign and letters(core) != letters(form):
        return same_by_sound(core, form)  # no rule that needs a word in common can hold
    for a in (core, core[1:] + core[:1]) if len(core) < 5 else (core,):
        for b in (form, form[-1:] + form[:-1]) if a is core else (form,):
            if "".join(a) == "".join(b):
                return "order"
            if a[-1] == b[-1] and len(a[-1]) > 1:
                given_a, given_b = a[:-1], b[:-1]
                for apart in (False, True):
                    if _same_given(_spread(given_a, apart), _spread(given_b, apart)) and (a is core or len(a) > 2):
                        return "initials" if apart or any(len(t) == 1 for t in given_a + given_b) else "middle name"
    if len(form) > 1 and len(core) > len(form) and core[-len(form) :] == form and len(form[0]) > 1:
        return "middle name"
    a, b = _glued(core), _glued(form)
    if (
        len(a) > 1
        and len(b) > 1
        and a[-1] == b[-1]
        and _same_given(a[:-1], b[:-1])
        and (a[-1] != core[-1] or b[-1] != form[-1])
    ):
        return "particle"
    a, b = _without_particles(core), _without_particles(form)
    if len(a) > 1 and "".join(a) == "".join(b):
        return "particle"
    return same_by_sound(a, b)


@lru_cache(maxsize=8192)
def identity(author: str, aliases: tuple[str, ...]) -> Identity:
    """Return the `Identity` of an author; kept, since the same author comes back many times."""
    return Identity(author, aliases)
