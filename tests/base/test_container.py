"""The recipe of the image copies what there is, all that a run needs, and installs as the README does."""

import json
import re
import shlex
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
# What a clone has that a run needs none of.
FOR_DEVELOPMENT = {"docs", "tests", "build"}


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the recipe, each with what follows it."""
    text = re.sub(r"\\\n", " ", (ROOT / "Containerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def of(word: str) -> list[str]:
    return [rest for found, rest in instructions() if found == word]


def copied() -> dict[str, str]:
    """Return what is copied into the image, with where it goes."""
    pairs = [(source, words[-1]) for words in map(shlex.split, of("COPY")) for source in words[:-1]]
    return {source: source if place == "./" else place for source, place in pairs}


def test_it_copies_what_is_there_to_the_same_place() -> None:
    assert copied(), "something is copied"
    for source, place in copied().items():
        assert (ROOT / source).exists(), f"{source} is no more; mend the Containerfile"
        assert source == place


def test_all_that_a_run_needs_is_in_it() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()}
    assert folders - FOR_DEVELOPMENT - ignored <= set(copied()), "a folder is missing: copy it, or name it here"
    assert {path.name for path in ROOT.glob("config*.yaml")} | {"Snakefile"} <= set(copied())


def test_it_installs_as_the_readme_does() -> None:
    (pip,) = [run for run in of("RUN") if "pip" in run]
    assert pip.replace("--no-cache-dir ", "") in (ROOT / "README.md").read_text(encoding="utf-8")
    place = [word for word, _ in instructions()].index("RUN")
    before = " ".join(rest for word, rest in instructions()[:place] if word == "COPY")
    assert {"constraints.txt", "pyproject.toml", "src"} <= set(before.split())
    for file in re.findall(r'(?:readme = |license-files = \[)"(.+?)"', (ROOT / "pyproject.toml").read_text()):
        assert file in before.split(), f"pip reads {file}"


def test_it_holds_the_model_of_the_sample_and_no_answers_and_no_keys() -> None:
    (model,) = [run for run in of("RUN") if "snakemake" in run]
    files = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["gguf_files"]
    assert set(re.findall(r"models/(\S+)\.gguf", model)) == set(files)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept_out = {line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()}
    assert kept_out <= {line.removeprefix("**/") for line in ignored}, "what git ignores is not in the image either"


def test_its_python_is_one_that_the_package_takes_and_its_command_that_of_the_readme() -> None:
    (base,) = of("FROM")
    assert re.search(r"/python:3\.1[12]-", base)
    (command,) = map(json.loads, of("CMD"))
    assert " ".join(command) in (ROOT / "README.md").read_text(encoding="utf-8")
