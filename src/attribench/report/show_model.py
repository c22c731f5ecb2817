"""Step: one model: its heatmap, its fame curve, and a page with its outcomes, errors, examples and cost."""

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attribench.report import labels, style
from attribench.report.accuracy_table import UNANSWERED
from attribench.report.examples import KINDS, join_answers, pick_examples
from attribench.report.fame_accuracy import draw_fame_accuracy
from attribench.report.model_heatmap import draw_model_heatmap
from attribench.report.pages import caption, picture, write_page
from attribench.report.text_table import TextTable, number, percent, text_of
from attribench.step import run
from attribench.tables import read
from attribench.tables.analysis import FAME_BINS, OUTCOME_SHARES, OVERALL, STATUSES, SUBGROUPS, WRONG_AUTHORS
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import OUTCOME_CLASSES, OUTCOMES, RESPONSES

_MOST_WRONG_AUTHORS = 10


def main(
    *,
    overall: Path,
    subgroups: Path,
    fame_bins: Path,
    outcome_shares: Path,
    wrong_authors: Path,
    statuses: Path,
    benchmarks: list[Path],
    outcomes: list[Path],
    responses: list[Path],
    manifests: list[Path],
    captions: list[Path],
    templates: list[Path],
    model: str,
    groups: dict[str, list[str]],
    prompts: list[str],
    evidence: list[bool],
    unanswered: str,
    seed: int,
    png: Path,
    fame_png: Path,
    page: Path,
) -> None:
    """Draw the figures of `model` and write its page.

    The lists of files have one for each data set, in the order of `groups`; `captions` are those of the heatmap and of
    the fame curve; groups, prompts and evidence give the order.
    """
    tables = [
        _of(model, read(path, table))
        for path, table in (
            (overall, OVERALL), (subgroups, SUBGROUPS), (fame_bins, FAME_BINS), (outcome_shares, OUTCOME_SHARES),
            (wrong_authors, WRONG_AUTHORS), (statuses, STATUSES),
        )
    ]  # fmt: skip
    totals, by_group, bins, shares, wrong, counts = tables
    prompt = "direct" if "direct" in prompts else prompts[0]
    conditions = list(product(prompts, evidence))
    heatmap = draw_model_heatmap(by_group, model, groups, conditions, unanswered=unanswered)
    curve = draw_fame_accuracy(bins, list(groups), [model], prompt, unanswered=unanswered)
    for figure, path in ((heatmap, png), (curve, fame_png)):
        style.save(figure, path)
    answers = {
        name: join_answers(
            read(benchmark, BENCHMARK, ["quote_id", "group", "author", "quote"]),
            read(outcome, OUTCOMES, ["quote_id", "prompt", "evidence", "generation", "status", "outcome", "names"]),
            read(response, RESPONSES, ["quote_id", "prompt", "evidence", "generation", "text"]),
        )
        for name, benchmark, outcome, response in zip(groups, benchmarks, outcomes, responses, strict=True)
    }
    examples = pick_examples(answers, groups, np.random.default_rng([seed, *f"examples of {model}".encode()]))
    asked = [json.loads(path.read_text(encoding="utf-8")) for path in manifests]
    context = {"wildcards": {"model": model}, "params": {"prompt": prompt}}
    texts = [caption(path, context) for path in captions]
    write_page(
        page, "model.html", templates[0].parent,
        model=model,
        name=labels.model_names(totals, [model])[model],
        facts=_facts(asked),
        about_answers=[
            *labels.subset(totals), UNANSWERED[unanswered], *labels.about_answers(totals, unanswered),
            *dict.fromkeys(remark for manifest in asked for remark in manifest.get("remarks", [])),
        ],
        heatmap=picture(png, f"Accuracy and suppression of {model} by group", texts[0], style.DPI),
        fame=picture(fame_png, f"Accuracy of {model} by fame", texts[1], style.DPI),
        outcomes=[
            {"title": f"{dataset}: {p}, {'with' if e else 'without'} evidence", "rows": rows}
            for dataset in groups
            for p, e in conditions
            if (rows := outcome_rows(_where(shares, dataset=dataset, prompt=p, evidence=e), groups[dataset]))
        ],
        wrong=[table for dataset in groups for e in evidence if (table := wrong_table(wrong, dataset, e)).rows],
        examples=[{"title": title, "examples": examples[kind]} for kind, title in KINDS.items()],
        statuses_by_group=status_table(counts, ["dataset", "group"], "Status of the answers by group"),
        statuses=status_table(
            counts, ["dataset", "prompt", "evidence", "group"], "Status of the answers by condition and group"
        ),
        cost=cost_table(asked),
    )  # fmt: skip


def outcome_rows(shares: pd.DataFrame, groups: Sequence[str]) -> list[dict[str, Any]]:
    """Return for each group what its row of the page shows: shares of outcomes, and what they rest on.

    Args:
        shares: the rows of OUTCOME_SHARES of one condition.
        groups: the groups, in order.
    """
    rows = []
    for group in groups:
        own = shares[shares["group"] == group].set_index("outcome")
        if own.empty or own["share"].isna().all():
            continue
        share = own["share"].reindex(list(OUTCOME_CLASSES))
        first = own.iloc[0]
        rows.append(
            {
                "group": group,
                **{kind: percent(share[kind]) for kind in OUTCOME_CLASSES},
                "widths": {kind: f"{100 * share[kind]:.2f}" for kind in OUTCOME_CLASSES},
                **{name: number(first[name], 0) for name in ("n_quotes", "n_unanswered", "n_missing")},
            }
        )
    return rows


def wrong_table(wrong: pd.DataFrame, dataset: str, evidence: bool) -> TextTable:
    """Return the most frequent wrong authors of the table WRONG_AUTHORS, without or with evidence."""
    own = _where(wrong, dataset=dataset, evidence=evidence).sort_values("rank").head(_MOST_WRONG_AUTHORS)
    rows = [
        [
            row["name"], text_of(row["group"]), number(row["n_answers"], 0), number(row["n_quotes"], 0),
            percent(row["share"]),
        ]
        for row in own.to_dict("records")
    ]  # fmt: skip
    header = ["Name", "Group", "Answers", "Quotes", "% of the wrong answers"]
    return TextTable(f"{dataset}, {'with' if evidence else 'without'} evidence", header, rows)


def status_table(statuses: pd.DataFrame, by: list[str], title: str) -> TextTable:
    """Return how many answers of the table STATUSES have each status, a row for each value of the columns `by`."""
    wide = statuses.pivot_table(
        index=by, columns="status", values="n_answers", aggfunc="sum", fill_value=0, sort=False, observed=True
    )
    rows = [
        [*(_word(value) for value in (key if isinstance(key, tuple) else (key,))), *(f"{int(n):,}" for n in counts)]
        for key, counts in zip(wide.index, wide.to_numpy(), strict=True)
    ]
    header = [*(name.replace("dataset", "data set").capitalize() for name in by), *map(str, wide.columns)]
    return TextTable(title, header, rows)


def cost_table(manifests: Sequence[Mapping[str, Any]]) -> TextTable:
    """Return what the answers took: tokens and money; an unknown price is unknown, never zero."""
    rows = [
        [
            manifest["dataset"],
            *(number(manifest[name], 0) for name in ("answers", "prompt_tokens", "completion_tokens")),
            number(manifest["reasoning_tokens"], 0),
            cost_text(manifest),
        ]
        for manifest in manifests
    ]
    header = ["Data set", "Answers", "Tokens asked", "Tokens answered", "Tokens of reasoning", "Cost, USD"]
    return TextTable("Cost", header, rows, "Tokens as the service counts them.")


def cost_text(manifest: Mapping[str, Any]) -> str:
    """Return what the answers cost, and of how many the price is unknown."""
    if manifest["cost_usd"] is None:
        return "unknown"
    unknown = manifest["answers_of_unknown_cost"]
    return f"{manifest['cost_usd']:,.2f}" + (f" and {unknown:,} answers of unknown price" if unknown else "")


def _facts(manifests: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    first = manifests[0]
    sent = [f"{name} = {value}" for name, value in first["parameters_sent"].items()]
    served = sorted({name for manifest in manifests for name in manifest["served_models"]})
    dates = sorted(d[:10] for m in manifests for d in (m["first_answer"], m["last_answer"]) if d)
    return [
        ("Asked for", first["model"]["id"]),
        ("Served", ", ".join(served) or "not said"),
        ("Sent", ", ".join(sent)),
        ("Answered on", " to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "never"),
    ]


def _of(model: str, table: pd.DataFrame) -> pd.DataFrame:
    return table[table["model"] == model]


def _where(table: pd.DataFrame, **values: Any) -> pd.DataFrame:
    for name, value in values.items():
        table = table[table[name] == value]
    return table


def _word(value: object) -> str:
    return ("with evidence" if value else "without evidence") if isinstance(value, bool | np.bool_) else str(value)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
