"""Calls in several processes: the same answers and errors, nothing left behind."""

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from attribench.chat import workers
from attribench.chat.workers import working
from attribench.errors import EndpointError
from attribench.ledger.runner import CallFailedError
from attribench.ledger.store import Answer, Question

Says = Callable[..., Any]


def question(number: int) -> Question:
    messages = [{"role": "user", "content": f"Who said number {number}, “{'words ' * 3000}”?"}]
    return Question({"model": "openai/m", "messages": messages, "sampling": {"temperature": 0.7}})


def model() -> dict[str, Any]:
    return {"name": "m", "id": "openai/m", "endpoint": {"kind": "command"}, "timeout": 20}


async def all_of(ask: Any, number: int) -> list[Answer | BaseException]:
    return await asyncio.gather(*(ask(question(n)) for n in range(number)), return_exceptions=True)


def test_each_question_gets_its_own_answer(server: Any, says: Says) -> None:
    server.answer = lambda body: says(body["messages"][0]["content"][:22])
    with working(model(), server.url, 2) as ask:
        answers = asyncio.run(all_of(ask, 40))
    assert [answer.text for answer in answers if isinstance(answer, Answer)] == [
        question(n).content["messages"][0]["content"][:22].strip() for n in range(40)
    ]
    assert len(server.seen) == 40
    assert {answer.prompt_tokens for answer in answers if isinstance(answer, Answer)} == {11}


def test_errors_come_as_they_are(server: Any, says: Says, fails: Says) -> None:
    replies = [fails(429, "rate_limit_exceeded", retry_after="7"), fails(401, "invalid_api_key", "Wrong key.")]
    server.answer = lambda body: replies["number 1," in body["messages"][0]["content"]]
    with working(model(), server.url, 1) as ask:
        slow, wrong = asyncio.run(all_of(ask, 2))
    assert isinstance(slow, CallFailedError)
    assert (slow.cause, slow.again, slow.retry_after, slow.cost) == ("rate_limit", True, 7.0, 0.0)
    assert isinstance(wrong, EndpointError) and "Wrong key." in str(wrong)


def test_a_worker_that_is_killed_ends_the_run(
    server: Any, sends: Says, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server.answer = lambda body: sends({}, fault="hang")
    started = []
    popen = workers.subprocess.Popen

    def start(*arguments: Any, **named: Any) -> Any:
        started.append(popen(*arguments, **named))
        return started[-1]

    monkeypatch.setattr(workers.subprocess, "Popen", start)

    async def go() -> None:
        asked = asyncio.create_task(ask(question(0)))
        while not server.seen:
            await asyncio.sleep(0.01)
        os.kill(started[0].pid, signal.SIGKILL)
        with pytest.raises(EndpointError, match="ended by itself"):
            await asyncio.wait_for(asked, 10)
        with pytest.raises(EndpointError, match="ended by itself"):
            await ask(question(1))

    with working(model(), server.url, 1) as ask:
        asyncio.run(go())
    assert all(process.poll() is not None for process in started)


def test_workers_go_with_their_job(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that is killed closes its end of the line, and that ends them."""
    started = []
    popen = workers.subprocess.Popen

    def start(*arguments: Any, **named: Any) -> Any:
        started.append(popen(*arguments, **named))
        return started[-1]

    monkeypatch.setattr(workers.subprocess, "Popen", start)
    with working(model(), server.url, 2) as ask:
        asyncio.run(all_of(ask, 2))
        assert len(started) == 2
    assert [process.returncode for process in started] == [0, 0]
