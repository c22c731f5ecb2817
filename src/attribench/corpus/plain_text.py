"""Texts in bulk: their plain form for comparison, their length and their script."""

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

_WORD = r"[\p{L}\p{N}_]+"
_FOREIGN = r"[^\P{L}\p{Latin}ªº]"


def plain(texts: pd.Series) -> pd.Series:
    """Return `texts` without case, marks and punctuation, and with one space between words.

    Two quotes are the same text where their plain forms are equal.
    """
    return _series(_plain(_array(texts)), texts)


def single_spaced(texts: pd.Series) -> pd.Series:
    """Return `texts` with one space for every run of blanks, line ends and separators."""
    return _series(pc.utf8_trim_whitespace(pc.replace_substring_regex(_array(texts), r"[\s\p{Z}]+", " ")), texts)


def word_counts(texts: pd.Series) -> pd.Series:
    r"""Return the number of words of each text: runs of letters, digits and underscores.

    That is Python's ``\w+``, the count under which the sizes published with Berman et al.
    2026 come out; ``don't`` counts as two words.
    """
    return _series(pc.count_substring_regex(_array(texts), _WORD).cast(pa.int64()), texts)


def blank_counts(texts: pd.Series) -> pd.Series:
    """Return the number of words of each text, counted as what stands between blanks."""
    return _series(pc.count_substring_regex(_array(texts), r"[^\s\p{Z}]+").cast(pa.int64()), texts)


def has_foreign_script(texts: pd.Series) -> pd.Series:
    """Return whether each text holds a letter of another script than Latin."""
    return _series(pc.match_substring_regex(_array(texts), _FOREIGN), texts)


def _plain(texts: pa.Array) -> pa.Array:
    texts = pc.replace_substring_regex(pc.utf8_normalize(texts, "NFKD"), r"\p{M}+|['’‘ʼ`´]", "")
    texts = pc.utf8_lower(texts)
    return pc.utf8_trim(pc.replace_substring_regex(texts, r"[^\p{L}\p{N}]+", " "), " ")


def _array(texts: pd.Series) -> pa.Array:
    array = pa.array(texts, pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _series(values: pa.Array, like: pd.Series) -> pd.Series:
    found: pd.Series = values.to_pandas()
    found.index = like.index
    return found
