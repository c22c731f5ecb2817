"""Keys are sent to their own provider and left nowhere: in no file, on no screen, in no list of processes.

Three models behind one loopback server, each with the key of another provider, and two keys that nobody is sent. The
server repeats the key in every form that it can take, in what it refuses and in what it answers.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from planted_keys import Echo, forms, holding, watched_processes

KEYS = {
    "GEMINI_API_KEY": "AIzaPlanted&02/two=three",
    "TOGETHERAI_API_KEY": "planted'03<three> four",
    "MY_OWN_SERVER_TOKEN": "planted-04~own%2Ftoken",
    "OPENAI_API_KEY": "sk-planted-05-sent-to-nobody",
    "ANTHROPIC_API_KEY": 'sk-ant/planted+"01\\one',
}
ALL_FORMS = [form for key in KEYS.values() for form in forms(key, login="someone")]


@pytest.fixture
def echo() -> Any:
    server = Echo()
    yield server
    server.close()


def test_keys_are_sent_to_their_provider_and_left_nowhere(with_dataset: Any, tmp_path: Path, echo: Echo) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    for part in ("logs", "benchmarks"):
        shutil.rmtree(workflow.folder / part)
    addresses = ("GEMINI_API_BASE", "TOGETHER_AI_API_BASE")
    workflow.environment = KEYS | dict.fromkeys(addresses, echo.address)
    own = {"kind": "url", "url": f"{echo.address}/v1", "key_variable": "MY_OWN_SERVER_TOKEN"}
    hosted = {"kind": "hosted"}
    config = workflow.config
    config["evaluation"] |= {"prompts": ["direct"], "evidence": [False], "generations": 1}
    config["models"] = {
        "gemini": {"id": "gemini/gemini-2.0-flash", "endpoint": hosted},
        "refused": {"id": "together_ai/refused", "endpoint": hosted},
        "own": {"id": "openai/own", "endpoint": own, "threads": 2},
    }
    for model in config["models"].values():
        model |= {"subset": 1, "attempts": 3}
    files = [f"results/evaluation/multirace/{model}/responses.parquet" for model in config["models"]]
    with watched_processes(ALL_FORMS, ["ask_model", "attribench.chat.workers"]) as processes:
        done = workflow.run(*files, "--keep-going", config=config)

    assert done.code != 0, "one model refuses its key"
    assert "The provider of together_ai/refused refuses every question" in done.screen, done.screen
    assert "(TOGETHERAI_API_KEY)" in done.screen
    sent = dict(zip(["gemini", "refused", "own"], KEYS.values(), strict=False))
    assert echo.keys == {model: {key} for model, key in sent.items()}, "each was sent its own key"
    for file, name in zip(files, KEYS, strict=False):
        if "refused" not in file:
            texts = pd.read_parquet(workflow.folder / file)["text"]
            assert texts.str.contains(f"({name})", regex=False).all(), "the answers repeated it"
    assert re.search(r"\(GEMINI_API_KEY\)", done.screen) is None, "what is asked again is not shown"
    assert holding(workflow.folder, done.screen, ALL_FORMS) == []
    assert holding(workflow.folder, "", ["(GEMINI_API_KEY)"]), "the call that failed was kept, without the key"
    assert processes.marks == {"ask_model", "attribench.chat.workers"}, "the processes were seen"
    assert processes.showing == set()
