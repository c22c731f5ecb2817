"""The paper's whole grid through the workflow, once, with two simulated models: what each stage takes.

    PYTHONPATH=src python tests/scale/run_paper_size.py FOLDER --corpus quotes-500k.csv.gz
        --universe universe-authors.csv [--subset 3] [--cores 2]

It takes the configuration of the paper (`config.paper.yaml`) but for three things: two models stand on the
loopback address and answer from planted probabilities, evidence is found without an embedding model, and nobody
judges the audit. `snakemake dataset` builds the data sets from the full corpus; then the answers are
drawn, about 290,000 for each model, and `snakemake all` asks for them, classifies and analyses them and writes the
report. A last `snakemake all` has nothing to do. FOLDER is made, or gone on with: what was answered is kept.

Prints a row for each step and each stage (jobs, time from start to end, processor time, its share, largest memory
of a job), the calls, the share of answers that were classified as planned, and whether the intervals hold the planted
accuracies and suppression; ends with 1 if they do not. `--subset` asks about so many matchings only.
"""

import argparse
import json
import multiprocessing
import resource
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import psutil
import yaml
from bench_calls import Answering, completion, serve
from bench_outcomes import MORE
from process_watch import ProcessWatch

from attribench.analysis.selftest_server import Question, frames_of, question_in
from attribench.analysis.selftest_truth import EQUAL, GAPS, Probabilities, Scenario, draw_answers
from attribench.evaluation.planted import NAMED, NOBODY
from attribench.tables import read
from attribench.tables.analysis import SUBGROUPS
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import OUTCOMES

ROOT = Path(__file__).parents[2]
MODELS = {"simulated-gaps": GAPS, "simulated-equal": EQUAL}
SPREAD = 0.25
CELL = ["dataset", "model", "metric", "prompt", "evidence", "group"]
PROMISED, ALLOWED = 0.95, 0.015


def scenario(probabilities: Probabilities) -> Scenario:
    """Return what is true of a model: the self-test's probabilities, for all groups and prompts of the paper.

    Asian authors are known as well as the mean of Black and White authors of their gender, Latino authors as
    Black ones; asked for the author if relevant, a model answers as the mean of the other two prompts.
    """
    wide = {}
    for condition, pairs in probabilities.items():
        black_white = {name.lower(): np.array(pair) for name, pair in pairs.items()}
        for gender in ("female", "male"):
            black, white = black_white[f"black {gender}"], black_white[f"white {gender}"]
            black_white |= {f"latino {gender}": black, f"asian {gender}": (black + white) / 2}
        wide[condition] = black_white
    for evidence in (False, True):
        direct, indirect = wide["direct", evidence], wide["indirect", evidence]
        wide["indirect_overt", evidence] = {name: (direct[name] + indirect[name]) / 2 for name in direct}
    pairs_of = {condition: {n: (float(p[0]), float(p[1])) for n, p in by.items()} for condition, by in wide.items()}
    return Scenario("paper's size", pairs_of, SPREAD)


def draw_plan(quotes: pd.DataFrame, probabilities: Probabilities, generations: int, seed: list[int]) -> pd.DataFrame:
    """Return one row for each answer of a model: what identifies it, its outcome and its text."""
    rng = np.random.default_rng(seed)
    plan = draw_answers(quotes, scenario(probabilities), generations, rng).merge(
        quotes[["quote_id", "quote", "author"]], on="quote_id"
    )
    named = [text for kind in ("by", "subject") for text in NAMED[kind]]
    nobody = [text for texts in NOBODY.values() for text in texts]
    strangers = rng.permutation(quotes["author"].unique())
    more = rng.integers(0, 2 * len(MORE), len(plan))
    texts = []
    for number, (outcome, author, quote, place) in enumerate(
        zip(plan["outcome"], plan["author"], plan["quote"], rng.integers(0, 1 << 30, len(plan)), strict=True)
    ):
        if pd.isna(outcome):  # None does not survive the merge
            texts.append("")  # an answer that says nothing
            continue
        stranger = strangers[place % len(strangers)]
        name = (
            author
            if outcome == "correct"
            else stranger
            if stranger != author
            else strangers[place % len(strangers) - 1]
        )
        template = nobody[place % len(nobody)] if outcome == "none" else named[place % len(named)]
        rest = f" {MORE[more[number]]}" if more[number] < len(MORE) else ""
        texts.append(template.format(name=name, quote=quote) + rest)
    return plan.assign(text=texts)


class Planned(Answering):
    """A connection of the server: the answer of the plan to the model, the question and the seed."""

    latency = 0.0
    places: ClassVar[dict[Question, int]] = {}
    texts: ClassVar[dict[tuple[str, int], list[str]]] = {}
    frames: ClassVar[dict[str, list[str]]] = {}
    evidence = ""

    def reply_to(self, body: bytes) -> bytes:
        """Return the planned answer."""
        asked = json.loads(body)
        question = question_in(asked["messages"][-1]["content"], self.frames, self.evidence)
        text = self.texts[asked["model"], asked["seed"]][self.places[question]]
        return json.dumps(completion(text)).encode()


def serve_plans(
    ports: Any, plans: Mapping[str, pd.DataFrame], prompt_set: Mapping[str, Any], seed: int, port: int
) -> None:
    """Serve the plans of the models until this process is ended."""
    keys = ["quote", "prompt", "evidence"]
    for model, plan in plans.items():
        for generation, part in plan.groupby("generation"):
            ordered = part.sort_values(keys)
            Planned.texts[model, seed + int(generation)] = ordered["text"].tolist()
            Planned.places = {question: n for n, question in enumerate(zip(*(ordered[k] for k in keys), strict=True))}
    Planned.frames = frames_of(prompt_set["prompts"])
    Planned.evidence = prompt_set["evidence"].partition("{lines}")[0]
    serve(ports, Planned, port)


def prepare(folder: Path, corpus: Path, universe: Path, subset: int | None) -> dict[str, Any]:
    """Make the folder as a clone of the workflow sees it, and return its configuration without the models' address."""
    config: dict[str, Any] = yaml.safe_load((ROOT / "config.paper.yaml").read_text(encoding="utf-8"))
    links = {f"resources/{part.name}": part for part in (ROOT / "resources").iterdir()}
    links = {name: part for name, part in links.items() if part.name not in ("cache", "data")}
    links |= {config["corpus"]["quotes"]: corpus.resolve(), config["published_universe"]: universe.resolve()}
    for name, part in links.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / name).exists():
            (folder / name).symlink_to(part)
    config["evidence"]["embedding"] = "lsa"
    del config["audit"]
    address = {"kind": "url", "url": "http://127.0.0.1:1/v1"}
    config["models"] = {
        name: {"id": f"openai/{name}", "endpoint": address, "concurrency": 32, "subset": subset} for name in MODELS
    }
    if subset is None:
        for model in config["models"].values():
            del model["subset"]
    return config


def snakemake(folder: Path, config: dict[str, Any], target: str, cores: int) -> dict[str, Any]:
    """Run a target; return its jobs, the time from start to end and the processor time of everything."""
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", target, "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(folder), "--configfile", str(folder / "config.yaml"), "--cores", str(cores)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    running = subprocess.Popen(command)
    watch = ProcessWatch(running.pid)
    code = running.wait()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    taken = {"target": target, "wall": wall, "cpu": cpu, "jobs": [asdict(job) for job in watch.finish()]}
    if taken["jobs"]:  # kept for a run that goes on where this one ends
        with (folder / "taken.jsonl").open("a") as file:
            print(json.dumps(taken), file=file)
    if code:
        raise SystemExit(f"snakemake {target} ended with {code}; {folder} keeps what was done.")
    return taken


def show(runs: list[dict[str, Any]]) -> None:
    """Print what each step and each stage took."""
    stages = {path.stem: path.parent.name for path in (ROOT / "src/attribench").glob("*/*.py")}
    wall, cpu = (sum(run[name] for run in runs) for name in ("wall", "cpu"))
    table = pd.DataFrame([job for run in runs for job in run["jobs"]])
    own = {"step": "snakemake itself", "wall": np.nan, "cpu": cpu - table["cpu"].sum(), "megabytes": np.nan}
    table = pd.concat([table, pd.DataFrame([own])], ignore_index=True)
    table["stage"] = [stages.get(step, "") for step in table["step"]]
    for by in (["stage", "step"], ["stage"]):
        found = table.groupby(by, sort=False).agg(
            jobs=("step", "size"), wall=("wall", "sum"), cpu=("cpu", "sum"), megabytes=("megabytes", "max")
        )
        found["share of cpu, %"] = 100 * found["cpu"] / cpu
        print(f"\n{found.round(1).to_string()}")
    print(f"\nin all: {wall:.0f} s from start to end, {cpu:.0f} s of processor time, without the server's")


def check_truth(folder: Path, config: Mapping[str, Any], plans: Mapping[str, pd.DataFrame]) -> bool:
    """Print how much of the plan came back; return whether it is as much as it must be."""
    keys = ["quote_id", "prompt", "evidence", "generation"]
    truths, same, scored, empty = [], 0, 0, 0
    for dataset in config["datasets"]:
        benchmark = read(folder / f"results/balance/{dataset}/benchmark.parquet", BENCHMARK)
        benchmark["label"] = benchmark["race"] + " " + benchmark["gender"]
        for model, probabilities in MODELS.items():
            found = read(
                folder / f"results/evaluation/{dataset}/{model}/outcomes.parquet", OUTCOMES, [*keys, "outcome"]
            )
            both = found.merge(plans[model], on=keys, suffixes=("", "_planned"), validate="one_to_one")
            assert len(both) == len(found), "answers to questions that nobody planned"
            same += int((both["outcome"] == both["outcome_planned"]).sum())
            scored += int(both["outcome_planned"].notna().sum())
            empty += int((both["outcome"].isna() & both["outcome_planned"].isna()).sum())
            asked = benchmark[benchmark["quote_id"].isin(found["quote_id"])]
            true = scenario(probabilities)
            for (prompt, evidence), by_label in true.probabilities.items():
                for metric in ("accuracy", *(["s_evid" if evidence else "s_omit"] if prompt == "indirect" else [])):
                    values = asked["label"].map(true.truth(metric, prompt, evidence))
                    means = values.groupby(asked["group"]).mean()
                    truths += [(dataset, model, metric, prompt, evidence, g, v) for g, v in means.items()]
                    assert by_label.keys() >= set(asked["label"])
    print(f"\n{scored + empty:,} answers, {empty:,} of them empty as planned; of the others {same / scored:.3%} "
          "are classified as planned")  # fmt: skip
    rows = read(folder / "results/analysis/subgroups.csv", SUBGROUPS)
    truth = pd.DataFrame(truths, columns=[*CELL, "truth"])
    compared = rows.merge(truth, on=CELL, validate="one_to_one")
    assert len(compared) == len(truth), "a condition has no figure"
    holds = compared["truth"].between(compared["cluster_low"], compared["cluster_high"])
    off = (compared["mean"] - compared["truth"]).abs()
    least = PROMISED - ALLOWED - 3 * float(np.sqrt(PROMISED * (1 - PROMISED) / len(holds)))
    print(f"{holds.sum()} of {len(holds)} intervals (authors redrawn) hold the truth ({holds.mean():.1%}); at least"
          f" {least:.1%} must; the means are {off.mean():.4f} off on average, {off.max():.4f} at most")  # fmt: skip
    return bool(holds.mean() >= least)


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--universe", type=Path, required=True)
    parser.add_argument("--subset", type=int, help="matchings that are asked about; left out, all")
    parser.add_argument("--cores", type=int, default=2)
    options = parser.parse_args()
    folder = options.folder.resolve()
    config = prepare(folder, options.corpus, options.universe, options.subset)
    snakemake(folder, config, "dataset", options.cores)

    benchmarks = [read(folder / f"results/balance/{name}/benchmark.parquet", BENCHMARK) for name in config["datasets"]]
    quotes = pd.concat(benchmarks).drop_duplicates("quote_id").reset_index(drop=True)
    quotes["group"] = quotes["race"] + " " + quotes["gender"]
    quotes["author_code"] = pd.factorize(quotes["author_id"])[0]
    seed, generations = config["seed"], config["evaluation"]["generations"]
    plans = {name: draw_plan(quotes, p, generations, [seed, *name.encode()]) for name, p in MODELS.items()}
    prompt_set = yaml.safe_load((ROOT / config["evaluation"]["prompt_set"]).read_text(encoding="utf-8"))
    ports: Any = multiprocessing.Queue()
    place = folder / "port"
    # The address is part of the answers' keys: a run that goes on where another one ended needs the same.
    port = int(place.read_text()) if place.exists() else 0
    server = multiprocessing.Process(target=serve_plans, args=[ports, plans, prompt_set, seed, port], daemon=True)
    server.start()
    place.write_text(str(ports.get()))
    for model in config["models"].values():
        model["endpoint"] = {"kind": "url", "url": f"http://127.0.0.1:{place.read_text()}/v1"}

    snakemake(folder, config, "all", options.cores)
    calls = int(urllib.request.urlopen(f"http://127.0.0.1:{place.read_text()}/count").read())
    took = psutil.Process(server.pid).cpu_times()
    show([json.loads(line) for line in (folder / "taken.jsonl").read_text().splitlines()])
    print(
        f"{calls:,} calls were answered by the server, in {took.user + took.system:.0f} s of processor time of its own"
    )
    idle = snakemake(folder, config, "all", options.cores)
    print(f"\nsnakemake all with nothing to do: {idle['wall']:.1f} s, {idle['cpu']:.1f} s of processor time")
    holds = check_truth(folder, config, plans)
    server.terminate()
    server.join()
    sys.exit(not holds)


if __name__ == "__main__":
    main()
