"""Step: the selected runs and the fame of the groups, beside the paper's Tables 2 and 3."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from attribench.report.paper_figures import TABLE_2, TABLE_3
from attribench.report.write_accuracy_table import escape_markdown
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.balance import CRITERIA, GROUP_FAME, RUNS
from attribench.tables.report import GROUP_FAME_BESIDE_PAPER, SELECTED_RUNS

_CRITERIA = {
    "authors_per_group": ("Authors per group", 0),
    "quotes_per_group": ("Quotes per group", 0),
    "mean_log10_hits": ("Average fame, log10 hits", 4),
    "range_log10_hits": ("Fame range, log10 hits", 4),
    "rms_log10_hits": ("RMS error, log10 hits", 4),
}
"""How each criterion is called, and with how many decimals it is shown."""

_SMALLER_IS_BETTER = {"range_log10_hits", "rms_log10_hits"}


def main(
    *,
    runs: list[Path],
    group_fame: list[Path],
    datasets: list[str],
    runs_csv: Path,
    runs_markdown: Path,
    fame_csv: Path,
    fame_markdown: Path,
) -> None:
    """Write Tables 2 and 3, each as CSV and as Markdown; `datasets` names the files' data sets in order."""
    selected = selected_runs({name: read(path, RUNS) for name, path in zip(datasets, runs, strict=True)})
    fame = beside_paper({name: read(path, GROUP_FAME) for name, path in zip(datasets, group_fame, strict=True)})
    write(selected, runs_csv, SELECTED_RUNS)
    write(fame, fame_csv, GROUP_FAME_BESIDE_PAPER)
    for path, text in ((runs_markdown, runs_as_markdown(selected)), (fame_markdown, fame_as_markdown(fame))):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def selected_runs(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the table SELECTED_RUNS from the table RUNS of each data set."""
    rows = []
    for dataset, table in runs.items():
        selected = table[table["selected"]].iloc[0]
        for criterion in (c.name for c in CRITERIA):
            ends = [float(table[criterion].max()), float(table[criterion].min())]
            best, worst = reversed(ends) if criterion in _SMALLER_IS_BETTER else ends
            paper = TABLE_2.get(dataset, {}).get(criterion)
            rows.append((dataset, criterion, float(selected[criterion]), best, worst, paper))
    found = pd.DataFrame(rows, columns=SELECTED_RUNS.names)
    return found.astype({"paper": "float64"})


def beside_paper(group_fame: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the table GROUP_FAME_BESIDE_PAPER from the table GROUP_FAME of each data set."""
    own = pd.concat(
        [table[["group", "authors", "mean_log10_hits"]].assign(dataset=name) for name, table in group_fame.items()],
        ignore_index=True,
    )
    papers = [TABLE_3.get(key, (None, None)) for key in zip(own["dataset"], own["group"], strict=True)]
    own["paper_authors"] = pd.Series([count for count, _ in papers], dtype="float64")
    own["paper_mean_log10_hits"] = pd.Series([mean for _, mean in papers], dtype="float64")
    return own[GROUP_FAME_BESIDE_PAPER.names]


def runs_as_markdown(selected: pd.DataFrame) -> str:
    """Return the table SELECTED_RUNS as Markdown, with a legend."""
    rows = []
    for row in selected.to_dict("records"):
        name, decimals = _CRITERIA[str(row["criterion"])]
        numbers = [_number(row[column], decimals) for column in ("value", "best", "worst", "paper")]
        rows.append([escape_markdown(str(row["dataset"])), name, *numbers])
    legend = (
        "The selected run of each data set. Best and worst are over all runs, for each criterion by itself.\n"
        "The paper's are those of Berman et al. 2026, Table 2, where the data set has the paper's name.\n"
    )
    header = ["Data set", "Criterion", "Selected run", "Best run", "Worst run", "Paper"]
    return _markdown("Selected runs of the fame matching", header, 2, rows, legend)


def fame_as_markdown(fame: pd.DataFrame) -> str:
    """Return the table GROUP_FAME_BESIDE_PAPER as Markdown, with a legend."""
    rows = [
        [
            escape_markdown(str(row["dataset"])),
            escape_markdown(str(row["group"])),
            _number(row["authors"], 0),
            _number(row["mean_log10_hits"], 4),
            _number(row["paper_authors"], 0),
            _number(row["paper_mean_log10_hits"], 4),
        ]
        for row in fame.to_dict("records")
    ]
    legend = (
        "Mean fame (log10 hits) of all authors of a group whose fame is on record, however little known.\n"
        "The paper's are those of Berman et al. 2026, Table 3, where data set and group have the paper's names.\n"
    )
    header = ["Data set", "Group", "Authors", "Mean fame", "Paper: authors", "Paper: mean fame"]
    return _markdown("Fame of the groups before balancing", header, 2, rows, legend)


def _markdown(title: str, header: Sequence[str], texts: int, rows: Iterable[Sequence[str]], legend: str) -> str:
    """Return a table in Markdown; its first `texts` columns hold text, the others numbers."""
    alignment = ["---"] * texts + ["---:"] * (len(header) - texts)
    lines = [f"| {' | '.join(cells)} |" for cells in (header, alignment, *rows)]
    return f"# {title}\n\n" + "\n".join(lines) + f"\n\n{legend}"


def _number(value: float, decimals: int) -> str:
    return "" if pd.isna(value) else f"{value:,.{decimals}f}"


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
