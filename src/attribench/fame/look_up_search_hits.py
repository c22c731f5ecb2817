"""Step: ask DataForSEO how many search results there are for the name of every author.

The paper takes the number of Google results for the name as a proxy for fame (Berman et al.
2026, Section 4.2.2 and Appendix A.5). Only what the ledger does not hold is asked.
"""

import asyncio
import statistics
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attribench.errors import MissingAnswersError, list_causes
from attribench.fame.dataforseo import open_client, read_account
from attribench.fame.dataforseo_query import Search, check_search, price, why_not
from attribench.fame.dataforseo_reply import Count, read_count
from attribench.ledger.budget import Budget, Limit, money_spent
from attribench.ledger.pace import Pace
from attribench.ledger.progress import Progress
from attribench.ledger.runner import ask_all
from attribench.ledger.store import Answer, Question, Store
from attribench.step import run, screen
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.fame import SEARCH_HITS

NO_RESULTS = "no results"
"""Why there is no fame where a source counts zero: log10 of zero is no number."""

_WHAT = "Fame by DataForSEO"


def main(
    *,
    authors: Path,
    url: str,
    query: str,
    location_code: int,
    language_code: str,
    samples: int,
    calls_per_minute: float,
    concurrency: int,
    timeout: float,
    attempts: int,
    usd_per_call: float,
    budget_usd: float | None,
    budget_together_usd: float | None,
    max_missing: float,
    store: str,
    search_hits: Path,
) -> None:
    """Count the search results for the authors of `authors` and write SEARCH_HITS.

    Raises:
        ConfigError: the query or the address cannot be used.
        EndpointError: there is no account, or it is refused.
        BudgetError: its own budget, or that of all models and services together, is used up.
        MissingAnswersError: more than the share `max_missing` of the samples could not be had.
    """
    search = Search(url, query, location_code, language_code)
    check_search(search)
    planned = plan(read(authors, AUTHORS), search, samples)
    answers = answer(
        planned,
        search,
        Path(store),
        calls_per_minute=calls_per_minute,
        concurrency=concurrency,
        timeout=timeout,
        attempts=attempts,
        usd_per_call=usd_per_call,
        budget_usd=budget_usd,
        budget_together_usd=budget_together_usd,
    )
    require_enough(answers, max_missing)
    write(tabulate(planned, answers), search_hits, SEARCH_HITS)


def plan(authors: pd.DataFrame, search: Search, samples: int) -> pd.DataFrame:
    """Return what will be asked: `author_id`, `author`, `keyword`, `why_not`, `questions` (none where refused)."""
    rows = []
    for author_id, name in zip(authors["author_id"], authors["author"], strict=True):
        keyword = search.keyword(name)
        refused = why_not(name, keyword)
        questions = [] if refused else [search.question(name, sample) for sample in range(samples)]
        rows.append((author_id, name, keyword, refused, questions))
    return pd.DataFrame(rows, columns=["author_id", "author", "keyword", "why_not", "questions"])


def answer(
    planned: pd.DataFrame,
    search: Search,
    store: Path,
    *,
    calls_per_minute: float,
    concurrency: int,
    timeout: float,
    attempts: int,
    usd_per_call: float,
    budget_usd: float | None,
    budget_together_usd: float | None,
) -> dict[str, Answer]:
    """Return the answers by key: from the store, and by asking what it does not hold.

    `usd_per_call` is taken for the most that a search can cost, and for the cost of one whose reply does not say.
    """
    questions: dict[str, Question] = {}
    keywords: dict[str, str] = {}
    for keyword, asked in zip(planned["keyword"], planned["questions"], strict=True):
        for question in asked:
            questions.setdefault(question.key, question)
            keywords.setdefault(question.key, keyword)
    with Store(store) as ledger:
        answers = ledger.answers(questions)
        missing = [question for key, question in questions.items() if key not in answers]

        def listed_price(question: Question) -> float:
            return price(keywords[question.key], usd_per_call)

        if missing:
            account = read_account()
            spent = money_spent(store)
            _say(_estimate([listed_price(question) for question in missing], usd_per_call, spent, budget_usd))
            pace = Pace(concurrency, requests_per_minute=calls_per_minute)
            progress = Progress(_WHAT, len(questions), screen(), stored=len(answers))

            async def ask_missing(budget: Budget | None) -> dict[str, Answer]:
                async with open_client(search, account, keywords, timeout=timeout, connections=concurrency) as ask:

                    async def ask_at_pace(question: Question) -> Answer:
                        async with pace.turn():
                            answer = await ask(question)
                        return replace(answer, cost=listed_price(question)) if answer.cost is None else answer

                    return await ask_all(
                        missing,
                        ask_at_pace,
                        ledger,
                        concurrency=concurrency,
                        attempts=attempts,
                        progress=progress,
                        budget=budget,
                    )

            own = None if budget_usd is None else Limit(budget_usd, "fame.dataforseo.budget_usd")
            together = None if budget_together_usd is None else Limit(budget_together_usd, "budget_usd")
            is_bounded = own is not None or together is not None
            with (
                Budget(store, own=own, together=together, bound=listed_price) if is_bounded else nullcontext()
            ) as budget:
                answers |= asyncio.run(ask_missing(budget))
            _say(f"{money_spent(store):.4f} USD in all")
    return answers


def require_enough(answers: Mapping[str, Answer], max_missing: float) -> None:
    """Raise MissingAnswersError when too many samples failed, with their number by cause."""
    failed = pd.Series([found.cause for found in answers.values() if found.status == "failed"], dtype=object)
    if len(failed) > max_missing * len(answers):
        raise MissingAnswersError(
            f"{len(failed)} of {len(answers)} searches at DataForSEO have no answer ({list_causes(failed)}). "
            "The others are kept: start the same command again to ask for what is missing, "
            "or set 'fame.dataforseo.max_missing' to go on without them."
        )


def tabulate(planned: pd.DataFrame, answers: Mapping[str, Answer]) -> pd.DataFrame:
    """Return SEARCH_HITS: for each author the median and the spread of the samples."""
    rows = [
        _row([answers[question.key] for question in questions], refused)
        for questions, refused in zip(planned["questions"], planned["why_not"], strict=True)
    ]
    found = pd.DataFrame(rows, columns=[name for name in SEARCH_HITS.names if name not in planned.columns])
    counts = ["hits", "hits_low", "hits_high"]
    found[counts] = found[counts].astype("Int64")
    return pd.concat([planned[["author_id", "author", "keyword"]], found], axis="columns")[SEARCH_HITS.names]


def _row(answers: Sequence[Answer], refused: str) -> dict[str, Any]:
    """Return the figures of one author: the median of the samples that can be used, or why there is none."""
    counts = [read_count(found.text) if found.text else _failed(found) for found in answers]
    usable = [count for count in counts if count.hits is not None]
    hits = [count.hits for count in usable if count.hits is not None]
    middle = round(statistics.median(hits)) if hits else None
    reasons = [refused] if refused else list(dict.fromkeys(count.reason for count in counts if count.hits is None))
    costs = [found.cost for found in answers if found.status != "failed"]
    return {
        "hits": middle,
        "hits_low": min(hits, default=None),
        "hits_high": max(hits, default=None),
        "log10_hits": float(np.log10(middle)) if middle else None,
        "samples": hits,
        "sampled_at": [count.at for count in usable],
        "n_asked": len(answers),
        "n_failed": sum(found.status == "failed" for found in answers),
        "suggested": next((count.suggested for count in counts if count.suggested), None),
        "cost": None if None in costs else float(sum(cost for cost in costs if cost is not None)),
        "reason": "" if middle else NO_RESULTS if hits else "; ".join(reasons),
    }


def _failed(found: Answer) -> Count:
    return Count(None, f"failed ({found.cause})")


def _estimate(prices: Sequence[float], usd_per_call: float, spent: float, budget: float | None) -> str:
    """Return in a sentence what is about to be asked, and what that will cost."""
    parts = [f"{len(prices):,} searches to make, about {sum(prices):.2f} USD"]
    if dear := sum(each > usd_per_call for each in prices):
        parts.append(f"{dear:,} of them have a search operator, which makes them 5 times as dear")
    if budget is not None:
        parts.append(f"the budget is {budget:g} USD, of which {spent:.2f} USD are spent")
    return "; ".join(parts)


def _say(text: str) -> None:
    print(f"{_WHAT}: {text}", file=screen(), flush=True)


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
