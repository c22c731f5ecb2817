"""Every stage's environment holds what its steps import, in the versions of constraints.txt."""

import re
import shutil
from pathlib import Path

import pytest

from attribench import pins

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the code and the rules, which no test here changes: they are read once."""
    root = tmp_path_factory.mktemp("tree")
    for name in ("rules", "src"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    return root


@pytest.fixture
def copy(tree: Path) -> Path:
    """Return a project with fresh copies of what is compared."""
    shutil.copytree(ROOT / "envs", tree / "envs", dirs_exist_ok=True)
    for name in ("constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tree / name)
    return tree


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_environments_constraints_and_project_agree(capsys: pytest.CaptureFixture[str]) -> None:
    status = pins.main(["--root", str(ROOT)])
    assert status == 0, f"\n{capsys.readouterr().out}"


def test_there_is_an_environment_for_every_stage_and_none_beside() -> None:
    assert pins.stages(ROOT) == sorted(path.stem for path in (ROOT / "envs").glob("*.yaml"))


@pytest.mark.parametrize("stage", pins.stages(ROOT))
def test_every_rule_names_the_environment_of_its_stage(stage: str) -> None:
    rules = re.split(r"^ *(?:rule|checkpoint) (?=\w+:)", pins.rules(ROOT, stage), flags=re.MULTILINE)[1:]
    assert rules
    for rule in rules:
        named = re.findall(r'^ +conda:\s+"(?:\.\./)+([^"]+)"', rule, flags=re.MULTILINE)
        wanted = [f"envs/{stage}.yaml"] if re.search(r"^ +(script|shell|run|notebook):", rule, re.MULTILINE) else []
        assert named == wanted, rule.split(":")[0]


def test_all_environments_have_the_same_python_and_pip() -> None:
    for tool in pins.TOOLS:
        versions = {found[tool] for stage in pins.stages(ROOT) if tool in (found := pins.pinned(ROOT, stage))}
        assert len(versions) == 1, tool


def test_another_version_is_told_and_mended(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, evaluation = copy / "envs/report.yaml", copy / "envs/evaluation.yaml"
    before = report.read_text(encoding="utf-8"), evaluation.read_text(encoding="utf-8")
    pinned = pins.constraints(copy)
    change(report, f"matplotlib-base={pinned['matplotlib']}", "matplotlib-base=1.0.0")
    change(evaluation, f"xllamacpp=={pinned['xllamacpp']}", "xllamacpp==1.0.0")
    assert pins.main(["--root", str(copy)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told == [
        f"envs/evaluation.yaml has xllamacpp 1.0.0; constraints.txt has {pinned['xllamacpp']}.",
        f"envs/report.yaml has matplotlib 1.0.0; constraints.txt has {pinned['matplotlib']}.",
        f"Versions in envs/ are mended by: {pins.MEND}",
    ]
    assert pins.main(["--root", str(copy), "--write"]) == 0
    assert (report.read_text(encoding="utf-8"), evaluation.read_text(encoding="utf-8")) == before


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("envs/corpus.yaml", "python=3.12.12", "python=3.12", "envs/corpus.yaml has python=3.12; expected an exact"),
        ("envs/evaluation.yaml", "- pip=25.3", "- pip", "envs/evaluation.yaml has pip=; expected an exact"),
        ("envs/corpus.yaml", "  - conda-forge\n  - bioconda", "  - bioconda\n  - conda-forge", "in this order"),
        ("envs/corpus.yaml", "  - numpy=", "  - scipy=", "envs/corpus.yaml lacks numpy, which the stage imports"),
        ("envs/corpus.yaml", "  - numpy=", "  - scipy=", "envs/corpus.yaml has scipy, which the stage does not import"),
        ("constraints.txt", "scipy==", "scipy>=", "constraints.txt: scipy"),
        ("constraints.txt", "types-jsonschema==", "other==", "pyproject.toml needs types-jsonschema"),
        ("pyproject.toml", '  "pandas",\n', "", "envs/corpus.yaml has pandas, which pyproject.toml does not name"),
    ],
)  # fmt: skip
def test_what_no_command_mends_is_told(
    copy: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, told: str
) -> None:
    change(copy / file, old, new)
    assert pins.main(["--root", str(copy), "--write"]) == 1
    assert told in capsys.readouterr().out


def test_away_from_the_project_one_sentence_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pins.main(["--root", str(tmp_path)]) == 1
    assert "run this from the project's folder" in capsys.readouterr().err


def test_constraints_are_exact_and_name_no_host() -> None:
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+-]+", line), line
