"""A hosted model from the estimate to the table of what was spent, its provider played by a loopback server."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

EVALUATE = "evaluate"


def test_a_hosted_model_is_checked_estimated_held_to_its_budget_and_accounted_for(
    with_dataset: Any, tmp_path: Path, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    model = {"id": "openai/gpt-4o-mini", "endpoint": {"kind": "hosted"}, "subset": 2}
    config["models"] = {"gpt-4o-mini": model}
    workflow.environment = {"OPENAI_BASE_URL": chat.url, "OPENAI_API_BASE": chat.url}

    done = workflow.run(EVALUATE, config=config)
    assert done.code != 0
    assert "gpt-4o-mini (openai/gpt-4o-mini): it needs OPENAI_API_KEY in the environment" in done.screen

    done = workflow.run("estimate", config=config)
    assert done.code == 0, done.screen
    estimate = pd.read_csv(workflow.folder / "results/evaluation/estimate.csv", keep_default_na=False)
    assert estimate["stored"].iloc[0] == 0, "of the second, what it shares with the first"
    assert (estimate["usd_low"] > 0).all()
    assert "In all 0.0" in done.screen
    assert not chat.asked

    (workflow.folder / ".env").write_text("OPENAI_API_KEY=planted-0123456789\n", encoding="utf-8")
    done = workflow.run(EVALUATE, config=config | {"budget_usd": 0.0004})
    assert done.code != 0
    assert "The budget of 0.0004 USD ('budget_usd') allows no further call" in done.screen
    asked = sum(chat.asked.values())
    assert 0 < asked < estimate["to_ask"].sum()

    done = workflow.run(EVALUATE, config=config | {"budget_usd": 1})
    assert done.code == 0, done.screen
    assert sum(chat.asked.values()) == len(chat.asked) == estimate["to_ask"].sum(), "each was asked once"
    spending = pd.read_csv(workflow.folder / "results/evaluation/spending.csv", keep_default_na=False)
    assert spending["answers"].sum() == spending["ok"].sum() == len(chat.asked)
    price = (10 * 0.15 + 7 * 0.6) / 1e6
    assert abs(spending["usd"].sum() - len(chat.asked) * price) < 1e-9
    manifest = json.loads((workflow.folder / "results/evaluation/multirace/gpt-4o-mini/manifest.json").read_text())
    assert manifest["endpoint"] == {"hosted": True, "at": chat.url}
    assert manifest["price"].startswith("0.15 and 0.6 USD")
    for file in (path for path in workflow.folder.rglob("*") if path.is_file() and path.name != ".env"):
        assert b"planted-0123456789" not in file.read_bytes(), file

    done = workflow.run("estimate", config=config)
    assert "In all 0.00 USD" in done.screen
    assert workflow.run(EVALUATE, "--dry-run", config=config | {"budget_usd": 1}).jobs == {}
