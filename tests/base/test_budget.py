"""A budget: no call begins that could pass it, whoever else spends, and what was paid stays counted."""

import asyncio
import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from attribench.errors import BudgetError, EndpointError
from attribench.ledger import budget as module
from attribench.ledger.budget import ACCOUNT, Budget, Limit, money_spent
from attribench.ledger.progress import Progress
from attribench.ledger.runner import CallFailedError, ask_all
from attribench.ledger.store import Answer, Question, Store

QUESTIONS = [Question({"n": n}) for n in range(20)]
OWN, TOGETHER = "models.m.budget_usd", "budget_usd"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "evaluation" / "m.sqlite"


Run = Callable[..., dict[str, Answer]]


@pytest.fixture
def run(place: Path) -> Iterator[Run]:
    """Ask questions, of which each can cost 1 USD, within limits."""

    def go(
        ask: Callable[..., object], own: float | None = None, together: float | None = None, store: Path = place
    ) -> dict[str, Answer]:
        limits = {
            "own": None if own is None else Limit(own, OWN),
            "together": None if together is None else Limit(together, TOGETHER),
        }
        with Store(store) as ledger, Budget(store, **limits, bound=lambda question: 1.0) as budget:
            there = ledger.answers(question.key for question in QUESTIONS)
            missing = [question for question in QUESTIONS if question.key not in there]
            progress = Progress("test", len(missing), io.StringIO())
            asked = ask_all(missing, ask, ledger, concurrency=4, attempts=2, progress=progress, budget=budget)  # type: ignore[arg-type]
            return there | asyncio.run(asked)

    yield go


def costs(usd: float | None, calls: list[int] | None = None) -> Callable[[Question], object]:
    async def ask(question: Question) -> Answer:
        if calls is not None:
            calls.append(question.content["n"])
        await asyncio.sleep(0)
        return Answer("ok", text="x", cost=usd)

    return ask


def stored(place: Path) -> int:
    with closing(sqlite3.connect(place)) as database:
        number: int = database.execute("SELECT count(*) FROM answers").fetchone()[0]
    return number


def test_no_call_begins_that_could_pass_the_limit_and_all_is_kept(run: Run, place: Path) -> None:
    calls: list[int] = []
    with pytest.raises(BudgetError) as caught:
        run(costs(1.0, calls), own=7.5)
    assert len(calls) == 7 == stored(place)
    assert money_spent(place) == 7.0
    said = str(caught.value)
    assert "budget of 7.5 USD ('models.m.budget_usd') allows no further call: 7.0000 USD are spent" in said
    assert "13 of the 20 questions" in said and "is kept: raise the budget" in said


def test_a_raised_budget_goes_on_and_counts_what_was_spent(run: Run, place: Path) -> None:
    with pytest.raises(BudgetError):
        run(costs(1.0), own=7.5)
    calls: list[int] = []
    with pytest.raises(BudgetError, match=r"10\.0000 USD are spent"):
        run(costs(1.0, calls), own=10)
    assert len(calls) == 3 and stored(place) == 10
    assert len(run(costs(1.0), own=20)) == 20


def test_calls_that_turn_out_cheaper_leave_room_for_more(run: Run, place: Path) -> None:
    """What is in flight is counted at its most; when it has come, at what it cost."""
    assert len(run(costs(0.05), own=2.0)) == 20
    assert money_spent(place) == pytest.approx(1.0)


def test_never_more_in_flight_than_the_limit_covers(run: Run) -> None:
    now, most = 0, 0

    async def ask(question: Question) -> Answer:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return Answer("ok", cost=0.01)

    run(ask, own=2.3)
    assert most == 2


def test_a_call_that_broke_off_counts_as_much_as_it_can_have_cost(run: Run, place: Path) -> None:
    async def ask(question: Question) -> Answer:
        raise CallFailedError("timeout", "took too long", again=True, cost=None)

    with pytest.raises(BudgetError, match=r"3\.0000 USD are spent"):
        run(ask, own=3.5)
    assert money_spent(place) == 3.0


def test_a_call_that_was_refused_costs_nothing(run: Run, monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    async def ask(question: Question) -> Answer:
        raise CallFailedError("rate_limit", "slow down", again=False)

    answers = run(ask, own=1.5)
    assert {answer.status for answer in answers.values()} == {"failed"}
    assert money_spent(place) == 0.0


def test_an_answer_whose_cost_is_not_said_counts_at_its_most(run: Run) -> None:
    calls: list[int] = []
    with pytest.raises(BudgetError):
        run(costs(None, calls), own=5)
    assert len(calls) == 5


def test_all_stores_together_stay_within_the_limit_of_the_run(run: Run, place: Path) -> None:
    other = place.parents[1] / "demographics" / "labeller.sqlite"
    with pytest.raises(BudgetError):
        run(costs(1.0), own=4, store=other)
    calls: list[int] = []
    with pytest.raises(BudgetError) as caught:
        run(costs(1.0, calls), own=50, together=10)
    assert len(calls) == 6
    assert "budget of 10 USD ('budget_usd')" in str(caught.value)


def test_two_jobs_at_once_share_the_limit(place: Path) -> None:
    other = place.with_name("n.sqlite")
    limit = Limit(5.0, TOGETHER)

    async def take(budget: Budget, number: int) -> None:
        for question in QUESTIONS[:number]:
            budget.settle(await budget.reserve(question), 1.0)

    with (
        Store(place),
        Store(other),
        Budget(place, own=None, together=limit, bound=lambda question: 1.0) as one,
        Budget(other, own=None, together=limit, bound=lambda question: 1.0) as two,
    ):
        asyncio.run(take(one, 2))
        asyncio.run(take(two, 3))
        for budget in (one, two):
            with pytest.raises(BudgetError):
                asyncio.run(take(budget, 1))


def test_what_a_killed_job_had_reserved_comes_free(place: Path, run: Run) -> None:
    with Store(place), Budget(place, own=Limit(9, OWN), together=None, bound=lambda question: 1.0) as budget:
        asyncio.run(budget.reserve(QUESTIONS[0]))
    with closing(sqlite3.connect(place.parents[1] / ACCOUNT)) as account:
        account.execute("UPDATE account SET reserved = 100")  # as a killed job leaves it
        account.commit()
    assert len(run(costs(1.0), together=20, store=place.with_name("n.sqlite"))) == 20


def test_a_lost_account_is_made_anew_from_the_stores(run: Run, place: Path) -> None:
    with pytest.raises(BudgetError):
        run(costs(1.0), own=4)
    for file in place.parents[1].glob(f"{ACCOUNT}*"):
        file.unlink()
    with pytest.raises(BudgetError, match=r"4\.0000 USD are spent"):
        run(costs(1.0), together=4.5, store=place.with_name("n.sqlite"))


def test_a_fatal_error_gives_back_what_was_reserved(run: Run, place: Path) -> None:
    async def ask(question: Question) -> Answer:
        raise EndpointError("The key is wrong.")

    with pytest.raises(EndpointError):
        run(ask, own=1.5)
    assert money_spent(place) == 0.0
    assert module.ACCOUNT in {file.name for file in place.parents[1].iterdir()}


def test_a_store_that_cannot_be_read_is_named(run: Run, place: Path) -> None:
    other = place.parent.parent / "evaluation" / "other.sqlite"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"no database, " * 100)

    async def ask(question: Question) -> Answer:
        return Answer("ok", cost=0.1)

    with pytest.raises(EndpointError, match=r"other\.sqlite have cost cannot be read: .* move it away"):
        run(ask, together=10.0)
