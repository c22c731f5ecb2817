"""One format for a person's name: spacing, initials, capitals, titles and degrees.

The conventions are those of Berman et al. 2026, App. A.3.2 and A.3.3: a period and a space
after each initial, capitals at the head of each word, no degrees and no descriptive titles
unless they belong to the name by which the person is known.
"""

import re

from attribench.corpus.individuals import as_two_names
from attribench.corpus.word_lists import folded, words

SUFFIX = re.compile(r"(?:jr|sr|jnr|snr|ii|iii|iv|fils|père|pere)\.?", re.I)
DEGREE = re.compile(
    r"(?:ph\.?\s?d|m\.?\s?d|ed\.?\s?d|psy\.?\s?d|d\.?\s?min|d\.?\s?phil|j\.?\s?d|m\.?\s?s\.?\s?w|m\.?\s?f\.?\s?t|"
    r"m\.?\s?b\.?\s?a|m\.\s?a|m\.\s?s|b\.\s?a|b\.\s?sc|r\.?\s?n|esq|l\.?c\.?s\.?w|m\.?\s?ed|d\.?\s?d\.?\s?s|o\.\s?p|"
    r"s\.\s?j|o\.s\.b|k\.?b\.?e|o\.?b\.?e|c\.?b\.?e|f\.?r\.?s|lpc|lmft|rn|msc|bsc|cpa|mba|dds|dvm|phd|edd)\.?",
    re.I,
)
_TITLE = re.compile(
    r"(?:dr|prof|professor|doctor|general|gen\.|lieutenant|lt|colonel|col\.|sergeant|sgt|gysgt|admiral|adm\.|commander|"
    r"president|senator|sen\.|governor|gov\.|congressman|congresswoman|ambassador|representative|"
    r"the hon|hon|honou?rable|rev|reverend|the rev|fr\.|pastor|msgr|monsignor|archbishop|apostle|evangelist|"
    r"his holiness|her holiness|his eminence|(?-i:H\.?\s?H|H\.\s?E|HE|H\.?\s?R\.?\s?H)|sir|engr|er\.|justice|"
    r"field marshal|brigadier|"
    r"mr|author|actor|actress|poet|singer|the late|late|his excellency|supreme leader|prime minister)"
    r"(?:\b|(?<=\.))\.?\s+(?=\S)",
    re.I,
)
_PERIOD_FOR_BLANK = re.compile(r"(?<=[a-z]{3})\.(?=[A-Z]\.)|\s+\.(?=[A-Z])")
"""Mohit.K.Misra, Sarvesh Murthi .D .D"""
_PERIOD_LAST = re.compile(r"(?<=[a-z]{4})\.$")
# Not in will.i.am, where a word stands before the letter.
_INITIALS_GLUED = re.compile(r"(?<![^\s.\-(])(?<![a-z]{2}\.)((?:[^\W\d_]\.){1,4})(?=[^\W\d_])")
_INITIAL_ALONE = re.compile(r"(?<!\S)([A-WYZ])(?=\s+[A-Z])")
_CAPITALS_RUN = re.compile(r"^([A-Z]{2,3})(?=\s+[A-Z][a-zà-ÿ])")
_CATALOGUE_YEARS = re.compile(
    r"\(?\b(?:b\.|d\.|c\.|ca\.)?\s*1[0-9]{3}\s*[-–—]\s*(?:1[0-9]{3}|20[0-9]{2})?\)?|\(\s*\d{3,4}\s*\)"
)
_ORDINAL = re.compile(r"^(?:the\s+)?\d+(?:st|nd|rd|th)\s+(?=[A-Z]\w+\s+\w)", re.I)
_REVERENCE = re.compile(
    r"^(?:(?:his|her) (?:holiness|excellency|eminence)|(?-i:H\.?\s?H\.?))\s+(?:the\s+|(?=\S+\s+\S))", re.I
)
_MAY_BE_ADDRESSED = frozenset("hHtT0123456789")
_LOWER_INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]?")
_BRACKET = re.compile(r"[()\[\]]")
_NO_WIDTH = {0x200B: None, 0xFEFF: None}
_EDGES = ' \t,;:-–—―−~•*|_=«»<>·"“”„©®™'


def tidy(text: str) -> str:
    """Return `text` with single spaces and without dashes, commas or quotation marks at its ends."""
    text = " ".join(text.translate(_NO_WIDTH).split()).strip(_EDGES)
    if _BRACKET.search(text) is None:
        return text
    for opening, closing in ("()", "[]"):
        if text.count(opening) > text.count(closing) and text.startswith(opening):
            text = text[1:].strip(_EDGES)
        if text.count(closing) > text.count(opening) and text.endswith(closing):
            text = text[:-1].strip(_EDGES)
    return text


def format_name(text: str) -> str:
    """Return a person's name, as a cell gives it, in the one format."""
    name = tidy(_CATALOGUE_YEARS.sub(" ", text))
    if parts := as_two_names(name):
        name = " ".join(parts)
    name = _without_titles(_without_degrees(name))
    if name.count('"') % 2:
        name = name.replace('"', "")
    name = _with_capitals(_PERIOD_LAST.sub("", _PERIOD_FOR_BLANK.sub(" ", name)))
    return tidy(_with_spaced_initials(name))


def without_reverence(name: str) -> str:
    """Return `name` without ``His Holiness the`` and the like, and without the number of a line of bearers."""
    return _ORDINAL.sub("", _REVERENCE.sub("", tidy(name))) if name[:1] in _MAY_BE_ADDRESSED else name


def _without_degrees(name: str) -> str:
    while True:
        parts = name.split()
        for index in range(2, len(parts)):
            if DEGREE.fullmatch(parts[index].strip(",")) and not (
                parts[index].islower() or (len(parts[index]) < 3 and not _is_short_degree(parts[index:]))
            ):
                return tidy(" ".join(parts[:index]))
        return name


def _is_short_degree(rest: list[str]) -> bool:
    """Return whether a name ends here in a degree of two capitals, which could be initials elsewhere."""
    return len(rest) == 1 and rest[0] in ("MD", "RN", "JD")


def _without_titles(name: str) -> str:
    while match := _TITLE.match(name):
        rest = name[match.end() :]
        is_bare = " " not in rest.strip() or re.match(r"(?:of|the|and|in)\b", rest)
        if is_bare and not match.group().lower().startswith(("author", "actor", "the late", "late ")):
            break
        name = rest
    return name


def _with_capitals(name: str) -> str:
    if folded(name) in words("lower_case_names"):
        return name
    letters = [c for c in name if c.isalpha()]
    is_shouted = len(letters) > 4 and all(not c.islower() for c in letters) and any(c.isupper() for c in letters)
    parts = name.split(" ")
    for place, part in enumerate(parts):
        if is_shouted and len(part.strip(".,")) > 1 and "." not in part.strip(".") and not SUFFIX.fullmatch(part):
            parts[place] = _title_case(part)
        elif _LOWER_INITIALS.fullmatch(part) and len(parts) > 1:
            parts[place] = part.upper()
        elif _is_written_small(part) and (place == 0 or part.strip(".,") not in words("particles")):
            parts[place] = _title_case(part)
    return " ".join(parts)


def _is_written_small(word: str) -> bool:
    has_apostrophe = "'" in word[:3] or "’" in word[:3]
    return word[:1].islower() and word.lower() == word and "." not in word[1:-1] and not has_apostrophe


def _title_case(word: str) -> str:
    return re.sub(r"[^\W\d_]+(?:['’][^\W\d_]+)?", lambda m: m.group()[:1].upper() + m.group()[1:].lower(), word)


def _with_spaced_initials(name: str) -> str:
    name = _INITIALS_GLUED.sub(lambda m: m.group(1).replace(".", ". "), name)
    run = _CAPITALS_RUN.match(name)
    if run and folded(run.group(1)) not in words("not_initials"):
        name = ". ".join(run.group(1)) + "." + name[run.end() :]
    return _INITIAL_ALONE.sub(r"\1.", name)
