"""Whether words are spellings of one name: other transliterations, one letter apart, run together."""

import re
from functools import lru_cache

_SLAVIC = (
    ("shch", "sc"),
    ("kh", "c"),
    ("ch", "c"),
    ("ts", "c"),
    ("tz", "c"),
    ("sh", "s"),
    ("zh", "z"),
    ("y", "i"),
    ("j", "i"),
)
_DOUBLED = re.compile(r"(.)\1+")
_SERVANT = re.compile("abd(?:el|al|ul|ur|er|us|as)?(?=.{3})")

# Spellings of one sound, in the order in which they are replaced.
_LETTERS = [
    (re.compile(pattern), put)
    for pattern, put in (
        ("oye", "oe"), ("(?:ij|iy|yi|ii)$", "i"), ("tch|tsch|tj|ch|sh|sch", "C"), ("zh|dj|dzh|j", "J"), ("ph", "f"),
        ("kh|q|ck|c(?![eiy])|k", "k"), ("gh|g(?=[ei])", "J"), ("c", "s"), ("th", "t"), ("w", "v"), ("ou|oo|u", "o"),
        ("ae|oe|ue", "e"), ("ei|ai|ay|ey|ie|y|i", "e"), ("(?<=[aeo])h", ""), ("a(?=.)", "e"), ("x", "ks"),
        ("ts|tz|z", "s"), (r"(.)\1+", r"\1"), ("(?<=[dt])er$", "r"),
    )
]  # fmt: skip


@lru_cache(maxsize=65536)
def sound(token: str) -> str:
    """Return a rough key that spellings of one name in different transliterations share."""
    for pattern, put in _LETTERS:
        token = pattern.sub(put, token)
    return token


def _near(a: str, b: str, last: bool) -> bool:
    """Tell whether two words of a name, surnames if `last`, are spellings of one another, one letter apart at most."""
    if alike(a, b):
        return True
    if min(len(a), len(b)) < 5 or a[0] != b[0] or abs(len(a) - len(b)) > 1:
        return False
    if not last and a[-1] != b[-1] and (a[:-1] == b or b[:-1] == a or a[:-1] == b[:-1]):
        return False  # Louis and Louise, Maria and Mario are different names
    i = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if a[i + 1 :] == b[i + 1 :] or a[i:] == b[i + 1 :] or a[i + 1 :] == b[i:]:
        return True
    return a[:i] == b[:i] and a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :]


def alike(a: str, b: str) -> bool:
    """Tell whether two words are one in another transliteration: no letter differs but by such a rule."""
    if a == b or sound(a) == sound(b) or _umlaut(a) == _umlaut(b):
        return True
    if min(len(a), len(b)) > 4 and a[0] in "tcszyjkx" and _slavic(a) == _slavic(b):
        return True
    return min(len(a), len(b)) > 3 and a[0] == b[0] and a.replace("h", "") == b.replace("h", "")


@lru_cache(maxsize=65536)
def _slavic(token: str) -> str:
    """Return a Slavic word in the scholars' spelling without marks: Tsvetaeva and Cvetaeva give the same."""
    for pattern, put in _SLAVIC:
        token = token.replace(pattern, put)
    return token


@lru_cache(maxsize=65536)
def _umlaut(token: str) -> str:
    return re.sub(r"(?<=[aou])e", "", token)


@lru_cache(maxsize=65536)
def _sound_of_all(name: tuple[str, ...]) -> str:
    """Return the rough key of the words of `name` run together."""
    return sound(_DOUBLED.sub(r"\1", _SERVANT.sub("abd", "".join(name))))


@lru_cache(maxsize=65536)
def letters(name: tuple[str, ...]) -> str:
    """Return the letters of `name` in order of the alphabet: the same for names of the same letters."""
    return "".join(sorted("".join(name)))


@lru_cache(maxsize=65536)
def _initials(name: tuple[str, ...]) -> frozenset[str]:
    return frozenset(token for token in name if len(token) == 1)


def same_by_sound(a: tuple[str, ...], b: tuple[str, ...]) -> str | None:
    """Return the rule by which two names without particles are spellings of one another, or None."""
    if len(a) == len(b) > 1 and all(_near(x, y, i == len(a) - 1) for i, (x, y) in enumerate(zip(a, b, strict=True))):
        distinct = sum(not alike(x, y) for x, y in zip(a, b, strict=True))
        return "spelling" if distinct <= 1 else None
    if a and b and a[-1] == b[-1] and len(a) > 1 and set(a[:-1]) < set(b[:-1]) and all(len(t) > 1 for t in a):
        return "middle name"
    if _initials(a) != _initials(b):
        return None
    whole = _sound_of_all(a)
    return "spelling" if len(a) > 1 and len(whole) > 5 and whole == _sound_of_all(b) else None
