"""The pins of a stage, installed into a fresh environment, run its steps on the sample.

Takes half a minute to several a stage: one is always tried, others where ATTRIBENCH_TEST_ENVIRONMENTS names them, with
spaces between.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STAGES = os.environ.get("ATTRIBENCH_TEST_ENVIRONMENTS", "corpus").split()


@pytest.mark.parametrize("stage", STAGES)
def test_the_steps_of_a_stage_run_in_its_environment_made_afresh(stage: str) -> None:
    command = [sys.executable, "tests/scale/check_environments.py", "--python", sys.executable, "--stage", stage]
    environment = {**os.environ, "PYTHONPATH": "src"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    assert re.search(rf"^{stage}: [1-9]\d* steps and [1-9]\d* packages imported, ran \w", done.stdout, re.MULTILINE)
