"""A rule's step gets its values by name; what it says goes to the log, and one sentence to the screen."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import attribench

JOB = """
import logging, os, subprocess, sys, warnings
from pathlib import Path
from types import SimpleNamespace
from attribench import errors
from attribench.step import run, screen


class Named(dict):
    pass


job = SimpleNamespace(
    rule="make_thing",
    log=["logs/deep/make_thing.log"],
    threads=3,
    resources=Named(mem_mb=100, runtime=10),
    wildcards=Named(dataset="intersectional"),
    params=Named(runs=7, groups=["a", "b"], code="abc"),
    input=Named(quotes="in/quotes.parquet", parts="one.parquet", more=["x", "y"], none=[]),
    output=Named(table="out/table.parquet"),
)
"""


def go(body: str, place: Path) -> subprocess.CompletedProcess[str]:
    script = place / "step.py"
    script.write_text(JOB + textwrap.dedent(body))
    return subprocess.run(
        [sys.executable, str(script)],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(Path(attribench.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def log(place: Path) -> str:
    return (place / "logs/deep/make_thing.log").read_text()


def test_arguments_come_by_name_and_type(tmp_path: Path) -> None:
    done = go(
        """
        def main(*, quotes: Path, parts: list[Path], more: list[Path], none: list[Path], table: Path, runs: int,
                 groups: list[str], dataset: str, threads: int, mem_mb: int, log: Path) -> None:
            print(repr((quotes, parts, more, none, table, runs, groups, dataset, threads, mem_mb, log)))
            assert (quotes, parts, more, none) == (
                Path("in/quotes.parquet"), [Path("one.parquet")], [Path("x"), Path("y")], [])
            assert (table, runs, groups, dataset) == (Path("out/table.parquet"), 7, ["a", "b"], "intersectional")
            assert (threads, mem_mb, log) == (3, 100, Path("logs/deep/make_thing.log"))
            print("all as declared")

        run(main, job)
        """,
        tmp_path,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "all as declared" in log(tmp_path)


def test_whatever_is_said_goes_to_the_log(tmp_path: Path) -> None:
    done = go(
        """
        def main() -> None:
            print("printed")
            print("printed aside", file=sys.stderr)
            logging.getLogger("some").info("logged")
            warnings.warn("warned")
            os.write(1, b"from C\\n")
            subprocess.run(["sh", "-c", "echo from a child; echo its error >&2"], check=True)
            print("for the user", file=screen())

        run(main, job)
        """,
        tmp_path,
    )
    assert done.returncode == 0
    assert (done.stdout, done.stderr) == ("", "for the user\n")
    said = ["printed", "printed aside", "logged", "warned", "from C", "from a child", "its error"]
    assert [text for text in said if text not in log(tmp_path)] == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("errors.InputError('The corpus is empty. Give another.')", "The corpus is empty. Give another."),
        ("errors.MissingAnswersError('3 of 4 are missing.')", "3 of 4 are missing."),
        ("FileNotFoundError(2, 'No such file or directory', 'in/x.csv')", "No such file or directory: in/x.csv."),
        ("KeyError('colour')", "an unforeseen error, KeyError: 'colour'"),
    ],
)
def test_a_failure_is_one_sentence_on_the_screen_and_a_traceback_in_the_log(
    error: str, said: str, tmp_path: Path
) -> None:
    done = go(
        f"""
        def main() -> None:
            def deep() -> None:
                raise {error}
            deep()

        run(main, job)
        """,
        tmp_path,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"\nError in make_thing: {said}\n(The log is logs/deep/make_thing.log.)\n\n"
    assert "Traceback (most recent call last)" in log(tmp_path)
    assert "in deep" in log(tmp_path)


def test_a_missing_argument_is_an_error_of_the_step(tmp_path: Path) -> None:
    done = go("run(lambda *, not_given: None, job)", tmp_path)
    assert done.returncode == 1
    assert "not_given" in done.stderr and "Traceback" not in done.stderr


def test_a_key_in_an_unforeseen_error_is_masked_on_the_screen_and_in_the_log(tmp_path: Path) -> None:
    done = go(
        """
        os.environ["SOME_API_KEY"] = "planted-4f1c9a77"

        def main(*, table: Path) -> None:
            raise KeyError("refused: Bearer " + os.environ["SOME_API_KEY"])

        run(main, job)
        """,
        tmp_path,
    )
    assert done.returncode == 1
    for text in (done.stderr, log(tmp_path)):
        assert "planted-4f1c9a77" not in text
        assert "Bearer (SOME_API_KEY)" in text
