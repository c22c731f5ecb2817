"""A task that was exported, and the arguments with which it was."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from evaluation.conftest import make_benchmark, make_evidence

from attribench.evaluation.export_tasks import main
from attribench.tables import write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EVIDENCE

RESOURCES = Path(__file__).parents[2] / "resources"
FILES = ["README.md", "harness.py", "inspect_task.py", "shared.yaml"]


@pytest.fixture
def step(tmp_path: Path) -> dict[str, Any]:
    """Return the arguments of the step; the texts hold what templates and YAML might take for their own."""
    benchmark = make_benchmark(4)
    benchmark.loc[0, "quote"] = 'A "line"\nbreak, {{ system }} and {quote}: é \u2028 # 100%'
    benchmark.loc[1, "race"] = None
    benchmark.loc[3, "author"] = "Future"  # a person only where the data set's authors are known
    write(benchmark, tmp_path / "benchmark.parquet", BENCHMARK)
    write(make_evidence(benchmark), tmp_path / "evidence.parquet", EVIDENCE)
    prompts = yaml.safe_load((RESOURCES / "prompts/paper.yaml").read_text(encoding="utf-8"))
    (tmp_path / "prompts.yaml").write_text(yaml.safe_dump(prompts | {"evidence_system": "Be brief."}))
    return {
        "benchmark_table": tmp_path / "benchmark.parquet",
        "evidence_table": tmp_path / "evidence.parquet",
        "prompt_set": tmp_path / "prompts.yaml",
        "files": [RESOURCES / "tasks" / name for name in FILES],
        "dataset": "some_set",
        "prompts": ["direct", "indirect"],
        "evidence_settings": [False, True],
        "generations": 2,
        "sampling": {"temperature": 0.7, "top_p": 0.95, "max_tokens": 32},
        "seed": 7,
        "classifier": "names",
        "folder": tmp_path / "task",
    }


@pytest.fixture
def exported(step: dict[str, Any]) -> Path:
    """Return the folder of a task."""
    main(**step)
    folder: Path = step["folder"]
    return folder
