"""Telling a sentence, or a piece of one, from a name.

Some rows of the public corpus were split at a semicolon of the quote, so that the author
cell holds the rest of the quote (a *shifted* row).
"""

import re

from attribench.corpus.word_lists import folded, words

_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)*")
_STOP = re.compile(r"[^\W\d_A-Z]{3,}[.!?…][\"”’')\]]*$")


def is_sentence(text: str) -> bool:
    """Return whether `text` reads as running text rather than as a name."""
    if folded(text) in words("lower_case_names"):
        return False
    found = [w for w in _WORD.findall(text) if folded(w) not in words("particles")]
    is_one_token = " " not in text.strip()
    if not found or (is_one_token and re.search(r"[\d_]|\w\.\w", text)):
        return False
    is_shouted = len(found) > 3 and text.isupper()
    lower = [w for w in found if w[0].islower() or is_shouted]
    if any(folded(w) in words("sentence_words") for w in lower):
        return True
    if lower and len(found) > 1 and _STOP.search(text.strip()) and not re.search(r"\b(?:jr|sr|etc)\.$", text, re.I):
        return True
    if text[:1].islower() and re.search(r"[^\W\d_A-Z]{3,}[.!?]+(?=\W|$)", text):
        return True
    common = sum(folded(w) in words("common_words") for w in lower)
    if text[:1].islower() or not text[:1].isalnum() or is_shouted:
        return common * 2 > len(found) - (len(found) > 3)
    return common >= 2 or (common >= 1 and len(found) > 4) or len(found) > 9
