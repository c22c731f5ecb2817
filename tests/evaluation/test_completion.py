"""One call over a loopback server: what each reply and each fault of a service means.

The same for both ways, through litellm and without it (lean).
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from planted_keys import Echo, forms

from attribench.chat.completion import asker
from attribench.chat.connect import listed_cost
from attribench.chat.lean import lean_asker
from attribench.chat.reply import read_reply
from attribench.errors import EndpointError
from attribench.ledger.runner import CallFailedError
from attribench.ledger.store import FINAL, Answer, Question

SAMPLING = {"temperature": 0.7, "top_p": 0.95, "max_tokens": 40, "seed": 7}
MESSAGES = [{"role": "system", "content": "S"}, {"role": "user", "content": "Who said “no”?"}]
Ask = Callable[..., Answer]
Says = Callable[..., Any]


def question(model: str = "openai/some-model", **sampling: Any) -> Question:
    return Question(
        {
            "endpoint": {"url": "x"},
            "model": model,
            "messages": MESSAGES,
            "sampling": {**SAMPLING, **sampling},
            "generation": 0,
        }
    )


@pytest.fixture(params=["litellm", "lean"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ask(way: str, server: Any, connected: Callable[[], AbstractAsyncContextManager[None]]) -> Ask:
    """Return a function that lets the server answer with a reply and asks one question."""

    def make(asked: Question, *, url: str, key: str, timeout: float, free: bool) -> Any:
        if way == "litellm":
            return asker(url=url, key=key, timeout=timeout, free=free)
        cost = (lambda *_: 0.0) if free else listed_cost(asked.content["model"])
        return lean_asker(url=url, key=key, timeout=timeout, cost=cost)

    def go(reply: Any, asked: Question | None = None, **changed: Any) -> Answer:
        server.answer = lambda body: reply
        arguments: dict[str, Any] = {"url": server.url, "key": "none", "timeout": 20.0, "free": False, **changed}

        async def once() -> Answer:
            async with connected():
                return await make(asked or question(), **arguments)(asked or question())

        return asyncio.run(once())

    return go


class TestAnswers:
    def test_an_answer_comes_whole(self, ask: Ask, says: Says) -> None:
        usage = {"completion_tokens_details": {"reasoning_tokens": 5}}
        answer = ask(says(" Maya Angelou.\n", usage=usage))
        assert answer.seconds is not None and answer.asked_at is not None
        assert datetime.fromisoformat(answer.asked_at).utcoffset() == timedelta(0)
        assert (answer.status, answer.text, answer.finish_reason) == ("ok", "Maya Angelou.", "stop")
        assert (answer.prompt_tokens, answer.completion_tokens, answer.reasoning_tokens) == (11, 7, 5)

    def test_another_model_than_asked_for_is_recorded(self, ask: Ask, says: Says) -> None:
        assert ask(says(model="some-model-20251001")).served_model == "some-model-20251001"

    def test_exactly_what_was_asked_is_sent(self, ask: Ask, says: Says, server: Any) -> None:
        ask(says())
        assert server.seen == [{"model": "some-model", "messages": MESSAGES, **SAMPLING}]

    @pytest.mark.parametrize(("effort", "sent"), [("off", "none"), ("low", "low"), ("high", "high")])
    def test_reasoning_is_sent_in_the_services_word(
        self, effort: str, sent: str, ask: Ask, says: Says, server: Any
    ) -> None:
        asked = Question({**question().content, "model": "openai/gpt-5.1", "sampling": {"reasoning": effort}})
        ask(says(), asked)
        assert server.seen[0]["reasoning_effort"] == sent
        assert "reasoning" not in server.seen[0] and "temperature" not in server.seen[0]

    def test_a_price_is_what_is_known(self, ask: Ask, says: Says) -> None:
        assert ask(says()).cost is None
        assert ask(says(), free=True).cost == 0.0
        priced = ask(says(), question("openai/gpt-4o-mini")).cost
        assert priced is not None and priced > 0

    def test_the_key_goes_where_it_belongs(
        self, ask: Ask, says: Says, server: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A running server gets its own key or none, never the one of a provider in the environment."""
        monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
        ask(says(), key="none")
        ask(says(), key="its-own-key")
        assert [headers["authorization"] for headers in server.headers] == ["Bearer none", "Bearer its-own-key"]


class TestNoAnswerThatIsFinal:
    """Such an answer is stored and never scored: refused, empty, truncated."""

    def test_no_content(self, ask: Ask, says: Says) -> None:
        for content in (None, "", " \n"):
            answer = ask(says(content))
            assert (answer.status, answer.text, answer.completion_tokens) == ("empty", None, 7)

    def test_content_filter_as_finish_reason(self, ask: Ask, says: Says) -> None:
        answer = ask(says(None, "content_filter"))
        assert (answer.status, answer.text, answer.finish_reason) == ("refused", None, "content_filter")
        assert ask(says("It was writ", "content_filter")).status == "refused"

    def test_a_refusal_beside_the_content(self, ask: Ask, says: Says) -> None:
        answer = ask(says(None, message={"refusal": "I cannot help with that."}))
        assert (answer.status, answer.text) == ("refused", "I cannot help with that.")

    @pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
    def test_a_filter_as_an_error(self, code: str, ask: Ask, fails: Says) -> None:
        answer = ask(fails(400, code, "The request was filtered."))
        assert (answer.status, answer.text, answer.finish_reason) == ("refused", None, "content_filter")
        assert "The request was filtered." in (answer.cause or "")

    def test_a_filter_as_an_error_in_words(self, ask: Ask, fails: Says) -> None:
        message = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
        assert ask(fails(400, None, message)).status == "refused"

    def test_a_filter_that_leaves_no_choice(self, ask: Ask, says: Says) -> None:
        answer = ask(says(choices=[]))
        assert (answer.status, answer.text) == ("refused", None)

    def test_all_tokens_spent_on_reasoning(self, ask: Ask, says: Says) -> None:
        usage = {"completion_tokens": 64, "completion_tokens_details": {"reasoning_tokens": 64}}
        answer = ask(says("", "length", usage=usage))
        assert (answer.status, answer.text, answer.finish_reason) == ("truncated", None, "length")
        assert answer.completion_tokens == answer.reasoning_tokens == 64

    def test_cut_off_after_some_text(self, ask: Ask, says: Says) -> None:
        answer = ask(says("It was written by Maya", "length"))
        assert (answer.status, answer.text) == ("truncated", "It was written by Maya")

    def test_reasoning_is_no_answer(self, ask: Ask, says: Says) -> None:
        answer = ask(says("", message={"reasoning_content": "Perhaps Maya Angelou?"}))
        assert (answer.status, answer.text) == ("empty", None)


def failed(ask: Ask, reply: Any, **changed: Any) -> CallFailedError:
    with pytest.raises(CallFailedError) as caught:
        ask(reply, **changed)
    return caught.value


class TestFailuresThatMayPass:
    @pytest.mark.parametrize("choices", [None, "absent"])
    def test_no_choices(self, choices: str | None, ask: Ask, says: Says) -> None:
        reply = says()
        reply.body["choices"] = None
        if choices == "absent":
            del reply.body["choices"]
        assert failed(ask, reply).again

    def test_an_error_that_calls_itself_a_success(self, ask: Ask, sends: Says) -> None:
        error = {"code": 429, "message": "Provider returned error"}
        failure = failed(ask, sends({"id": None, "choices": None, "error": error}))
        assert (failure.cause, failure.again) == ("rate_limit", True)
        assert "Provider returned error" in str(failure)

    def test_too_many_requests(self, ask: Ask, fails: Says) -> None:
        failure = failed(ask, fails(429, "rate_limit_exceeded", retry_after="7.5"))
        assert (failure.cause, failure.again, failure.retry_after) == ("rate_limit", True, 7.5)
        assert failed(ask, fails(429, "rate_limit_exceeded")).retry_after is None

    def test_a_time_to_wait_may_be_a_date(self, ask: Ask, fails: Says) -> None:
        then = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
        wait = failed(ask, fails(429, "rate_limit_exceeded", retry_after=then)).retry_after
        assert wait is not None and 3600 < wait <= 7200
        past = format_datetime(datetime.now(UTC) - timedelta(hours=2), usegmt=True)
        assert (failed(ask, fails(429, "rate_limit_exceeded", retry_after=past)).retry_after or 0) == 0

    @pytest.mark.parametrize("wait", ["soon", "nan", "-5", "inf"])
    def test_nonsense_as_a_time_to_wait_is_none(self, wait: str, ask: Ask, fails: Says) -> None:
        assert not failed(ask, fails(503, None, retry_after=wait)).retry_after

    @pytest.mark.parametrize("status", [500, 502, 503, 529])
    def test_a_server_out_of_order(self, status: int, ask: Ask, fails: Says) -> None:
        failure = failed(ask, fails(status, None))
        assert (failure.cause, failure.again) == ("server_error", True)

    def test_a_gateway_that_sends_a_page(self, ask: Ask, sends: Says) -> None:
        assert failed(ask, sends(b"<html>Bad gateway</html>", 502, {"content-type": "text/html"})).again

    @pytest.mark.parametrize("body", [b"", b"hello", b"{", b"[]"])
    def test_a_success_that_is_no_json(self, body: bytes, ask: Ask, sends: Says) -> None:
        assert failed(ask, sends(body)).again

    @pytest.mark.parametrize("status", [408, 504])
    def test_a_timeout_of_the_service(self, status: int, ask: Ask, fails: Says) -> None:
        assert failed(ask, fails(status, None)).cause == "timeout"

    def test_silence(self, ask: Ask, sends: Says, server: Any) -> None:
        failure = failed(ask, sends({}, fault="hang"), timeout=0.3)
        assert (failure.cause, failure.again) == ("timeout", True)
        assert len(server.seen) == 1, "asking again is the runner's affair"

    def test_a_connection_lost_in_the_middle(self, ask: Ask, says: Says, server: Any) -> None:
        reply = says("A long answer. " * 100)
        reply.fault = "reset"
        failure = failed(ask, reply)
        assert (failure.cause, failure.again) == ("connection", True)
        assert len(server.seen) == 1

    def test_nobody_there(self, ask: Ask, says: Says) -> None:
        failure = failed(ask, says(), url="http://127.0.0.1:9/v1")
        assert (failure.cause, failure.again) == ("connection", True)


class TestFailuresOfOneQuestion:
    def test_a_question_that_is_too_long(self, ask: Ask, fails: Says) -> None:
        message = "This model's maximum context length is 4096 tokens."
        failure = failed(ask, fails(400, "context_length_exceeded", message))
        assert (failure.cause, failure.again) == ("too_long", False)

    @pytest.mark.parametrize("status", [400, 422])
    def test_a_question_that_is_not_understood(self, status: int, ask: Ask, fails: Says) -> None:
        failure = failed(ask, fails(status, "bad", "Strange question."))
        assert (failure.cause, failure.again) == ("bad_request", False)
        assert "Strange question." in str(failure)


class TestFailuresOfAll:
    """Whatever would fail in the same way for every question stops the run, with the provider's message."""

    @pytest.mark.parametrize(
        ("status", "code", "message"),
        [
            (401, "invalid_api_key", "Incorrect API key provided."),
            (402, None, "Payment required."),
            (403, "forbidden", "Your account may not use this model."),
            (404, "model_not_found", "The model does not exist."),
            (429, "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."),
            (429, "insufficient_quota", "No credits."),
            (400, "unsupported_value", "Unsupported value: 'temperature' does not support 0.7 with this model."),
            (400, "unsupported_parameter", "Unsupported parameter: 'max_tokens' is not supported with this model."),
        ],
    )
    def test_the_run_ends(self, status: int, code: str | None, message: str, ask: Ask, fails: Says) -> None:
        with pytest.raises(EndpointError) as caught:
            ask(fails(status, code, message))
        assert message in str(caught.value)
        assert "openai/some-model" in str(caught.value)

    def test_no_money_in_a_reply_that_calls_itself_a_success(self, ask: Ask, sends: Says) -> None:
        error = {"code": 402, "message": "Insufficient credits"}
        with pytest.raises(EndpointError, match="Insufficient credits"):
            ask(sends({"error": error}))

    @pytest.mark.parametrize("way", ["litellm"])  # which alone knows models; such a model is never asked the lean way
    def test_a_parameter_that_the_model_does_not_take_is_not_dropped(self, ask: Ask, says: Says, server: Any) -> None:
        with pytest.raises(EndpointError, match=r"(?s)does not take a parameter.*without: \[name\]"):
            ask(says(), question("openai/gpt-5"))
        assert server.seen == []


class TestReadReply:
    """The same for a reply that is at hand, as from a batch."""

    def test_no_choice_at_all_is_no_answer(self) -> None:
        with pytest.raises(CallFailedError, match="overloaded"):
            read_reply({"choices": None, "error": {"code": 503, "message": "overloaded"}}, None)

    @pytest.mark.parametrize(
        ("choice", "status"),
        [
            ({}, "empty"),
            ({"finish_reason": "stop", "message": None}, "empty"),
            ({"finish_reason": "stop", "message": {"content": "X"}}, "ok"),
            ({"finish_reason": None, "message": {"content": "X"}}, "ok"),
            ({"finish_reason": "length", "message": {}}, "truncated"),
            ({"finish_reason": "content_filter", "message": {"content": "X"}}, "refused"),
            ({"finish_reason": "length", "message": {"refusal": "No."}}, "refused"),
        ],
    )
    def test_a_choice_has_one_final_status(self, choice: dict[str, Any], status: str) -> None:
        answer = read_reply({"choices": [choice]}, None)
        assert answer.status == status and status in FINAL
        assert (answer.prompt_tokens, answer.cost, answer.served_model) == (None, None, None)


def test_what_litellm_logs_holds_no_key(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It logs what a service said of a call that failed, and some services repeat the key they were sent."""
    import logging

    from attribench.chat import calm_litellm  # noqa: F401

    monkeypatch.setenv("SOME_API_KEY", "very-secret-value")
    logged: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: logged.append(handler.format(record))  # type: ignore[method-assign]
    logger = logging.getLogger("LiteLLM")
    logger.addHandler(handler)
    try:
        logger.error("LoggingWorker error: %s", "wrong key very-secret-value")
        try:
            raise ValueError("wrong key very-secret-value")
        except ValueError:
            logger.exception("It failed")
    finally:
        logger.removeHandler(handler)
    assert logged == [
        "LoggingWorker error: wrong key (SOME_API_KEY)",
        "It failed: wrong key (SOME_API_KEY)",
    ]


@pytest.mark.filterwarnings("ignore:Items? .* on TypedDict class")  # of litellm's own imports
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # and its connections
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize(
    ("model", "provider"), [("openai/x", "OPENAI"), ("anthropic/claude-3-haiku-20240307", "ANTHROPIC")]
)
def test_a_provider_that_repeats_its_key_in_any_form_is_quoted_without_it(
    model: str,
    provider: str,
    connected: Callable[[], AbstractAsyncContextManager[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key, echo = 'sk-planted/+"01\\one', Echo()
    monkeypatch.setenv(f"{provider}_API_KEY", key)
    monkeypatch.setenv(f"{provider}_API_BASE", echo.address)
    asked = Question({**question(model).content, "sampling": {"max_tokens": 9}})

    async def twice() -> tuple[str, Answer]:
        async with connected():
            ask = asker(url=None, key=None, timeout=20.0, free=False)
            with pytest.raises(CallFailedError) as failed:
                await ask(asked)
            return str(failed.value), await ask(asked)

    said, answer = asyncio.run(twice())
    echo.close()
    assert list(echo.keys.values()) == [{key}]
    for text in (said, answer.text or ""):
        assert f"({provider}_API_KEY)" in text
        assert not [form for form in forms(key, login="someone") if form in text]
