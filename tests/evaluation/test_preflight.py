"""The preflight: what would really be sent, and a sentence for whatever would not, before anything is asked."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from attribench.chat.preflight import Plan, plan_calls, require_ready
from attribench.chat.reasoning import parameters_for
from attribench.errors import EndpointError
from attribench.evaluation.check_models import main
from attribench.settings import read_settings

ROOT = Path(__file__).parents[2]
PAPER = {"temperature": 0.7, "top_p": 0.95, "max_tokens": 128}
KEYS = (
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "ANTHROPIC_API_KEY",
    "TOGETHERAI_API_KEY",
    "OPENROUTER_API_KEY",
    "XAI_API_KEY",
)

# litellm declares some types in a way that pydantic warns about when it looks them up.
pytestmark = pytest.mark.filterwarnings("ignore:Items? .* on TypedDict class")


@pytest.fixture(autouse=True)
def keys(loaded: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, "planted")


def hosted(id: str, without: tuple[str, ...] = (), reasoning: str | None = None) -> dict[str, Any]:
    sampling = {**PAPER, **({"reasoning": reasoning} if reasoning else {})}
    return {
        "name": "m",
        "id": id,
        "endpoint": {"kind": "hosted"},
        "sampling": {key: value for key, value in sampling.items() if key not in without},
        "without": list(without),
        "reasoning": reasoning,
    }


class TestParameters:
    @pytest.mark.parametrize(
        ("model", "sent"),
        [
            (hosted("openai/gpt-4o-mini"), {"temperature": 0.7, "top_p": 0.95, "max_tokens": 128, "seed": 7}),
            (hosted("openai/gpt-5.1", reasoning="off"), {"max_completion_tokens": 128, "reasoning_effort": "none"}),
            (hosted("gemini/gemini-2.5-flash", reasoning="off"), {"max_output_tokens": 128, "top_p": 0.95}),
            (hosted("mistral/mistral-small-latest"), {"random_seed": 7}),
            (hosted("together_ai/zai-org/GLM-5", reasoning="off"), {"reasoning": {"enabled": False}}),
            (hosted("together_ai/openai/gpt-oss-120b", reasoning="low"), {"reasoning_effort": "low", "seed": 7}),
        ],
    )
    def test_what_is_sent_is_in_the_providers_words(self, model: dict[str, Any], sent: dict[str, Any]) -> None:
        plan = plan_calls(model, 7)
        assert plan.problems == []
        assert sent.items() <= plan.sent.items()

    @pytest.mark.parametrize(
        ("model", "named"),
        [
            (hosted("anthropic/claude-sonnet-4-5", ("seed",)), "top_p"),  # refused beside temperature
            (hosted("anthropic/claude-haiku-4-5-20251001", ("seed",)), "top_p"),
            (hosted("anthropic/claude-sonnet-4-5", ("top_p",)), "seed"),
            (hosted("openai/gpt-5", ("temperature",)), "top_p"),
            (hosted("openai/o3", ("top_p",)), "temperature"),
            (hosted("xai/grok-4", reasoning="off"), "reasoning"),
            (hosted("gemini/gemini-2.5-pro", reasoning="off"), "reasoning"),
            (hosted("gemini/gemini-3-pro-preview", reasoning="off"), "reasoning"),
            (hosted("together_ai/openai/gpt-oss-120b", reasoning="off"), "reasoning"),
            (hosted("openai/gpt-5", ("temperature", "top_p"), reasoning="off"), "reasoning"),
        ],
    )
    def test_what_cannot_be_sent_stops_with_a_sentence(self, model: dict[str, Any], named: str) -> None:
        plan = plan_calls(model, 7)
        assert len(plan.problems) == 1
        assert named in plan.problems[0] and "without: [" in plan.problems[0]
        with pytest.raises(EndpointError, match=r"Nothing was asked\. m \("):
            require_ready([plan])

    def test_a_declared_deviation_goes_on_and_is_recorded_with_its_reason(self) -> None:
        plan = plan_calls(hosted("anthropic/claude-sonnet-4-5", ("seed", "top_p")), 7)
        assert plan.problems == []
        assert plan.sent == {"temperature": 0.7, "max_tokens": 128}
        assert plan.left_out == {
            "seed": "the provider takes no such parameter",
            "top_p": "the service refuses temperature and top_p together",
        }
        plan = plan_calls(hosted("openai/gpt-4o-mini", ("seed",)), 7)
        assert plan.left_out == {"seed": "the configuration says so"}

    def test_reasoning_that_cannot_be_off_is_recorded(self) -> None:
        plan = plan_calls(hosted("gemini/gemini-3-pro-preview", ("reasoning",), "off"), 7)
        assert plan.problems == []
        assert plan.reasoning == "off is wanted, but cannot be had"
        assert "cannot be switched off" in plan.left_out["reasoning"]

    def test_a_model_that_does_not_reason_is_told_nothing(self) -> None:
        for model in ("openai/gpt-4o-mini", "together_ai/mistralai/Mixtral-8x7B-Instruct-v0.1"):
            assert parameters_for(model, {"reasoning": "off", "temperature": 1.0}) == {"temperature": 1.0}

    def test_a_provider_that_litellm_does_not_know(self) -> None:
        assert "no provider 'nowhere'" in plan_calls(hosted("nowhere/x"), 7).problems[0]

    def test_an_unknown_price_is_not_free(self) -> None:
        assert plan_calls(hosted("openrouter/qwen/qwen3-235b-a22b-2507"), 7).price == "unknown"
        assert plan_calls(hosted("gemini/gemini-3-pro-preview"), 7).price == "unknown"


def test_the_papers_models_can_all_be_asked_as_configured() -> None:
    settings = read_settings(yaml.safe_load((ROOT / "config.paper.yaml").read_text(encoding="utf-8")))
    plans = [plan_calls(asdict(model), settings.seed) for model in settings.models.values()]
    assert len(plans) == 11
    require_ready(plans)
    assert {plan.model: plan.reasoning for plan in plans if plan.reasoning != "off"} == {"gpt-oss-120b": "low"}


class TestStep:
    @pytest.fixture
    def step(self, tmp_path: Path) -> dict[str, Any]:
        models = [hosted("openai/gpt-4o-mini"), hosted("mistral/mistral-small-latest") | {"name": "other"}]
        return {"models": models, "seed": 7, "stores": str(tmp_path), "preflight": tmp_path / "out" / "preflight.json"}

    def test_the_plan_is_shown_and_kept(
        self, step: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("MISTRAL_API_KEY", "planted-0123456789")
        main(**step)
        kept = step["preflight"].read_text()
        assert json.loads(kept)["other"]["sent"]["random_seed"] == 7
        shown = capfd.readouterr().err
        assert "openai/gpt-4o-mini" in shown and "random_seed=7" in shown
        assert "planted-0123456789" not in kept + shown

    def test_every_problem_of_every_model_at_once(self, step: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("OPENAI_API_KEY")
        monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
        with pytest.raises(EndpointError) as caught:
            main(**step)
        said = str(caught.value)
        assert "m (openai/gpt-4o-mini): it needs OPENAI_API_KEY" in said
        assert "other (mistral/mistral-small-latest): it needs MISTRAL_API_KEY" in said
        assert not step["preflight"].exists()

    def test_a_model_whose_answers_are_stored_can_do_without_a_key(
        self, step: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.delenv("OPENAI_API_KEY")
        (tmp_path / "m.sqlite").touch()
        main(**{**step, "models": step["models"][:1]})
        kept = Plan(**json.loads(step["preflight"].read_text())["m"])
        require_ready([kept])  # the plan stays when the key is set: it is checked where it is used
