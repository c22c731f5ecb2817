"""The runner: bounded concurrency, patience with what may pass, an end with what will not."""

import asyncio
import io
import os
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from attribench.errors import EndpointError
from attribench.ledger import runner
from attribench.ledger.progress import Progress
from attribench.ledger.runner import CallFailedError, ask_all
from attribench.ledger.store import Answer, Question, Store

QUESTIONS = [Question({"n": n}) for n in range(20)]
Run = Callable[..., dict[str, Answer]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as store:
        yield store


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Take no time to wait before a question is asked again, and return how long would have been waited."""
    pauses: list[float] = []

    async def no_rest(seconds: float, over: asyncio.Event) -> None:
        pauses.append(seconds)
        await asyncio.sleep(0)

    monkeypatch.setattr(runner, "_rest", no_rest)
    return pauses


@pytest.fixture
def run(store: Store, screen: io.StringIO) -> Run:
    def ask_them(
        ask: Callable[[Question], Awaitable[Answer]],
        questions: list[Question] = QUESTIONS,
        concurrency: int = 4,
        attempts: int = 3,
    ) -> dict[str, Answer]:
        progress = Progress("test", len(questions), screen)
        return asyncio.run(
            ask_all(questions, ask, store, concurrency=concurrency, attempts=attempts, progress=progress)
        )

    return ask_them


def stored(store: Store) -> set[int]:
    found = store.answers(question.key for question in QUESTIONS)
    return {int(question.content["n"]) for question in QUESTIONS if question.key in found}


def attempts_on_record(store: Store) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = store._database.execute("SELECT key, cause, message FROM attempts").fetchall()
    return rows


async def echo(question: Question) -> Answer:
    return Answer("ok", text=str(question.content["n"]), cost=0.1)


def test_every_question_is_asked_once_and_stored(run: Run, store: Store, screen: io.StringIO) -> None:
    answers = run(echo)
    assert {key: answer.text for key, answer in answers.items()} == {q.key: str(q.content["n"]) for q in QUESTIONS}
    assert store.answers(answers) == answers
    assert "20 of 20 answers" in screen.getvalue() and "2.00 USD so far" in screen.getvalue()


def test_nothing_to_ask(run: Run) -> None:
    assert run(echo, questions=[]) == {}


@pytest.mark.parametrize("concurrency", [1, 3, 50])
def test_as_many_in_flight_as_allowed_and_no_more(run: Run, concurrency: int) -> None:
    now, most = 0, 0

    async def ask(question: Question) -> Answer:
        nonlocal now, most
        now += 1
        most = max(most, now)
        for _ in range(5):
            await asyncio.sleep(0)
        now -= 1
        return Answer("ok")

    run(ask, concurrency=concurrency)
    assert most == min(concurrency, len(QUESTIONS))


def test_an_answer_is_stored_before_the_others_are_there(run: Run, store: Store) -> None:
    """A kill in the middle loses only what is in flight, so each answer is stored as it arrives."""

    async def ask(question: Question) -> Answer:
        n = question.content["n"]
        if n == 19:
            assert stored(store) == set(range(19))
        return Answer("ok")

    run(ask, concurrency=1)


def test_what_may_pass_is_asked_again(run: Run, store: Store, slept: list[float]) -> None:
    tries: dict[int, int] = {}

    async def ask(question: Question) -> Answer:
        n = question.content["n"]
        tries[n] = tries.get(n, 0) + 1
        if n == 7 and tries[n] < 3:
            raise CallFailedError("timeout", f"try {tries[n]} took too long", again=True)
        return Answer("ok", text="got it")

    answers = run(ask)
    assert tries[7] == 3 and sum(tries.values()) == 22
    assert answers[QUESTIONS[7].key] == Answer("ok", text="got it", attempts=3)
    assert answers[QUESTIONS[8].key].attempts == 1
    assert attempts_on_record(store) == [
        (QUESTIONS[7].key, "timeout", "try 1 took too long"),
        (QUESTIONS[7].key, "timeout", "try 2 took too long"),
    ]
    assert len(slept) == 2


def test_what_never_passes_has_failed_and_is_not_stored(
    run: Run, store: Store, screen: io.StringIO, slept: list[float]
) -> None:
    tries = 0

    async def ask(question: Question) -> Answer:
        nonlocal tries
        if question.content["n"] == 7:
            tries += 1
            raise CallFailedError("server_error", "out of order", again=True)
        return Answer("ok")

    answers = run(ask, attempts=4)
    assert tries == 4
    assert answers[QUESTIONS[7].key] == Answer("failed", cause="server_error", attempts=4)
    assert stored(store) == set(range(20)) - {7}
    assert "1 failed" in screen.getvalue()


def test_what_cannot_pass_is_not_asked_again(run: Run, store: Store, slept: list[float]) -> None:
    tries = 0

    async def ask(question: Question) -> Answer:
        nonlocal tries
        tries += 1
        raise CallFailedError("too_long", "the question is too long", again=False)

    answers = run(ask, questions=QUESTIONS[:1])
    assert (tries, slept) == (1, [])
    assert answers[QUESTIONS[0].key] == Answer("failed", cause="too_long", attempts=1)
    assert stored(store) == set()


def test_the_services_own_time_to_wait_is_kept(run: Run, slept: list[float]) -> None:
    tries = 0

    async def ask(question: Question) -> Answer:
        nonlocal tries
        tries += 1
        if tries < 4:
            raise CallFailedError("rate_limit", "slow down", again=True, retry_after=[90.0, 0.5, None][tries - 1])
        return Answer("ok")

    run(ask, questions=QUESTIONS[:1], attempts=5)
    assert len(slept) == 3
    assert 90.0 <= slept[0] <= 90.0 + runner.LONGEST_WAIT
    assert slept[1] >= 0.5
    assert 0 <= slept[2] <= runner.LONGEST_WAIT


def test_without_a_wish_the_pause_is_bounded_and_not_the_same_for_all(run: Run, slept: list[float]) -> None:
    async def ask(question: Question) -> Answer:
        raise CallFailedError("server_error", "out of order", again=True)

    run(ask, attempts=12, concurrency=20)
    assert len(slept) == 11 * 20
    assert min(slept) >= 0 and max(slept) <= runner.LONGEST_WAIT
    assert len({round(pause, 6) for pause in slept}) > 100


def test_after_a_fatal_error_nothing_is_asked_and_what_is_under_way_is_kept(run: Run, store: Store) -> None:
    asked: set[int] = set()
    refused = asyncio.Event()

    async def ask(question: Question) -> Answer:
        n = question.content["n"]
        asked.add(n)
        if n < 3:
            return Answer("ok")
        if n == 5:
            refused.set()
            raise EndpointError("The account is empty.")
        await refused.wait()
        if n == 4:
            raise CallFailedError("server_error", "out of order", again=True)
        return Answer("ok")

    with pytest.raises(EndpointError, match="The account is empty"):
        run(ask)
    assert stored(store) == asked - {4, 5}
    assert {0, 1, 2, 3} <= asked and max(asked) <= 6
    assert len(attempts_on_record(store)) == 1, "what failed meanwhile is not asked again"


def test_nobody_who_waits_to_ask_again_keeps_an_ended_run_waiting(run: Run, store: Store) -> None:
    async def ask(question: Question) -> Answer:
        if question.content["n"] == 0:
            await asyncio.sleep(0.05)
            raise EndpointError("The account is empty.")
        raise CallFailedError("rate_limit", "tomorrow", again=True, retry_after=86_400.0)

    with pytest.raises(EndpointError, match="The account is empty"):
        run(ask)  # and not tomorrow
    assert len(attempts_on_record(store)) == 3


def test_two_fatal_errors_at_once_are_one(run: Run) -> None:
    async def ask(question: Question) -> Answer:
        raise EndpointError(f"No: {question.content['n']}")

    with pytest.raises(EndpointError, match="No: 0"):
        run(ask)


def test_a_store_that_is_full_stops_the_run(run: Run, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    async def ask(question: Question) -> Answer:
        nonlocal asked
        asked += 1
        return Answer("ok")

    def full(*_: object) -> None:
        raise EndpointError("An answer could not be stored.")

    monkeypatch.setattr(store, "_write", full)
    with pytest.raises(EndpointError, match="could not be stored"):
        run(ask, concurrency=2)
    assert asked <= 2


def test_a_store_that_is_full_does_not_wait_for_answers_that_it_could_not_keep(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(question: Question) -> Answer:
        if question.content["n"]:
            await asyncio.Event().wait()  # for ever, unless cancelled
        return Answer("ok")

    def full(*_: object) -> None:
        raise EndpointError("An answer could not be stored.")

    monkeypatch.setattr(store, "_write", full)
    with pytest.raises(EndpointError, match="could not be stored"):
        run(ask)


def test_an_unforeseen_error_is_not_swallowed(run: Run, store: Store) -> None:
    async def ask(question: Question) -> Answer:
        raise sqlite3.ProgrammingError("a mistake of ours")

    with pytest.raises(sqlite3.ProgrammingError, match="a mistake of ours"):
        run(ask)
    assert stored(store) == set()


def test_an_unreachable_service_is_not_asked_for_ever(run: Run, store: Store, slept: list[float]) -> None:
    asked: set[str] = set()

    async def ask(question: Question) -> Answer:
        asked.add(question.key)
        if question.content["n"] < 10:
            return Answer("ok", text="yes")
        raise CallFailedError("connection", "nobody there", again=True)

    questions = [Question({"n": n}) for n in range(500)]
    with pytest.raises(EndpointError, match="questions in a row found no connection"):
        run(ask, questions, attempts=2)
    assert len(asked) < 10 + runner.MOST_IN_VAIN + 10
    assert stored(store) == set(range(10))


def test_a_service_that_refuses_all_is_not_asked_for_ever_and_its_words_are_shown(run: Run, store: Store) -> None:
    asked = 0

    async def ask(question: Question) -> Answer:
        nonlocal asked
        asked += 1
        raise CallFailedError("bad_request", "HTTP 400: model fake does not exist", again=False)

    with pytest.raises(EndpointError, match=r"50 questions in a row were refused .*model fake does not exist"):
        run(ask, [Question({"n": n}) for n in range(500)])
    assert asked < runner.MOST_IN_VAIN + 10


def test_nothing_is_asked_once_whoever_started_the_job_is_gone(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def ask(question: Question) -> Answer:
        nonlocal asked
        asked += 1
        if asked == 5:
            monkeypatch.setattr(os, "getppid", lambda: 1)
        return Answer("ok")

    with pytest.raises(EndpointError, match="What started this has ended"):
        run(ask)
    assert stored(store) and asked < 10


def test_a_call_under_way_is_kept_when_the_service_seems_unreachable(
    run: Run, store: Store, slept: list[float]
) -> None:
    async def ask(question: Question) -> Answer:
        if question.content["n"] == 0:
            await asyncio.sleep(0.2)
            return Answer("ok", text="paid for")
        raise CallFailedError("connection", "nobody there", again=True)

    with pytest.raises(EndpointError, match="questions in a row found no connection"):
        run(ask, [Question({"n": n}) for n in range(200)], attempts=1)
    assert stored(store) == {0}
