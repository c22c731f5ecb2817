"""How much answers to the same question vary from one generation to the next."""

from typing import Any

import numpy as np
import pandas as pd


def measure_generations(answers: pd.DataFrame) -> dict[str, Any]:
    """Return the fields of the table `generations` for one condition.

    Args:
        answers: one row per answer: `quote_id`, `generation`, `n_scored` and `value`, which is 1
            where the answer has the event of the metric.
    """
    scored = answers[answers["n_scored"] > 0]
    means = scored.groupby("generation", sort=True)["value"].mean()
    quotes = scored.groupby("quote_id", sort=False, observed=True)["value"].agg(["size", "sum"])
    several = quotes[quotes["size"] > 1]
    found: dict[str, Any] = {
        "n_generations": len(means), "n_quotes": len(several), "agreement": None, "sd_within": None,
        "mean_lowest": None, "mean_highest": None, "sd_of_means": None, "note": None,
    }  # fmt: skip
    if len(means) == 0:
        return {**found, "note": "no scored answer"}
    found |= {"mean_lowest": float(means.min()), "mean_highest": float(means.max())}
    if len(means) == 1:
        return {**found, "note": "one generation"}
    found["sd_of_means"] = float(means.std())
    if several.empty:
        return {**found, "note": "no quote with two scored answers"}
    size, events = several["size"], several["sum"]
    squares = events * (size - events) / size
    found["agreement"] = float(((events == 0) | (events == size)).mean())
    found["sd_within"] = float(np.sqrt(squares.sum() / (size - 1).sum()))
    return found
