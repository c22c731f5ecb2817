"""Step: fail if the self-test does not hold; its report stays, because it is another step's output."""

from pathlib import Path

from attribench.errors import AttribenchError
from attribench.step import run
from attribench.tables import read
from attribench.tables.selftest import SELFTEST


def main(*, checks: Path, report: Path, passed: Path) -> None:
    """Write `passed`, or fail with what does not hold.

    Raises:
        AttribenchError: a check does not hold.
    """
    table = read(checks, SELFTEST)
    wrong = table[table["holds"].eq(False)]
    if len(wrong):
        lines = [f"  - {r.part}: {r.what}: found {r.found}, expected {r.expected}" for r in wrong.itertuples()]
        raise AttribenchError(
            f"{len(wrong)} of {int(table['is_checked'].sum())} checks of the self-test do not hold "
            f"(all are in {report}):\n" + "\n".join(lines)
        )
    passed.write_text(f"{int(table['is_checked'].sum())} checks hold.\n", encoding="utf-8")


if __name__ == "__main__":
    run(main, snakemake)  # type: ignore[name-defined]
