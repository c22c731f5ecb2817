"""The word lists of the corpus stage, read once from ``resources/words/corpus``.

Those in `SHARED` stand one folder higher, since other stages use them, too. `given_names` and
`common_words` are what the corpus itself shows; `all_given_names` and `all_common_words` are wider.

One entry a line; a line that begins with ``#`` is a comment. Entries are compared in the
folded form of `attribench.text`.
"""

from functools import cache, lru_cache
from pathlib import Path

from attribench.errors import InputError
from attribench.text import fold

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "words"
SHARED = {
    "characters": "characters",
    "surnames": "family_names",
    "all_given_names": "given_names",
    "all_common_words": "common_words",
}


# A cell is folded by several rules, word by word.
folded = lru_cache(maxsize=1 << 17)(fold)


@cache
def words(name: str) -> frozenset[str]:
    """Return the folded entries of the list `name`.

    Raises:
        InputError: the list is missing.
    """
    path = FOLDER / f"{SHARED[name]}.txt" if name in SHARED else FOLDER / "corpus" / f"{name}.txt"
    if not path.is_file():
        raise InputError(
            f"The word list {path} was expected, but there is no such file. Restore it from the repository."
        )
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(fold(line) for line in lines if line.strip() and not line.startswith("#"))
