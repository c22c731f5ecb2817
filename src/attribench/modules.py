"""Which code a step depends on, so that a rule can rerun when it changes.

Snakemake notices a change of a script, but not of the modules that the script imports. Each
rule therefore carries the fingerprint of its script and of everything of ours behind it.
"""

import ast
import hashlib
import os
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

PACKAGE = "attribench"


def fingerprint(script: Path, source: Path, unused: Collection[str] = ()) -> str:
    """Return a hash over `script` and every module of ours that it imports, directly or not.

    Args:
        script: the module's file, below `source`.
        source: the folder that holds the package.
        unused: parts of the package that the step imports and, as it is configured, makes no use of.
    """
    digest = hashlib.sha256()
    for file in sorted(files_behind(script, source, unused)):
        digest.update(file.relative_to(source).as_posix().encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def files_behind(script: Path, source: Path, unused: Collection[str] = ()) -> set[Path]:
    """Return `script` and the files of every module of ours that it imports, directly or not, without `unused`."""
    found: set[Path] = set()
    ahead = [script]
    while ahead:
        file = ahead.pop()
        if file not in found and file.relative_to(source).parts[1] not in unused:
            found.add(file)
            ahead.extend(_imported(file, source))
    return found


def show_to_children(source: Path) -> None:
    """Let every process that is started from here find the package in `source`."""
    above = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place not in ("", str(source))]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(source), *above])


@cache
def _imported(file: Path, source: Path) -> tuple[Path, ...]:
    names = _names(ast.parse(file.read_text(encoding="utf-8"), filename=str(file)))
    return tuple(found for name in names for found in _files(name, source))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files(name: str, source: Path) -> Iterator[Path]:
    """Yield the files that importing `name` runs: its own, and those of the packages above it."""
    parts = name.split(".")
    if parts[0] != PACKAGE:
        return
    for length in range(1, len(parts) + 1):
        place = source.joinpath(*parts[:length])
        for file in (place / "__init__.py", place.with_suffix(".py")):
            if file.is_file():
                yield file
