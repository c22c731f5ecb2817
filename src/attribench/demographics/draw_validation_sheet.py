"""Step: draw a sample of authors whose labels a person checks, and make the sheet for it.

The sheet does not show the labels: who sees a label tends to agree with it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.errors import InputError
from attribench.sheets import Sheet
from attribench.step import run
from attribench.strata import draw_equal_shares
from attribench.tables import read, write
from attribench.tables.demographics import LABELS, VALIDATION_SAMPLE, VALIDATION_SHEET

SHEET = Sheet(VALIDATION_SHEET, "author_id", "author", "authors", ("race_true", "gender_true"), "unknown")


def draw_sample(
    labels: pd.DataFrame, groups: Sequence[Mapping[str, str]], size: int, rng: np.random.Generator
) -> pd.DataFrame:
    """Draw authors from strata, the same number from each as far as it has so many.

    A stratum is a group (race and gender) with the sources of its two labels. Equal numbers let the
    small groups be judged as well as the large ones; the weights undo them for the whole.

    Args:
        labels: the table LABELS.
        groups: the labels of each group of a data set; authors in none of them are not drawn.
        size: number of authors.
        rng: decides who is drawn, and in which order they stand.

    Returns:
        The table VALIDATION_SAMPLE, in random order; all authors where there are not more than `size`.

    Raises:
        InputError: no author has both labels and belongs to a group.
    """
    known = labels.dropna(subset=["race", "gender"])
    belongs = pd.Series(False, index=known.index)
    for group in groups:
        belongs |= pd.concat([known[name] == value for name, value in group.items()], axis="columns").all(
            axis="columns"
        )
    frame = known[belongs].sort_values("author_id").reset_index(drop=True)
    if frame.empty:
        raise InputError(
            f"None of the {len(labels)} authors has both labels and belongs to a group of a data set: there is nothing "
            "to validate. Add sources of labels, or mend 'datasets'."
        )
    frame["group"] = frame["race"] + " " + frame["gender"]
    return draw_equal_shares(frame, ["group", "race_source", "gender_source"], size, rng)[VALIDATION_SAMPLE.names]


def main(
    *, labels: Path, groups: Sequence[Mapping[str, str]], sample_size: int, seed: int, sample: Path, sheet: Path
) -> None:
    """Draw `sample_size` authors; write VALIDATION_SAMPLE and the empty VALIDATION_SHEET."""
    rng = np.random.default_rng([seed, *b"validation"])
    drawn = draw_sample(read(labels, LABELS), groups, sample_size, rng)
    write(drawn, sample, VALIDATION_SAMPLE)
    SHEET.write(drawn[["author_id", "author"]], sheet)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
