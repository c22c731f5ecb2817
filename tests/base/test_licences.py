"""Whatever the workflow is installed with may be used and passed on: its licence is on a short list."""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
ALLOWED = re.compile(
    r"(MIT|MIT-CMU|0BSD|ISC|Zlib|CC0-1\.0|CNRI-Python|Public Domain|(Apache|BSD|MPL|PSF|MIT|ISC)[- ].*"
    r"|Python Software Foundation License|Mozilla Public License 2\.0.*)"
)
# docutils is free of its authors' rights but for an editing mode of Emacs under the GPL, which is not in its wheel.
EXCEPTIONS = {"docutils": "GNU General Public License (GPL)"}


def licences(package: Distribution) -> list[str]:
    """Return the licences that a package names: in its metadata, or in the first line of its licence's text."""
    about = package.metadata
    classified = [entry.rpartition(" :: ")[2] for entry in about.get_all("Classifier") or [] if "License ::" in entry]
    named = about.get("License-Expression") or "; ".join(classified) or about.get("License")
    if not named:
        named = next(file.read_text() for file in package.files or [] if file.name.startswith("LICENSE"))
    return re.split(r" AND | OR |; ", named.strip().partition("\n")[0].strip())


def pinned() -> list[Distribution]:
    found = []
    for name in re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE):
        try:
            found.append(distribution(name))
        except PackageNotFoundError:  # of an extra that is not installed
            continue
    return found


def test_licences_are_on_the_list() -> None:
    packages = pinned()
    assert len(packages) > 50
    strange = {
        package.name: licence
        for package in packages
        for licence in licences(package)
        if not ALLOWED.fullmatch(licence) and EXCEPTIONS.get(package.name) != licence
    }
    assert not strange, f"Read these licences, and allow them here or do without: {strange}"
