"""The step that asks DataForSEO, over a loopback server with the service's own shapes: every fault is what it is."""

import base64
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import loopback
import numpy as np
import pandas as pd
import pytest
from loopback import Loopback

from attribench.errors import BudgetError, ConfigError, EndpointError, MissingAnswersError
from attribench.fame import dataforseo_reply
from attribench.fame.dataforseo_fame import ask_dataforseo
from attribench.fame.dataforseo_query import LONGEST
from attribench.fame.look_up_search_hits import main
from attribench.ledger import pace
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.fame import SEARCH_HITS

LOGIN, PASSWORD = "someone@example.org", "a-password-of-mine"
Reply = tuple[int, Any]
Step = dict[str, Any]


def serp(keyword: str, count: int | None = 1000, *, result: Any = ..., **task: Any) -> Reply:
    """Return a reply with one task; `result` replaces the list of results, `task` what the task says."""
    page = {
        "keyword": keyword,
        "type": "organic",
        "se_domain": "google.com",
        "location_code": 2840,
        "language_code": "en",
        "check_url": "https://www.google.com/search?q=x",
        "datetime": "2026-01-01 00:00:00 +00:00",
        "spell": None,
        "se_results_count": count,
        "items_count": 9,
        "items": [{"type": "organic", "rank_group": i, "url": "https://example.org", "title": "A page"} for i in "123"],
    }
    results = [page | result] if isinstance(result, dict) else [page] if result is ... else result
    return 200, envelope(
        {
            "id": "0-0-0",
            "status_code": 20000,
            "status_message": "Ok.",
            "cost": 0.002,
            "result_count": len(results or []),
            "data": {"keyword": keyword},
            "result": results,
        }
        | task
    )


def envelope(*tasks: Any, **changed: Any) -> dict[str, Any]:
    return {
        "version": "0.1",
        "status_code": 20000,
        "status_message": "Ok.",
        "cost": sum(task.get("cost", 0) for task in tasks),
        "tasks_count": len(tasks),
        "tasks_error": 0,
        "tasks": list(tasks),
    } | changed


def problem(keyword: str, code: int, message: str = "It did not work.", cost: float = 0.0) -> Reply:
    return serp(keyword, status_code=code, status_message=message, result=None, cost=cost)


class Service(Loopback):
    """The live endpoint; `answer` maps a keyword to its reply, `seen` holds all bodies."""

    def __init__(self) -> None:
        self.answer: Callable[[str], Reply] = serp
        self.seen: list[Any] = []
        self.logins: set[str] = set()
        self.at: list[float] = []
        super().__init__(self._reply)
        self.url = f"{self.address}/v3/serp/google/organic/live/regular"

    @property
    def keywords(self) -> list[str]:
        return [body[0]["keyword"] for body in self.seen]

    def _reply(self, request: loopback.Request) -> loopback.Reply:
        self.at.append(time.monotonic())
        body = request.json
        self.seen.append(body)
        self.logins.add(base64.b64decode(request.headers["authorization"].split()[1]).decode())
        if len(body) > 1:
            return loopback.Reply(envelope(status_code=40000, status_message="You can set only one task"))
        status, reply = self.answer(body[0]["keyword"])
        return loopback.Reply(reply, status)


@pytest.fixture
def service() -> Iterator[Service]:
    found = Service()
    yield found
    found.close()


@pytest.fixture
def step(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_pause: None) -> Step:
    monkeypatch.setenv("DATAFORSEO_LOGIN", LOGIN)
    monkeypatch.setenv("DATAFORSEO_PASSWORD", PASSWORD)
    set_authors(tmp_path, "Audre Lorde", "bell hooks", "C. S. Lewis")
    return {
        "authors": tmp_path / "authors.parquet",
        "url": service.url,
        "query": "{name}",
        "location_code": 2840,
        "language_code": "en",
        "samples": 1,
        "calls_per_minute": 2000,
        "concurrency": 4,
        "timeout": 10,
        "attempts": 3,
        "usd_per_call": 0.002,
        "budget_usd": None,
        "budget_together_usd": None,
        "max_missing": 0.0,
        "store": str(tmp_path / "cache" / "dataforseo.sqlite"),
        "search_hits": tmp_path / "search_hits.parquet",
    }


def set_authors(place: Path, *names: str) -> None:
    ids = [f"author-{i}" for i in range(len(names))]
    table = pd.DataFrame({"author_id": ids, "author": names, "aliases": [[] for _ in names], "n_quotes": 1})
    write(table, place / "authors.parquet", AUTHORS)


def ask(step: Step, **changed: Any) -> pd.DataFrame:
    main(**(step | changed))
    return read(step["search_hits"], SEARCH_HITS).set_index("author")


def stored(step: Step, table: str = "answers") -> list[tuple[Any, ...]]:
    with sqlite3.connect(step["store"]) as database:
        rows = database.execute(f"SELECT * FROM {table}").fetchall()
    database.close()
    return rows


def test_each_author_is_asked_once_and_a_second_time_nothing_is_asked(
    step: Step, service: Service, capfd: pytest.CaptureFixture[str]
) -> None:
    table = ask(step)
    assert table["hits"].tolist() == [1000, 1000, 1000]
    assert table["log10_hits"].tolist() == [3.0, 3.0, 3.0]
    assert table["cost"].tolist() == [0.002, 0.002, 0.002]
    assert table["sampled_at"].map(list).tolist() == [["2026-01-01 00:00:00 +00:00"]] * 3
    assert sorted(service.keywords) == ["Audre Lorde", "C. S. Lewis", "bell hooks"]
    assert service.logins == {f"{LOGIN}:{PASSWORD}"}
    said = capfd.readouterr().err
    assert "3 searches to make, about 0.01 USD" in said
    assert "0.0060 USD in all" in said
    first = step["search_hits"].read_bytes()
    ask(step)
    assert len(service.seen) == 3
    assert step["search_hits"].read_bytes() == first


def test_a_call_is_one_task_with_place_language_and_depth(step: Step, service: Service) -> None:
    ask(step, location_code=2826)
    assert all(len(body) == 1 for body in service.seen)
    assert service.seen[0][0] | {"keyword": ""} == {
        "keyword": "",
        "location_code": 2826,
        "language_code": "en",
        "device": "desktop",
        "os": "windows",
        "depth": 10,
    }


def test_spellings_with_one_normal_form_are_one_paid_call(step: Step, service: Service, tmp_path: Path) -> None:
    set_authors(tmp_path, "Robert  Black", "Robert Black", "robert black", "Róbert Black")
    table = read_all(step)
    assert service.keywords == ["Robert Black"]
    assert table["hits"].tolist() == [1000] * 4
    set_authors(tmp_path, "ROBERT BLACK")
    read_all(step)
    assert len(service.seen) == 1


def read_all(step: Step) -> pd.DataFrame:
    main(**step)
    return read(step["search_hits"], SEARCH_HITS)


@pytest.mark.parametrize(("code", "cause"), [(40101, "search_engine_error"), (40106, "partial_results")])
def test_a_task_that_failed_is_tried_again_and_is_never_zero(
    step: Step, service: Service, code: int, cause: str, capfd: pytest.CaptureFixture[str]
) -> None:
    service.answer = lambda keyword: problem(keyword, code, cost=0.002) if keyword == "bell hooks" else serp(keyword)
    with pytest.raises(MissingAnswersError, match=rf"1 of 3 searches .* \(1 {cause}\)"):
        ask(step)
    assert service.keywords.count("bell hooks") == 3
    assert not step["search_hits"].exists()
    assert "0.0100 USD in all" in capfd.readouterr().err, "two answers, and three calls without one"
    table = ask(step, max_missing=0.5)
    assert pd.isna(table.loc["bell hooks", "hits"])
    assert table.loc["bell hooks", "reason"] == f"failed ({cause})"
    assert table.loc["bell hooks", "n_failed"] == 1
    service.answer = serp
    assert ask(step)["hits"].tolist() == [1000] * 3
    assert service.keywords.count("Audre Lorde") == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            (401, {"status_code": 40100, "status_message": "You are not authorized.", "tasks": None}),
            "40100 You are not",
        ),
        ((402, b""), "HTTP 402 Payment Required"),
        (
            (402, {"status_code": 40200, "status_message": "Payment Required.", "tasks": None}),
            "40200 Payment Required.",
        ),
        (problem("x", 40104, "Please verify your account"), "40104 Please verify your account"),
        (problem("x", 40200, "Payment Required."), "40200 Payment Required."),
        (problem("x", 40203, ""), "40203"),
        (problem("x", 40210, "Insufficient Funds."), "40210 Insufficient Funds."),
        ((200, envelope(status_code=40100, status_message="Wrong login.", tasks=None)), "40100 Wrong login."),
    ],
)
def test_an_account_that_is_refused_ends_the_step_at_once_and_keeps_what_is_there(
    step: Step, service: Service, reply: Reply, said: str
) -> None:
    service.answer = lambda keyword: serp(keyword) if keyword == "Audre Lorde" else reply
    with pytest.raises(EndpointError, match=f"DataForSEO refuses every search: {said}.*start the same command again"):
        ask(step, concurrency=1)
    assert service.keywords == ["Audre Lorde", "bell hooks"]
    assert len(stored(step)) == 1
    assert not step["search_hits"].exists()
    service.answer = serp
    assert ask(step)["hits"].tolist() == [1000] * 3
    assert sorted(service.keywords[2:]) == ["C. S. Lewis", "bell hooks"]


def test_calls_under_way_are_kept_when_the_account_ends(step: Step, service: Service) -> None:
    def answer(keyword: str) -> Reply:
        time.sleep(0.3)
        if keyword == "Audre Lorde":
            return 402, b""
        time.sleep(0.3)
        return serp(keyword)

    service.answer = answer
    with pytest.raises(EndpointError, match="402"):
        ask(step)
    assert len(stored(step)) == len(service.seen) - 1 > 0


def test_no_results_is_zero_and_has_no_logarithm(step: Step, service: Service) -> None:
    service.answer = lambda keyword: problem(keyword, 40102, "No Search Results.", cost=0.002)
    table = ask(step)
    assert table["hits"].tolist() == [0, 0, 0]
    assert table["log10_hits"].isna().all()
    assert table["reason"].tolist() == ["no results"] * 3
    assert table["cost"].tolist() == [0.002] * 3


def test_a_missing_count_is_missing_and_is_not_asked_again(step: Step, service: Service) -> None:
    service.answer = lambda keyword: serp(keyword, None if keyword == "Audre Lorde" else 7000)
    table = ask(step)
    assert pd.isna(table.loc["Audre Lorde", "hits"])
    assert table.loc["Audre Lorde", "reason"] == "the search engine gave no count"
    assert table.loc["bell hooks", "hits"] == 7000
    ask(step)
    assert len(service.seen) == 3
    fame = ask_dataforseo(read(step["authors"], AUTHORS), read(step["search_hits"], SEARCH_HITS))
    assert fame["log10_hits"].tolist() == pytest.approx([np.nan, np.log10(7000), np.log10(7000)], nan_ok=True)
    assert fame["reason"].tolist() == ["the search engine gave no count", "", ""]


def test_samples_are_all_kept_and_their_median_and_spread_given(step: Step, service: Service) -> None:
    counts = iter([1240000, 3410000, 1260000] * 3)
    service.answer = lambda keyword: serp(keyword, next(counts))
    row = ask(step, samples=3, concurrency=1).loc["bell hooks"]
    assert row["hits"] == 1260000
    assert (row["hits_low"], row["hits_high"], row["n_asked"]) == (1240000, 3410000, 3)
    assert row["samples"].tolist() == [1240000, 3410000, 1260000]
    assert len(row["sampled_at"]) == 3
    assert row["cost"] == pytest.approx(0.006)
    assert len(service.seen) == 9


def test_more_samples_ask_only_for_those_that_are_new(step: Step, service: Service) -> None:
    ask(step, samples=1)
    ask(step, samples=3)
    assert len(service.seen) == 9


def test_a_count_beyond_32_bits_is_kept(step: Step, service: Service) -> None:
    service.answer = lambda keyword: serp(keyword, 14_920_000_000)
    assert ask(step)["hits"].tolist() == [14_920_000_000] * 3
    assert ask(step)["samples"].map(list).tolist() == [[14_920_000_000]] * 3


def test_a_query_that_is_too_long_or_refused_is_not_sent(step: Step, service: Service, tmp_path: Path) -> None:
    set_authors(tmp_path, "x" * (LONGEST + 1), "cache: Poet", "?!", "y" * LONGEST, "%" * 234 + "z")
    table = read_all(step)
    assert service.keywords == ["y" * LONGEST]
    assert table["n_asked"].tolist() == [0, 0, 0, 1, 0]
    assert "701 characters" in table["reason"][0]
    assert "'cache:'" in table["reason"][1]
    assert table["reason"][2] == "the name has no letters"
    assert "703 characters" in table["reason"][4]


def test_percent_and_plus_are_encoded_and_quotation_marks_are_ours_alone(
    step: Step, service: Service, tmp_path: Path
) -> None:
    set_authors(tmp_path, '"Weird  Al" Yankovic', "Florence + The 100% Machine")
    ask(step, query='"{name}"')
    assert sorted(service.keywords) == ['"Florence %2B The 100%25 Machine"', '"Weird Al Yankovic"']


def test_an_operator_is_in_the_estimate_and_in_the_budget(
    step: Step, service: Service, capfd: pytest.CaptureFixture[str]
) -> None:
    service.answer = lambda keyword: serp(keyword, cost=0.01)
    with pytest.raises(BudgetError, match=r"the next call can cost up to 0\.0100 USD"):
        ask(step, query='intext:"{name}"', budget_usd=0.025, concurrency=1)
    said = capfd.readouterr().err
    assert "about 0.03 USD; 3 of them have a search operator, which makes them 5 times as dear" in said
    assert len(service.seen) == 2
    with pytest.raises(ConfigError, match="refuses queries with 'cache:'"):
        ask(step, query="cache:{name}")
    with pytest.raises(ConfigError, match=r"must hold \{name\}"):
        ask(step, query="name")


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_budget_stops_before_it_is_passed_and_counts_earlier_runs(
    step: Step, service: Service, concurrency: int
) -> None:
    limited = step | {"budget_usd": 0.0045, "concurrency": concurrency}
    for _ in range(2):
        with pytest.raises(
            BudgetError, match=r"budget of 0\.0045 USD \('fame.dataforseo.budget_usd'\) allows no further"
        ):
            ask(limited)
        assert len(service.seen) == len(stored(step)) == 2
    assert ask(limited, budget_usd=0.006)["hits"].tolist() == [1000] * 3
    assert len(service.seen) == 3


def test_an_answer_without_a_price_counts_at_the_listed_one_also_later(step: Step, service: Service) -> None:
    service.answer = lambda keyword: serp(keyword, cost=None)
    for _ in range(3):
        with pytest.raises(BudgetError, match=r"0\.0040 USD are spent"):
            ask(step, budget_usd=0.0045)
    assert len(service.seen) == 2


def test_without_a_limit_the_stores_of_others_are_not_read(step: Step, tmp_path: Path) -> None:
    other = tmp_path / "another" / "model.sqlite"
    other.parent.mkdir()
    other.write_bytes(b"no database")
    assert ask(step)["hits"].tolist() == [1000] * 3


def test_failures_that_are_charged_count_against_the_budget(step: Step, service: Service) -> None:
    service.answer = lambda keyword: problem(keyword, 40101, cost=0.002)
    with pytest.raises(BudgetError, match="budget"):
        ask(step, budget_usd=0.0045, concurrency=1)
    assert len(service.seen) == 2


def test_calls_are_never_more_than_allowed(
    step: Step, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 60 in a "minute" of 3 s, no 3 s have more."""
    monkeypatch.setattr(pace, "MINUTE", 3.0)
    set_authors(tmp_path, *(f"Poet {chr(65 + i)}{chr(97 + i)}" for i in range(26)))
    ask(step, calls_per_minute=60, concurrency=26)
    assert len(service.seen) == 26
    assert service.at[-1] - service.at[0] > 24 * 3.0 / 60 * 0.7


def test_the_account_is_named_in_the_environment_and_shown_nowhere(
    step: Step, service: Service, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    service.answer = lambda keyword: problem(keyword, 40104, f"Verify {LOGIN} / {PASSWORD}")
    with pytest.raises(EndpointError, match=r"Verify \(DATAFORSEO_LOGIN\) / \(DATAFORSEO_PASSWORD\)") as refused:
        ask(step)
    service.answer = lambda keyword: problem(keyword, 50000, f"Trouble with {LOGIN}, {PASSWORD}")
    with pytest.raises(MissingAnswersError) as failed:
        ask(step)
    service.answer = serp
    ask(step)
    printed = capfd.readouterr()
    everything = [repr(refused.value), repr(failed.value), printed.out, printed.err]
    everything += [repr(stored(step)), repr(stored(step, "attempts"))]
    files = [file.read_bytes().decode(errors="replace") for file in Path(step["store"]).parent.iterdir()]
    token = base64.b64encode(f"{LOGIN}:{PASSWORD}".encode()).decode()
    for secret in (LOGIN, PASSWORD, token):
        assert not any(secret in text for text in everything + files)
    monkeypatch.delenv("DATAFORSEO_PASSWORD")
    assert len(ask(step)) == 3  # nothing is missing: no account is needed
    with pytest.raises(EndpointError, match="DATAFORSEO_PASSWORD is not set in the environment"):
        ask(step, samples=2)


def test_the_password_goes_to_nobody_unencrypted_and_stands_in_no_address(step: Step) -> None:
    with pytest.raises(ConfigError, match="unencrypted"):
        ask(step, url="http://api.example.org/v3/serp/google/organic/live/regular")
    with pytest.raises(ConfigError, match="holds a login") as refused:
        ask(step, url="https://me:secret@api.example.org/v3")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        ((500, b"<html>Internal Server Error</html>"), "server_error"),
        ((200, b"<html>Maintenance</html>"), "no_json"),
        ((429, b""), "rate_limit"),
        (problem("x", 40202, "Rate limit."), "rate_limit"),
        (problem("x", 50401, "Timeout."), "server_error"),
        ((200, envelope()), "no_task"),
        ((200, envelope(tasks=None)), "no_task"),
        (serp("x", result=None), "no_result"),
        (serp("x", result=[]), "no_result"),
    ],
)
def test_what_passes_is_waited_out(
    step: Step, service: Service, reply: Reply, cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataforseo_reply, "_MINUTE", 0.1)
    replies = [reply, reply]
    service.answer = lambda keyword: replies.pop() if replies else serp(keyword)
    assert ask(step, concurrency=1)["hits"].tolist() == [1000] * 3
    assert [row[2] for row in stored(step, "attempts")] == [cause] * 2


def test_a_duplicate_is_not_tried_again_in_the_same_run(step: Step, service: Service) -> None:
    service.answer = lambda keyword: problem(keyword, 40205, "The duplicate task limit per hour has been exceeded.")
    with pytest.raises(MissingAnswersError, match="3 duplicate"):
        ask(step)
    assert len(service.seen) == 3


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ((404, {"status_code": 40400, "status_message": "Not Found."}), "Check 'fame.dataforseo.url'"),
        (problem("x", 20100, "Task Created."), "must name a live endpoint"),
        (problem("x", 40501, "Invalid Field: 'location_code'."), "40501 Invalid Field: 'location_code'"),
        (problem("x", 40000, "You can set only one task at a time."), "40000 You can set"),
    ],
)
def test_a_request_that_is_wrong_for_every_author_ends_the_step(
    step: Step, service: Service, reply: Reply, said: str
) -> None:
    service.answer = lambda keyword: reply
    with pytest.raises(EndpointError, match=said):
        ask(step, concurrency=1)
    assert len(service.seen) == 1


def test_a_service_that_cannot_be_reached_costs_nothing_and_says_so(step: Step, service: Service) -> None:
    service.close()
    with pytest.raises(MissingAnswersError, match=r"3 of 3 .* \(3 connection\)"):
        ask(step, budget_usd=0.006)
