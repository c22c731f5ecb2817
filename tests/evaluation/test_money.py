"""Prices, estimates, budgets and the table of what was spent, over a loopback server where something is asked."""

import asyncio
import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from attribench.chat.estimate import Estimate, show_estimate
from attribench.chat.prices import CONFIGURED, LISTED, OWN_SERVER, at_price, most_of, price_of
from attribench.chat.tokens import token_counter
from attribench.errors import BudgetError, ConfigError
from attribench.evaluation import ask_model, estimate_models, summarise_spending
from attribench.evaluation.ask_model import main
from attribench.evaluation.remarks import remarks
from attribench.ledger import runner
from attribench.ledger.store import Answer, Question, Store
from attribench.tables import read, write
from attribench.tables.evaluation import RESPONSES
from attribench.tables.evidence import EVIDENCE
from attribench.tables.spending import ESTIMATE, SPENDING

Step = dict[str, Any]
Says = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("loaded", "no_pause")


@pytest.fixture(autouse=True)
def no_connection_left(
    connected: Callable[[], AbstractAsyncContextManager[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Close what a process of its own would close by its end."""

    async def ask_all(*arguments: Any, **named: Any) -> Any:
        async with connected():
            return await runner.ask_all(*arguments, **named)

    monkeypatch.setattr(ask_model, "ask_all", ask_all)


def hosted(id: str, **changed: Any) -> dict[str, Any]:
    sampling = {"temperature": 0.7, "max_tokens": 100}
    return {"name": "m", "id": id, "endpoint": {"kind": "hosted"}, "sampling": sampling, "without": [], **changed}


def question(text: str, n: int = 0) -> Question:
    return Question({"messages": [{"role": "user", "content": text}], "n": n})


class TestPrices:
    def test_litellms_list_is_the_price_of_a_model_that_it_has(self) -> None:
        price = price_of(hosted("openai/gpt-4o-mini"))
        assert price is not None and price.source == LISTED
        assert price.of(1e6, 1e6) == pytest.approx(0.15 + 0.6)

    def test_a_batch_costs_half(self) -> None:
        price = price_of(hosted("openai/gpt-4o-mini", batch=True))
        assert price is not None and price.of(1e6, 1e6) == pytest.approx(0.375)

    @pytest.mark.parametrize(
        "id", ["openrouter/qwen/qwen3-235b-a22b-2507", "openai/my-llama", "gemini/gemini-3-pro-preview", "no/x"]
    )
    def test_a_price_that_nobody_knows_is_unknown_and_not_zero(self, id: str) -> None:
        assert price_of(hosted(id)) is None

    def test_the_configuration_goes_before_the_list(self) -> None:
        price = price_of(hosted("openai/gpt-4o-mini", prices={"input": 2.0, "output": 4.0}))
        assert price is not None and price.source == CONFIGURED
        assert price.of(500_000, 250_000) == pytest.approx(2.0)

    def test_a_server_of_ours_costs_nothing(self) -> None:
        price = price_of(hosted("openai/x", endpoint={"kind": "gguf"}))
        assert price is not None and (price.of(100, 100), price.source) == (0.0, OWN_SERVER)

    def test_a_search_that_every_call_makes_is_in_it(self) -> None:
        price = price_of(hosted("perplexity/sonar"))
        assert price is not None and 0 < price.call_low < price.call_high

    def test_no_call_costs_more_than_its_bound(self) -> None:
        """A token is at least a byte; the answer is as long as it may be."""
        import litellm

        text = "“Žluťoučký kůň”, 日本語 and plain words. " * 20
        most = most_of(hosted("openai/gpt-4o-mini"))(question(text))
        tokens = litellm.token_counter(model="gpt-4o-mini", messages=[{"role": "user", "content": text}])
        price = price_of(hosted("openai/gpt-4o-mini"))
        assert price is not None and price.of(tokens, 100) < most < 10 * price.of(tokens, 100)

    def test_what_cannot_be_bounded_is_refused_with_a_sentence(self) -> None:
        with pytest.raises(ConfigError, match=r"what m \(openai/my-llama\) costs is not known.*prices: "):
            most_of(hosted("openai/my-llama"))
        endless = hosted("openai/my-llama", prices={"input": 1, "output": 1}, sampling={})
        with pytest.raises(ConfigError, match=r"no longest length.*Set 'max_tokens'"):
            most_of(endless)

    def test_an_answer_costs_what_the_configuration_says(self) -> None:
        async def ask(question: Question) -> Answer:
            return Answer("ok", prompt_tokens=1000, completion_tokens=100, cost=99.0)

        model = hosted("openai/x", prices={"input": 1.0, "output": 10.0})
        assert asyncio.run(_once(at_price(ask, model))).cost == pytest.approx(0.002)
        assert asyncio.run(_once(at_price(ask, hosted("openai/x")))).cost == 99.0


async def _once(ask: Callable[[Question], Any]) -> Answer:
    answer: Answer = await ask(question("?"))
    return answer


class TestEstimate:
    def test_known_tokens_and_prices(self, tmp_path: Path) -> None:
        import litellm

        texts = [f"Who said number {n}?" for n in range(7)]
        row = Estimate(hosted("openai/gpt-4o-mini"), tmp_path / "none.sqlite").row(
            "evaluation", "d", [question(text) for text in texts]
        )
        tokens = sum(
            litellm.token_counter(model="gpt-4o-mini", messages=[{"role": "user", "content": text}]) for text in texts
        )
        assert (row["calls"], row["stored"], row["to_ask"]) == (7, 0, 7)
        assert row["prompt_tokens_low"] == row["prompt_tokens_high"] == tokens
        assert (row["completion_tokens_low"], row["completion_tokens_high"]) == (35, 700)
        assert row["usd_low"] == pytest.approx((tokens * 0.15 + 35 * 0.6) / 1e6)
        assert row["usd_high"] == pytest.approx((tokens * 0.15 + 700 * 0.6) / 1e6)

    def test_a_tokenizer_that_is_not_at_hand_gives_a_range(self) -> None:
        counter = token_counter("together_ai/zai-org/GLM-5", is_hosted=True)
        low, high = counter.count([{"role": "user", "content": "x" * 150}])
        assert (low, high) == (34, 54)
        assert "3 to 5 characters per token" in counter.how

    @pytest.mark.parametrize("id", ["together_ai/deepseek-ai/DeepSeek-V3.1", "anthropic/claude-sonnet-4-6"])
    def test_the_tokenizers_that_come_with_litellm_are_used(self, id: str) -> None:
        counter = token_counter(id, is_hosted=True)
        low, high = counter.count([{"role": "user", "content": "To be, or not to be, that is the question. " * 10}])
        assert "tokenizer" in counter.how and 90 < low <= high < 250

    def test_what_is_stored_costs_nothing_and_what_is_shared_is_paid_once(self, tmp_path: Path) -> None:
        path = tmp_path / "m.sqlite"
        asked = [question("?", n) for n in range(10)]
        with Store(path) as store:
            for one in asked[:4]:
                store.add(one, Answer("ok", completion_tokens=50))
        costs = Estimate(hosted("openai/gpt-4o-mini"), path)
        first, second = costs.row("evaluation", "a", asked[:6]), costs.row("evaluation", "b", asked)
        assert (first["calls"], first["stored"], first["to_ask"]) == (6, 4, 2)
        assert (second["calls"], second["stored"], second["to_ask"]) == (10, 6, 4)
        assert costs.row("evaluation", "c", asked)["usd_high"] == 0.0

    def test_what_is_shared_is_paid_once_where_nothing_is_stored(self, tmp_path: Path) -> None:
        costs = Estimate(hosted("openai/gpt-4o-mini"), tmp_path / "none.sqlite")
        asked = [question(text, n) for text in "abc" for n in range(2)]
        again = [question(text, n) for text in "bcd" for n in range(2)]
        assert costs.row("evaluation", "a", [*asked, *asked])["to_ask"] == 6
        assert costs.row("evaluation", "b", again)["to_ask"] == 2

    def test_of_many_questions_some_stand_for_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # Questions of two lengths, each asked twice, as in two generations.
        asked = [question(f"Who said {n}? " * (1 if n < 300 else 6), g) for g in range(2) for n in range(600)]
        rows = []
        for most in (10_000, 50):
            monkeypatch.setattr("attribench.chat.estimate.COUNTED", most)
            costs = Estimate(hosted("openai/gpt-4o-mini"), tmp_path / "none.sqlite")
            rows.append(costs.row("evaluation", "a", asked))
        every, some = rows
        assert some["to_ask"] == every["to_ask"] == 1200
        assert some["prompt_tokens_low"] == pytest.approx(every["prompt_tokens_low"], rel=0.02)
        assert "of 50 prompts in 1200" in some["counted"] and "prompts in" not in every["counted"]

    def test_stored_answers_tell_how_long_the_others_will_be(self, tmp_path: Path) -> None:
        path = tmp_path / "m.sqlite"
        with Store(path) as store:
            for n in range(100):
                store.add(question("?", n), Answer("ok", completion_tokens=20))
        row = Estimate(hosted("openai/gpt-4o-mini"), path).row("evaluation", "a", [question("?", 100)])
        assert (row["completion_tokens_low"], row["completion_tokens_high"]) == (18, 22)

    def test_the_step_counts_what_the_step_that_asks_would_ask(
        self, step: Step, server: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        model = step["model"] | {"subset": 2}
        arguments = {
            "benchmarks": {"intersectional": step["benchmark_table"]},
            "evidence": {"intersectional": step["evidence_table"]},
            "not_built": ["multirace"],
            "earlier": [],
            "prompt_set": step["prompt_set"],
            "models": [model, hosted("openai/gpt-4o-mini", subset=None)],
            "model_files": {},
            "prompts": step["prompts"],
            "evidence_settings": step["evidence_settings"],
            "generations": 2,
            "judge": hosted("openai/gpt-4o-mini") | {"name": "judge"},
            "judge_prompt": str(step["prompt_set"].with_name("judge.yaml")),
            "judge_requests": 3,
            "judged": 10,
            "audit_sample": "none",
            "audit_stores": str(tmp_path / "cache"),
            "embedding": {"embedding": "lsa", "k": 3},
            "quotes": [],
            "embedding_store": "none",
            "seed": step["seed"],
            "stores": str(tmp_path / "cache"),
            "estimate": tmp_path / "estimate.csv",
        }
        estimate_models.main(**arguments)
        before = read(tmp_path / "estimate.csv", ESTIMATE).set_index("model")
        assert server.seen == []
        assert before["to_ask"].tolist() == [4 * 2 * 2 * 2, 6 * 2 * 2 * 2, 10]
        judge = before.loc["judge"]
        assert judge["stage"] == "judge" and judge["usd_low"] > 0
        assert judge["completion_tokens_high"] == 10 * 3 * 100, "each case may be asked about three times"
        assert judge["prompt_tokens_high"] >= 3 * judge["prompt_tokens_low"] and "at most 3 calls" in judge["counted"]
        assert pd.isna(before.loc["some-model", "usd_low"]) and before.loc["m", "usd_low"] > 0
        shown = capfd.readouterr().err
        assert "Not in it, since the price is unknown: some-model." in shown
        assert "Not in it: multirace, which cannot be built yet" in shown

        main(**step | {"model": model, "generations": 2})
        assert len(server.seen) == before.loc["some-model", "to_ask"]
        estimate_models.main(**arguments)
        after = read(tmp_path / "estimate.csv", ESTIMATE).set_index("model")
        assert after.loc["some-model", ["stored", "to_ask"]].tolist() == [32, 0]
        assert after.loc["some-model", "usd_high"] == 0.0

        rest = read(step["evidence_table"], EVIDENCE).query("quote_id != quote_id.iloc[0]")
        write(rest, tmp_path / "earlier.parquet", EVIDENCE)
        estimate_models.main(**arguments | {"evidence": {"intersectional": str(tmp_path / "earlier.parquet")}})
        counted = read(tmp_path / "estimate.csv", ESTIMATE).set_index("model").loc["m", "counted"]
        assert "the evidence is not found yet" in counted, "evidence of an earlier data set does not serve"

    def test_evidence_that_is_not_found_yet_has_a_length(self, benchmark: pd.DataFrame) -> None:
        assumed = estimate_models.assumed_evidence(benchmark, 3)
        assert (assumed.groupby("quote_id").size() == 3).all()

    def test_embeddings_are_in_it(self, tmp_path: Path) -> None:
        settings = {"embedding": "openai/text-embedding-3-small", "endpoint": {"kind": "hosted"}}
        row = estimate_models.estimate_embeddings(["one quote", "another quote"], settings, tmp_path / "none.sqlite")
        assert (row["stage"], row["to_ask"], row["completion_tokens_high"]) == ("embeddings", 2, 0)
        assert 0 < row["usd_low"] == row["usd_high"] < 1e-5

    def test_the_table_is_shown_with_its_sum(self) -> None:
        rows = [
            dict.fromkeys(ESTIMATE.names, 1.0)
            | {"stage": "evaluation", "model": "m", "dataset": "d", "calls": 1000, "stored": 0, "to_ask": 1000}
            | {"usd_low": low, "usd_high": high}
            for low, high in ((1.0, 2.5), (0.5, 0.5))
        ]
        screen = io.StringIO()
        show_estimate(pd.DataFrame(rows), screen)
        assert "1.00 to 2.50" in screen.getvalue() and "In all 1.50 to 3.00 USD" in screen.getvalue()


PRICES = {"input": 0.0, "output": 10_000.0}  # a token of an answer costs a cent


class TestBudget:
    def test_the_run_ends_before_it_is_passed_and_keeps_everything(self, step: Step, server: Any, says: Says) -> None:
        model = step["model"] | {"prices": PRICES, "budget_usd": 1.0, "concurrency": 3}
        with pytest.raises(BudgetError) as caught:  # an answer costs 0.07 USD, and 0.40 USD at most
            main(**step | {"model": model})
        spent = 0.07 * len(server.seen)
        assert 0.5 < spent <= 1.0
        assert "'models.some-model.budget_usd'" in str(caught.value)
        assert f"{24 - len(server.seen)} of the 24 questions" in str(caught.value)
        assert not step["responses"].exists()
        with closing(sqlite3.connect(step["store"])) as database:
            [(number, cost)] = database.execute("SELECT count(*), sum(cost) FROM answers")
        assert number == len(server.seen) and cost == pytest.approx(spent)

        main(**step | {"model": model | {"budget_usd": 5.0}})
        assert len(server.seen) == 24
        assert json.loads(step["manifest"].read_text())["cost_usd"] == pytest.approx(24 * 0.07)

    def test_the_budget_of_all_counts_other_stores(self, step: Step, server: Any) -> None:
        with Store(Path(step["store"]).parents[1] / "demographics" / "other.sqlite") as store:
            store.add(question("?"), Answer("ok", cost=4.9))
        with pytest.raises(BudgetError, match=r"budget of 5 USD \('budget_usd'\).*4\.9"):
            main(**step | {"model": step["model"] | {"prices": PRICES}, "budget_usd": 5.0})
        assert server.seen == []

    def test_an_unknown_price_is_refused_before_anything_is_asked(self, step: Step, server: Any) -> None:
        with pytest.raises(ConfigError, match="is not known"):
            main(**step | {"budget_usd": 5.0})
        assert server.seen == []


class TestSpending:
    def test_what_the_answers_took_is_added_up(
        self, step: Step, server: Any, says: Says, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        usage = {"completion_tokens_details": {"reasoning_tokens": 2}}
        server.answer = lambda body: (
            says(None, "content_filter") if "number 3" in body["messages"][1]["content"][:90] else says(usage=usage)
        )
        model = step["model"] | {"prices": {"input": 1000.0, "output": 0.0}}
        main(**step | {"model": model, "evidence_settings": [False]})
        summarise_spending.main(
            responses=[step["responses"], step["responses"]],
            asked=[("intersectional", "some-model"), ("again", "some-model")],
            labeller_answers=[],
            judge_answers=[],
            search_hits=[],
            embedding=None,
            stores=str(tmp_path / "cache"),
            spending=tmp_path / "spending.csv",
        )
        table = read(tmp_path / "spending.csv", SPENDING).set_index("dataset")
        row = table.loc["intersectional"]
        assert row[["answers", "ok", "refused", "failed", "calls"]].tolist() == [12, 10, 2, 0, 12]
        assert row[["prompt_tokens", "completion_tokens", "reasoning_tokens"]].tolist() == [132, 84, 20]
        assert (row["answers_with_reasoning"], row["unpriced"]) == (10, 0)
        assert row["usd"] == pytest.approx(0.132)
        assert table.loc["again", "answers"] == 0, "a question that two data sets share is paid once"
        assert "The answers took 12 calls and 0.13 USD" in capfd.readouterr().err

    def test_embeddings_are_in_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(summarise_spending, "_PORTION", 2)
        store = tmp_path / "cache" / "evidence" / "openai_embedder.sqlite"
        with Store(store) as ledger:
            for n in range(5):
                cost = 0.01 if n else None
                ledger.add(question("?", n), Answer("ok", text="AAAA", prompt_tokens=4, cost=cost, attempts=1))
        arguments: dict[str, Any] = {
            **{name: [] for name in ("responses", "asked", "labeller_answers", "judge_answers", "search_hits")},
            "stores": str(tmp_path / "cache"),
            "spending": tmp_path / "spending.csv",
        }
        summarise_spending.main(**arguments, embedding=["openai/embedder", str(store)])
        [row] = read(tmp_path / "spending.csv", SPENDING).to_dict("records")
        assert (row["stage"], row["model"], row["answers"], row["ok"]) == ("embeddings", "openai/embedder", 5, 5)
        assert (row["prompt_tokens"], row["unpriced"]) == (20, 1) and row["usd"] == pytest.approx(0.04)

        summarise_spending.main(**arguments, embedding=["openai/embedder", str(tmp_path / "none.sqlite")])
        assert read(tmp_path / "spending.csv", SPENDING)["answers"].tolist() == [0]

    def test_unknown_prices_are_counted_apart(self) -> None:
        answers = pd.DataFrame(
            {
                "status": ["ok", "ok", "failed"],
                "attempts": [1, 3, 5],
                "cost": [0.5, None, None],
                "seconds": [1.0, 2, None],
            }
            | dict.fromkeys(("prompt_tokens", "completion_tokens", "reasoning_tokens"), None)
        )
        row = summarise_spending.add_up(answers, "evaluation", "m", "d")
        assert (row["usd"], row["unpriced"], row["calls"], row["failed"]) == (0.5, 1, 9, 1)


class TestRemarks:
    def test_reasoning_that_should_be_off_is_counted_and_said(
        self, step: Step, server: Any, says: Says, capfd: pytest.CaptureFixture[str]
    ) -> None:
        usage = {"completion_tokens_details": {"reasoning_tokens": 5}}
        server.answer = lambda body: says(usage=usage) if "number 1" in body["messages"][1]["content"][:90] else says()
        quiet = step | {"evidence_settings": [False], "prompts": ["direct"]}
        main(**quiet | {"model": step["model"] | {"reasoning": "off", "without": ["reasoning"]}})
        manifest = json.loads(step["manifest"].read_text())
        assert manifest["reasoning"] == {
            "planned": "off is wanted, nothing is said",
            "wanted": "off",
            "answers_with_reasoning": 1,
            "answers_that_do_not_say": 5,
        }
        assert "1 of 6 answers of some-model spent tokens on reasoning, although it is off" in capfd.readouterr().err

    def test_another_model_than_asked_for_is_said_and_in_the_manifest(
        self, step: Step, server: Any, says: Says, capfd: pytest.CaptureFixture[str]
    ) -> None:
        server.answer = lambda body: says(model="a-cheaper-one" if len(server.seen) == 1 else "some-model-2026-01-01")
        main(**step | {"evidence_settings": [False], "prompts": ["direct"]})
        manifest = json.loads(step["manifest"].read_text())
        assert manifest["answers_by_served_model"] == {"a-cheaper-one": 1, "some-model-2026-01-01": 5}
        said = "some-model was asked for as openai/some-model, but served by a-cheaper-one (1 answers)."
        assert manifest["remarks"] == [said]
        assert said in capfd.readouterr().err
        assert set(read(step["responses"], RESPONSES)["served_model"]) == {"a-cheaper-one", "some-model-2026-01-01"}

    def test_a_router_that_may_mix_hosts_is_said(self) -> None:
        answers = pd.DataFrame({"status": ["ok"], "reasoning_tokens": [None], "served_model": ["qwen/qwen3-235b"]})
        model = {"name": "m", "id": "openrouter/qwen/qwen3-235b", "endpoint": {"kind": "hosted"}}
        [said] = remarks(answers, model)
        assert "through a router" in said

    def test_two_versions_of_one_model_are_said(self, step: Step, server: Any, says: Says) -> None:
        server.answer = lambda body: says(model=f"some-model-2026-0{1 + (len(server.seen) > 3)}-01")
        main(**step | {"evidence_settings": [False], "prompts": ["direct"]})
        [said] = json.loads(step["manifest"].read_text())["remarks"]
        assert "several versions" in said


def test_a_hosted_model_is_asked_where_the_environment_sends_it_and_kept_apart(
    step: Step, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted-0123456789")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_BASE", server.url)
    model = step["model"] | {"id": "openai/gpt-4o-mini", "endpoint": {"kind": "hosted"}}
    main(**step | {"model": model, "evidence_settings": [False], "prompts": ["direct"]})
    assert len(server.seen) == 6
    manifest = json.loads(step["manifest"].read_text())
    assert manifest["endpoint"] == {"hosted": True, "at": server.url}
    assert manifest["parameters_in_the_providers_words"]["max_tokens"] == 40
