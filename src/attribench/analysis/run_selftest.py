"""Step: simulate answers with a known truth, analyse them, and say whether the truth comes back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attribench.analysis.selftest_coverage import measure_rates
from attribench.analysis.selftest_truth import SCENARIOS
from attribench.analysis.selftest_workflow import check_workflow, make_up
from attribench.step import run
from attribench.tables import write
from attribench.tables.selftest import SELFTEST

PROMISED = 0.95
ALLOWED = 0.015
"""How far a rate may be from what is promised, beside three standard errors of its own."""

MOST_STARS = 0.05

# What must hold the truth as often as promised. The others are reported beside it: they take quotes of
# one author for independent, or are wider by design.
_MUST_HOLD = {
    "gaps": (
        "bootstrap, all groups",
        "bootstrap, one group",
        "clustered, difference",
        "paired, difference",
        "bootstrap, gap",
        "bootstrap, ratio",
        "bootstrap, gap_to_reference",
    ),
    "equal groups": (
        "bootstrap, all groups",
        "bootstrap, one group",
        "clustered, difference",
        "paired, difference",
        "bootstrap, gap_to_reference",
    ),
    "independent quotes": ("normal, one group", "welch, difference", "bootstrap, one group", "clustered, difference"),
}


def main(
    *,
    words: list[Path],
    root: Path,
    python: str,
    authors: int,
    replicates: int,
    seed: int,
    folder: Path,
    checks: Path,
    report: Path,
) -> None:
    """Write SELFTEST to `checks` and the same for readers to `report`.

    Args:
        words: the lists of given names, family names and common words, in this order.
        root: the folder of the Snakefile.
        python: the interpreter that has Snakemake.
        authors: authors in each group; 742 as in the paper's intersectional data set.
        replicates: simulated models for each scenario.
        seed: where chance comes from.
        folder: where the workflow runs.
        checks: where the table goes.
        report: where the Markdown goes.
    """
    rows = [row for scenario in SCENARIOS for row in rate_rows(scenario.name, *measure_rates(
        scenario, replicates=replicates, authors=authors, generations=3, seed=seed
    ))]  # fmt: skip
    given, family, common = (path.read_text(encoding="utf-8").split() for path in words)
    plain = set(common)
    names = [[w.capitalize() for w in listed if w.isascii() and w.isalpha() and len(w) > 4 and w not in plain]
             for listed in (given, family)]  # fmt: skip
    family_only = sorted(set(names[1]) - set(names[0]))
    short = [word for word in common if word.isascii() and word.isalpha() and len(word) > 3]
    quotes, plan = make_up(SCENARIOS[0], authors, names[0], family_only, short, seed)
    found = check_workflow(folder, quotes, plan, SCENARIOS[0], root=root, python=python, seed=seed)
    rows += [
        {"part": "workflow", "what": c.what, "found": c.found, "expected": c.expected, "is_checked": True,
         "holds": c.holds} for c in found
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=SELFTEST.names)
    write(table, checks, SELFTEST)
    report.write_text(as_markdown(table, replicates, authors), encoding="utf-8")


def rate_rows(
    scenario: str, held: dict[str, list[float]], significant: dict[str, list[float]], stars: dict[str, list[float]]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of SELFTEST for one scenario, from the rates in each replicate."""
    for what, rates in held.items():
        if scenario == "equal groups" and what in ("bootstrap, gap", "bootstrap, ratio"):
            continue  # the largest of several gaps is above 0 by chance: `chance` stands beside it in the table
        rate, slack = _rate(rates)
        low, high = PROMISED - ALLOWED - slack, min(PROMISED + ALLOWED + slack, 1.0)
        must = what in _MUST_HOLD[scenario]
        yield _row(scenario, f"interval holds the truth: {what}", rate, low, high, must)
    if scenario == "equal groups":
        for what, rates in significant.items():
            rate, slack = _rate(rates)
            must = what in ("clustered", "paired", "clustered, Holm: any pair of the model")
            high = 1 - PROMISED + slack + (ALLOWED if "Holm" not in what else 0.0)
            yield _row(scenario, f"significant without a difference: {what}", rate, 0.0, high, must)
    for what, rates in stars.items():
        rate, _ = _rate(rates)
        is_null = scenario == "equal groups"
        must = is_null and what.startswith("clustered")
        label = "conditions with a star without a difference" if is_null else "conditions with a star"
        yield _row(scenario, f"{label}: {what}", rate, 0.0, MOST_STARS if is_null else 1.0, must)


def _rate(rates: list[float]) -> tuple[float, float]:
    """Return the mean of the rates of all replicates, and three of its standard errors."""
    spread = float(np.std(rates, ddof=1)) if len(rates) > 1 else 0.0
    # Rates that are all the same say nothing of their spread: it is then that of one event for each replicate.
    spread = spread or float(np.sqrt(PROMISED * (1 - PROMISED)))
    return float(np.mean(rates)), 3 * spread / float(np.sqrt(len(rates)))


def _row(scenario: str, what: str, rate: float, low: float, high: float, must: bool) -> dict[str, Any]:
    return {
        "part": scenario, "what": what, "found": f"{rate:.3f}", "expected": f"{low:.3f} to {high:.3f}" if must else "",
        "is_checked": must, "holds": low <= rate <= high if must else None,
    }  # fmt: skip


def as_markdown(table: pd.DataFrame, replicates: int, authors: int) -> str:
    """Return the table for readers."""
    wrong = table[table["holds"].eq(False)]
    lines = [
        "# Self-test",
        "",
        f"{int(table['is_checked'].sum())} checks, {len(wrong)} of them do not hold. Rates are over {replicates} "
        f"simulated models with {authors} authors in each group; the workflow ran once. `docs/analysis.md` says more.",
    ]
    for part, rows in table.groupby("part", sort=False):
        lines += ["", f"## {str(part).capitalize()}", "", "| what | found | expected | holds |", "|---|---|---|---|"]
        for what, found, expected, holds in rows[["what", "found", "expected", "holds"]].to_numpy().tolist():
            verdict = "(only reported)" if holds is None else "yes" if holds else "**no**"
            lines.append(f"| {what} | {found} | {expected} | {verdict} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
