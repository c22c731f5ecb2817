"""Where an answer repeats words or names a work: text in quotation marks, in italics, in title brackets."""

import re
from typing import NamedTuple

_EXOTIC = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000\t", " "),
        **dict.fromkeys("‐‑‒－", "-"),
        **dict.fromkeys("’ʼʻ´＇‛", "'"),
        **dict.fromkeys("”„‟＂", '"'),
        "“": '"', "‘": "'", "−": "-", "：": ":", "，": ",", "。": ".",
    }
)  # fmt: skip
_BOLD = re.compile(r"\*\*\*|\*\*|__|^#+(?= )|~~", re.MULTILINE)
_SPANS = re.compile(
    r"""
      (?P<quote>"(?=[^"\s])[^"\n]*(?:"|$)|«[^»]*»|「[^」]*」|(?<![\w'])'(?=[\w.…])(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w))
    | (?P<italic>(?<![\w*])\*(?=[^\s*])[^*\n]+\*|(?<![\w_])_(?=[^\s_])[^_\n]+_(?!\w)
        |<i>[^<\n]+</i>|『[^』]*』|《[^》]*》)
    """,
    re.VERBOSE | re.MULTILINE,
)
_OPENING = ('"', "*", "_", "<")
_OPENING_ABROAD = ("«", "『", "《", "「")
_APOSTROPHE_OPENS = re.compile(r"(?<![\w'])'")


class Span(NamedTuple):
    """A stretch of text set apart by marks; `start` and `end` include the marks."""

    start: int
    end: int
    kind: str
    content: str


def plain(text: str) -> str:
    """Return `text` with one kind of blank, hyphen, apostrophe and quotation mark and no bold; same length."""
    if not text.isascii():
        text = text.translate(_EXOTIC)
    if "`" in text or "\t" in text:
        text = text.replace("`", " ").replace("\t", " ")
    if "**" in text or "__" in text or "#" in text or "~~" in text:
        text = _BOLD.sub(lambda mark: " " * len(mark.group()), text)
    return text


def spans(text: str) -> list[Span]:
    """Return the marked stretches of `text`, a result of `plain`, in order."""
    if not _may_hold_marks(text):
        return []
    return [
        Span(m.start(), m.end(), m.lastgroup or "", m.group().strip("\"'*_«»『』《》「」 "))
        for m in _SPANS.finditer(text)
    ]


def _may_hold_marks(text: str) -> bool:
    marks = _OPENING if text.isascii() else _OPENING + _OPENING_ABROAD
    return any(mark in text for mark in marks) or ("'" in text and bool(_APOSTROPHE_OPENS.search(text)))
