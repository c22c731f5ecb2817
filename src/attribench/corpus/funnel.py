"""The account of the corpus stage: how many quotes and authors each filter removed, and why."""

from dataclasses import dataclass, field

import pandas as pd

from attribench.step import Ticker


@dataclass
class Funnel:
    """Keeps the account while the steps run.

    A step hands in the column `who` of the rows it left: the identity of each row's author.
    It is fixed before the first step, and is the author's id where the cell names an
    individual and the raw cell where it does not, so that an author is *removed* by the step
    at which the last quote of that identity ended.
    """

    rows: list[dict[str, str | int]] = field(default_factory=list)
    ticker: Ticker = field(default_factory=lambda: Ticker("Cleaning the corpus"))

    def record(self, step: str, section: str, who: pd.Series, why: str, *, changed: int = 0) -> None:
        """Add the step that left the rows of `who` and rewrote `changed` of them."""
        left, authors = len(who), int(who.nunique())
        before = self.rows[-1] if self.rows else {"rows_left": left, "authors_left": authors}
        self.rows.append(
            {
                "step": step,
                "section": section,
                "rows_removed": int(before["rows_left"]) - left,
                "authors_removed": int(before["authors_left"]) - authors,
                "rows_changed": changed,
                "rows_left": left,
                "authors_left": authors,
                "why": why,
            }
        )
        self.ticker.tick(f"{step} done, {left:,} quotes left")

    def table(self) -> pd.DataFrame:
        """Return the account, one row per step."""
        return pd.DataFrame(self.rows)
