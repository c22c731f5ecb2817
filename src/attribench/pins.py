"""The exact versions in ``envs/``, ``constraints.txt`` and ``pyproject.toml``, and whether they agree.

    python -m attribench.pins            # print what differs, and end with 1 if anything does
    python -m attribench.pins --write    # put the versions of constraints.txt into envs/

Both are run from the project's own folder. Versions are decided in ``constraints.txt``; ``--write`` carries
them into the environments of the stages and changes nothing else.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from attribench.modules import files_behind

MEND = "python -m attribench.pins --write"
CHANNELS = ["conda-forge", "bioconda", "nodefaults"]
# What an environment needs beside packages that steps import; no constraint of a package is about them.
TOOLS = {"python": r"3\.\d+\.\d+", "pip": r"\d+\.\d+(\.\d+)?"}

# Packages whose distribution is not called as its module, or on conda-forge not as on PyPI.
_DISTRIBUTION = {
    "faiss": "faiss-cpu",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
    "wikidata_client": "wikidata-client",
}
_CONDA = {"matplotlib": "matplotlib-base"}
_PYPI = {conda: name for name, conda in _CONDA.items()}
# What a step imports only where the package is there.
_OPTIONAL = {"snakemake"}

_PIN = re.compile(r"(?P<before> *- )(?P<name>[A-Za-z0-9][\w.-]*)(?P<equals>==?)(?P<version>[\w.!+-]+)(?P<after>\s*)")


def stages(root: Path) -> list[str]:
    """Return the stages that have rules, in the order of their names."""
    return sorted({path.stem for path in (root / "rules").glob("*.smk")} - {"common"})


def rules(root: Path, stage: str) -> str:
    """Return the text of the rules of `stage`: of `<stage>.smk` and of the parts in `<stage>/`, where there are any."""
    files = [root / "rules" / f"{stage}.smk", *sorted((root / "rules" / stage).glob("*.smk"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def scripts(root: Path, stage: str) -> list[str]:
    """Return the steps that the rules of `stage` name, as ``attribench/<stage>/<step>.py``."""
    return sorted(set(re.findall(r'"(?:\.\./)+src/(attribench/[\w/]+\.py)"', rules(root, stage))))


def imported(root: Path, stage: str) -> dict[str, str]:
    """Return the modules of others that the steps of `stage` import, at once or later, and their distributions."""
    source = root / "src"
    files = {file for script in scripts(root, stage) for file in files_behind(source / script, source)}
    names = {name for file in files for name in _modules(file)}
    names -= set(sys.stdlib_module_names) | _OPTIONAL | {"attribench"}
    return {name: _DISTRIBUTION.get(name, name) for name in sorted(names)}


def pinned(root: Path, stage: str) -> dict[str, str]:
    """Return the versions in the environment of `stage`, by name on PyPI; empty text where there is none."""
    found = {}
    for entry in _environment(root, stage)["dependencies"]:
        for item in entry["pip"] if isinstance(entry, dict) else [entry]:
            name, *version = re.split(r"==?", item)
            found[_on_pypi(name)] = version[0] if version else ""
    return found


def constraints(root: Path) -> dict[str, str]:
    """Return the versions in ``constraints.txt`` by normal name."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = (line.partition("==") for line in lines if line and not line.startswith("#"))
    return {_normal(name): version for name, _, version in pins}


def differences(root: Path) -> list[str]:
    """Return what differs between the environments, ``constraints.txt`` and ``pyproject.toml``, a sentence each."""
    return [*_of_project(root), *(line for stage in stages(root) for line in _of_environment(root, stage))]


def write(root: Path) -> list[str]:
    """Put the versions of ``constraints.txt`` into the environments; return what was changed, a sentence each."""
    wanted = constraints(root)
    changed = []
    for stage in stages(root):
        path = root / "envs" / f"{stage}.yaml"
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for place, line in enumerate(lines):
            pin = _PIN.fullmatch(line)
            if pin and (version := wanted.get(_on_pypi(pin["name"]), pin["version"])) != pin["version"]:
                lines[place] = f"{pin['before']}{pin['name']}{pin['equals']}{version}{pin['after']}"
                changed.append(f"envs/{stage}.yaml: {pin['name']} {pin['version']} is now {version}.")
        path.write_text("".join(lines), encoding="utf-8")
    return changed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if anything differs (after ``--write``: still differs), else 0."""
    parser = argparse.ArgumentParser(prog="python -m attribench.pins", description="Compare the pinned versions.")
    parser.add_argument("--write", action="store_true", help="put the versions of constraints.txt into envs/")
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder (default: this one)")
    wanted = parser.parse_args(arguments)
    if not (wanted.root / "constraints.txt").is_file():
        print(f"There is no constraints.txt in {wanted.root}; run this from the project's folder.", file=sys.stderr)
        return 1
    if wanted.write:
        print("\n".join(write(wanted.root) or ["Nothing to change."]))
    found = differences(wanted.root)
    if found:
        print("\n".join(found))
        print("To be mended by hand." if wanted.write else f"Versions in envs/ are mended by: {MEND}")
    return int(bool(found))


@cache
def _modules(file: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return frozenset(names)


def _of_project(root: Path) -> Iterator[str]:
    """Yield what is wrong with ``constraints.txt``, and what of ``pyproject.toml`` it lacks."""
    pins = constraints(root)
    for name, version in pins.items():
        if not re.fullmatch(r"[A-Za-z0-9.!+-]+", version):
            yield f"constraints.txt: {name} has no exact version (name==version)."
    for name in sorted(_needed(root) - pins.keys()):
        yield f"pyproject.toml needs {name}, which constraints.txt does not pin."


def _of_environment(root: Path, stage: str) -> Iterator[str]:
    """Yield what is wrong with the environment of `stage`."""
    file = f"envs/{stage}.yaml"
    if not (root / file).is_file():
        yield f"{file} is not there, and rules/{stage}.smk needs it."
        return
    channels = _environment(root, stage)["channels"]
    if channels != CHANNELS:
        yield f"{file} has the channels {', '.join(channels)}; expected, in this order: {', '.join(CHANNELS)}."
    pins, needed, wanted = constraints(root), _needed(root), set(imported(root, stage).values())
    found = pinned(root, stage)
    for name in sorted(wanted - found.keys()):
        yield f"{file} lacks {name}, which the stage imports."
    for name, version in found.items():
        if name in TOOLS:
            if not re.fullmatch(TOOLS[name], version):
                yield f"{file} has {name}={version}; expected an exact version."
            continue
        if name not in wanted:
            yield f"{file} has {name}, which the stage does not import."
        if name not in needed:
            yield f"{file} has {name}, which pyproject.toml does not name."
        if version != pins.get(name):
            yield f"{file} has {name} {version or 'in any version'}; constraints.txt has {pins.get(name, 'none')}."


def _needed(root: Path) -> set[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(n for group in project["optional-dependencies"].values() for n in group)]
    return {_normal(re.split(r"[\[<>=! ]", name)[0]) for name in wanted} - {"attribench"}


def _environment(root: Path, stage: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((root / "envs" / f"{stage}.yaml").read_text(encoding="utf-8"))
    return found


def _on_pypi(name: str) -> str:
    return _PYPI.get(_normal(name), _normal(name))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.exit(main())
