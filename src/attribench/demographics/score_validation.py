"""Step: score the labels by the sheet that a person filled in."""

import difflib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from attribench.demographics.multiple_choice import ATTRIBUTES, read_choices
from attribench.errors import InputError
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.demographics import VALIDATION, VALIDATION_SAMPLE, VALIDATION_SHEET

UNKNOWN = "unknown"
"""What the person writes who cannot find out."""

ALL = "all"


def read_filled(path: Path, sample: pd.DataFrame, allowed: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Read a sheet that a person filled in, in any order of rows.

    Args:
        path: the sheet; separated by commas or, as some spreadsheet programs do, by semicolons.
        sample: the table VALIDATION_SAMPLE that it was made for.
        allowed: for race and gender, the answers that can be given besides "unknown".

    Returns:
        The sample with `race_true` and `gender_true`, in lower case.

    Raises:
        InputError: the sheet is not there, half filled, not the one that was drawn, or holds an
            answer that is not allowed.
    """
    found = _read_sheet(path)
    _require_same_authors(found, sample, path)
    for attribute in ATTRIBUTES:
        column = f"{attribute}_true"
        found[column] = found[column].str.strip().str.lower()
    empty = {column: int((found[column] == "").sum()) for column in ("race_true", "gender_true")}
    if any(empty.values()):
        first = found.loc[(found["race_true"] == "") | (found["gender_true"] == ""), "author"].iloc[0]
        raise InputError(
            f"{path} is filled in only in part: of {len(found)} rows, {empty['race_true']} lack 'race_true' and "
            f"{empty['gender_true']} lack 'gender_true', the first of them {first}. Fill in every row; write "
            f"'{UNKNOWN}' where it cannot be found out."
        )
    wrong = [sentence for attribute in ATTRIBUTES for sentence in _not_allowed(found, attribute, allowed[attribute])]
    if wrong:
        raise InputError(
            f"{path} has {len(wrong)} answers that cannot be compared with a label. " + " ".join(wrong[:5])
        )
    return sample.merge(found[["author_id", "race_true", "gender_true"]], on="author_id", validate="one_to_one")


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
                "decided": filled[f"{attribute}_true"] != UNKNOWN,
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


def _read_sheet(path: Path) -> pd.DataFrame:
    if not path.is_file():
        raise InputError(
            f"The filled sheet was expected at {path}, but there is no such file. Copy the drawn sheet there, fill in "
            "'race_true' and 'gender_true', and start again."
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not in UTF-8. Save it from the spreadsheet program as 'CSV UTF-8'.") from error
    header = text.split("\n", 1)[0]
    separator = ";" if header.count(";") > header.count(",") else ","
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            found = pd.read_csv(StringIO(text), sep=separator, dtype=str, keep_default_na=False, index_col=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning) as error:
        raise InputError(f"{path} is no CSV file: {error}. Copy the drawn sheet anew and fill it in.") from error
    missing = [name for name in VALIDATION_SHEET.names if name not in found.columns]
    if missing:
        raise InputError(
            f"{path} lacks the columns {', '.join(missing)}; it has {', '.join(map(str, found.columns))}. "
            f"The drawn sheet has {', '.join(VALIDATION_SHEET.names)}; fill it in without changing its columns."
        )
    found = found[VALIDATION_SHEET.names].fillna("")  # a row that ends early
    # Spreadsheet programs leave empty rows at the end.
    return found[(found != "").any(axis="columns")].reset_index(drop=True)


def _require_same_authors(found: pd.DataFrame, sample: pd.DataFrame, path: Path) -> None:
    drawn = dict(zip(sample["author_id"], sample["author"], strict=True))
    given = dict(zip(found["author_id"], found["author"], strict=True))
    differences = {
        "missing": [author for author_id, author in drawn.items() if author_id not in given],
        "not drawn": [author for author_id, author in given.items() if author_id not in drawn],
        "twice": list(found.loc[found["author_id"].duplicated(), "author"]),
        "with another name": [a for i, a in given.items() if i in drawn and a.strip() != drawn[i].strip()],
    }
    counted = [f"{len(names)} {what} (the first is '{names[0]}')" for what, names in differences.items() if names]
    if counted:
        raise InputError(
            f"{path} is not the sheet that was drawn, or was altered: of its authors, {', '.join(counted)}. Only "
            "'race_true', 'gender_true' and 'note' are to be filled in. If the labels were made anew since, the "
            "sample is another one: copy the new sheet, and carry over what was filled in."
        )


def _not_allowed(found: pd.DataFrame, attribute: str, allowed: Sequence[str]) -> Iterator[str]:
    values = [*allowed, UNKNOWN]
    column = f"{attribute}_true"
    for author, value in zip(found["author"], found[column], strict=True):
        if value not in values:
            close = difflib.get_close_matches(value, values, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else f" Possible are {', '.join(values)}."
            yield f"'{column}' of {author} is '{value}'.{hint}"


def _all_and_each(table: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame]]:
    yield ALL, table
    for value, part in table.groupby(column):
        yield str(value), part


def _accuracy(part: pd.DataFrame) -> dict[str, float | int | None]:
    decided = part[part["decided"]]
    n, correct = len(decided), int(decided["correct"].sum())
    low, high = proportion_confint(correct, n, method="wilson") if n else (None, None)
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
