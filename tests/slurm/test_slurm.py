"""The workflow through a real Slurm of two nodes, one of which is lost in the middle: the same as on one machine.

Skipped where Slurm is not installed, unless ATTRIBENCH_TEST_SLURM is set: then its absence is a failure.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
import pytest
from end_to_end.conftest import Workflow, fresh
from loopback import Loopback, Reply, Request, completion

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun")
MISSING = [name for name in PROGRAMS if not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")]
CLUSTER = Path(__file__).with_name("cluster.sh")
MODELS = ("first", "second")
DATASET = "intersectional"

pytestmark = pytest.mark.skipif(
    bool(MISSING) and not os.environ.get("ATTRIBENCH_TEST_SLURM"), reason=f"not installed: {', '.join(MISSING)}"
)


class Authors(Loopback):
    """A model whose answer follows from the question, so that it says the same again; counts what it is asked."""

    def __init__(self) -> None:
        self.delay = 0.0
        self.asked: Counter[tuple[str, str]] = Counter()
        self.busy: dict[str, int] = dict.fromkeys(MODELS, 0)
        self.at_once = False
        self.lock = threading.Lock()
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Reply:
        model = request.json["model"]
        question = str(request.json["messages"])
        with self.lock:
            self.asked[model, question] += 1
            self.busy[model] += 1
            self.at_once |= all(self.busy.values())
        time.sleep(self.delay)
        with self.lock:
            self.busy[model] -= 1
        names = ["This was written by Maya Angelou.", "I do not know.", "It is by Mark Twain.", "A speech on freedom."]
        return completion(names[hashlib.sha256(f"{model}{question}".encode()).digest()[0] % 4], model)


@pytest.fixture
def server() -> Iterator[Authors]:
    made = Authors()
    yield made
    made.close()


@pytest.fixture
def slurm() -> Iterator[dict[str, str]]:
    """A running Slurm, as the environment of its clients."""
    with tempfile.TemporaryDirectory(prefix="slurm") as folder:  # the paths of sockets have to be short
        environment = {
            "SLURM_TEST_PORT": str(20000 + 10 * (os.getpid() % 1000)),  # another cluster may stand beside this one
            "SLURM_CONF": f"{folder}/slurm.conf",
            "PATH": f"{folder}/bin:{os.environ['PATH']}:/usr/sbin",
        }
        try:
            subprocess.run([CLUSTER, "start", folder], env=os.environ | environment, check=True, timeout=60)
            yield environment
        finally:
            subprocess.run([CLUSTER, "stop", folder], env=os.environ | environment, check=True, timeout=60)


def end_what_was_left(folder: Path) -> None:
    """Kill what still runs in `folder`: the Snakemake inside a job of the lost node may hang in its own end."""
    for process in psutil.process_iter(["cmdline"]):
        if any(str(folder) in word for word in process.info["cmdline"] or ()):
            with suppress(psutil.NoSuchProcess):
                process.kill()


def small(workflow: Workflow, server: Authors) -> dict[str, Any]:
    config = workflow.config
    config["datasets"] = {DATASET: config["datasets"][DATASET]}
    config["balance"] |= {"runs": 20, "jobs": 1}
    endpoint = {"kind": "url", "url": f"{server.address}/v1"}
    config["models"] = {
        name: {"id": f"openai/{name}", "endpoint": endpoint, "subset": 2, "concurrency": 2} for name in MODELS
    }
    return config


def test_the_same_on_a_cluster_that_loses_a_node(tmp_path: Path, slurm: dict[str, str], server: Authors) -> None:
    here = fresh(tmp_path / "here")
    config = small(here, server)
    done = here.run("evaluate", config=config)
    assert done.code == 0, done.screen
    asked_here = set(server.asked)
    server.asked.clear()
    server.delay = 0.5

    there = fresh(tmp_path / "there")
    there.command(config=config)  # writes the configuration
    command = [sys.executable, Path(__file__).with_name("poll_often.py"), "--workflow-profile", "profiles/slurm"]
    command += ["evaluate"]
    # This Slurm keeps no accounts. Three processors of four: the two models are asked on different nodes.
    command += ["--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1"]
    command += ["--latency-wait", "5", "--set-threads", "ask_model=3", "--configfile", "changed.yaml"]
    environment = os.environ | slurm
    screen = tmp_path / "screen"
    with screen.open("w") as output:
        run = subprocess.Popen(command, cwd=there.folder, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            end = time.monotonic() + 240
            while not server.at_once or len(server.asked) < 8:
                assert run.poll() is None and time.monotonic() < end, screen.read_text()
                time.sleep(0.2)
            down = ["scontrol", "update", "nodename=n2", "state=down", "reason=test"]
            subprocess.run(down, env=environment, check=True)
            code = run.wait(240)
        finally:
            run.terminate()
            end_what_was_left(there.folder)
    said = screen.read_text()
    assert code == 0, said
    assert "Trying to restart job" in said, "the lost job ran again"

    benchmark = f"results/balance/{DATASET}/benchmark.parquet"
    assert (there.folder / benchmark).read_bytes() == (here.folder / benchmark).read_bytes()
    for model in MODELS:
        outcomes = f"results/evaluation/{DATASET}/{model}/outcomes.parquet"
        alike = [pd.read_parquet(place.folder / outcomes) for place in (here, there)]
        pd.testing.assert_frame_equal(*alike)
        assert alike[0]["outcome"].nunique() > 1
    assert set(server.asked) == asked_here
    twice = sum(server.asked.values()) - len(server.asked)
    assert twice <= 2, "only what was in flight on the lost node is asked again"
