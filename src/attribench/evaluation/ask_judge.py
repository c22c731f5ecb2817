"""Step: ask a model to judge the sample of the audit; whatever the ledger holds is not asked again."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.chat.identity import identity
from attribench.chat.until_read import Reply, ask_until_read
from attribench.errors import ConfigError, MissingAnswersError, list_causes
from attribench.evaluation.judge import Judge, Judgement, audit_questions, read_judge_prompt, read_judgement
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.evaluation import AUDIT_SAMPLE, JUDGE_ANSWERS


def main(
    *,
    sample: Path,
    prompt: Path,
    model_file: list[Path],
    judge: Mapping[str, Any] | None,
    max_requests: int,
    max_missing: float,
    budget_usd: float | None,
    store: str,
    threads: int,
    answers: Path,
) -> None:
    """Ask the judge about every answer in the sample; write JUDGE_ANSWERS.

    Args:
        sample: the table AUDIT_SAMPLE.
        prompt: what the judge is told.
        model_file: the judge's file, if this step serves it itself.
        judge: the model, with the fields of `attribench.settings.Model`; None where the configuration names none.
        max_requests: requests about one answer until the judge says one of the three words.
        max_missing: share of the judgements that may be missing because calls failed.
        budget_usd: most that all models and services together may cost, in USD; None for no limit.
        store: folder with the stores of answers, one for each judge.
        threads: for a judge that this step serves itself.
        answers: where JUDGE_ANSWERS goes.

    Raises:
        ConfigError: there is no judge.
        EndpointError: the judge cannot be asked, or not as configured.
        BudgetError: a budget allows no further call.
        MissingAnswersError: more than the share `max_missing` of the judgements could not be had.
    """
    if judge is None:
        raise ConfigError("No model can judge: name one under 'audit.judge', in the form of an entry of 'models'.")
    file = next(iter(model_file), None)
    asked = make_judge(judge, file, prompt)
    first = audit_questions(read(sample, AUDIT_SAMPLE), asked)
    replies = ask_until_read(
        first,
        asked.again,
        read_judgement,
        model=judge,
        file=file,
        store=Path(store) / f"{judge['name']}.sqlite",
        what=f"{judge['name']}, audit",
        threads=threads,
        max_requests=max_requests,
        budget_usd=budget_usd,
        section="audit.judge",
    )
    table = tabulate(replies, judge["name"])
    require_enough(table, len(first), max_missing, judge["name"])
    write(table, answers, JUDGE_ANSWERS)


def make_judge(model: Mapping[str, Any], file: Path | None, prompt: Path) -> Judge:
    """Return the judge that a model is, with the fields of `attribench.settings.Model`, when told `prompt`."""
    place = identity(model["endpoint"], file, model["id"])
    return Judge(place, model["id"], model["sampling"], read_judge_prompt(prompt))


def tabulate(replies: Sequence[Reply[Judgement]], judge: str) -> pd.DataFrame:
    """Return the replies as the table JUDGE_ANSWERS, in the order of the cases."""
    rows = [
        {
            "case": reply.request.case["case"],
            "judge": judge,
            "request": reply.request.number,
            "status": reply.answer.status,
            "text": reply.answer.text,
            "judgement": reply.reading,
            "cause": reply.answer.cause,
            "key": reply.request.question.key,
            "served_model": reply.answer.served_model,
            "cost": reply.answer.cost,
            "asked_at": reply.answer.asked_at,
        }
        for reply in replies
    ]
    return pd.DataFrame(rows, columns=JUDGE_ANSWERS.names).sort_values(["case", "request"]).reset_index(drop=True)


def require_enough(answers: pd.DataFrame, n_wanted: int, max_missing: float, judge: str) -> None:
    """Raise MissingAnswersError when too many calls failed, with their number by cause."""
    failed = answers[answers["status"] == "failed"]
    if len(failed) > max_missing * n_wanted:
        raise MissingAnswersError(
            f"{len(failed)} of {n_wanted} judgements of {judge} are missing ({list_causes(failed['cause'])}). A call "
            "that failed is no judgement. The others are kept: start the same command again to ask for what is "
            "missing, or set 'audit.max_missing' to go on without it."
        )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
