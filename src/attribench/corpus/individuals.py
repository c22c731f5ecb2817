"""What is not one individual: several people, organisations, works, scripture, nobody, handles.

The kinds are those of Berman et al. 2026, App. A.3.1. They are looked for in the name part of
a cell, after the title of a work has been cut off: ``and`` or ``University`` in a title says
nothing about the author.
"""

import re

from attribench.corpus.word_lists import folded, words

SEVERAL = "several people"
ORGANISATION = "organisation, band or publication"
SCRIPTURE = "scripture or proverb"
NOBODY = "anonymous or unknown"
HANDLE = "site handle"
CHARACTER = "fictional character"
DISPUTED = "disputed attribution"
SENTENCE = "sentence"
EMPTY = "no author"

_SEVERAL = re.compile(r"\(author\).*\(author\)|" r"&|/|;|\+|\b(?:and|feat|ft|vs|versus|et al)\b", re.I)
_DISPUTED = re.compile(
    r"\b(?:attributed|misattributed|spurious|apocryphal|disputed|fake|not found|falsely|erroneously)\b", re.I
)
_FEATURING = re.compile(r"\b(?:feat\.?|ft\.|featuring)\s", re.I)
_KIN = (
    r"(?:(?:grand|step|god)?(?:mother|father|mom|mum|mommy|dad|daddy|ma|pa|son|daughter|child|parents)|grandma|grandpa|"
    r"wife|husband|brother|sister|uncle|aunt|cousin|friend|teacher|boss|boyfriend|girlfriend|neighbou?r|therapist|"
    r"coach|doctor|mentor|fan|student)"
)
_NEAR = re.compile(
    rf"(?:my|our|your|his|her|their)\s+(?!(?:(?:royal|serene|imperial)\s+)?(?:holiness|majesty|highness|excellency|"
    rf"eminence|grace|honou?r)\b)\S.*|.+['’]s?\s+{_KIN}|{_KIN}",
    re.I,
)
_POINTERS = frozenset({"my", "our", "your", "his", "her", "their", "a", "an", "some", "one"})
_SOME = re.compile(r"(?:an?|some|one)\s+(?P<who>\S.*)", re.I)
_VERSE = re.compile(r"\b\d{1,3}\s*:\s*\d{1,3}\b")
_SMALL = frozenset({"be", "in", "is", "it", "me", "my", "no", "of", "so", "to", "we"})
_CLERICS = frozenset({"archbishop", "bishop", "sister", "brother", "father", "reverend", "pastor", "cardinal", "saint"})
_SUBTITLE = re.compile(r":\s+(?:The|A|An)\s")
_FILM = re.compile(r"\((?:\w+ )*(?:film|movie|tv show|tv series|series|band|\d{4})\)", re.I)
_ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th)\b")
_KIND_OF_WORK = re.compile(r"\s(?:film|movie|novel|musical|band|tv (?:show|series))\s*$")
_NICKNAME = re.compile(r"[\"“][^\"”]*[\"”]")
_SITE = re.compile(r"www\.|https?:|\.(?:com|org|net|info|co|in|blog|wordpress|blogspot|tumblr)\b|@\S", re.I)
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LETTERS = re.compile(r"[^\W\d_]")


def not_an_individual(name: str, *, has_work: bool = False) -> str | None:
    """Return which kind of non-individual `name` is, or None where it may be a person.

    `has_work` says that a title stands beside the name: then a name that a character of
    fiction bears, too, is its author's (Robert Jordan), and a single word may be a pen name.
    """
    key = folded(name)
    parts = key.split()
    if not _LETTERS.search(name):
        return EMPTY if not key else HANDLE
    if key in words("people_with_odd_names"):
        return None
    if _is_nobody(key, parts):
        return NOBODY
    if _is_scripture(name, key, parts):
        return SCRIPTURE
    if _SEVERAL.search(name):
        return SEVERAL
    if not has_work and key in words("characters"):
        return CHARACTER
    if _is_organisation(key, parts) or _is_title(name, parts, has_work):
        return ORGANISATION
    return HANDLE if _is_handle(name, has_work) else None


def is_disputed(head: str) -> bool:
    """Return whether the name part of a cell says that the attribution is wrong or doubtful."""
    return _DISPUTED.search(head) is not None


def is_featuring(head: str) -> bool:
    """Return whether the name part of a cell names a guest beside the artist."""
    return _FEATURING.search(head) is not None


def is_somebody_near(head: str) -> bool:
    """Return whether a head says who somebody is to somebody, and no name: ``My Mom``, ``A Friend``."""
    first, has_more, _ = head.strip().partition(" ")
    if has_more and first.lower() not in _POINTERS and "'" not in head and "’" not in head:
        return False  # most heads, at once
    if _NEAR.fullmatch(head.strip()):
        return True
    some = _SOME.fullmatch(head.strip())
    return some is not None and all(
        folded(word) in words("common_words") and folded(word) not in words("given_names")
        for word in some["who"].split()
    )


def reads_as_title(text: str) -> bool:
    """Return whether a note beside a name is the title of a work rather than another name."""
    parts = folded(text).split() or [""]
    common, given = words("common_words"), words("given_names")
    return parts[0] in ("the", "a", "an") or (len(parts) > 1 and all(p in common and p not in given for p in parts))


def is_film(head: str) -> bool:
    """Return whether a head says, at its end or in parentheses, that it is a film, a series or a band."""
    if _KIND_OF_WORK.search(head):
        return True
    found = _FILM.search(head)
    if found is None or not found.group()[1:-1].isdigit():
        return found is not None
    parts = folded(head[: found.start()]).split() or [""]
    return parts[0] not in words("given_names") and not (len(parts) > 1 and parts[0] in words("all_given_names"))


def _is_nobody(key: str, parts: list[str]) -> bool:
    return (
        key in words("nobody")
        or parts[0] in ("anonymous", "unknown", "anon", "unattributed", "untitled")
        or (parts[-1] in ("unknown", "anonymous") and len(parts) <= 4)
    )


def _is_scripture(name: str, key: str, parts: list[str]) -> bool:
    if _VERSE.search(name):
        return True
    if key in words("scripture") or parts[-1] in words("sayings"):
        return not _is_surname(parts)
    return any(p in words("scripture_words") for p in parts) and not (_is_surname(parts) or _is_given(parts))


def _is_organisation(key: str, parts: list[str]) -> bool:
    if key in words("bands_and_works") or (parts[0] == "the" and len(parts) > 1):
        return True
    kinds = words("organisation_words")
    if len(parts) == 1 and key in kinds and key not in words("also_surnames"):
        return True
    if parts[0] in kinds and len(parts) > 1 and parts[1] in ("of", "for"):
        return True
    return any(p in kinds for p in parts[1:]) and not _is_surname(parts)


def _is_title(name: str, parts: list[str], has_work: bool) -> bool:
    """Return whether the name reads as the title of a work or the name of a band: ``Rise Against``."""
    common, given = words("common_words"), words("given_names")
    if any(w[0].isupper() and folded(w) in words("title_words") for w in name.split()[1:]) or _SUBTITLE.search(name):
        return True
    if len(parts) == 1:
        is_word = parts[0] in common and parts[0] not in given and parts[0] not in words("single_names")
        return is_word and not has_work and name.isalpha() and name[0].isupper()
    telling = [p for p in map(folded, name.split()) if p not in words("particles")]
    is_ordinary = all((p in common or p in words("all_common_words")) and p not in given for p in telling)
    if is_ordinary and (len(telling) > 2 or (len(telling) == 2 and not has_work and _is_no_name(telling))):
        return True
    return _is_plural(telling)


def _is_no_name(telling: list[str]) -> bool:
    """Return whether two ordinary words are neither names nor a cleric's title and name: ``Ghost Town``."""
    return telling[0] not in _CLERICS and not any(
        p in words("surnames") or p in words("all_given_names") for p in telling
    )


def _is_plural(telling: list[str]) -> bool:
    """Return whether the last word is a plural and the first an ordinary word, too: ``Counting Crows``."""
    if len(telling) < 2:
        return False
    first, last, ordinary = telling[0], telling[-1], words("all_common_words")
    return (
        last.endswith("s")
        and not last.endswith("ss")
        and {last, last[:-1]} <= ordinary
        and last not in words("surnames")
        and first in ordinary
        and first not in words("all_given_names")
    )


def _is_surname(parts: list[str]) -> bool:
    """Return whether a telling word is a surname here: ``Charlotte Church``, ``M. A. Church``, ``Maxim Gorky``."""
    telling = (words("organisation_words"), words("scripture_words"), words("sayings"))
    found = [p for p in parts[1:] if any(p in kind for kind in telling)]
    begins_as_person = parts[0] in words("given_names") or len(parts[0]) == 1
    return len(parts) > 1 and begins_as_person and all(p in words("also_surnames") for p in found)


def _is_given(parts: list[str]) -> bool:
    """Return whether a telling word is a given name here: ``Gita Mehta``."""
    return len(parts) == 2 and parts[0] in words("also_given_names") and parts[1] in words("surnames")


def _is_handle(name: str, has_work: bool) -> bool:
    if _SITE.search(name) or "_" in name:
        return True
    if re.search(r"\d", _NICKNAME.sub("", _ORDINAL.sub("", name))):
        return True
    if " " in name:
        return False
    pieces = [p.lower() for p in _CAMEL.findall(name)]
    common = words("common_words")
    if len(pieces) > 1 and name.isalpha():
        is_long = len(pieces) > 2 and name.isascii() and not has_work and not _are_names(pieces)
        return pieces[0] == "the" or is_long or all(p in common and len(p) > 2 for p in pieces)
    if not name.isalpha() or name.isupper():
        return False
    if as_two_names(name):
        return False
    word = name.lower()
    if word in common or any(word in words(kind) for kind in ("given_names", "surnames", "single_names")):
        return False
    count = _words_in(word)
    return count > 2 or (count == 2 and (name[0].islower() or (not has_work and _is_compound(word))))


def _is_compound(word: str) -> bool:
    """Return whether a word is made of two ordinary words of four letters or more: ``Lifehouse``."""
    common = words("common_words")
    return any(word[:cut] in common and word[cut:] in common for cut in range(4, len(word) - 3))


def _are_names(pieces: list[str]) -> bool:
    common = words("common_words")
    return pieces[0] in words("all_given_names") and all(len(p) > 2 and p not in common for p in pieces[1:])


def as_two_names(word: str) -> tuple[str, str] | None:
    """Return the given name and the surname that `word` is made of, if it is: ``mayaangelou``.

    Only for words without capitals, or of nothing else, of which neither the whole is a name
    nor a part an ordinary word.
    """
    key = word.lower()
    if not (word.islower() or word.isupper()) or not word.isalpha():
        return None
    if any(key in words(kind) for kind in ("surnames", "all_given_names", "single_names", "all_common_words")):
        return None
    for cut in range(len(key) - 4, 3, -1):
        given, surname = key[:cut], key[cut:]
        is_ordinary = any(
            part in words(kind) for part in (given, surname) for kind in ("common_words", "all_common_words")
        )
        if given in words("all_given_names") and surname in words("surnames") and not is_ordinary:
            return given, surname
    return None


def _words_in(word: str) -> int:
    """Return into how many common words (or ``it``, ``to`` and the like) `word` can be cut, 0 if it cannot."""
    common = words("common_words")
    fewest: list[int] = [0] + [0] * len(word)
    for end in range(2, len(word) + 1):
        counts = [
            fewest[start] + 1
            for start in range(max(0, end - 14), end - 1)
            if (start == 0 or fewest[start])
            and (word[start:end] in common if end - start > 2 else word[start:end] in _SMALL)
        ]
        fewest[end] = min(counts, default=0)
    return fewest[len(word)]
