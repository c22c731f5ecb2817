"""The persons an answer names, each with the rule that found it and the reason why it does not count."""

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import NamedTuple

from attribench.evaluation.authoring import AUTHORING
from attribench.evaluation.candidates import Candidate, candidates
from attribench.evaluation.denial import denied
from attribench.evaluation.fiction import fictional, in_fiction
from attribench.evaluation.known import NOBODY_KNOWN, Known
from attribench.evaluation.listed_names import listed_names, unlisted_names
from attribench.evaluation.roles import ORGANISED, setting, title
from attribench.evaluation.signs import CALLED
from attribench.evaluation.spans import Span, plain, spans
from attribench.evaluation.variants import Identity
from attribench.text import fold


class Found(NamedTuple):
    """A person's name in an answer; `why` is empty where the name counts as a mention."""

    start: int
    end: int
    is_author: bool
    rule: str
    why: str


# The look-behinds come after the mark, so that the search can leap from mark to mark.
_SENTENCE = re.compile(
    r"[.!?;\n](?:(?<=[;\n])\n*"
    r"|(?<=[a-z\d\"')\]*].)(?<!\b[A-Z][a-z].)(?<!\b(?:Mrs|Rev|Gen|Gov|Sen|Col|Hon|Sgt|Ven).)(?<!\b(?:Prof|Capt).)"
    r"[\"')*]*\s+(?=[A-Z\"'*(\[]))"
)
_REACH = 300
"""How far, in characters, a sentence is read to either side of a name."""
_LIST = re.compile(r"\s*(?:,|or|and|nor|&|/|,\s*(?:or|and|nor|&))\s*")
_GIVEN_AND = re.compile(r"\b[^\W\d_][\w'.-]+ (?:and|&|or) $")
_OWN_TITLE = re.compile(
    r"\b(?:autobiograph|diar(?:y|ies)|letters|narrative|life and times|my life|my story|own words|own story|"
    r"by (?:him|her)self|memoirs?|confessions|poems|works|writings|conversations?|quotations|sayings|"
    r"journals?|speeches|essays|analects|stories|notebooks|papers|sermons|meditations|reader|plays|interviews?|correspondence|wisdom|"
    r"words|testament|lyrics|portable|complete|collected|selected)",
    re.IGNORECASE,
)
_PLACE_IN_WORK = re.compile(
    r"\s*[,(]?\s*(?:Chapters?|Verses?|Act|Book|Canto|Part|Section|Vol|Volume|Sutra|Surah|Hymn|Stanza)\b"
    r"\s*(?:\d|[IVX]+\b|One|Two|Three)|\s+(?![01]\.\d)\d+[:.]\d+"
)
_LOWER_INITIAL = re.compile(r"(?<![\w'])[^\W\d_]")
# The author of this quote is "On the Sea: Jane Roe".
_IS_IN_MARKS = re.compile(r"\bauthor\b[^.;\"]{0,40} is:?\s*$", re.IGNORECASE)
_GOES_ON = re.compile(r"[\"'*_]*(?:\s*'s?\s|\s+[a-z])")
_FROM_ITS_WORK = re.compile(r"\b(?:from|in|of) [\"'*_]*$")
_AYN = re.compile(r"(?<!\w)[\u02be\u02bf]([^\W\d_])")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def find(output: str, who: Identity, quote: str = "", known: Known = NOBODY_KNOWN) -> list[Found]:
    """Return the names of persons in `output`, in order, as seen for the author `who`; `known` as in `candidates`."""
    text = plain(output)
    if not text.isascii() and _INVISIBLE.search(text):
        text = _INVISIBLE.sub("\u0301", text)
    if "\u02bf" in text or "\u02be" in text:
        text = _AYN.sub("\\1\u0301", text)
    cased = _LOWER_INITIAL.sub(lambda m: m.group().upper(), text) if text.islower() else text
    places = candidates(cased, who, known)
    if not any(rule for _, _, rule, _ in places):
        listed = listed_names(text, who, places)
        if listed:
            places = [c for c in places if not any(s < c[1] and c[0] < e for s, e, _, _ in listed)] + listed
    if not places:
        places = unlisted_names(text)
    if not places:
        return []
    found = _judged(cased, sorted(places), who, quote)
    if not text.isascii() and all(f.why == "denied" for f in found):
        after = found[-1].end
        more = [(start + after, end + after, rule, why) for start, end, rule, why in unlisted_names(text[after:])]
        found += _judged(cased, more, who, quote)
    return found


def _judged(text: str, places: list[Candidate], who: Identity, quote: str) -> list[Found]:
    marked = [span for span in spans(text) if not _whole(text, span, quote)]
    bare = text
    for mark in marked:
        bare = f"{bare[: mark.start + 1]}{'q'.center(mark.end - mark.start - 2)}{bare[mark.end - 1 :]}"
    breaks = [0, *(m.end() for m in _SENTENCE.finditer(text)), len(text) + 1]
    found: list[Found] = []
    for start, end, rule, why in places:
        begin, stop = breaks[bisect_right(breaks, start) - 1], breaks[bisect_left(breaks, end)]
        begin, stop = max(begin, start - _REACH), min(stop, end + _REACH)
        before, after = bare[begin:start], text[end:stop].removeprefix(".")
        if after.rstrip() == "?":
            after = text[end : end + 40]  # Jane Roe? No.
        is_author = bool(rule)
        span = next((s for s in marked if s.start <= start and end <= s.end), None)
        if not why and span:
            before, why = _inside(text, begin, (start, end), is_author, span)
        if (
            not why
            and quote
            and (_in_quote(text, start, end, quote) or _of_the_quote(before, after, text[start:end], quote))
        ):
            why = "in the quote"
        if not why:
            last = found[-1] if found else None
            if last and last.end >= begin and _LIST.fullmatch(text[last.end : start]):
                inherits = last.why == "denied" or (
                    last.why == "setting" and (after.startswith(", the ") or not AUTHORING.match(after))
                )
                why = last.why if inherits else "denied" if denied("", after) else ""
            else:
                why = _role(before, after, is_author, text[start:end])
        found.append(Found(start, end, is_author, rule or "looks like a name", why))
    return found


def _whole(text: str, span: Span, quote: str) -> bool:
    """Tell whether `span` is the whole answer set in quotation marks, and not the quote itself."""
    if span.kind != "quote" or span.end - span.start < len(text.strip(" .\n")) or " " not in span.content:
        return False
    return fold(span.content)[:20] not in _folded_quote(quote)


def _role(before: str, after: str, is_author: bool, name: str) -> str:
    if denied(before, after):
        return "denied"
    if setting(before, after, is_author):
        return "setting"
    pair = _GIVEN_AND.search(before[-60:]) if before.endswith((" and ", " & ", " or ")) else None
    if pair and setting(before[: len(before) - len(pair.group())], "", is_author):
        return "setting"
    if is_author:
        return ""
    if title(before, after) or _PLACE_IN_WORK.match(after):
        return "title"
    if ORGANISED.search(before[-40:]):
        return "organisation"
    if before.rstrip().endswith("(") and in_fiction(before):
        return "setting"
    return "fictional" if fictional(before, after, name) else ""


def _inside(text: str, begin: int, place: tuple[int, int], is_author: bool, span: Span) -> tuple[str, str]:
    """Return the context of a name inside `span` and why it does not count there, if it does not."""
    outside = text[begin : span.start] if span.start > begin else ""
    kind = "title" if span.kind == "italic" else "in quotation marks"
    if fold(span.content) == fold(text[place[0] : place[1]]):
        if (
            is_author
            or CALLED.search(outside)
            or re.search(r"\bauthor\W{1,5}$", text[begin : span.start], re.IGNORECASE)
            or re.search(r"\bto\s+$", outside)
        ):
            return outside, ""
        return outside, kind if span.kind == "italic" or outside.strip() else ""
    if is_author and _OWN_TITLE.search(span.content) and not re.search(r"\b(?:about|on)\b", span.content):
        return outside, ""
    inner = text[begin : place[0]]
    if _IS_IN_MARKS.search(outside) and inner.endswith(": ") and text[place[1] : span.end].strip("\"'*_.") == "":
        return outside, ""
    unclosed = span.end == len(text) or text[span.end - 1] not in "\"'»」"
    if span.kind == "quote" and (inner.rstrip().endswith(("-", "—", "–")) or (unclosed and CALLED.search(inner))):
        return inner, ""
    return outside, kind


def _in_quote(text: str, start: int, end: int, quote: str) -> bool:
    """Tell whether the name stands where the answer repeats the quote: with a neighbour word the same."""
    name = fold(text[start:end])
    folded = f" {_folded_quote(quote)} "
    if f" {name} " not in folded:
        return False
    left, right = fold(text[max(0, start - 40) : start]).split()[-2:], fold(text[end : end + 40]).split()[:2]
    return bool(
        (left and f" {' '.join([*left, name])} " in folded) or (right and f" {' '.join([name, *right])} " in folded)
    )


def _of_the_quote(before: str, after: str, name: str, quote: str) -> bool:
    """Tell whether the name is one that the quote speaks of, and the sentence does not say that it is its author."""
    if not _GOES_ON.match(after) or f" {fold(name)} " not in f" {_folded_quote(quote)} ":
        return False
    return not (CALLED.search(before[-200:]) or AUTHORING.match(after) or _FROM_ITS_WORK.search(before))


@lru_cache(maxsize=16384)
def _folded_quote(quote: str) -> str:
    return fold(quote)
