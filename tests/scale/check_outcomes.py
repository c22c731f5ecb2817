"""How often the classifiers of answers are right on labelled answers, side by side.

    PYTHONPATH=src python tests/scale/check_outcomes.py --cases <file.jsonl> [--cases <another>] [--wrong]

A line of a file is an answer: `author`, `aliases`, `quote`, `output`, `outcome`, and, where it has
them, `id`, `source`, `category` and `ambiguous` (left out). Prints, as Markdown, the share that is
right by source and by category, and the confusion matrix of each classifier. `published` knows the
surnames of all authors of a file, as the published code knows those of its data set. With `--wrong`
the answers that our rules decide wrongly come too, with what they found.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from attribench.evaluation import outcomes, published, strict

OUTCOMES = ("correct", "incorrect", "none")
Case = dict[str, Any]


def load(paths: Iterable[Path]) -> list[Case]:
    """Return the unambiguous cases of all files; one without a source gets the file's name as such."""
    cases = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if not case.get("ambiguous"):
                cases.append({"source": path.stem, "category": "", **case})
    return cases


def decide(cases: list[Case]) -> dict[str, list[str]]:
    """Return the outcomes of `cases` by each classifier."""
    ways: dict[str, Callable[..., str]] = {
        "names": outcomes.classify,
        "strict": strict.classify,
        "published": published.classifier({case["author"] for case in cases}),
    }
    return {
        name: [way(c["output"], c["author"], tuple(c["aliases"]), c["quote"]) for c in cases]
        for name, way in ways.items()
    }


def accuracy_table(cases: list[Case], decided: dict[str, list[str]], by: str) -> str:
    """Return the share that each classifier has right, by the value of `by`, in Markdown."""
    total: Counter[str] = Counter(case[by] for case in cases)
    right: dict[str, Counter[str]] = defaultdict(Counter)
    for name, found in decided.items():
        right[name].update(case[by] for case, one in zip(cases, found, strict=True) if one == case["outcome"])
    lines = [f"| {by} | answers | {' | '.join(decided)} |", f"|---|---:|{'---:|' * len(decided)}"]
    for value, count in total.most_common():
        shares = " | ".join(f"{100 * right[name][value] / count:.1f}" for name in decided)
        lines.append(f"| {value} | {count} | {shares} |")
    return "\n".join(lines)


def confusion(cases: list[Case], decided: dict[str, list[str]]) -> str:
    """Return the confusion matrices side by side: rows as labelled, columns as decided."""
    heads = " | ".join(f"{name}: {outcome}" for name in decided for outcome in OUTCOMES)
    lines = [f"| labelled | {heads} |", f"|---|{'---:|' * (len(decided) * len(OUTCOMES))}"]
    for label in OUTCOMES:
        counts = {
            name: Counter(one for case, one in zip(cases, found, strict=True) if case["outcome"] == label)
            for name, found in decided.items()
        }
        cells = " | ".join(str(counts[name][outcome]) for name in decided for outcome in OUTCOMES)
        lines.append(f"| {label} | {cells} |")
    return "\n".join(lines)


def show_wrong(cases: list[Case], found: list[str]) -> None:
    """Print each case that our rules decide wrongly, with the names found."""
    for case, outcome in zip(cases, found, strict=True):
        if outcome != case["outcome"]:
            seen = outcomes.explain(case["output"], case["author"], tuple(case["aliases"]), case["quote"])
            names = [(m.text, m.rule) for m in seen.mentions]
            passed = [(m.text, m.rule) for m in seen.passed_over]
            print(f"\n{case.get('id', '')} {case['category']}: {case['outcome']}, decided {outcome}")
            print(f"  {case['author']} | {case['output']}\n  names {names}, passed over {passed}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, action="append", required=True, help="labelled answers, JSON lines")
    parser.add_argument("--wrong", action="store_true", help="print what our rules decide wrongly")
    options = parser.parse_args()
    labelled = load(options.cases)
    by_classifier = decide(labelled)
    if options.wrong:
        show_wrong(labelled, by_classifier["names"])
    for column in ("source", "outcome", "category"):
        print(f"\n{accuracy_table(labelled, by_classifier, column)}")
    print(f"\n{confusion(labelled, by_classifier)}")
