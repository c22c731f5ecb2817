"""Flesch reading ease, without a dictionary that would have to be downloaded.

Flesch (1948): 206.835 - 1.015 · words / sentences - 84.6 · syllables / words. Higher is easier; a
short plain sentence is near 100, a learned one below 30. Syllables are counted by rule, as groups
of vowels; `docs/analysis.md` says how often the rule agrees with a pronouncing dictionary.
"""

import re
from functools import lru_cache

from attribench.text import fold

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?…]+(?=[\s\"'”’)\]]|$)")
_VOWELS = re.compile(r"[aeiouy]+")
# A final e, es or ed that is not spoken: "name", "names", "named", but "table", "roses", "wanted".
_SILENT = re.compile(
    r"(?<=[^aeiouy])(?:(?<![^aeiouyl]l)e|(?<![scgxz])(?<!sh)(?<!ch)(?<![^aeiouyl]l)es|(?<![td])(?<![^aeiouyl]l)ed)$"
)


def reading_ease(text: str) -> float | None:
    """Return the Flesch reading ease of `text` in points, or nothing for a text without words."""
    words = _WORD.findall(text)
    if not words:
        return None
    sentences = max(1, len(_SENTENCE_END.findall(text)))
    syllables = sum(count_syllables(word.lower()) for word in words)
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * syllables / len(words)


@lru_cache(maxsize=262144)
def count_syllables(word: str) -> int:
    """Return the number of syllables of an English word in lower case, by rule, at least 1."""
    letters = fold(word).replace(" ", "")
    return max(1, len(_VOWELS.findall(_SILENT.sub("", letters))))
