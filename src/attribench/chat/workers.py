"""Calls in several processes, for more of them per second than one process can make.

The runner and the store stay where they are: a worker gets the content of a question, makes the
call, and sends back the answer or what went wrong. Messages are pickled, each with its length
before it, over a pair of sockets.
"""

import asyncio
import contextlib
import itertools
import json
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import attribench
from attribench.chat.connect import connect
from attribench.chat.per_loop import PerLoop
from attribench.errors import EndpointError
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question
from attribench.masking import WithoutSecrets


@contextmanager
def working(model: Mapping[str, Any], url: str | None, number: int) -> Iterator[Ask]:
    """Yield a function that asks one question in one of `number` processes, which end with the block.

    Args:
        model: the fields of `attribench.settings.Model`.
        url: address of the server, for a model that this job serves itself.
        number: of processes.
    """
    ours: list[socket.socket] = []
    processes = []
    place = os.pathsep.join([str(Path(attribench.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    for _ in range(number):
        here, there = socket.socketpair()
        with there:
            command = [sys.executable, "-m", __name__, str(there.fileno()), json.dumps([dict(model), url])]
            environment = {**os.environ, "PYTHONPATH": place}
            processes.append(subprocess.Popen(command, pass_fds=[there.fileno()], env=environment))
        ours.append(here)

    @asynccontextmanager
    async def lines() -> AsyncIterator["Iterator[_Line]"]:
        open_lines = [_Line(*await asyncio.open_connection(sock=here.dup())) for here in ours]
        try:
            yield itertools.cycle(open_lines)
        finally:
            for line in open_lines:
                await line.close()

    team = PerLoop(lines)

    async def ask(question: Question) -> Answer:
        return await next(await team.get()).ask(question)

    try:
        yield ask
    finally:
        for here in ours:
            with contextlib.suppress(OSError):
                here.shutdown(socket.SHUT_RDWR)
            here.close()
        for process in processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class _Line:
    """The line to one worker."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._open: dict[int, asyncio.Future[Answer]] = {}
        self._numbers = itertools.count()
        self._ended = False
        self._task = asyncio.get_running_loop().create_task(self._listen())

    async def ask(self, question: Question) -> Answer:
        if self._ended:
            raise _worker_ended()
        number = next(self._numbers)
        self._open[number] = future = asyncio.get_running_loop().create_future()
        try:
            await _send(self._writer, (number, question.content))
            answer: Answer = await future
            return answer
        except ConnectionError as error:
            raise _worker_ended() from error
        finally:
            del self._open[number]

    async def close(self) -> None:
        self._task.cancel()
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _listen(self) -> None:
        try:
            while True:
                number, kind, value = await _receive(self._reader)
                future = self._open.get(number)
                if future is None or future.done():  # cancelled meanwhile
                    continue
                if kind == "answer":
                    future.set_result(value)
                elif kind == "failed":
                    cause, message, again, wait, cost = value
                    future.set_exception(CallFailedError(cause, message, again=again, retry_after=wait, cost=cost))
                else:
                    future.set_exception(EndpointError(value))
        except (asyncio.IncompleteReadError, ConnectionError):
            self._ended = True
            for future in self._open.values():
                if not future.done():
                    future.set_exception(_worker_ended())


def _worker_ended() -> EndpointError:
    return EndpointError(
        "A process that asks the model ended by itself, so no more is asked. What was answered is kept: see the log, "
        "and start again (with 'threads: 1' there is only one process)."
    )


async def _send(writer: asyncio.StreamWriter, message: Any) -> None:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    writer.write(len(data).to_bytes(4) + data)
    await writer.drain()


async def _receive(reader: asyncio.StreamReader) -> Any:
    size = int.from_bytes(await reader.readexactly(4))
    return pickle.loads(await reader.readexactly(size))


async def _work(line: socket.socket, model: Mapping[str, Any], url: str | None) -> None:
    """Answer what comes over the line until it is closed."""
    reader, writer = await asyncio.open_connection(sock=line)
    problem = ""
    try:
        ask = connect(model, url)
    except EndpointError as error:
        problem = str(error)

    async def answer(number: int, content: Mapping[str, Any]) -> None:
        try:
            if problem:
                raise EndpointError(problem)
            reply: tuple[int, str, Any] = (number, "answer", await ask(Question(content)))
        except CallFailedError as error:
            reply = (number, "failed", (error.cause, str(error), error.again, error.retry_after, error.cost))
        except Exception as error:
            told = (
                str(error)
                if isinstance(error, EndpointError)
                else f"An unforeseen error, {type(error).__name__}: {error}"
            )
            reply = (number, "ended", told)
        with contextlib.suppress(ConnectionError):
            await _send(writer, reply)

    tasks: set[asyncio.Task[None]] = set()
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            task = asyncio.get_running_loop().create_task(answer(*await _receive(reader)))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    writer.close()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this ends it
    handler = logging.StreamHandler()
    handler.setFormatter(WithoutSecrets())
    logging.basicConfig(handlers=[handler])
    asyncio.run(_work(socket.socket(fileno=int(sys.argv[1])), *json.loads(sys.argv[2])))
