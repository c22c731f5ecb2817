"""Names that differ by a small edit, found without comparing all pairs.

Two names within k edits of each other have a text in common that is left when at most k letters
are taken out of each (the deletion neighbourhood, as in SymSpell). Names are keyed by all such
texts, and only those that share a key are compared: the time grows with the number of names.
"""

import itertools
import re
from array import array
from collections.abc import Iterator, Sequence

import numpy as np

SHORTEST = 8
"""Letters in the shortest name for which an edit is looked for: below, most pairs are other people."""
LONG = 12
"""Letters from which a name may differ by two edits rather than one."""
_SUFFIX = re.compile(r" (?:jr|sr|jnr|snr|ii|iii|iv|fils|pere)$")


def similar_pairs(forms: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield each pair of similar names once, as two places in `forms` and their distance.

    Names are similar that have the same initial of the surname and are at most `bound` apart,
    unless they differ in nothing but initials and the like (words of one or two letters).

    Args:
        forms: names in normal form.
    """
    by_initial: dict[str, list[int]] = {}
    for place, form in enumerate(forms):
        by_initial.setdefault(_surname(form)[:1], []).append(place)
    for places in by_initial.values():
        for one, other in sorted(_meetings([forms[place] for place in places])):
            a, b = forms[places[one]], forms[places[other]]
            most = min(bound(a), bound(b))
            if (distance := edits(a, b, most)) <= most and not _differ_in_initials(a, b):
                yield places[one], places[other], distance


def bound(form: str) -> int:
    """Return how many edits away from `form` a name may be to be similar."""
    letters = len(form.replace(" ", ""))
    return 0 if letters < SHORTEST else 1 if letters < LONG else 2


def edits(one: str, other: str, most: int) -> int:
    """Return the edit distance, at which two letters changed round count as one edit, or `most` + 1 if it is larger.

    This is the optimal string alignment distance: insertions, deletions, replacements and
    swaps of neighbours.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]


def _surname(form: str) -> str:
    return _SUFFIX.sub("", form).split(" ")[-1]


def _differ_in_initials(one: str, other: str) -> bool:
    """Return whether each word that differs is short in either name: other initials, another number."""
    a, b = one.split(" "), other.split(" ")
    different = [(x, y) for x, y in zip(a, b, strict=False) if x != y]
    return len(a) == len(b) and bool(different) and all(min(len(x), len(y)) < 3 for x, y in different)


def _shortened(form: str) -> Iterator[str]:
    """Yield `form` and what is left of it when up to `bound` of its letters are taken out."""
    for n in range(bound(form) + 1):
        for gone in itertools.combinations(range(len(form)), n):
            ends = [-1, *gone, len(form)]
            yield "".join(form[start + 1 : end] for start, end in itertools.pairwise(ends))


def _meetings(forms: list[str]) -> set[tuple[int, int]]:
    """Return the pairs of places that share a shortened form, and a few more by chance."""
    keys, owners = array("q"), array("q")
    for place, form in enumerate(forms):
        found = {hash(text) for text in _shortened(form)}
        keys.extend(found)
        owners.extend(itertools.repeat(place, len(found)))
    key, owner = np.asarray(keys), np.asarray(owners)
    order = np.argsort(key, kind="stable")
    key, owner = key[order], owner[order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    ends = np.r_[starts[1:], len(key)]
    return {
        pair
        for start, end in zip(starts[ends - starts > 1], ends[ends - starts > 1], strict=True)
        for pair in itertools.combinations(owner[start:end].tolist(), 2)
    }
