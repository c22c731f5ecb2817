"""What identifies an endpoint is what can change an answer; a missing key is said before anything is asked."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from attribench.chat.connect import is_plain
from attribench.chat.endpoint import in_turn, open_endpoint
from attribench.chat.identity import identity, redirection
from attribench.errors import EndpointError
from attribench.ledger.runner import Ask, CallFailedError
from attribench.ledger.store import Answer, Question

MODEL = "openai/m"


def gguf(**changed: Any) -> dict[str, Any]:
    return {"kind": "gguf", "file": "m", "port": 0, "parallel": 4, "threads": 1, "context": 1536, **changed}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"model")
    return path


def test_a_served_file_is_its_content(file: Path, tmp_path: Path) -> None:
    same = tmp_path / "renamed.gguf"
    same.write_bytes(b"model")
    other = tmp_path / "other.gguf"
    other.write_bytes(b"Model")
    own = identity(gguf(), file, MODEL)
    assert identity(gguf(port=81, parallel=1, file="renamed"), same, MODEL) == own
    assert identity(gguf(), other, MODEL) != own
    assert identity(gguf(context=512), file, MODEL) != own


def test_a_running_server_is_its_address() -> None:
    one = identity({"kind": "url", "url": "http://127.0.0.1:8000/v1"}, None, MODEL)
    assert identity({"kind": "url", "url": "http://127.0.0.1:8000/v1/", "key_variable": "KEY"}, None, MODEL) == one
    assert identity({"kind": "url", "url": "http://127.0.0.1:8001/v1"}, None, MODEL) != one
    assert identity({"kind": "hosted"}, None, MODEL) != one


def test_each_server_is_asked_one_question_at_a_time() -> None:
    at_work: Counter[int] = Counter()
    most: Counter[int] = Counter()

    def server(number: int) -> Ask:
        async def ask(question: Question) -> Answer:
            at_work[number] += 1
            most[number] = max(most[number], at_work[number])
            await asyncio.sleep(0)
            at_work[number] -= 1
            if question.content["n"] == 3:
                raise CallFailedError("timeout", "It took too long.", again=True)
            return Answer("ok", text=str(question.content["n"]))

        return ask

    async def ask_ten() -> list[Any]:
        ask = in_turn([server(0), server(1)])
        return await asyncio.gather(*(ask(Question({"n": n})) for n in range(10)), return_exceptions=True)

    answers = asyncio.run(ask_ten())
    assert most == {0: 1, 1: 1}, "each was busy, and never with two"
    assert isinstance(answers.pop(3), CallFailedError), "a server whose call failed is asked again"
    assert [answer.text for answer in answers] == [str(n) for n in range(10) if n != 3]


def test_a_key_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    endpoint = {"kind": "url", "url": "http://127.0.0.1:9/v1", "key_variable": "SOME_KEY"}
    model = {"name": "m", "id": "openai/m", "endpoint": endpoint, "timeout": 1}
    for value in (None, ""):
        if value is not None:
            monkeypatch.setenv("SOME_KEY", value)
        said = "m is asked with the key in the environment variable SOME_KEY"
        with pytest.raises(EndpointError, match=said), open_endpoint(model, None, 1):
            pass


@pytest.mark.parametrize(
    ("model_id", "variable"), [("openai/gpt-4o-mini", "OPENAI_API_KEY"), ("anthropic/claude-x", "ANTHROPIC_API_KEY")]
)
def test_a_provider_whose_key_is_not_set_is_named(
    model_id: str, variable: str, monkeypatch: pytest.MonkeyPatch, loaded: None
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_LIKE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    model = {"name": "m", "id": model_id, "endpoint": {"kind": "hosted"}, "timeout": 1}
    with pytest.raises(EndpointError, match=variable), open_endpoint(model, None, 1):
        pass


class TestRedirection:
    """What another server answers in a provider's name is never kept as the provider's own answer."""

    @pytest.mark.parametrize(
        ("model", "variable"),
        [
            ("openai/gpt-4o-mini", "OPENAI_BASE_URL"),
            ("openai/gpt-4o-mini", "OPENAI_API_BASE"),
            ("anthropic/claude-sonnet-4-6", "ANTHROPIC_BASE_URL"),
            ("gemini/gemini-2.5-flash", "GEMINI_API_BASE"),
            ("together_ai/zai-org/GLM-5", "TOGETHER_AI_API_BASE"),
        ],
    )
    def test_its_address_is_part_of_the_key(self, model: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
        own = identity({"kind": "hosted"}, None, model)
        assert own == {"hosted": True}, "what is stored from before is found"
        monkeypatch.setenv(variable, "http://127.0.0.1:9/v1/")
        assert identity({"kind": "hosted"}, None, model) == {"hosted": True, "at": "http://127.0.0.1:9/v1"}
        assert identity({"kind": "hosted"}, None, "mistral/mistral-small") == own

    def test_a_login_is_no_part_of_it(self) -> None:
        assert redirection("openai/m", {"OPENAI_BASE_URL": "https://me:secret@host/v1"}) == "https://host/v1"

    def test_an_empty_variable_is_none(self) -> None:
        assert redirection("openai/m", {"OPENAI_BASE_URL": ""}) is None


@pytest.mark.parametrize(
    ("model_id", "sampling", "plain"),
    [
        ("openai/my-llama", {"temperature": 0.7, "top_p": 0.95, "max_tokens": 32}, True),
        ("openai/my-llama", {}, True),
        ("openai/gpt-4o-mini", {"temperature": 0.7}, True),
        ("openai/gpt-5.1", {"max_tokens": 32}, False),  # which has another name for the longest answer
        ("openai/gpt-5", {"top_p": 0.95}, False),  # which does not take it
        ("together_ai/zai-org/GLM-5", {"temperature": 0.7}, False),
    ],
)
def test_litellm_is_left_out_where_it_would_translate_nothing(
    model_id: str, sampling: dict[str, Any], plain: bool, loaded: None
) -> None:
    assert is_plain({"id": model_id, "sampling": sampling, "without": []}) == plain
