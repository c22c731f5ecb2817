"""Step: choose the authors of each group that can be matched, and count the others by reason."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from attribench.errors import MatchingError
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import CANDIDATES, EXCLUSIONS
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import LABELS
from attribench.tables.fame import FAME

Groups = Mapping[str, Mapping[str, str]]


def assign_groups(labels: pd.DataFrame, groups: Groups) -> pd.Series:
    """Return the group that each author's labels put it into, missing for none of them.

    Raises:
        MatchingError: no author at all is labelled as a group asks.
    """
    assigned = pd.Series(None, index=labels.index, dtype=object)
    for name, wanted in groups.items():
        for attribute, value in wanted.items():
            if not labels[attribute].eq(value).any():
                found = ", ".join(sorted(labels[attribute].dropna().unique())) or "none"
                raise MatchingError(
                    f"Group '{name}' asks for {attribute} '{value}', but no author is labelled so. "
                    f"Labels of {attribute} that occur: {found}. Mend the group, or use other sources of labels."
                )
        belongs = pd.Series(True, index=labels.index)
        for attribute, value in wanted.items():
            belongs &= labels[attribute].eq(value)
        assigned = assigned.mask(belongs, name)
    return assigned


def select(
    authors: pd.DataFrame, labels: pd.DataFrame, fame: pd.DataFrame, groups: Groups, min_log10_hits: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return CANDIDATES (sorted by group, in the order of `groups`, and author) and EXCLUSIONS.

    Raises:
        MatchingError: a group has no author left.
    """
    table = authors.merge(labels.drop(columns=["author", "reason"]), on="author_id", validate="one_to_one")
    table = table.merge(fame[["author_id", "log10_hits"]], on="author_id", validate="one_to_one")
    table["group"] = assign_groups(table, groups)
    asked_for = sorted({attribute for wanted in groups.values() for attribute in wanted})
    # The first reason that applies counts; the order is that of the paper's construction.
    reasons = {
        "no race or gender on record": table["group"].isna() & table[asked_for].isna().any(axis="columns"),
        "in no group of the data set": table["group"].isna(),
        "no fame on record": table["log10_hits"].isna(),
        f"fame below {min_log10_hits:g} log10 hits": table["log10_hits"] < min_log10_hits,
    }
    reason = pd.Series("", index=table.index)
    for name, applies in reasons.items():
        reason = reason.mask((reason == "") & applies, name)
    exclusions = pd.DataFrame(
        {
            "reason": [*reasons, "none: can be matched"],
            "authors": [int((reason == name).sum()) for name in [*reasons, ""]],
            "quotes": [int(table.loc[reason == name, "n_quotes"].sum()) for name in [*reasons, ""]],
        }
    )
    kept = table[reason == ""]
    for name in groups:
        if not (kept["group"] == name).any():
            out = reason[table["group"] == name].value_counts()
            why = "; ".join(f"{count} with {text}" for text, count in out.items())
            raise MatchingError(
                f"Group '{name}' has no author left to match ({why or 'no author has its labels together'}). "
                "Lower 'balance.min_log10_hits', add sources of fame or labels, or take another group."
            )
    order = kept["group"].map({name: place for place, name in enumerate(groups)})
    kept = kept.assign(order=order).sort_values(["order", "author_id"], kind="stable")
    return kept[CANDIDATES.names].reset_index(drop=True), exclusions


def main(
    *,
    authors: Path,
    labels: Path,
    fame: Path,
    groups: Groups,
    min_log10_hits: float,
    candidates: Path,
    exclusions: Path,
) -> None:
    """Write the authors that can be matched to `candidates`, and why others cannot to `exclusions`."""
    kept, left_out = select(read(authors, AUTHORS), read(labels, LABELS), read(fame, FAME), groups, min_log10_hits)
    write(kept, candidates, CANDIDATES)
    write(left_out, exclusions, EXCLUSIONS)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
