"""A trained recogniser of names beside our rules: whose outcomes are right more often on labelled answers.

    PYTHONPATH=src python tests/scale/compare_recogniser.py --model en_core_web_sm --cases <file.jsonl> [...]

Needs spaCy and one of its English models in the environment of the call, and nothing of either otherwise. The
recogniser says what is a person's name; whether it is the true author's is decided by the identity rules that ours
use (`variants.identity`). An answer is `correct` where the true author is among the persons found, `incorrect` where
only others are, `none` where nobody is: no role in the sentence is read, as none is by a recogniser of names. Prints
the share that is right by file, source and labelled outcome, in Markdown, and the answers decided a second.
"""

import argparse
import importlib
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from attribench.evaluation.outcomes import classify
from attribench.evaluation.variants import Identity, identity
from attribench.text import fold

Case = dict[str, Any]


def load(path: Path) -> list[Case]:
    """Return the unambiguous cases of a file, each with the name of its file and its source."""
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{"source": "", **case, "file": path.stem} for case in cases if not case.get("ambiguous")]


def outcome(persons: list[str], who: Identity) -> str:
    """Return the outcome of an answer in which the recogniser found `persons`."""
    names = [fold(person.removesuffix("'s").removesuffix("’s")) for person in persons]
    if any(who.match(tuple(name.split())) for name in names if name):
        return "correct"
    return "incorrect" if any(names) else "none"


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="the package of a spaCy model")
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    recognise = importlib.import_module(arguments.model).load(
        exclude=["parser", "tagger", "lemmatizer", "attribute_ruler"]
    )
    cases = [case for path in arguments.cases for case in load(path)]
    start = time.process_time()
    found = [
        [entity.text for entity in doc.ents if entity.label_ in ("PERSON", "PER")]
        for doc in recognise.pipe(case["output"] for case in cases)
    ]
    seconds = time.process_time() - start
    total: Counter[tuple[str, str, str]] = Counter()
    right: dict[str, Counter[tuple[str, str, str]]] = {"recogniser": Counter(), "names": Counter()}
    for case, persons in zip(cases, found, strict=True):
        aliases = tuple(case["aliases"])
        decided = {
            "recogniser": outcome(persons, identity(case["author"], aliases)),
            "names": classify(case["output"], case["author"], aliases, case["quote"]),
        }
        for label in ("all", case["outcome"]):
            group = (case["file"], case["source"], label)
            total[group] += 1
            for name, one in decided.items():
                right[name][group] += one == case["outcome"]
    print("| file | source | labelled | answers | recogniser | names |\n|---|---|---|---:|---:|---:|")
    for group, count in total.items():
        shares = " | ".join(f"{100 * right[name][group] / count:.1f}" for name in right)
        print(f"| {' | '.join(group)} | {count} | {shares} |")
    print(f"\n{arguments.model}: {len(cases) / seconds:,.0f} answers a second of processor time")


if __name__ == "__main__":
    main()
