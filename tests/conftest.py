"""What tests of several folders use, and how they are shared out when several processes run them (`pytest -n 2`)."""

from pathlib import Path

import pytest

from attribench.ledger import runner

FIRST = ["slurm", "end_to_end"]  # folders whose tests take minutes: begun first, they end with the others


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each file, and all that looks at the one finished main job, to a process as a whole."""
    for item in items:
        shared = "finished" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("main job" if shared else str(item.path)))
    items.sort(
        key=lambda item: next((place for place, folder in enumerate(FIRST) if folder in Path(item.path).parts), 9)
    )


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask again at once what failed."""
    monkeypatch.setattr(runner, "_pause", lambda *_: 0.0)
