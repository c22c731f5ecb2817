"""The whole workflow, run as a user runs it: in a copy of the repository, through Snakemake."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from loopback import Loopback, Reply, Request, completion

ROOT = Path(__file__).parents[2]
PARTS = ["Snakefile", "config.yaml", "envs", "profiles", "resources", "rules", "schemas", "src"]


@dataclass
class Done:
    """What a run of Snakemake left: its exit code and everything on the screen."""

    code: int
    screen: str

    @property
    def jobs(self) -> dict[str, int]:
        """The table of jobs: how many of each rule."""
        table = re.search(r"Job stats:\njob +count\n[- ]+\n(.*?)\n\n", self.screen, re.DOTALL)
        rows = table.group(1).splitlines() if table else []
        counted = {name: int(count) for name, count in (row.split() for row in rows)}
        counted.pop("total", None)
        return counted

    @property
    def changed(self) -> set[str]:
        """The rules that run for a change of their own code, params or inputs, told from Snakemake's summary."""
        reasons = self.screen.partition("\nReasons:\n")[2]
        found: set[str] = set()
        for reason, rules in re.findall(r"^    (\w.*):\n        (.*)$", reasons, re.MULTILINE):
            if reason.endswith("changed since last execution") or reason == "updated input files":
                found |= set(rules.split(", "))
        return found


@dataclass
class Workflow:
    """A copy of the repository that can be changed and run."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, config: dict[str, Any] | None = None, timeout: float = 1200) -> Done:
        done = subprocess.run(
            self.command(*arguments, config=config),
            cwd=self.folder,
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )
        return Done(done.returncode, done.stdout)

    def command(self, *arguments: str, config: dict[str, Any] | None = None) -> list[str]:
        chosen: list[str] = []
        if config is not None:
            file = self.folder / "changed.yaml"
            file.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
            chosen = ["--configfile", file.name]
        return [sys.executable, "-m", "snakemake", "--cores", "8", *arguments, *chosen]

    @property
    def config(self) -> dict[str, Any]:
        return yaml.safe_load((self.folder / "config.yaml").read_text(encoding="utf-8"))

    def duplicate(self, folder: Path) -> "Workflow":
        shutil.copytree(self.folder, folder)
        return Workflow(folder, self.environment)


def fresh(folder: Path) -> Workflow:
    """Copy the repository's own files to `folder`, without what a run left in it."""
    folder.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("cache", "__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, folder / part)
    return Workflow(folder)


@pytest.fixture
def workflow(tmp_path: Path) -> Workflow:
    """A fresh copy of the repository."""
    return fresh(tmp_path / "copy")


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workflow, Done]:
    """A copy in which the main job has run: the sample, with the real local model."""
    made = fresh(tmp_path_factory.mktemp("main") / "copy")
    return made, made.run("all")


@pytest.fixture(scope="session")
def with_dataset(tmp_path_factory: pytest.TempPathFactory) -> Workflow:
    """A copy in which the data sets are built; to be duplicated, not changed."""
    made = fresh(tmp_path_factory.mktemp("dataset") / "copy")
    done = made.run("dataset", "evidence")
    assert done.code == 0, done.screen
    return made


class Chat(Loopback):
    """A loopback server that speaks the OpenAI chat shape and counts what it is asked."""

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self.asked: Counter[str] = Counter()
        self.lock = threading.Lock()
        super().__init__(self._answer)
        self.url = f"{self.address}/v1"

    def _answer(self, request: Request) -> Reply:
        with self.lock:
            self.asked[json.dumps(request.json, sort_keys=True)] += 1
        time.sleep(self.delay)
        usage = {"prompt_tokens": 10, "completion_tokens": 7, "total_tokens": 17}
        return completion("This was written by Jane Austen.", request.json["model"], **usage)


@pytest.fixture
def chat() -> Any:
    """A loopback chat server that answers at once."""
    server = Chat()
    yield server
    server.close()


def remote(config: dict[str, Any], url: str, **changes: Any) -> dict[str, Any]:
    """Return `config` with one model that is asked at `url`."""
    config["models"] = {"loopback": {"id": "openai/loopback", "endpoint": {"kind": "url", "url": url}, **changes}}
    return config


@pytest.fixture(scope="session")
def asked_at() -> Any:
    """The function `remote`, for tests."""
    return remote
