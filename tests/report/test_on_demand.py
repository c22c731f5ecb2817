"""Tables of targets that the report shows, but does not wait for."""

from pathlib import Path

import pytest

from attribench.report.on_demand import ON_DEMAND, on_demand_table


@pytest.mark.parametrize("stem", ON_DEMAND)
def test_a_table_of_another_version_is_said_to_be_one(tmp_path: Path, stem: str) -> None:
    (tmp_path / f"{stem}.csv").write_text("a,b\n1,2\n")
    shown = on_demand_table(tmp_path / f"{stem}.csv")
    assert shown is not None and list(shown.rows) == []
    assert f"run the target {ON_DEMAND[stem]} again" in shown.legend


@pytest.mark.parametrize("stem", ON_DEMAND)
def test_a_table_that_is_gone_is_left_out(tmp_path: Path, stem: str) -> None:
    assert on_demand_table(tmp_path / f"{stem}.csv") is None
