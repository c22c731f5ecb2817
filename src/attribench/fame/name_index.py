"""Finding many names in a text in one pass, whatever their number.

A text is a row of words in their folded form (`attribench.text.fold`). Names are looked up by the
words that they begin with, the longest first, so that "Martin Luther King" is no mention of
"Martin Luther". The work grows with the length of the text alone.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attribench.text import fold, normal_form

_WORD = re.compile(r"[^\W_]+(?:['’‘ʼ`´][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’ʼ`´][sS]$")
_INITIALS_IN_ONE = re.compile(r"\b[A-Z]{2,3}\b")
_MOST_WORDS_KEPT = 1_000_000
_MOST_WORDS_AHEAD = 10_000
_ALONE = (1,)

Form = tuple[str, ...]


class NameIndex:
    """The names to look for: `owners` gives, for each form of a name, whose it is.

    A form that several have (`ambiguous`) is found, so that no shorter name is counted in its
    place, and belongs to nobody.
    """

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        """Take the names of everybody, by their ids; where spellings differ in capitals, the first one counts."""
        self.owners: dict[Form, str | None] = {}
        self._is_capital: dict[Form, bool] = {}
        for owner, spellings in names.items():
            for spelling in spellings:
                for form in forms(spelling):
                    self.owners[form] = owner if self.owners.get(form, owner) == owner else None
                    self._is_capital.setdefault(form, not _begins_small(spelling))
        self.ambiguous = {form for form, owner in self.owners.items() if owner is None}
        self._starts = _starts(self.owners)
        self._longest = max(map(len, self.owners), default=1)
        self._folded = _FoldedWords()

    def find(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the id behind each mention in a text that comes in pieces (none of which ends inside a word)."""
        words: list[str] = []
        for piece in pieces:
            words += _WORD.findall(piece if piece.isascii() else unicodedata.normalize("NFC", piece))
            if len(words) > _MOST_WORDS_AHEAD:
                done, owners = self._scan(words, len(words) - self._longest + 1)
                yield from owners
                del words[:done]
        yield from self._scan(words, len(words))[1]

    def _scan(self, words: Sequence[str], end: int) -> tuple[int, list[str]]:
        """Return where to go on, and whose names begin before `end`."""
        folded = list(map(self._folded.__getitem__, words))
        starts, found, free = self._starts, [], 0
        for start in [i for i, word in enumerate(folded) if word in starts]:
            if start < free or start >= end:
                continue
            second = folded[start + 1] if start + 1 < len(folded) else ""
            for length in starts[folded[start]].get(second, _ALONE):
                form = tuple(folded[start : start + length])
                if form in self.owners and self._is_spelled(form, words[start], words[start + len(form) - 1]):
                    free = start + len(form)
                    if (owner := self.owners[form]) is not None:
                        found.append(owner)
                    break
        return max(end, free), found

    def _is_spelled(self, form: Form, first: str, last: str) -> bool:
        """Whether a name begins and ends with capitals here, unless it is one that does not ("bell hooks")."""
        return not (self._is_capital[form] and (first[0].islower() or last[0].islower()))


def forms(name: str) -> set[Form]:
    """Return the rows of words that a name can be: with its initials apart ("c s lewis") and in one ("cs lewis")."""
    as_written = fold(name).split()
    spaced = name if name.isupper() else _INITIALS_IN_ONE.sub(lambda run: " ".join(run.group()), name)
    apart = fold(spaced).split()
    joined = normal_form(" ".join(apart)).split()
    return {tuple(words) for words in (apart, as_written, joined) if words}


def _starts(forms_of_names: Iterable[Form]) -> dict[str, dict[str, list[int]]]:
    """Return, by the first two words of a name, how many words such names have: the longest first, one the last."""
    found: dict[str, dict[str, list[int]]] = {}
    for form in sorted(forms_of_names, key=len, reverse=True):
        seconds = found.setdefault(form[0], {})
        if len(form) > 1:
            lengths = seconds.setdefault(form[1], [])
            if len(form) not in lengths:
                lengths.append(len(form))
    for seconds in found.values():
        for lengths in seconds.values():
            lengths += _ALONE
    return found


class _FoldedWords(dict[str, str]):
    """The folded form of each word met, worked out once."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_WORDS_KEPT:
            self.clear()
        self[word] = folded = fold(_POSSESSIVE.sub("", word)).replace(" ", "")
        return folded


def _begins_small(spelling: str) -> bool:
    """Whether the first or the last word of a name is written small, or in a script without capitals."""
    words = _WORD.findall(unicodedata.normalize("NFC", spelling))
    return not words or not (words[0][0].isupper() and words[-1][0].isupper())
