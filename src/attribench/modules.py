"""Which code a step depends on, so that a rule can rerun when it changes.

Snakemake notices a change of a script, but not of the modules that the script imports. Each
rule therefore carries the fingerprint of its script and of everything of ours behind it.
"""

import hashlib
import os
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

PACKAGE = "attribench"

IMPORT = re.compile(r"^[ \t]*(?:import[ \t]+(.+)|from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|.+))", re.MULTILINE)
"""An import: found in the text, since parsing all modules took a second of every start of the workflow."""


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
        digest.update(_digest(file))
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


# A start of the workflow looks at each file once, whatever number of steps it stands behind.
@cache
def _digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


@cache
def _imported(file: Path, source: Path) -> tuple[Path, ...]:
    names = dict.fromkeys(_names(file.read_text(encoding="utf-8")))
    return tuple(found for name in names for found in _files(name, source))


def _names(text: str) -> Iterator[str]:
    for match in IMPORT.finditer(text):
        modules, package, members = match.groups()
        for part in re.sub(r"#.*|[()]", "", modules or members).split(","):
            name = part.partition(" as ")[0].strip()
            if not name:  # after the last comma
                continue
            if package:
                yield package
                yield f"{package}.{name}"
            else:
                yield name


@cache
def _files(name: str, source: Path) -> tuple[Path, ...]:
    """Return the files that importing `name` runs: its own, and those of the packages above it."""
    if name.partition(".")[0] != PACKAGE:
        return ()
    place = source / name.replace(".", "/")
    own = (file for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file())
    return (*_files(name.rpartition(".")[0], source), *own)
