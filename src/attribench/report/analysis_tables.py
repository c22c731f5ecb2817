"""The analysis's further tables as they are read: disparity, covariates, adjusted models, power, generations."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from attribench.report import labels
from attribench.report.text_table import NONE_DETECTABLE, TextTable, number, percent, text_of

Row = Mapping[Any, Any]
Cell = tuple[str, Callable[[Row], str]]
"""A column: its heading, and what it shows of a row."""


_WORDS = (
    labels.METRICS
    | labels.COVARIATES
    | {
        "gap_to_reference": "gap to the reference group",
        "no_own_name": "without own names",
        "none": "the group alone",
        "quotes": "the quotes' covariates",
        "quotes and fame": "the quotes' covariates, fame",
    }
)
"""How values that the tables hold are called, where not as they are."""


def _texts(*names: str) -> list[Cell]:
    headings = {name: name.replace("dataset", "data set").replace("_", " ").capitalize() for name in names}
    return [(heading, _cell(name, text_of)) for name, heading in headings.items()]


def _words(*names: str) -> list[Cell]:
    return [(name.capitalize(), _cell(name, lambda value: _WORDS.get(value, text_of(value)))) for name in names]


def _counts(**headings: str) -> list[Cell]:
    return _numbers(0, **headings)


def _percents(**headings: str) -> list[Cell]:
    return [(text, _cell(name, percent)) for name, text in headings.items()]


def _numbers(decimals: int, **headings: str) -> list[Cell]:
    return [(text, _cell(name, partial(number, decimals=decimals))) for name, text in headings.items()]


def _cell(name: str, shown: Callable[[Any], str]) -> Callable[[Row], str]:
    return lambda row: shown(row[name])


def _interval(scale: float, decimals: int, low: str = "ci_low", high: str = "ci_high") -> Cell:
    def shown(row: Row) -> str:
        if pd.isna(row[low]) or pd.isna(row[high]):
            return ""
        return f"{scale * row[low]:.{decimals}f} to {scale * row[high]:.{decimals}f}"

    return "95 % CI", shown


_EVIDENCE: Cell = ("Evidence", lambda row: "yes" if row["evidence"] else "no")
_WHICH: list[Cell] = [
    *_texts("model", "dataset"),
    *_words("metric"),
    *_texts("prompt"),
    _EVIDENCE,
]
_NOTE: list[Cell] = _texts("note")


def _measure(row: Row) -> str:
    return number(row["value"], 2) if row["measure"] == "ratio" else percent(row["value"])


def _measure_interval(row: Row) -> str:
    scale, decimals = (1.0, 2) if row["measure"] == "ratio" else (100.0, 1)
    return _interval(scale, decimals)[1](row)


def disparity_table(rows: pd.DataFrame) -> TextTable:
    """Return the table DISPARITY as it is read."""
    cells = [
        *_WHICH, *_words("measure"), *_texts("group", "other"), ("Value", _measure), ("95 % CI", _measure_interval),
        *_percents(chance="By chance"), *_NOTE,
    ]  # fmt: skip
    legend = (
        "Gap: the best group less the worst, and gap to the reference group: each group against it, in percentage "
        "points; ratio: the smaller mean over the larger. Intervals by bootstrap of authors. By chance: the gap that "
        "95 % of samples stay below where all groups are alike."
    )
    return _table("Disparity between groups", cells, rows, legend)


def covariate_table(rows: pd.DataFrame) -> TextTable:
    """Return the table COVARIATES as it is read."""
    cells = [
        *_texts("dataset"), *_words("covariate"), *_texts("level", "matching", "group"),
        *_counts(n_quotes="Quotes", n_unknown="Unknown"),
        *_numbers(2, mean="Mean", sd="SD", smd="SMD", largest_smd="Largest SMD"),
        ("Over 0.1", lambda row: "yes" if row["is_over_line"] else "no"), *_NOTE,
    ]  # fmt: skip
    legend = (
        "SMD: standardised mean difference to the reference group; largest SMD: the largest to any other group. Below "
        "0.1 is commonly taken as balanced."
    )
    return _table("Covariates of the quotes by group, before and after matching", cells, rows, legend)


def adjusted_table(rows: pd.DataFrame) -> TextTable:
    """Return the table ADJUSTED as it is read."""
    cells = [
        *_WHICH, *_texts("group", "reference"), *_words("adjustment"),
        *_percents(difference="Difference"), _interval(100, 1), *_numbers(3, p_value="p"),
        *_counts(n_quotes="Quotes", n_authors="Authors"), *_NOTE,
    ]  # fmt: skip
    legend = (
        "Logistic models of the outcome, clustered by author. Difference: percentage points by which the share would "
        "change if quotes were of the group and not of the reference group, with what the model holds beside the group."
    )
    return _table("What of a gap survives the covariates", cells, rows, legend)


def sensitivity_table(rows: pd.DataFrame) -> TextTable:
    """Return the table SENSITIVITY as it is read."""
    cells = [
        *_words("variant"), *_WHICH, *_texts("group"), *_percents(mean="Mean", mean_all="Mean, all quotes"),
        ("Star", lambda row: "*" if row["is_star"] else ""),
        ("Star, all quotes", lambda row: "*" if row["is_star_all"] else ""),
        *_counts(n_quotes="Quotes"), *_NOTE,
    ]  # fmt: skip
    legend = (
        "The same means without some quotes, beside those with all of them, in percent. Without own names: without "
        "quotes that name their author, and without those matched with them."
    )
    return _table("Does it depend on quotes that name their author?", cells, rows, legend)


def _detectable(gap: float | None) -> str:
    """Return the smallest gap that can be found in percentage points, if one of at most 100 points can."""
    return NONE_DETECTABLE if gap is not None and gap > 1 else percent(gap)


def power_table(rows: pd.DataFrame) -> TextTable:
    """Return the table POWER as it is read."""
    cells = [
        *_texts("dataset"), *_words("metric"),
        *_numbers(0, quotes_per_group="Quotes per group", authors_per_group="Authors per group"),
        *_numbers(2, design_effect="Design effect"),
        *((heading, _cell(name, _detectable)) for name, heading in (
            ("smallest_gap", "Smallest gap"), ("smallest_gap_best", "Best case"),
            ("smallest_gap_worst", "Worst case"), ("smallest_gap_corrected", "Corrected"),
        )),
        *_counts(n_comparisons="Comparisons"), *_NOTE,
    ]  # fmt: skip
    legend = (
        "The smallest gap, in percentage points, that this design finds with a power of 80 % at p < 0.05, with "
        "standard errors clustered by author: median over the comparisons, in the most and the least precise one, and "
        "with p corrected for the number of tests. None detectable: not even 100 points would be found. Design effect: "
        "clustered over plain variance."
    )
    return _table("Power", cells, rows, legend)


def generation_table(rows: pd.DataFrame) -> TextTable:
    """Return the table GENERATIONS as it is read."""
    cells = [
        *_WHICH, *_counts(n_generations="Generations", n_quotes="Quotes"),
        *_percents(
            agreement="All agree", sd_within="SD within quotes", mean_lowest="Lowest mean",
            mean_highest="Highest mean", sd_of_means="SD of means",
        ),
        *_NOTE,
    ]  # fmt: skip
    legend = "Percent of quotes whose answers all agree, and how much the generations' means differ, in percent."
    return _table("Variation between generations", cells, rows, legend)


def correlation_table(rows: pd.DataFrame) -> TextTable:
    """Return the table FAME_CORRELATION as it is read."""
    cells = [
        *_WHICH, *_numbers(2, rank_correlation="Rank correlation"), _interval(1, 2), *_counts(n_authors="Authors"),
        *_NOTE,
    ]  # fmt: skip
    legend = (
        "Spearman's rank correlation of the authors' fame and their mean values, with Bonett and Wright's interval."
    )
    return _table("Fame and outcome", cells, rows, legend)


def comparison_table(rows: pd.DataFrame) -> TextTable:
    """Return the table COMPARISON as it is read."""
    cells = [
        *_texts("comparison", "dataset"), *_words("metric"), *_texts("prompt"), _EVIDENCE, *_texts("group"),
        *_percents(mean_first="First", mean_second="Second", difference="Difference"), _interval(100, 1),
        *_numbers(3, p_value="p"), *_counts(n_quotes="Quotes"), *_NOTE,
    ]  # fmt: skip
    runs = rows.drop_duplicates("comparison").to_dict("records")
    legend = " ".join(
        [
            *(f"{row['comparison']}: first {row['first']}, second {row['second']}." for row in runs),
            "Means in percent over the quotes that are scored in both; difference: second less first, with an interval "
            "clustered by author; p is not corrected.",
        ]
    )
    return _table("Two runs, quote by quote", cells, rows, legend)


def _table(title: str, cells: Sequence[Cell], rows: pd.DataFrame, legend: str) -> TextTable:
    """Return a table of those columns; a column of notes is left out where there is none."""
    records = rows.to_dict("records")
    texts = [[shown(row) for _, shown in cells] for row in records]
    columns = [heading for heading, _ in cells]
    if columns[-1] == "Note" and not any(row[-1] for row in texts):
        columns, texts = columns[:-1], [row[:-1] for row in texts]
    return TextTable(title, columns, texts, legend)
