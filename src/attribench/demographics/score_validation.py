"""Step: score the labels by the sheet that a person filled in."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from attribench.agreement import wilson
from attribench.demographics.draw_validation_sheet import SHEET
from attribench.demographics.multiple_choice import ATTRIBUTES, read_choices
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.demographics import VALIDATION, VALIDATION_SAMPLE

ALL = "all"


def read_filled(path: Path, sample: pd.DataFrame, allowed: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Return the sample with `race_true` and `gender_true`, in lower case, from the sheet that a person filled in.

    Args:
        path: the sheet.
        sample: the table VALIDATION_SAMPLE that it was made for.
        allowed: for race and gender, the answers that can be given besides "unknown".

    Raises:
        InputError: the sheet is not there, half filled, not the one that was drawn, or holds an
            answer that is not allowed.
    """
    found = SHEET.read(path, sample, {f"{attribute}_true": allowed[attribute] for attribute in ATTRIBUTES})
    return sample.merge(found[[SHEET.key, *SHEET.fill]], on=SHEET.key, validate="one_to_one")


def score(filled: pd.DataFrame) -> pd.DataFrame:
    """Return the table VALIDATION: accuracy overall, by source, by group, and by both.

    The interval is Wilson's (1927). It takes the labels of a row as a random sample; a row over
    several strata is that only with its weights, hence the weighted accuracy beside it.

    Args:
        filled: what `read_filled` returns.
    """
    rows = []
    for attribute in ATTRIBUTES:
        part = pd.DataFrame(
            {
                "source": filled[f"{attribute}_source"],
                "group": filled["group"],
                "weight": filled["weight"],
                "decided": filled[f"{attribute}_true"] != SHEET.unknown,
                "correct": filled[f"{attribute}_true"] == filled[attribute].str.lower(),
            }
        )
        rows += [
            {"attribute": attribute, "source": source, "group": group, **_accuracy(rest)}
            for source, of_source in _all_and_each(part, "source")
            for group, rest in _all_and_each(of_source, "group")
        ]
    return pd.DataFrame(rows)[VALIDATION.names]


def main(*, sample: Path, filled_sheet: Path, choices: Path, validation: Path) -> None:
    """Score the labels of `sample` by `filled_sheet`; write VALIDATION."""
    drawn = read(sample, VALIDATION_SAMPLE)
    allowed = {
        name: sorted({*choice.labels, *drawn[name].str.lower()}) for name, choice in read_choices(choices).items()
    }
    write(score(read_filled(filled_sheet, drawn, allowed)), validation, VALIDATION)


def _all_and_each(table: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame]]:
    yield ALL, table
    for value, part in table.groupby(column):
        yield str(value), part


def _accuracy(part: pd.DataFrame) -> dict[str, float | int | None]:
    decided = part[part["decided"]]
    n, correct = len(decided), int(decided["correct"].sum())
    low, high = wilson(correct, n)
    return {
        "n_checked": n,
        "n_unknown": len(part) - n,
        "n_correct": correct,
        "accuracy": correct / n if n else None,
        "ci_low": low,
        "ci_high": high,
        "weighted_accuracy": (decided["weight"] * decided["correct"]).sum() / decided["weight"].sum() if n else None,
    }


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
