"""Step: compare the classifier with whoever judged the sample of the audit: a model, a person, or both."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import pandas as pd

from attribench.errors import ConfigError
from attribench.evaluation.audit import count_pairs, list_disagreements, measure_agreement, read_judgements
from attribench.sheets import write_harmless
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.evaluation import AUDIT_AGREEMENT, AUDIT_CONFUSION, AUDIT_SAMPLE, DISAGREEMENTS

_STYLE = (
    "body{font:14px/1.4 sans-serif;margin:1em}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.4em;text-align:left;vertical-align:top;min-width:5em}"
    "th{background:#eee;position:sticky;top:0}"
)


def main(
    *,
    sample: Path,
    judge_answers: list[Path],
    filled_sheet: str | None,
    agreement: Path,
    confusion: Path,
    disagreements: Path,
    disagreements_page: Path,
) -> None:
    """Write AUDIT_AGREEMENT, AUDIT_CONFUSION, and DISAGREEMENTS as a table and as a page to read.

    Args:
        sample: the table AUDIT_SAMPLE.
        judge_answers: the table JUDGE_ANSWERS, or nothing.
        filled_sheet: the sheet that a person filled in, or None.
        agreement: where AUDIT_AGREEMENT goes.
        confusion: where AUDIT_CONFUSION goes.
        disagreements: where DISAGREEMENTS goes, safe to open in a spreadsheet program.
        disagreements_page: where they go as HTML.

    Raises:
        ConfigError: nobody judged.
        InputError: the sheet is not there, half filled, altered, or holds what is no judgement.
    """
    if not judge_answers and not filled_sheet:
        raise ConfigError(
            "Nobody has judged the sample of the audit. Name a model under 'audit.judge', or fill in a copy of the "
            "drawn sheet and name it in 'audit.sheet'."
        )
    cases = read(sample, AUDIT_SAMPLE)
    judgements = read_judgements(cases, judge_answers, Path(filled_sheet) if filled_sheet else None)
    write(measure_agreement(cases, judgements), agreement, AUDIT_AGREEMENT)
    write(count_pairs(cases, judgements), confusion, AUDIT_CONFUSION)
    found = list_disagreements(cases, judgements)
    write_harmless(found, disagreements, DISAGREEMENTS)
    disagreements_page.write_text(as_page(found, len(cases), list(judgements["judge"].unique())), encoding="utf-8")


def as_page(disagreements: pd.DataFrame, n_sampled: int, judges: Sequence[str]) -> str:
    """Return DISAGREEMENTS as a page of HTML in which the texts of models and persons are shown as they are."""
    columns = [
        "judge", "outcome", "judgement", "author", "group", "quote", "answer", "counted", "passed_over", "note",
        "model", "prompt", "evidence", "dataset", "case",
    ]  # fmt: skip
    numbers = ", ".join(f"{(disagreements['judge'] == name).sum()} by {escape(name)}" for name in judges)
    with pd.option_context("display.max_colwidth", None):
        table = disagreements[columns].to_html(index=False, na_rep="", escape=True)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Disagreements of the audit</title>'
        f"<style>{_STYLE}</style></head><body><h1>Disagreements of the audit</h1>"
        f"<p>Of {n_sampled} answers, judged otherwise than the classifier decided: {numbers}. Outcome is what the "
        "classifier decided; counted and passed over are the names that it found, each with the rule that decided."
        f"</p>{table}</body></html>\n"
    )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
