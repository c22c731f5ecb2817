"""The drawing of the rules in docs/architecture.md, made from what `snakemake --rulegraph` says of the default run.

`python -m attribench.rulegraph --write` makes it anew, in the folder of the workflow. Rules stand in their stages,
and an arrow that follows from others is left out.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from attribench.pins import rules

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
COMMAND = "python -m attribench.rulegraph --write"
STAGES = ("corpus", "demographics", "fame", "balance", "evidence", "evaluation", "analysis", "report")
BLOCK = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)


def rules_by_stage() -> dict[str, list[str]]:
    """Return the names of the rules by stage, in the order of their file."""
    return {stage: re.findall(r"^ *(?:rule|checkpoint) (\w+):", rules(ROOT, stage), re.MULTILINE) for stage in STAGES}


def parents_of(mermaid: str) -> dict[str, set[str]]:
    """Return for each rule of Snakemake's drawing, save the target, the rules whose files it reads."""
    names = dict(re.findall(r"(id\d+)\[(\w+)\]", mermaid))
    parents: dict[str, set[str]] = {name: set() for name in names.values() if name != "all"}
    for first, second in re.findall(r"(id\d+) --> (id\d+)", mermaid):
        if names[second] != "all":
            parents[names[second]].add(names[first])
    return parents


def without_implied(parents: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return `parents` without those that are behind another parent already."""

    def behind(rule: str) -> set[str]:
        return parents[rule].union(*map(behind, parents[rule]))

    return {rule: direct.difference(*map(behind, direct)) for rule, direct in parents.items()}


def drawing(mermaid: str) -> Iterator[str]:
    """Yield the lines of our drawing."""
    parents = without_implied(parents_of(mermaid))
    stages = rules_by_stage()
    order = [name for names in stages.values() for name in names if name in parents]
    yield "flowchart LR"
    for stage, names in stages.items():
        yield f"    subgraph {stage}"
        yield "        " + "; ".join(name for name in names if name in parents)
        yield "    end"
    for rule in order:
        if parents[rule]:
            yield f"    {' & '.join(sorted(parents[rule], key=order.index))} --> {rule}"


def drawn(page: str) -> dict[str, list[str]]:
    """Return the names of the rules by stage in the drawing of `page`."""
    found = re.findall(r"^    subgraph (\w+)\n *(.*)\n    end$", page, re.MULTILINE)
    return {stage: rules.split("; ") for stage, rules in found}


def main(arguments: list[str]) -> int:
    """Put the drawing into the page where `--write` says so; else say how to."""
    if arguments != ["--write"]:
        print(f"Usage: {COMMAND}", file=sys.stderr)
        return 2
    command = [sys.executable, "-m", "snakemake", "--rulegraph", "mermaid-js", "--configfile", "config.yaml"]
    mermaid = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    block = "\n".join(["```mermaid", *drawing(mermaid), "```", ""])
    PAGE.write_text(BLOCK.sub(lambda _: block, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
