"""How many calls a second each way of asking makes, beside bare litellm, and what a job of 150,000 calls needs.

    PYTHONPATH=src python tests/scale/bench_calls.py [--calls 3000] [--rounds 3] [--large 150000]

A server on the loopback address answers each call after 50 ms; 64 calls are in flight. Compared are
`litellm.acompletion` by itself, and the workflow's own ways with everything that belongs to them
(attempts, pace, each answer on the disk): through litellm in one process and in two, and the lean
path in one and two. Every way runs in a process of its own, one after the other in each round; rates
are medians of the rounds. The ratios depend little on the computer as long as it has two free cores.

The last part runs the step `ask_model` as a job does: 150,000 questions, half of them with evidence;
then a second time, when all answers are read back.
"""

import argparse
import asyncio
import json
import multiprocessing
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

LATENCY = 0.05
IN_FLIGHT = 64
WAYS = {
    "litellm, bare": ("bare", 1),
    "through litellm": ("litellm", 1),
    "through litellm, threads: 2": ("litellm", 2),
    "lean": ("lean", 1),
    "lean, threads: 2": ("lean", 2),
}


class Answering(asyncio.Protocol):
    """One connection of a server that does as little as it can, so that it is not what is measured."""

    answered = 0
    reply = b""
    latency = LATENCY

    def connection_made(self, transport: Any) -> None:
        """Begin with nothing read."""
        self.transport, self.read = transport, b""

    def data_received(self, data: bytes) -> None:
        """Answer a whole request `latency` seconds after it came; `/count` at once."""
        self.read += data
        head, end, body = self.read.partition(b"\r\n\r\n")
        length = next((int(ln[15:]) for ln in head.lower().split(b"\r\n") if ln.startswith(b"content-length:")), 0)
        if not end or len(body) < length:
            return
        self.read = b""
        if head.startswith(b"GET"):
            self._send(str(Answering.answered).encode())
        else:
            asyncio.get_running_loop().call_later(self.latency, self._answer, body)

    def _answer(self, body: bytes) -> None:
        Answering.answered += 1
        self._send(self.reply_to(body))

    def reply_to(self, body: bytes) -> bytes:
        """Return what is sent for a request: here always the same."""
        return self.reply

    def _send(self, body: bytes) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.transport.write(head.encode() + body)


def completion(text: str) -> dict[str, Any]:
    """Return a chat completion that says `text`."""
    usage = {"prompt_tokens": 60, "completion_tokens": 12, "total_tokens": 72}
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, "message": message}
    return {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def serve(ports: Any, connection: type[Answering] = Answering, port: int = 0) -> None:
    """Answer chat completions; `/count` says how many. The port goes to the queue `ports`."""
    Answering.reply = json.dumps(completion("It was written by Maya Angelou.")).encode()

    async def go() -> None:
        server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", port)
        ports.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(go())


def questions(number: int, litellm: bool) -> list[Any]:
    """Return questions as long as the paper's, for a provider's name that needs litellm or one that does not."""
    from attribench.ledger.store import Question

    system = "You are a helpful assistant that provides concise, factual responses. Answer concisely."
    return [
        Question(
            {
                "endpoint": {"url": "bench"},
                "model": "custom_openai/m" if litellm else "openai/m",
                "messages": [
                    {"role": "system", "content": system},
                    {"role": "user", "content": f"Please identify the author of the following quote. Number {n} " * 4},
                ],
                "sampling": {"temperature": 0.7, "top_p": 0.95, "max_tokens": 128, "seed": 7},
                "generation": 0,
            }
        )
        for n in range(number)
    ]


def model(url: str, threads: int = 1, litellm: bool = False) -> dict[str, Any]:
    """Return a model at the loopback server."""
    return {
        "name": "bench",
        "id": "custom_openai/m" if litellm else "openai/m",
        "endpoint": {"kind": "url", "url": url},
        "sampling": {"temperature": 0.7, "top_p": 0.95, "max_tokens": 128},
        "without": [],
        "subset": None,
        "concurrency": IN_FLIGHT,
        "timeout": 60,
        "attempts": 5,
        "threads": threads,
        "batch": False,
        "limits": {},
    }


async def bare(url: str, asked: list[Any]) -> None:
    """Call litellm and forget what it answers."""
    import litellm

    waiting = iter(asked)

    async def work() -> None:
        for question in waiting:
            content = question.content
            await litellm.acompletion(
                model=content["model"],
                messages=content["messages"],
                api_base=url,
                api_key="none",
                num_retries=0,
                max_retries=0,
                timeout=60,
                **content["sampling"],
            )

    await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))


def measured(way: str, threads: int, url: str, calls: int, store: Path) -> dict[str, float]:
    """Make the calls one way in this process; return calls a second, CPU time and memory."""
    from attribench.chat.endpoint import open_endpoint
    from attribench.ledger.progress import Progress
    from attribench.ledger.runner import ask_all
    from attribench.ledger.store import Store

    if way == "bare":
        import litellm  # noqa: F401 - before the clock runs
    elif way == "litellm":
        import attribench.chat.completion  # noqa: F401

    by_litellm = way != "lean"
    warm, asked = questions(calls + 200, by_litellm)[calls:], questions(calls, by_litellm)
    start: list[tuple[float, float]] = []
    if way == "bare":

        async def both() -> float:
            await bare(url, warm)
            start.append((time.perf_counter(), time.process_time()))
            await bare(url, asked)
            return time.perf_counter() - start[0][0]

        seconds = asyncio.run(both())
    else:
        with Store(store) as ledger, open_endpoint(model(url, threads, by_litellm), None, 1) as ask:

            async def timed() -> float:
                quiet = Progress("bench", calls, (store.parent / "progress").open("w"))
                options: Any = {"concurrency": IN_FLIGHT, "attempts": 5, "progress": quiet}
                await ask_all(warm, ask, ledger, **options)
                start.append((time.perf_counter(), time.process_time()))
                await ask_all(asked, ask, ledger, **options)
                return time.perf_counter() - start[0][0]

            seconds = asyncio.run(timed())
            assert len(ledger.answers(question.key for question in asked)) == calls
    cpu = time.process_time() - start[0][1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"rate": calls / seconds, "cpu": 1000 * cpu / calls, "megabytes": memory}


class Delay:
    """Watches how long an answer that the server gave is not on the disk yet, to about 40 ms."""

    def __init__(self, url: str, store: Path) -> None:
        """Begin to watch."""
        self._count, self._store = url.removesuffix("/v1") + "/count", store
        self._over = threading.Event()
        self._seen: list[tuple[float, int, int]] = []
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        first = database = None
        while not self._over.wait(0.04):
            answered = int(urllib.request.urlopen(self._count).read())
            first = answered if first is None else first
            try:
                database = database or sqlite3.connect(f"file:{self._store}?mode=ro", uri=True)
                stored = (
                    database.execute("SELECT max(rowid) FROM answers").fetchone()[0] or 0
                )  # at once, unlike a count
            except sqlite3.Error:
                continue
            self._seen.append((time.monotonic(), answered - first, stored))
        if database is not None:
            database.close()

    def longest(self) -> float:
        """End, and return the longest delay in seconds."""
        self._over.set()
        self._thread.join()
        longest = 0.0
        start = 0
        for now, _, stored in self._seen:
            while start < len(self._seen) and self._seen[start][1] <= stored:
                start += 1
            if start < len(self._seen) and self._seen[start][0] <= now:
                longest = max(longest, now - self._seen[start][0])
        return longest


def apart(*arguments: object) -> dict[str, float]:
    """Run this file in a process of its own and return what it prints last."""
    command = [sys.executable, __file__, "--only", *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def compare(url: str, calls: int, rounds: int) -> None:
    """Print a row for each way."""
    rates: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    delays: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        for name, (way, threads) in WAYS.items():
            with tempfile.TemporaryDirectory() as folder:
                store = Path(folder) / "bench" / "store.sqlite"
                store.parent.mkdir()
                delay = Delay(url, store)
                rates[name].append(apart("calls", way, threads, url, calls * (3 if way == "lean" else 1), store))
                delays[name].append(delay.longest())
    head = f"{'way':28} {'calls/s':>8} {'of bare':>8} {'of one process':>15} {'CPU ms a call':>14}"
    print(f"{head} {'on disk after, s':>17} {'MB':>5}")
    rate = {name: statistics.median(found["rate"] for found in several) for name, several in rates.items()}
    for name, several in rates.items():
        single = rate[name.removesuffix(", threads: 2")]
        more = f"{rate[name] / single:15.2f}" if name.endswith("2") else " " * 15
        late = f"{max(delays[name]):17.2f}" if name != "litellm, bare" else " " * 17
        cpu = statistics.median(found["cpu"] for found in several)  # of the process that stores
        memory = max(found["megabytes"] for found in several)
        line = f"{name:28} {rate[name]:8.0f} {rate[name] / rate['litellm, bare']:8.2f} {more} {cpu:14.2f}"
        print(f"{line} {late} {memory:5.0f}")


def job(url: str, number: int, folder: Path) -> dict[str, float]:
    """Run the step on a benchmark that makes `number` questions; a second time, it reads all of them back."""
    import pandas as pd

    from attribench.evaluation.ask_model import main
    from attribench.ledger.store import Store
    from attribench.tables import write
    from attribench.tables.balance import BENCHMARK
    from attribench.tables.evidence import EVIDENCE

    quotes = number // 12
    saying = "courage is the most important of all the virtues because without it no other can be practised"
    texts = [f"{n} {saying[n % 40 :]}" for n in range(quotes)]
    names = [f"Author Number{n}" for n in range(quotes)]
    ids = [f"jstet_{n}" for n in range(quotes)]
    place = pd.RangeIndex(quotes)
    benchmark = pd.DataFrame(
        {"quote_id": ids, "match_id": place // 2, "group": "G", "race": "black", "gender": "female"}
    )
    benchmark["group"] = ["A", "B"] * (quotes // 2)
    benchmark = benchmark.assign(author_id=ids, author=names, aliases=[[] for _ in ids], quote=texts, n_words=15)
    write(benchmark.assign(log10_hits=5.0)[BENCHMARK.names], folder / "benchmark.parquet", BENCHMARK)
    rows = [(ids[n], k + 1, ids[(n + k) % quotes], names[(n + k) % quotes], texts[(n + k) % quotes], 1 - k / 10)
            for n in range(quotes) for k in range(5)]  # fmt: skip
    write(pd.DataFrame(rows, columns=EVIDENCE.names), folder / "evidence.parquet", EVIDENCE)
    del rows, benchmark
    step: dict[str, Any] = {
        "benchmark_table": folder / "benchmark.parquet",
        "evidence_table": folder / "evidence.parquet",
        "prompt_set": Path(__file__).parents[2] / "resources/prompts/paper.yaml",
        "model_file": [],
        "preflight": [],
        "budget_usd": None,
        "dataset": "bench",
        "model": model(url) | {"reasoning": None, "prices": None, "budget_usd": None},
        "prompts": ["direct", "indirect", "indirect_overt"],
        "evidence_settings": [False, True],
        "generations": 2,
        "max_missing": 0.0,
        "seed": 7,
        "store": str(folder / "cache" / "store.sqlite"),
        "threads": 1,
        "responses": folder / "responses.parquet",
        "manifest": folder / "manifest.json",
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    main(**step)
    asked = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    keys = pd.read_parquet(folder / "responses.parquet", columns=["key"])["key"].tolist()
    start = time.perf_counter()
    with Store(Path(step["store"])) as store:
        found = len(store.answers(keys))
    read = time.perf_counter() - start
    assert found == len(keys) == number
    start = time.perf_counter()
    main(**step)
    return {"asked": asked, "before": before, "megabytes": memory, "read": read, "again": time.perf_counter() - start}


def large(url: str, number: int) -> None:
    """Print what a large job needs."""
    with tempfile.TemporaryDirectory() as folder:
        found = apart("job", url, number, folder)
    print(
        f"\n{number:,} questions in one job: {found['asked']:.0f} s, {number / found['asked']:.0f} a second,", end=" "
    )
    print(f"{found['megabytes']:.0f} MB at most ({found['before']:.0f} MB before the first question)")
    print(
        f"their answers read back from the store: {found['read']:.1f} s; the whole step again: {found['again']:.1f} s"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--only"]:
        what, *rest = sys.argv[2:]
        if what == "calls":
            done = measured(rest[0], int(rest[1]), rest[2], int(rest[3]), Path(rest[4]))
        else:
            done = job(rest[0], int(rest[1]), Path(rest[2]))
        print(json.dumps(done))
    else:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--calls", type=int, default=3000, help="calls of each way (the lean path: thrice as many)")
        parser.add_argument("--rounds", type=int, default=3, help="0 leaves the comparison out")
        parser.add_argument("--large", type=int, default=150_000, help="questions of the large job; 0 leaves it out")
        options = parser.parse_args()
        ports: Any = multiprocessing.Queue()
        server = multiprocessing.Process(target=serve, args=[ports], daemon=True)
        server.start()
        address = f"http://127.0.0.1:{ports.get()}/v1"
        if options.rounds:
            compare(address, options.calls, options.rounds)
        if options.large:
            large(address, options.large - options.large % 24)
        server.terminate()
        server.join()
