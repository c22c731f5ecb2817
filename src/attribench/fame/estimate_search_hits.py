"""Step: say what asking DataForSEO for the search hits of every author would cost, before anything is asked."""

from pathlib import Path

import pandas as pd

from attribench.fame.dataforseo_query import Search, check_search, price
from attribench.fame.look_up_search_hits import plan
from attribench.ledger.contents import stored_keys
from attribench.step import run
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.spending import ESTIMATE


def main(
    *,
    authors: Path,
    url: str,
    query: str,
    location_code: int,
    language_code: str,
    samples: int,
    usd_per_call: float,
    store: str,
    estimate: Path,
) -> None:
    """Write ESTIMATE for the searches about the authors of `authors`.

    Raises:
        ConfigError: the query or the address cannot be used.
    """
    search = Search(url, query, location_code, language_code)
    check_search(search)
    planned = plan(read(authors, AUTHORS), search, samples)
    prices = {
        question.key: price(keyword, usd_per_call)
        for keyword, questions in zip(planned["keyword"], planned["questions"], strict=True)
        for question in questions
    }
    stored = stored_keys(Path(store))
    left = [usd for key, usd in prices.items() if key not in stored]
    row = {
        "stage": "search hits",
        "model": "dataforseo",
        "dataset": "",
        "calls": len(prices),
        "stored": len(prices) - len(left),
        "to_ask": len(left),
        **{f"{part}_tokens_{end}": 0.0 for part in ("prompt", "completion") for end in ("low", "high")},
        "usd_low": float(sum(left)),
        "usd_high": float(sum(left)),
        "price": "configuration",
        "counted": "one call for each sample of each name",
    }
    write(pd.DataFrame([row], columns=ESTIMATE.names), estimate, ESTIMATE)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
