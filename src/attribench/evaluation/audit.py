"""The judgements of the audit, by a model or a person, beside what the classifier decided."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import pandas as pd

from attribench.agreement import kappa, wilson
from attribench.errors import InputError
from attribench.evaluation.draw_audit_sample import SHEET
from attribench.tables import read
from attribench.tables.evaluation import (
    AUDIT_AGREEMENT,
    AUDIT_CONFUSION,
    DISAGREEMENTS,
    JUDGE_ANSWERS,
    OUTCOME_CLASSES,
)

# With a blank, so that no model can have the name.
CLASSIFIER, PERSON = "the classifier", "a person"
NO_JUDGEMENT = "no judgement"

_ATTRIBUTES = ("dataset", "group", "model", "prompt", "outcome")


def read_judgements(sample: pd.DataFrame, judge_answers: Sequence[Path], filled_sheet: Path | None) -> pd.DataFrame:
    """Return what each judge says of each case of `sample`: `judge`, `case`, `judgement`, `note`, in their order.

    `judgement` is None where there is none: the judge's answer was none of the three words or could not be had, or
    the person wrote "unclear".

    Args:
        sample: the table AUDIT_SAMPLE.
        judge_answers: the table JUDGE_ANSWERS, or nothing.
        filled_sheet: the sheet that a person filled in, or None.

    Raises:
        InputError: a case was not asked about, or the sheet cannot be used.
    """
    parts = [pd.DataFrame(columns=["judge", "case", "judgement", "note"])]
    for path in judge_answers:
        last = read(path, JUDGE_ANSWERS).drop_duplicates("case", keep="last")  # the last request decides
        missing = ~sample["case"].isin(last["case"])
        if missing.any():
            raise InputError(
                f"{path} holds nothing about {missing.sum()} of {len(sample)} answers of the sample. Remove it, so "
                "that the next run makes it from this sample."
            )
        parts.append(last.assign(note=None))
    if filled_sheet is not None:
        filled = SHEET.read(filled_sheet, sample, {"judgement": OUTCOME_CLASSES})
        judgement = filled["judgement"].where(filled["judgement"] != SHEET.unknown, None)
        parts.append(filled.assign(judge=PERSON, judgement=judgement))
    cases = sample[["case"]]
    merged = [cases.merge(part[["judge", "case", "judgement", "note"]], on="case") for part in parts if len(part)]
    return pd.concat(merged or parts, ignore_index=True)


def measure_agreement(sample: pd.DataFrame, judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the table AUDIT_AGREEMENT: each judge with the classifier, and the judges with each other.

    The agreement with the classifier is what the paper calls its accuracy (Berman et al. 2026, Sec. 5.1). The
    interval is Wilson's; for a stratified sample it belongs to the agreement in the sample, not to the weighted one.
    """
    rows = []
    for one, other, first, second in _pairs(sample, judgements):
        for attribute, value, part in _all_and_each(sample):
            agreement = _agree(first[part.index], second[part.index], part["weight"])
            if attribute == "outcome" and agreement["n_judged"] and one == CLASSIFIER:
                none = dict.fromkeys(("kappa", "kappa_low", "kappa_high"))
                agreement |= none | {"note": "no kappa: the classifier says the same of all"}
            rows.append({"one": one, "other": other, "attribute": attribute, "value": value, **agreement})
    return pd.DataFrame(rows, columns=AUDIT_AGREEMENT.names)


def count_pairs(sample: pd.DataFrame, judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the table AUDIT_CONFUSION: how often the one said this and the other that, never as well."""
    said = [*OUTCOME_CLASSES, NO_JUDGEMENT]
    every = pd.MultiIndex.from_product([said, said], names=["said_by_one", "said_by_other"])
    tables = [pd.DataFrame(columns=AUDIT_CONFUSION.names)]
    for one, other, first, second in _pairs(sample, judgements):
        both = pd.DataFrame({"said_by_one": first, "said_by_other": second}).fillna(NO_JUDGEMENT)
        counts = both.value_counts().reindex(every, fill_value=0).rename("n").reset_index()
        tables.append(counts.assign(one=one, other=other))
    return pd.concat(tables[1:] or tables)[AUDIT_CONFUSION.names]


def list_disagreements(sample: pd.DataFrame, judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the table DISAGREEMENTS, with what a reader needs to see who is right."""
    shown = sample.assign(
        counted=_with_rules(sample["names"], sample["name_rules"]),
        passed_over=_with_rules(sample["passed_over"], sample["passed_over_rules"]),
    )
    found = judgements.dropna(subset="judgement").merge(shown, on="case")
    found = found[found["judgement"] != found["outcome"]]
    order = ["judge", "outcome", "judgement", "dataset", "model", "case"]
    return found.sort_values(order)[DISAGREEMENTS.names].reset_index(drop=True)


def _pairs(sample: pd.DataFrame, judgements: pd.DataFrame) -> Iterator[tuple[str, str, pd.Series, pd.Series]]:
    """Yield each two that judged, with what they say of the cases, in the order and with the index of `sample`."""
    said = {CLASSIFIER: sample["outcome"]}
    for judge, part in judgements.groupby("judge", sort=False):
        said[str(judge)] = sample["case"].map(part.set_index("case")["judgement"])
    for one, other in combinations(said, 2):
        yield one, other, said[one], said[other]


def _all_and_each(sample: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    yield "all", "all", sample
    for attribute in _ATTRIBUTES:
        names = sample[attribute]
        if attribute == "group":  # one name may stand for groups of two data sets
            names = sample["dataset"] + ": " + names
        for value, part in sample.groupby(names):
            yield attribute, str(value), part


def _agree(first: pd.Series, second: pd.Series, weight: pd.Series) -> dict[str, float | int | str | None]:
    both = first.notna() & second.notna()
    first, second, weight = first[both], second[both], weight[both]
    same = first == second
    n, count = int(both.sum()), int(same.sum())
    low, high = wilson(count, n)
    found = kappa(first, second, "answer")
    return {
        "n_sampled": len(both),
        "n_judged": n,
        "n_agree": count,
        "agreement": count / n if n else None,
        "ci_low": low,
        "ci_high": high,
        "weighted_agreement": float((weight * same).sum() / weight.sum()) if n else None,
        "kappa": found["kappa"],
        "kappa_low": found["ci_low"],
        "kappa_high": found["ci_high"],
        "note": found["note"],
    }


def _with_rules(names: pd.Series, rules: pd.Series) -> list[str]:
    return [
        "; ".join(f"{name} [{rule}]" for name, rule in zip(*both, strict=True))
        for both in zip(names, rules, strict=True)
    ]
