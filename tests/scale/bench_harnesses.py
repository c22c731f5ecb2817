"""How many calls a second this workflow, lm-evaluation-harness and inspect_ai make to the same server.

    PYTHONPATH=src python tests/scale/bench_harnesses.py [--calls 1500] [--rounds 3] [--python <of the tools>]

The server is that of `bench_calls.py`, on the loopback address: it answers after 50 ms, and 64 calls are in
flight. The tools run the task that the workflow exports for them, by their own command lines with what they do by
default; the workflow asks by its lean path and through litellm. Each way runs in a process of its own, one after
the other in each round. Calls a second, and processor time of the way's process for a call, are taken between
10 and 95 % of the calls that the server answers, so that they hold no start-up. What belongs to a call is in them:
with us, that each answer is on the disk; with inspect_ai, that it is scored and logged; lm-evaluation-harness does
both in the end. Figures are medians of the rounds. The ratio of the processor times hangs least on what else runs.

Without `--python`, an environment for the tools is made in a temporary folder (tests/ecosystem/make_environment.sh).
"""

import argparse
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from bench_calls import IN_FLIGHT, apart, serve

from attribench.evaluation.export_tasks import main as export
from attribench.tables import write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EVIDENCE

ROOT = Path(__file__).parents[2]
SAYING = "courage is the most important of all the virtues because without it no other can be practised"


class Watch:
    """Looks 20 times a second how many calls the server has answered, and what the process that asks has used."""

    def __init__(self, url: str, server: int) -> None:
        """Begin to watch; `server` is the id of the server's process."""
        self._count, self._server = url.removesuffix("/v1") + "/count", server
        self._over = threading.Event()
        self._seen: list[tuple[float, int, float]] = []
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        asking: list[psutil.Process] = []
        while not self._over.wait(0.05):
            asking = asking or [child for child in psutil.Process().children() if child.pid != self._server]
            used = 0.0
            with suppress(psutil.NoSuchProcess):
                used = sum(sum(process.cpu_times()[:2]) for process in asking)
            answered = int(urllib.request.urlopen(self._count).read())
            self._seen.append((time.perf_counter(), answered, used))

    def figures(self, calls: int) -> tuple[float, float]:
        """End, and return calls a second, and processor time in ms a call, amid the last `calls`."""
        self._over.set()
        self._thread.join()
        start = self._seen[-1][1] - calls
        inside = [seen for seen in self._seen if 0.1 * calls <= seen[1] - start <= 0.95 * calls]
        (first, before, used), (last, after, used_after) = inside[0], inside[-1]
        return (after - before) / (last - first), 1000 * (used_after - used) / (after - before)


def export_task(folder: Path, quotes: int) -> Path:
    """Write a task of one question about each of so many quotes, and return its folder."""
    import pandas as pd

    rows = [
        {"quote_id": f"jstet_{n}", "match_id": n // 2, "group": "AB"[n % 2], "race": "black", "gender": "female"}
        | {"author_id": f"author-{n}", "author": f"Author Number{n}", "aliases": [], "n_words": 15, "log10_hits": 5.0}
        | {"quote": f"{n} {SAYING[n % 40 :]}"}
        for n in range(quotes)
    ]
    write(pd.DataFrame(rows), folder / "benchmark.parquet", BENCHMARK)
    write(pd.DataFrame([], columns=EVIDENCE.names), folder / "evidence.parquet", EVIDENCE)
    export(
        benchmark_table=folder / "benchmark.parquet",
        evidence_table=folder / "evidence.parquet",
        prompt_set=ROOT / "resources/prompts/paper.yaml",
        files=sorted((ROOT / "resources/tasks").iterdir()),
        dataset="bench",
        prompts=["direct"],
        evidence_settings=[False],
        generations=1,
        sampling={"temperature": 0.7, "top_p": 0.95, "max_tokens": 128},
        seed=7,
        classifier="names",
        folder=folder / "task",
    )
    return folder / "task"


def run_tool(python: str, task: Path, url: str, *arguments: str) -> None:
    """Run a tool in the folder of the task."""
    environment = {"PYTHONPATH": str(ROOT / "src"), "HF_HUB_OFFLINE": "1", "HF_HOME": str(task / ".hf")}
    environment |= {"LOCAL_BASE_URL": url, "LOCAL_API_KEY": "none"}
    subprocess.run([python, "-m", *arguments], cwd=task, env=os.environ | environment, check=True, capture_output=True)


def ways(python: str, task: Path, url: str, calls: int) -> dict[str, tuple[int, Callable[[], Any]]]:
    """Return for each way how many calls it makes, and what makes them."""

    def ours(way: str, number: int) -> Callable[[], Any]:
        def run() -> None:
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "bench").mkdir()
                apart("calls", way, 1, url, number, Path(folder) / "bench" / "store.sqlite")

        return run

    harness = ["lm_eval", "run", "--tasks", "attribench_bench", "--include_path", ".", "--apply_chat_template"]
    harness += ["--model", "local-chat-completions", "--log_samples", "--output_path", "out", "--model_args"]
    harness += [f"model=m,base_url={url}/chat/completions,num_concurrent={IN_FLIGHT}"]
    inspect = ["inspect_ai", "eval", "inspect_task.py", "--model", "openai-api/local/m", "--display", "none"]
    inspect += ["--max-connections", str(IN_FLIGHT)]
    return {
        "attribench, lean": (3 * calls, ours("lean", 3 * calls)),
        "attribench, through litellm": (calls, ours("litellm", calls)),
        "lm-evaluation-harness": (calls, lambda: run_tool(python, task, url, *harness)),
        "inspect_ai": (calls, lambda: run_tool(python, task, url, *inspect)),
    }


def compare(python: str, url: str, server: int, calls: int, rounds: int) -> None:
    """Print a row for each way."""
    with tempfile.TemporaryDirectory() as folder:
        found = ways(python, export_task(Path(folder), calls), url, calls)
        measured: dict[str, list[tuple[float, float]]] = {name: [] for name in found}
        for _ in range(rounds):
            for name, (number, run) in found.items():
                watch = Watch(url, server)
                run()
                measured[name].append(watch.figures(number))
    medians = {
        name: [statistics.median(values) for values in zip(*rows, strict=True)] for name, rows in measured.items()
    }
    best, least = medians["attribench, lean"]
    print(f"{'way':30} {'calls/s':>8} {'lean makes':>11} {'CPU ms a call':>14} {'of lean':>8}")
    for name, (rate, used) in medians.items():
        print(f"{name:30} {rate:8.0f} {best / rate:9.1f} x {used:14.2f} {used / least:8.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1500, help="calls of each way (the lean path: thrice as many)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--python", default=os.environ.get("ATTRIBENCH_TEST_ECOSYSTEM"), help="of the tools")
    options = parser.parse_args()
    ports: Any = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=[ports], daemon=True)
    server.start()
    address = f"http://127.0.0.1:{ports.get()}/v1"
    with tempfile.TemporaryDirectory() as made:
        if not options.python:
            subprocess.run([ROOT / "tests/ecosystem/make_environment.sh", made], check=True)
        compare(options.python or f"{made}/bin/python", address, server.pid or 0, options.calls, options.rounds)
    server.terminate()
    server.join()
