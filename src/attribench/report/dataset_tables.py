"""The selected runs and the fame of the groups, beside the paper's Tables 2 and 3."""

from collections.abc import Mapping

import pandas as pd

from attribench.report.text_table import TextTable, number
from attribench.tables.balance import CRITERIA
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


def selected_runs(runs: Mapping[str, pd.DataFrame], paper: pd.DataFrame) -> pd.DataFrame:
    """Return the table SELECTED_RUNS from the table RUNS of each data set and from PAPER_TABLE_2."""
    rows = []
    for dataset, table in runs.items():
        selected = table[table["selected"]].iloc[0]
        for criterion in (c.name for c in CRITERIA):
            ends = [float(table[criterion].max()), float(table[criterion].min())]
            best, worst = reversed(ends) if criterion in _SMALLER_IS_BETTER else ends
            rows.append((dataset, criterion, float(selected[criterion]), best, worst))
    found = pd.DataFrame(rows, columns=SELECTED_RUNS.names[:-1])
    theirs = paper.rename(columns={"value": "paper"})
    return found.merge(theirs, on=["dataset", "criterion"], how="left", validate="one_to_one")


def beside_paper(group_fame: Mapping[str, pd.DataFrame], paper: pd.DataFrame) -> pd.DataFrame:
    """Return the table GROUP_FAME_BESIDE_PAPER from the table GROUP_FAME of each data set and from PAPER_TABLE_3."""
    own = pd.concat(
        [table[["group", "authors", "mean_log10_hits"]].assign(dataset=name) for name, table in group_fame.items()],
        ignore_index=True,
    )
    theirs = paper.rename(columns={name: f"paper_{name}" for name in ("authors", "mean_log10_hits")})
    found = own.merge(theirs, on=["dataset", "group"], how="left", validate="one_to_one")
    return found.astype({"paper_authors": "float64"})[GROUP_FAME_BESIDE_PAPER.names]


def runs_table(selected: pd.DataFrame) -> TextTable:
    """Return the table SELECTED_RUNS as it is read."""
    rows = []
    for row in selected.to_dict("records"):
        name, decimals = _CRITERIA[str(row["criterion"])]
        rows.append([row["dataset"], name, *(number(row[c], decimals) for c in ("value", "best", "worst", "paper"))])
    legend = (
        "The selected run of each data set. Best and worst are over all runs, for each criterion by itself. "
        "The paper's are those of Berman et al. 2026, Table 2, where the data set has the paper's name."
    )
    header = ["Data set", "Criterion", "Selected run", "Best run", "Worst run", "Paper"]
    return TextTable("Selected runs of the fame matching", header, rows, legend)


def fame_table(fame: pd.DataFrame) -> TextTable:
    """Return the table GROUP_FAME_BESIDE_PAPER as it is read."""
    rows = [
        [
            row["dataset"],
            row["group"],
            number(row["authors"], 0),
            number(row["mean_log10_hits"], 4),
            number(row["paper_authors"], 0),
            number(row["paper_mean_log10_hits"], 4),
        ]
        for row in fame.to_dict("records")
    ]
    legend = (
        "Mean fame (log10 hits) of all authors of a group whose fame is on record, however little known. "
        "The paper's are those of Berman et al. 2026, Table 3, where data set and group have the paper's names."
    )
    header = ["Data set", "Group", "Authors", "Mean fame", "Paper: authors", "Paper: mean fame"]
    return TextTable("Fame of the groups before balancing", header, rows, legend)
