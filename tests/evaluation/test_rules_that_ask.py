"""What Snakemake plans for the rules that ask, or must not: told by dry runs, in which nothing happens."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
Plan = Callable[..., str]


@pytest.fixture
def config() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    return found


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Return a function that says what Snakemake would do for `targets`, in a folder of its own."""
    for name in ("envs", "resources", "schemas", "src"):
        (tmp_path / name).symlink_to(ROOT / name)
    for file in (ROOT / "Snakefile", *(ROOT / "rules").rglob("*.smk")):
        # A rule with a message is shown by that alone, without its threads and resources.
        text = re.sub(r"    message:\n(?:        .*\n)+", "", file.read_text(encoding="utf-8"))
        copy = tmp_path / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")

    def run(config: dict[str, Any], *targets: str) -> str:
        (tmp_path / "changed.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", *targets, "--dry-run", "--cores", "6", "--configfile", "changed.yaml"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    return run


def jobs(screen: str, rule: str) -> list[str]:
    """Return what is said of each job of a rule."""
    return re.findall(rf"^(?:local)?rule {rule}:\n(?:    .*\n)+", screen, re.MULTILINE)


def test_an_estimate_asks_no_embedding_model_though_evidence_is_there(
    config: dict[str, Any], plan: Plan, tmp_path: Path
) -> None:
    (tmp_path / "results" / "evidence").mkdir(parents=True)
    for name in config["datasets"]:
        (tmp_path / "results" / "evidence" / f"{name}.parquet").touch()
    screen = plan(config, "estimate")
    assert len(jobs(screen, "retrieve_evidence")) == 2, "which lsa finds for nothing"
    config["evidence"]["embedding"] = "openai/text-embedding-3-small"
    screen = plan(config, "estimate")
    assert len(jobs(screen, "estimate")) == 1
    assert not jobs(screen, "embed_quotes") and not jobs(screen, "retrieve_evidence")


def test_threads_and_places_of_the_steps_that_ask(config: dict[str, Any], plan: Plan) -> None:
    hosted = {"id": "openai/gpt-4o-mini", "endpoint": {"kind": "hosted"}}
    served = {"id": "openai/x", "endpoint": {"kind": "command", "command": "serve --port {port}"}}
    config["limits"] = {"openai": {"requests_per_minute": 100}}
    config["models"] = {"live": hosted, "later": hosted | {"batch": True}}
    config["audit"] = {"judge": {"judge": served}}
    config["demographics"]["sources"] = ["published", "consensus"]
    config["demographics"]["consensus"] = {"models": {"one": served, "two": hosted}}
    judged = "results/evaluation/audit/judge_answers.parquet"

    screen = plan(config, judged)
    for job in jobs(screen, "ask_model"):
        assert ("api_openai=1" in job) == ("model=live" in job), "a batch holds no place while it is waited for"
    assert len(jobs(screen, "ask_model")) == 4
    [labellers], [judge] = jobs(screen, "ask_labellers"), jobs(screen, "ask_judge")
    assert "threads: 6" in labellers and "api_openai=1" in labellers
    assert "threads: 6" in judge and "api_openai" not in judge

    config["audit"] = {"judge": {"judge": hosted}}
    [judge] = jobs(plan(config, judged), "ask_judge")
    assert "threads" not in judge and "api_openai=1" in judge
