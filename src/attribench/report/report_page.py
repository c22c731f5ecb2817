"""The page that a reader opens first: an overview, then everything by section."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from attribench.report import labels, style
from attribench.report.accuracy_table import UNANSWERED
from attribench.report.contents import FIGURES, SECTIONS, TABLES
from attribench.report.leaderboard import columns, leaderboard
from attribench.report.on_demand import ON_DEMAND, on_demand_table
from attribench.report.pages import picture, write_page
from attribench.report.run_table import csv_table, run_table
from attribench.report.text_table import TextTable, number
from attribench.report.written_tables import Named, Written


def write_index(
    path: Path,
    templates: Path,
    overall: pd.DataFrame,
    written: Mapping[str, Written],
    figures: Sequence[Path],
    further: Mapping[str, Sequence[Path]],
    manifests: Sequence[Mapping[str, Any]],
    captions: Mapping[str, Markup],
    named: Named,
) -> None:
    """Write the page.

    Args:
        path: where to.
        templates: the folder of the templates.
        overall: the table OVERALL.
        written: the report's tables, by stem.
        figures: the figures (PNG), each with a caption of the same stem.
        further: for a section, figures (PNG) and tables (CSV) of other stages; none where a run has none.
        manifests: what stands beside the answers of each model and data set.
        captions: the captions by stem; `workflow` is the introduction.
        named: what the configuration names.
    """
    disparity = written["disparity"].frame
    shown = columns(named.prompts, named.evidence)
    lines = leaderboard(
        (overall, disparity), written["beside_paper"].frame, shown, list(named.groups), list(named.models)
    )
    write_page(
        path, "index.html", templates,
        facts=_facts(manifests, named),
        introduction=captions["workflow"],
        scoring=UNANSWERED[named.unanswered],
        about_answers=[*labels.subset(overall), *labels.about_answers(overall, named.unanswered)],
        headings=[heading for heading, *_ in [*shown[:1], ("Gap",), *shown[1:]]],
        lines=lines,
        ends=[_end([line.cells[i] for line in lines]) for i in range(len(shown) + 1)],
        sections=_sections(written, figures, further, manifests, captions),
    )  # fmt: skip


def _sections(
    written: Mapping[str, Written],
    figures: Sequence[Path],
    further: Mapping[str, Sequence[Path]],
    manifests: Sequence[Mapping[str, Any]],
    captions: Mapping[str, Markup],
) -> list[dict[str, Any]]:
    pictures: dict[str, list[Any]] = {section.name: [] for section in SECTIONS}
    tables: dict[str, list[TextTable]] = {section.name: [] for section in SECTIONS}
    drawn = {path.stem: path for path in figures}
    for stem, (section, label) in FIGURES.items():
        if stem in drawn:
            pictures[section].append(picture(drawn[stem], f"Figure {label}", captions[stem], style.DPI))
    for stem, (section, _) in TABLES.items():
        if stem in written and written[stem].texts.rows:
            tables[section].append(written[stem].texts)
    tables["accuracy"] += [entry.texts for stem, entry in written.items() if stem.startswith("groups_")]
    tables["manifest"].append(run_table(manifests))
    for section, paths in further.items():
        for path in paths:
            title = _title(path)
            if path.suffix == ".png":
                pictures[section].append(picture(path, title, captions.get(path.stem, Markup("")), style.DPI))
            elif path.stem in ON_DEMAND:
                tables[section] += [shown for shown in [on_demand_table(path)] if shown is not None]
            else:
                tables[section].append(csv_table(path, title))
    return [{**asdict(s), "figures": pictures[s.name], "tables": tables[s.name]} for s in SECTIONS]


def _title(path: Path) -> str:
    """Return how a file of another stage is called: by its name, and by its folder where that is a data set's."""
    name = path.stem.replace("_", " ").capitalize()
    return f"{name}: {path.parent.name}" if path.parent.parent.name in ("balance", "evaluation") else name


def _facts(manifests: Sequence[Mapping[str, Any]], named: Named) -> list[tuple[str, str]]:
    dates = sorted(d[:10] for m in manifests for d in (m["first_answer"], m["last_answer"]) if d)
    return [
        ("Models", number(len(named.models), 0)),
        ("Data sets", ", ".join(named.groups)),
        ("Answers, over all data sets", number(sum(m["answers"] for m in manifests), 0)),
        ("Answered on", " to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else "never"),
    ]


def _end(cells: Sequence[Any]) -> float:
    """Return where the scale of a column ends, in percent."""
    ends = [float(end) for cell in cells for end in (cell.value, cell.high) if end is not None]
    return max([1.0, *ends])
