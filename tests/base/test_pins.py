"""Every stage's environment holds what its steps import, in the versions of constraints.txt."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from attribench.modules import files_behind

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
STAGES = sorted(path.stem for path in (ROOT / "envs").glob("*.yaml"))

# Packages whose distribution, or whose name on conda-forge, is not that of the module.
DISTRIBUTION = {"faiss": "faiss-cpu", "sklearn": "scikit-learn", "yaml": "pyyaml", "wikidata_client": "wikidata-client"}
CONDA = {"matplotlib": "matplotlib-base"}
# What a step imports only where the package is there.
OPTIONAL = {"snakemake"}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def constraints() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {normal(name): version for name, version in pins}


def pins(stage: str) -> dict[str, str]:
    found = {}
    for entry in yaml.safe_load((ROOT / f"envs/{stage}.yaml").read_text(encoding="utf-8"))["dependencies"]:
        for item in entry["pip"] if isinstance(entry, dict) else [entry]:
            name, *version = re.split(r"==?", item)
            found[normal(name)] = version[0] if version else ""
    return found


def imported(stage: str) -> set[str]:
    """The distributions that the stage's rules import, told from the scripts that the rules name."""
    rules = (ROOT / f"rules/{stage}.smk").read_text(encoding="utf-8")
    files: set[Path] = set()
    for script in re.findall(r'"\.\./src/(attribench/[\w/]+\.py)"', rules):
        files |= files_behind(SOURCE / script, SOURCE)
    names = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.split(".")[0])
    return {DISTRIBUTION.get(name, name) for name in names - set(sys.stdlib_module_names) - OPTIONAL - {"attribench"}}


def test_there_is_an_environment_for_every_stage() -> None:
    assert sorted(path.stem for path in (ROOT / "rules").glob("*.smk") if path.stem != "common") == STAGES


@pytest.mark.parametrize("stage", STAGES)
def test_an_environment_holds_just_what_the_stage_imports(stage: str) -> None:
    wanted = {CONDA.get(name, name) for name in imported(stage)}
    assert set(pins(stage)) - {"python", "pip"} == wanted


@pytest.mark.parametrize("stage", STAGES)
def test_an_environment_has_the_versions_of_the_constraints(stage: str) -> None:
    pinned = constraints()
    names = {conda: name for name, conda in CONDA.items()}
    expected = {name: pinned[names.get(name, name)] for name in pins(stage) if name not in ("python", "pip")}
    found = {name: version for name, version in pins(stage).items() if name not in ("python", "pip")}
    assert found == expected


def test_everything_that_the_project_needs_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(n for group in project["optional-dependencies"].values() for n in group)]
    names = {normal(re.split(r"[\[<>=! ]", name)[0]) for name in wanted} - {"attribench"}
    assert names <= set(constraints())


def test_constraints_are_exact_and_name_no_host() -> None:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+-]+", line), line
