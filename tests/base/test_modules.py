"""A step's fingerprint changes with the code behind it, and only with that."""

import ast
import importlib
import os
from pathlib import Path

import pytest

from attribench import modules
from attribench.modules import files_behind, fingerprint, show_to_children

TREE = {
    "attribench/__init__.py": "",
    "attribench/base.py": "import json\n",
    "attribench/tables/__init__.py": "from attribench import base\n",
    "attribench/tables/corpus.py": "X = 1\n",
    "attribench/corpus/__init__.py": "",
    "attribench/corpus/clean.py": (
        "import os\nimport attribench.corpus.words as w\nfrom attribench.tables.corpus import X\n"
        "def later():\n    from attribench.corpus import rare\n"
    ),
    "attribench/corpus/words.py": "from attribench.corpus import clean\n",
    "attribench/corpus/rare.py": "",
    "attribench/corpus/aside.py": "",
    "attribench/fame.py": "",
    "attribenchmark/__init__.py": "",
}
BEHIND = {
    "attribench/__init__.py",
    "attribench/base.py",
    "attribench/tables/__init__.py",
    "attribench/tables/corpus.py",
    "attribench/corpus/__init__.py",
    "attribench/corpus/clean.py",
    "attribench/corpus/words.py",
    "attribench/corpus/rare.py",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def forget() -> None:
    """Let files be read again: a workflow reads each once; here they change."""
    for cached in (modules._digest, modules._imported, modules._files):
        cached.cache_clear()


def behind(script: str, source: Path) -> set[str]:
    forget()
    return {file.relative_to(source).as_posix() for file in files_behind(source / script, source)}


def mark(script: str, source: Path) -> str:
    forget()
    return fingerprint(source / script, source)


def test_direct_indirect_late_and_package_imports_are_followed(source: Path) -> None:
    assert behind("attribench/corpus/clean.py", source) == BEHIND


def test_what_is_unused_changes_nothing(source: Path) -> None:
    script = source / "attribench/corpus/clean.py"
    forget()
    before = fingerprint(script, source, ["tables"])
    for file in ("attribench/tables/corpus.py", "attribench/base.py"):  # base stands behind tables alone
        (source / file).write_text("Y = 2\n")
    forget()
    assert fingerprint(script, source, ["tables"]) == before
    (source / "attribench/corpus/rare.py").write_text("Y = 2\n")
    forget()
    assert fingerprint(script, source, ["tables"]) != before


def test_a_module_that_imports_nothing_of_ours_stands_alone(source: Path) -> None:
    assert behind("attribench/fame.py", source) == {"attribench/fame.py"}


@pytest.mark.parametrize("changed", sorted(BEHIND))
def test_a_change_behind_a_step_changes_its_fingerprint(changed: str, source: Path) -> None:
    before = mark("attribench/corpus/clean.py", source)
    assert mark("attribench/corpus/clean.py", source) == before
    with (source / changed).open("a") as file:
        file.write("# changed\n")
    assert mark("attribench/corpus/clean.py", source) != before


@pytest.mark.parametrize("changed", sorted(TREE.keys() - BEHIND))
def test_a_change_elsewhere_leaves_the_fingerprint(changed: str, source: Path) -> None:
    before = mark("attribench/corpus/clean.py", source)
    with (source / changed).open("a") as file:
        file.write("# changed\n")
    assert mark("attribench/corpus/clean.py", source) == before


def test_a_new_import_counts(source: Path) -> None:
    before = mark("attribench/corpus/clean.py", source)
    with (source / "attribench/base.py").open("a") as file:
        file.write("import attribench.fame\n")
    assert mark("attribench/corpus/clean.py", source) != before
    assert "attribench/fame.py" in behind("attribench/corpus/clean.py", source)


def test_the_place_of_the_source_does_not_matter(source: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "moved"
    for name, text in TREE.items():
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_text(text)
    assert mark("attribench/corpus/clean.py", other) == mark("attribench/corpus/clean.py", source)


def test_what_is_behind_a_real_step_is_what_its_import_loads() -> None:
    """Static reading finds every module of ours that Python itself loads for a step."""
    step = importlib.import_module("attribench.evidence.retrieve_evidence")
    script = Path(step.__file__ or "")
    source = script.parents[2]
    names = behind(str(script.relative_to(source)), source)
    assert {
        "attribench/__init__.py",
        "attribench/errors.py",
        "attribench/evidence/__init__.py",
        "attribench/evidence/lsa.py",
        "attribench/evidence/neighbours.py",
        "attribench/evidence/retrieve_evidence.py",
        "attribench/masking.py",
        "attribench/step.py",
        "attribench/tables/__init__.py",
        "attribench/tables/balance.py",
        "attribench/tables/columns.py",
        "attribench/tables/corpus.py",
        "attribench/tables/evidence.py",
    } == names


def test_imports_are_found_in_the_text_as_python_finds_them() -> None:
    for file in Path(modules.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        parsed = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                parsed |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                parsed |= {f"{node.module}.{alias.name}" for alias in node.names}
        assert parsed <= set(modules._names(text)), file


def test_no_module_of_ours_is_imported_in_a_way_that_is_not_followed() -> None:
    """Relative imports and imports by name at run time would escape the fingerprint."""
    package = Path(modules.__file__).parent
    for file in package.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "from ." not in text and "import_module(" not in text and "__import__(" not in text, file


def test_children_find_the_package_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/elsewhere", ""]))
    show_to_children(tmp_path)
    show_to_children(tmp_path)
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [str(tmp_path), "/elsewhere"]
    monkeypatch.delenv("PYTHONPATH")
    show_to_children(tmp_path)
    assert os.environ["PYTHONPATH"] == str(tmp_path)
