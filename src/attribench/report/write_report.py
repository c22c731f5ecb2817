"""Step: the report: every table as CSV, Markdown and LaTeX, and the page that a reader opens first."""

import json
from pathlib import Path
from typing import Any

from attribench.report.pages import caption
from attribench.report.report_page import write_index
from attribench.report.text_table import write_texts
from attribench.report.written_tables import Named, data_tables, result_tables
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.analysis import OVERALL


def main(
    *,
    analysis: list[Path],
    runs: list[Path],
    group_fame: list[Path],
    manifests: list[Path],
    paper: list[Path],
    figures: list[Path],
    quality: list[Path],
    audit: list[Path],
    spend: list[Path],
    on_demand: dict[str, str],
    captions: list[Path],
    templates: list[Path],
    built: list[str],
    groups: dict[str, list[str]],
    models: dict[str, str],
    prompts: list[str],
    evidence: list[bool],
    unanswered: str,
    config: dict[str, Any],
    tables: list[Path],
    index: Path,
) -> None:
    """Write the tables that `tables` names, and the page `index`.

    Args:
        analysis: tables of the stage analysis; their names say which.
        runs: the table RUNS of each data set of `built`.
        group_fame: the table GROUP_FAME of each data set of `built`.
        manifests: the manifest of each model and data set.
        paper: the paper's figures; their names say which.
        figures: the figures (PNG) that the page shows.
        quality: further tables about the data sets (CSV).
        audit: figures (PNG) and tables (CSV) of the audit, if there was one.
        spend: figures and tables of what was spent, if there are any.
        on_demand: files of the targets compare and selftest, if there are any, with their checksums.
        captions: the captions, of the figures and of the whole.
        templates: the templates of the pages.
        built: the data sets that were built from the corpus.
        groups: the groups of each data set, in order.
        models: what is asked for each model, by its slug, in order.
        prompts: the prompts, in order.
        evidence: the settings of evidence.
        unanswered: what became of answers without text: `exclude` or `none`.
        config: what the captions name of the configuration.
        tables: the CSV files to write; Markdown and LaTeX go beside them.
        index: the page to write.
    """
    named = Named(groups, models, prompts, evidence, unanswered)
    known = {path.stem: path for path in paper}
    asked = [json.loads(path.read_text(encoding="utf-8")) for path in manifests]
    tables_of = {path.stem: path for path in analysis}
    written = result_tables(tables_of, known, asked, named)
    written |= data_tables(dict(zip(built, runs, strict=True)), dict(zip(built, group_fame, strict=True)), known)
    for csv in tables:
        write(written[csv.stem].frame, csv, written[csv.stem].table)
        write_texts(written[csv.stem].texts, csv)
    context = {"wildcards": {}, "params": {"unanswered": unanswered}, "config": config}
    write_index(
        index,
        templates[0].parent,
        read(tables_of["overall"], OVERALL),
        written,
        figures,
        {"datasets": quality, "audit": audit, "spend": spend, "on_demand": [Path(f) for f in on_demand]},
        asked,
        {path.stem: caption(path, context) for path in captions},
        named,
    )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
