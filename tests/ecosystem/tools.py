"""The other tools, run in their own environment, whose Python ATTRIBENCH_TEST_ECOSYSTEM names."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

PYTHON = os.environ.get("ATTRIBENCH_TEST_ECOSYSTEM", "")
SOURCE = Path(__file__).parents[2] / "src"

needs_tools = pytest.mark.skipif(
    not PYTHON, reason="ATTRIBENCH_TEST_ECOSYSTEM names no Python (tests/ecosystem/make_environment.sh)"
)

_LOAD = """
import json, sys
from datasets import load_dataset
found = load_dataset(sys.argv[1])
print(json.dumps({split: found[split].to_list() for split in found}))
"""


def run_tool(*arguments: str, folder: Path, **environment: str) -> str:
    """Run Python of that environment in `folder`, where nothing is downloaded; return what it prints."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / ".hf"), "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [PYTHON, *arguments],
        cwd=folder,
        env=os.environ | offline | environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def load_dataset(released: Path, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each split of a released folder, as `datasets.load_dataset` reads them."""
    found: dict[str, list[dict[str, Any]]] = json.loads(run_tool("-c", _LOAD, str(released), folder=folder))
    return found
