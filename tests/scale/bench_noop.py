"""What the workflow adds to Snakemake's own time: `all` with nothing to do, beside an empty Snakefile.

    python tests/scale/bench_noop.py [--folder .] [--rounds 5]

`--folder` is a clone in which `snakemake --cores 8 all` has ended, with the code of this one; where something
would run, nothing is timed. The two take turns, and the least of each is compared: in processor time, which does
not depend on what else the computer does, and by the clock. Snakemake's own time is mostly its imports, those
of the executor plugins that are installed among them.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EMPTY = "rule all:\n    default_target: True\n"


def run(folder: Path, *arguments: str) -> tuple[float, float, str]:
    """Return the processor time and the time from start to end of a run in `folder`, in s, and what it says."""
    command = [sys.executable, "-m", "snakemake", "--cores", "8", "all", *arguments]
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    seconds, after = time.perf_counter() - start, os.times()
    if done.returncode:
        raise SystemExit(f"Snakemake failed in {folder}:\n{done.stderr[-2000:]}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, seconds, done.stdout + done.stderr


def measure(folder: Path, rounds: int) -> None:
    """Print the least of `rounds` runs of the workflow in `folder` and of an empty Snakefile, in turns."""
    if "Nothing to be done" not in run(folder, "--dry-run")[2]:
        raise SystemExit(f"Something would run in {folder}. Finish it first: snakemake --cores 8 all")
    with tempfile.TemporaryDirectory() as empty:
        (Path(empty) / "Snakefile").write_text(EMPTY, encoding="utf-8")
        pairs = [(run(folder), run(Path(empty))) for _ in range(rounds)]
    ours, theirs = ([min(pair[side][n] for pair in pairs) for n in (0, 1)] for side in (0, 1))
    print(f"least of {rounds} rounds  processor, s  clock, s")
    print(f"no-op `all`        {ours[0]:12.2f} {ours[1]:9.2f}")
    print(f"empty Snakefile    {theirs[0]:12.2f} {theirs[1]:9.2f}")
    print(f"ours               {ours[0] - theirs[0]:12.2f} {ours[1] - theirs[1]:9.2f}")
    print(f"share              {1 - theirs[0] / ours[0]:12.0%} {1 - theirs[1] / ours[1]:9.0%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[2], help="where all is made already")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each")
    arguments = parser.parse_args()
    measure(arguments.folder, arguments.rounds)
