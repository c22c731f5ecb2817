"""The one normal form of a name, used by the corpus and by the evaluation alike.

Two spellings belong to the same person's name when their normal forms are equal::

    >>> normal_form("C.S. Lewis") == normal_form("C. S.  Lewis") == normal_form("CS Lewis")
    True
    >>> normal_form("Charlotte Brontë") == normal_form("charlotte bronte")
    True
"""

import re
import unicodedata

# Letters that Unicode does not decompose into a base letter and a mark.
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "þ": "th", "œ": "oe", "æ": "ae",
        "ħ": "h", "ŧ": "t", "ŋ": "ng", "ß": "ss", "ə": "e",
    }
)  # fmt: skip
_APOSTROPHES = dict.fromkeys(map(ord, "'’‘ʼʻʹ`´′＇"))
_NOT_A_WORD = re.compile(r"[\W_]+")
_INITIALS = re.compile(r"\b(?:\w )+\w\b")


def fold(text: str) -> str:
    """Return `text` in lower case, without marks, and with words kept apart by one space.

    Letters and digits of every script stay; apostrophes vanish (``O'Brien`` becomes
    ``obrien``); every other character separates words.
    """
    if text.isascii():  # the same result, several times faster
        if text.isalpha():
            return text.lower()
        return _NOT_A_WORD.sub(" ", text.lower().replace("'", "").replace("`", "")).strip()
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_APOSTROPHES))
    kept = "".join(c for c in decomposed if unicodedata.category(c)[0] != "M" and c not in "\u200b\u200c\u200d\ufeff")
    return _NOT_A_WORD.sub(" ", kept.translate(_LETTERS)).strip()


def normal_form(name: str) -> str:
    """Return the normal form of a person's name: `fold`, with initials in a row run together."""
    return _INITIALS.sub(lambda run: run.group().replace(" ", ""), fold(name))


def slug(name: str) -> str:
    """Return the normal form of `name` with hyphens for spaces, fit for a file name or an id."""
    return normal_form(name).replace(" ", "-")
