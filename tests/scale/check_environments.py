"""Whether the environment of a stage is enough for its steps, each tried in a fresh virtual environment.

    PYTHONPATH=src python tests/scale/check_environments.py [--stage corpus ...] [--python <python3.12>]

A virtual environment gets what `envs/<stage>.yaml` names, in its versions, from PyPI under the names there, by pip
as it is configured here, and nothing else but what those packages need themselves. In it every step that
`rules/<stage>.smk` names is imported, with each module of others that its code imports later, and steps of the stage
run on the sample, as Snakemake would call them. What those read is made by the steps of earlier stages, in the
environment of this script. Prints a line a stage; ends with 1 if a stage fails. Conda's own packages are not tried.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

from attribench import pins

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
DATASET = "intersectional"
GROUPS = CONFIG["datasets"][DATASET]["groups"]
SEED = CONFIG["seed"]

# Runs in the environment that is tried: imports, then steps, each with what a rule would hand to it.
RUNNER = """
import importlib, json, os, sys
from pathlib import Path
from types import SimpleNamespace
from attribench.step import run

work = json.load(sys.stdin)
screen = os.dup(2)  # a step sends what it prints to its log, and leaves it so
for name in work["imports"]:
    importlib.import_module(name)
for step, values in work["steps"]:
    log = f"logs/{step}.log"
    nothing = {"resources": {}, "wildcards": {}, "input": {}, "output": {}}
    job = SimpleNamespace(rule=step, log=[log], threads=1, params=values, **nothing)
    try:
        run(importlib.import_module(step).main, job)
    except SystemExit:
        os.dup2(screen, 2)
        sys.exit(Path(log).read_text(encoding="utf-8"))
"""


def steps(folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return steps of all stages in the order in which they can run, and what a rule would hand to each."""
    sample, words, paper, labelled = (ROOT / "resources" / name for name in ("sample", "words", "paper", "labelled"))
    universe = [sample / "universe.csv"]
    parquet = ["quotes", "authors", "labels", "fame", "fame_by_source", "candidates", "run_matchings", "matchings"]
    parquet += ["benchmark", "embeddings", "evidence", "covariates_of_quotes"]
    csv = ["funnel", "exclusions", "runs", "instrument_error", "covariates"]
    at = {name: folder / f"{name}.parquet" for name in parquet} | {name: folder / f"{name}.csv" for name in csv}
    cleaning = {key: value for key, value in CONFIG["corpus"].items() if key != "quotes"}
    matching = {key: CONFIG["balance"][key] for key in ("method", "runs", "threshold", "unmatched")}
    return [
        ("corpus.clean_quotes", {
            "quotes_csv": sample / "quotes.csv", "quotes": at["quotes"], "authors": at["authors"],
            "funnel": at["funnel"], "seed": SEED, **cleaning,
        }),
        ("demographics.label_authors", {
            "authors": at["authors"], "universe": universe, "wikidata": [], "labeller_answers": [],
            "sources": ["published"], "labels": at["labels"],
        }),
        ("fame.measure_fame", {
            "authors": at["authors"], "universe": universe, "search_hits": [], "mentions": [], "fame_table": [],
            "sources": ["published"], "compare": [], "mix_sources": False, "fame": at["fame"],
            "fame_by_source": at["fame_by_source"],
        }),
        ("balance.select_candidates", {
            "authors": at["authors"], "labels": at["labels"], "fame": at["fame"], "groups": GROUPS,
            "min_log10_hits": CONFIG["balance"]["min_log10_hits"], "candidates": at["candidates"],
            "exclusions": at["exclusions"],
        }),
        ("balance.match_authors", {
            "candidates": at["candidates"], "dataset": DATASET, "groups": list(GROUPS), "reference": None,
            "part": "1-of-1", "seed": SEED, "matchings": at["run_matchings"], **matching,
        }),
        ("balance.select_run", {
            "parts": [at["run_matchings"]], "dataset": DATASET, "runs": matching["runs"], "run_table": at["runs"],
            "matchings": at["matchings"], "method": matching["method"],
        }),
        ("balance.sample_quotes", {
            "matchings": at["matchings"], "quotes": at["quotes"], "authors": at["authors"], "labels": at["labels"],
            "wikidata": [], "dataset": DATASET, "seed": SEED, "benchmark_table": at["benchmark"],
        }),
        ("evidence.embed_quotes", {
            "quotes": at["quotes"], "benchmarks": [at["benchmark"]], "candidates": [at["candidates"]],
            "settings": CONFIG["evidence"], "seed": SEED,
            "store": folder / "embeddings.sqlite", "embeddings": at["embeddings"],
        }),
        ("evidence.retrieve_evidence", {
            "benchmark_table": at["benchmark"], "corpus": [], "embeddings": at["embeddings"],
            "k": CONFIG["evidence"]["k"], "evidence": at["evidence"],
        }),
        ("evaluation.measure_instrument_error", {
            "benchmarks": [at["benchmark"]], "sample": [], "judge_answers": [], "filled_sheet": None,
            "labelled": [labelled / "first_round.jsonl"],
            "labelled_latino": [labelled / "latino_authors.jsonl"], "people": labelled / "authors.csv",
            "datasets": [DATASET], "classifier": "names", "per_author": 1, "seed": SEED,
            "instrument_error": at["instrument_error"],
        }),
        ("analysis.measure_covariates", {
            "benchmarks": [at["benchmark"]], "matchings": [at["matchings"]], "embeddings": [at["embeddings"]],
            "candidates": [at["candidates"]], "corpus": [at["quotes"], at["authors"], sample / "quotes.csv"],
            "words": [words / "common_words.txt", words / "given_names.txt"], "birth_years": [], "wikidata": [],
            "groups": {DATASET: list(GROUPS)}, "built": [DATASET], "topics": CONFIG["analysis"]["topics"],
            "seed": SEED, "covariates_of_quotes": at["covariates_of_quotes"], "covariates": at["covariates"],
        }),
        ("report.draw_datasets", {
            "labels": [at["labels"]], "benchmarks": [at["benchmark"]], "paper_labels": paper / "corpus_labels.csv",
            "paper_table_2": paper / "table_2.csv", "groups": {DATASET: list(GROUPS)},
            "figures": [folder / "figure_9_demographics.png", folder / "figure_10_fame_distribution.png"],
        }),
    ]  # fmt: skip


def run(python: str, folder: Path, imports: list[str], chosen: list[tuple[str, dict[str, Any]]]) -> None:
    """Import and run in `python`.

    Raises:
        RuntimeError: something failed; the text is what it said.
    """
    work = {"imports": imports, "steps": [(f"attribench.{name}", values) for name, values in chosen]}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    _call([python, "-c", RUNNER], folder, environment, json.dumps(work, default=str))


def make(python: str, stage: str, folder: Path) -> str:
    """Make the virtual environment of `stage` in `folder`; return its Python."""
    _call([python, "-m", "venv", str(folder)], folder.parent)
    inside = str(folder / "bin" / "python")
    wanted = [f"{name}=={version}" for name, version in pins.pinned(ROOT, stage).items() if name not in pins.TOOLS]
    _call([inside, "-m", "pip", "install", "--quiet", "--no-input", "--no-compile", *wanted], folder.parent)
    return inside


def check(stage: str, python: str, folder: Path, made: Path) -> str:
    """Try the environment of `stage`; return what was done.

    Raises:
        RuntimeError: it is not enough, or could not be made.
    """
    start = time.monotonic()
    inside = make(python, stage, folder / stage)
    installed = time.monotonic() - start
    modules = [script.removesuffix(".py").replace("/", ".") for script in pins.scripts(ROOT, stage)]
    chosen = [step for step in steps(made) if step[0].startswith(f"{stage}.")]
    others = list(pins.imported(ROOT, stage))
    run(inside, made, modules + others, chosen)
    names = ", ".join(name.partition(".")[2] for name, _ in chosen)
    return (
        f"{len(modules)} steps and {len(others)} packages imported, ran {names} "
        f"({installed:.0f} s to install, {time.monotonic() - start - installed:.0f} s to run)"
    )


def main() -> int:
    """Check the chosen stages; return 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", nargs="+", choices=pins.stages(ROOT), default=pins.stages(ROOT))
    parser.add_argument("--python", help="Python of the version in envs/ (default: the one on the path, else this)")
    wanted = parser.parse_args()
    version = pins.pinned(ROOT, wanted.stage[0])["python"]
    python = wanted.python or shutil.which(f"python{version.rpartition('.')[0]}") or sys.executable
    found = subprocess.run([python, "-c", "import platform; print(platform.python_version())"], stdout=subprocess.PIPE)
    if found.returncode:
        print(f"{python} does not run; name another with --python.", file=sys.stderr)
        return 1
    print(f"Python {found.stdout.decode().strip()}; envs/ names {version}.", flush=True)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        made = Path(name) / "made"
        made.mkdir()
        run(sys.executable, made, [], steps(made))
        for stage in wanted.stage:
            try:
                print(f"{stage}: {check(stage, python, Path(name), made)}", flush=True)
            except RuntimeError as error:
                failed = True
                print(f"{stage}: FAILED\n{error}", flush=True)
            shutil.rmtree(Path(name) / stage, ignore_errors=True)
    return int(failed)


def _call(command: list[str], folder: Path, environment: dict[str, str] | None = None, text: str = "") -> None:
    done = subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout)[-3000:])


if __name__ == "__main__":
    sys.exit(main())
