"""The step that asks two models, over a loopback server that knows the truth whatever the order of the options."""

import asyncio
import gc
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from loopback import Loopback, Reply, Request, completion, failure

from attribench.demographics.ask_labellers import main
from attribench.demographics.consensus import ask_consensus
from attribench.errors import ConfigError, EndpointError, MissingAnswersError
from attribench.ledger.store import Question
from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import AGREEMENT, LABELLER_ANSWERS, LABELS

CHOICES = Path(__file__).parents[2] / "resources" / "prompts" / "labels.yaml"
TRUTH = {
    "Maya Angelou": ("Black", "Female"),
    "Jane Austen": ("White", "Female"),
    "Confucius": ("Asian", "Male"),
    "Gabriel García Márquez": ("Latino", "Male"),
    "Rumi": ("Middle Eastern", "Male"),
    "Somebody Else": ("Other", "Other"),
}
Step = dict[str, Any]
Say = Callable[[str, str, str, dict[str, str]], str | int | None]

pytestmark = pytest.mark.usefixtures("no_pause")


def truth(model: str, author: str, attribute: str, letters: dict[str, str]) -> str:
    """Return the letter of the true option; `letters` maps options to letters in this request."""
    return letters[TRUTH[author][attribute == "gender"]]


class Server(Loopback):
    """A server that speaks the chat shape; `say` returns a text, or a status for a failure."""

    def __init__(self) -> None:
        self.say: Say = truth
        self.seen: list[dict[str, Any]] = []
        super().__init__(self._answer)
        self.url = f"{self.address}/v1"

    def _answer(self, request: Request) -> Reply:
        body = request.json
        self.seen.append(body)
        asked = body["messages"][1]["content"]
        about = re.match(r"What is the (race/ethnicity|gender) of (.+)\?\n", asked)
        assert about
        letters = {text: letter for letter, text in re.findall(r"\(([A-Z])\) ([^(]+?)(?= \(|$)", asked)}
        said = self.say(body["model"], about[2], about[1].split("/")[0], letters)
        return failure(said) if isinstance(said, int) else completion(said, "snap")


def forget_connections() -> None:
    """Drop the connections that litellm keeps for an event loop that is gone, which warns when they are collected."""
    import litellm

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        litellm.in_memory_llm_clients_cache.flush_cache()
        gc.collect()


@pytest.fixture(scope="module")
def loaded() -> None:
    """Let litellm load what it loads with its first call, and what it warns of then, before warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from attribench.chat.completion import asker

        server = Server()
        messages = [
            {"role": "system", "content": ""},
            {"role": "user", "content": "What is the gender of Rumi?\n(A) Male"},
        ]

        async def once() -> None:
            ask = asker(url=server.url, key="none", timeout=20, free=True)
            await ask(Question({"model": "openai/m", "messages": messages, "sampling": {}}))

        asyncio.run(once())
        server.close()
    forget_connections()


@pytest.fixture
def server(loaded: None) -> Iterator[Server]:
    server = Server()
    yield server
    server.close()
    forget_connections()


def slug(author: str) -> str:
    return author.lower().replace(" ", "-")


@pytest.fixture
def step(server: Server, tmp_path: Path) -> Step:
    authors = pd.DataFrame({"author_id": map(slug, TRUTH), "author": list(TRUTH), "n_quotes": 3})
    authors["aliases"] = [[] for _ in TRUTH]
    write(authors, tmp_path / "authors.parquet", AUTHORS)
    labellers = [
        {
            "name": name,
            "id": f"openai/{name}",
            "endpoint": {"kind": "url", "url": server.url},
            "sampling": {"temperature": temperature},
            "without": [],
            "subset": None,
            "concurrency": 4,
            "timeout": 20,
            "attempts": 2,
        }
        for name, temperature in (("one", 0.0), ("two", 0.2))
    ]
    return {
        "authors": tmp_path / "authors.parquet",
        "labelled": [],
        "wikidata": [],
        "choices": CHOICES,
        "model_files": [],
        "labellers": labellers,
        "max_requests": 3,
        "max_missing": 0.0,
        "budget_usd": None,
        "seed": 7,
        "store": str(tmp_path / "cache"),
        "threads": 1,
        "answers": tmp_path / "answers.parquet",
        "agreement": tmp_path / "agreement.csv",
    }


def labels(step: Step) -> pd.DataFrame:
    authors = read(step["authors"], AUTHORS)
    found = ask_consensus(authors, read(step["answers"], LABELLER_ANSWERS))
    return found.set_index(authors["author"])


def test_the_truth_comes_back_whatever_the_order(step: Step, server: Server) -> None:
    main(**step)
    for found in labels(step).itertuples():
        race, gender = (label.lower() for label in TRUTH[str(found.Index)])
        assert (found.race, found.gender) == ((None, None) if race == "other" else (race, gender))
    assert len(server.seen) == len(TRUTH) * 2 * 2
    table = read(step["answers"], LABELLER_ANSWERS)
    assert table.groupby("attribute")["options"].agg(lambda orders: len(set(map(tuple, orders)))).gt(3).all()
    for row in table.itertuples():
        assert row.options["ABCDEFG".index(row.text)].lower() == row.label
    assert {body["temperature"] for body in server.seen if body["model"] == "two"} == {0.2}
    agreement = read(step["agreement"], AGREEMENT)
    assert agreement["kappa"].tolist() == [1.0, 1.0]
    assert agreement[["n_asked", "n_kept", "n_other"]].to_numpy().tolist() == [[6, 5, 1]] * 2


def test_a_second_time_nothing_is_asked_and_the_bytes_are_the_same(step: Step, server: Server) -> None:
    server.say = lambda model, author, *rest: "?" if author == "Rumi" else truth(model, author, *rest)
    main(**step)
    first = [step[name].read_bytes() for name in ("answers", "agreement")]
    asked = len(server.seen)
    server.close()
    main(**step)
    assert len(server.seen) == asked
    assert [step[name].read_bytes() for name in ("answers", "agreement")] == first


def test_another_author_is_asked_about_alone(step: Step, server: Server) -> None:
    authors = read(step["authors"], AUTHORS)
    write(authors.iloc[1:], step["authors"], AUTHORS)
    main(**step)
    server.seen.clear()
    write(authors, step["authors"], AUTHORS)
    main(**step)
    assert len(server.seen) == 4
    assert all("Maya Angelou" in body["messages"][1]["content"] for body in server.seen)


def test_without_a_consensus_there_is_no_label(step: Step, server: Server) -> None:
    def say(model: str, author: str, attribute: str, letters: dict[str, str]) -> str:
        if model == "two" and author == "Jane Austen" and attribute == "gender":
            return letters["Male"]
        if model == "two" and author == "Confucius" and attribute == "race":
            return letters["Other"]
        return truth(model, author, attribute, letters)

    server.say = say
    main(**step)
    found = labels(step)
    assert found.loc["Jane Austen"].tolist() == ["white", None, "gender disputed (one: female, two: male)"]
    assert found.loc["Confucius"].tolist() == [None, "male", "race in no category (two: other)"]


@pytest.mark.parametrize("bad", ["Black", "A or B", "I am not able to tell.", "", None])
def test_an_answer_that_is_not_one_letter_is_asked_again_in_another_order(
    step: Step, server: Server, bad: str | None
) -> None:
    asked: Counter[tuple[str, ...]] = Counter()

    def say(model: str, *about: Any) -> str | None:
        asked[(model, *about[:2])] += 1
        return bad if model == "one" and asked[(model, *about[:2])] < 3 else truth(model, *about)

    server.say = say
    main(**step)
    assert labels(step)["race"].tolist() == ["black", "white", "asian", "latino", "middle eastern", None]
    table = read(step["answers"], LABELLER_ANSWERS)
    again = table[(table["labeller"] == "one") & (table["attribute"] == "race")]
    assert again["request"].tolist() == [0, 1, 2] * len(TRUTH)
    assert again["label"].isna().tolist() == [True, True, False] * len(TRUTH)
    assert again["key"].is_unique
    assert again.groupby("author")["options"].agg(lambda orders: len(set(map(tuple, orders)))).ge(2).all()


def test_after_the_last_request_it_counts_as_no_answer(step: Step, server: Server) -> None:
    def say(model: str, author: str, attribute: str, letters: dict[str, str]) -> str:
        if model == "two" and attribute == "race":
            wrong = next(text for text in letters if text != TRUTH[author][0])
            return f"{letters[wrong]}) {TRUTH[author][0]}"  # letter and text disagree
        return truth(model, author, attribute, letters)

    server.say = say
    main(**step)
    found = labels(step)
    assert found["race"].tolist() == [None] * 6
    assert found.loc["Rumi", "reason"] == "race unanswered (two: no single letter)"
    assert sum(body["model"] == "two" for body in server.seen) == 6 * 3 + 6
    assert read(step["agreement"], AGREEMENT)["n_no_answer"].tolist() == [5, 0], "Other from either comes first"


def test_an_outage_is_an_error_and_never_a_label(step: Step, server: Server) -> None:
    server.say = lambda model, *about: 503 if model == "two" else truth(model, *about)
    with pytest.raises(MissingAnswersError, match=r"12 of 12 labels of two are missing \(12 server_error\)") as caught:
        main(**step)
    assert "start the same command again" in str(caught.value)
    assert not step["answers"].exists() and not step["agreement"].exists()
    assert sum(body["model"] == "two" for body in server.seen) == 24, "each is tried twice, none as another request"
    server.seen.clear()
    server.say = truth
    main(**step)
    assert {body["model"] for body in server.seen} == {"two"}
    assert labels(step)["gender"].notna().sum() == 5


def test_a_set_share_may_be_missing_and_is_no_label(step: Step, server: Server) -> None:
    server.say = lambda model, author, *rest: 500 if (model, author) == ("one", "Rumi") else truth(model, author, *rest)
    main(**{**step, "max_missing": 0.2})
    found = labels(step)
    assert found.loc["Rumi", ["race", "gender"]].tolist() == [None, None]
    assert found.loc["Rumi", "reason"] == "race unanswered (one: server_error), gender unanswered (one: server_error)"
    assert found.loc["Confucius", "race"] == "asian"


def test_a_refused_key_stops_at_once(step: Step, server: Server) -> None:
    server.say = lambda *about: 401
    with pytest.raises(EndpointError, match="refuses every question"):
        main(**step)
    assert len(server.seen) <= 4


def test_only_what_no_earlier_source_knows_is_asked(step: Step, server: Server, tmp_path: Path) -> None:
    earlier = pd.DataFrame({"author_id": map(slug, TRUTH), "author": list(TRUTH)})
    known = earlier.assign(race=None, gender="female", race_source=None, gender_source="wikidata", reason="x")
    known.loc[0, ["race", "race_source"]] = ["black", "wikidata"]
    write(known, tmp_path / "labelled.parquet", LABELS)
    main(**{**step, "labelled": [tmp_path / "labelled.parquet"]})
    assert len(server.seen) == 5 * 2
    assert not any("gender" in body["messages"][1]["content"] for body in server.seen)
    found = labels(step)
    assert found.loc["Maya Angelou"].tolist() == [None, None, "not asked"]
    assert found.loc["Rumi"].tolist() == ["middle eastern", None, ""]
    write(known.assign(race="black", race_source="wikidata"), tmp_path / "labelled.parquet", LABELS)
    main(**{**step, "labelled": [tmp_path / "labelled.parquet"]})
    assert len(read(step["answers"], LABELLER_ANSWERS)) == 0
    assert read(step["agreement"], AGREEMENT)["n_asked"].tolist() == [0, 0]


def test_two_different_models_are_needed(step: Step) -> None:
    one, two = step["labellers"]
    with pytest.raises(ConfigError, match="the same model twice"):
        main(**{**step, "labellers": [one, {**one, "name": "again"}]})
    with pytest.raises(ConfigError, match="names 3 models"):
        main(**{**step, "labellers": [one, two, one]})
