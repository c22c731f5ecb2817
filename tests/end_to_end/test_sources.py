"""Every source of labels and fame, through Snakemake: what was planted at the sources is what comes out.

The sources are loopback servers in the shapes of Wikidata, of two chat models and of DataForSEO. What
they know of the sample's authors is what the published universe says of them, but for a few authors
whom only one source knows, or none, or about whom the sources do not agree.
"""

import importlib.util
import re
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loopback import Loopback, Reply, Request, completion, failure
from planted_keys import forms, holding

LABELS = "results/demographics/labels.parquet"
SHEET = "results/demographics/validation_sheet.csv"
FAME = "results/fame/fame.parquet"
KEYS = {"PLANTED_ONE_KEY": "planted-key-of-model-one", "PLANTED_TWO_KEY": "planted-key-of-model-two"}
ACCOUNT = {"DATAFORSEO_LOGIN": "planted@university.edu", "DATAFORSEO_PASSWORD": "planted+password/of&ours"}

RACES = {"black": "Q49085", "white": "Q49078", "asian": "Q161652", "latino": "Q58669"}
GENDERS = {"male": "Q6581097", "female": "Q6581072"}
BAND, FICTIONAL = "Q215380", "Q95074"

AT_NO_SOURCE_BUT_CONSENSUS = ["Ann Plato", "Jean Toomer", "Sor Juana Inés de la Cruz"]
WITHOUT_RACE_AT_WIKIDATA = ["Lucy Stone", "Zhuangzi"]
BAND_NAME, FIGURE_NAME = "Nat Turner", "Ono no Komachi"
NAMESAKES, TWO_RACES, DISPUTED, IN_NO_CATEGORY = "Francis Bacon", "Rubén Darío", "Edward Young", "Sun Tzu"


def from_unit_tests(file: str) -> ModuleType:
    """Load a module of the unit tests, for the server in it."""
    place = Path(__file__).parents[1] / file
    spec = importlib.util.spec_from_file_location(f"{place.stem}_of_{place.parent.name}", place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


dataforseo = from_unit_tests("fame/test_look_up_search_hits.py")


class Labellers(Loopback):
    """Two models behind one address that know the truth; the first call is refused, and repeats the key."""

    def __init__(self, truth: pd.DataFrame) -> None:
        self.truth = truth
        self.asked: Counter[tuple[str, str, str]] = Counter()
        self.keys: set[tuple[str, str]] = set()
        self.lock = threading.Lock()
        super().__init__(self._answer)

    def endpoint(self, key_variable: str) -> dict[str, str]:
        return {"kind": "url", "url": f"{self.address}/v1", "key_variable": key_variable}

    def say(self, model: str, author: str, attribute: str) -> str:
        """Return the text of the option that the model takes."""
        if model == "two" and attribute == "race" and author in (DISPUTED, IN_NO_CATEGORY):
            return "Black" if author == DISPUTED else "Other"
        return str(self.truth.loc[author, attribute]).title()

    def _answer(self, request: Request) -> Reply:
        model, asked = request.json["model"], request.json["messages"][1]["content"]
        about = re.match(r"What is the (race|gender)\S* of (.+)\?\n", asked)
        assert about
        key = request.headers["authorization"].removeprefix("Bearer ")
        with self.lock:
            is_first = not self.asked
            self.asked[(model, about[2], about[1])] += 1
            self.keys.add((model, key))
        if is_first:
            return failure(429, f"Too many calls with {key}.")
        letters = {text: letter for letter, text in re.findall(r"\(([A-Z])\) ([^(]+?)(?= \(|$)", asked)}
        return completion(letters[self.say(model, about[2], about[1])], model)


@dataclass
class Labelled:
    """A copy in which the authors were labelled by Wikidata and two models."""

    workflow: Any
    config: dict[str, Any]
    done: Any
    truth: pd.DataFrame
    wikidata: Any
    labellers: Labellers
    expected: pd.DataFrame = field(init=False)

    def __post_init__(self) -> None:
        self.expected = expected_labels(self.truth)

    def asked(self) -> tuple[int, int]:
        return len(self.wikidata.seen), self.labellers.asked.total()


def plant(server: Any, truth: pd.DataFrame) -> None:
    """Let Wikidata know the authors as the truth has them, and the few others as this module says."""
    for race, qid in RACES.items():
        server.add(qid, f"people who are {race}", P31=["Q41710"])
    for number, (author, labels) in enumerate(truth.iterrows(), start=1):
        qid = f"Q9000{number}"
        claims = {"P172": [RACES[labels["race"]]], "P21": [GENDERS[labels["gender"]]], "P106": ["Q36180"]}
        if author in (*AT_NO_SOURCE_BUT_CONSENSUS, DISPUTED, IN_NO_CATEGORY):
            continue
        if author in WITHOUT_RACE_AT_WIKIDATA:
            del claims["P172"]
        if author == TWO_RACES:
            claims["P172"] = [RACES["latino"], RACES["black"]]
        if author == BAND_NAME:
            claims = {"P31": [BAND]}
        if author == FIGURE_NAME:
            claims = {"P31": [FICTIONAL]}
        if author == NAMESAKES:
            server.add(f"Q8000{number}", author, **(claims | {"P21": [GENDERS["female"]]}))
        # Wikidata has this one under the name that only the corpus' aliases hold.
        server.add(qid, "Mary Ann Evans" if author == "George Eliot" else str(author), **claims)


def expected_labels(truth: pd.DataFrame) -> pd.DataFrame:
    """Return race, gender and the source of each by author, as they follow from what was planted."""
    table = truth[["race", "gender"]].assign(race_source="wikidata", gender_source="wikidata")
    by_consensus = [*AT_NO_SOURCE_BUT_CONSENSUS, NAMESAKES]
    table.loc[by_consensus, ["race_source", "gender_source"]] = "consensus"
    table.loc[[*WITHOUT_RACE_AT_WIKIDATA, TWO_RACES], "race_source"] = "consensus"
    table.loc[[DISPUTED, IN_NO_CATEGORY], "gender_source"] = "consensus"
    table.loc[[DISPUTED, IN_NO_CATEGORY], ["race", "race_source"]] = None
    table.loc[[BAND_NAME, FIGURE_NAME]] = None
    return table


@pytest.fixture(scope="module")
def published(with_dataset: Any) -> pd.DataFrame:
    """What the sample's universe says of its authors: race, gender and fame, by author."""
    labels, fame = (pd.read_parquet(with_dataset.folder / file) for file in (LABELS, FAME))
    table = labels.merge(fame[["author_id", "log10_hits"]], on="author_id").set_index("author")
    assert table[["race", "gender", "log10_hits"]].notna().all(axis=None)
    return table


@pytest.fixture(scope="module")
def labelled(
    with_dataset: Any, published: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Labelled]:
    server = from_unit_tests("demographics/conftest.py").WikidataServer()
    plant(server, published)
    labellers = Labellers(published)
    workflow = with_dataset.duplicate(tmp_path_factory.mktemp("labelled") / "copy")
    workflow.environment = KEYS
    config = workflow.config
    config["demographics"] = {
        "sources": ["wikidata", "consensus"],
        "wikidata": {"contact": "somebody@university.edu", "api": server.api, "sparql": server.sparql},
        "consensus": {
            "models": {
                name: {"id": f"openai/{name}", "endpoint": labellers.endpoint(variable)}
                for name, variable in zip(("one", "two"), KEYS, strict=True)
            }
        },
        "validation": {"sample": 40, "sheet": "filled.csv"},
    }
    done = workflow.run(LABELS, "draw_validation_sheet", config=config)
    assert done.code == 0, done.screen
    yield Labelled(workflow, config, done, published, server, labellers)
    server.close()
    labellers.close()


def test_wikidata_and_two_models_recover_the_planted_labels(labelled: Labelled) -> None:
    found = pd.read_parquet(labelled.workflow.folder / LABELS).set_index("author")
    columns = ["race", "gender", "race_source", "gender_source"]
    pd.testing.assert_frame_equal(
        found[columns].fillna("none"), labelled.expected[columns].fillna("none"), check_dtype=False
    )
    reasons = found["reason"][found["reason"] != ""].to_dict()
    assert set(reasons) == {DISPUTED, IN_NO_CATEGORY, BAND_NAME, FIGURE_NAME}
    nobody = "wikidata: no person of this name"
    assert reasons[DISPUTED] == f"{nobody}; consensus: race disputed (one: white, two: black)"
    assert reasons[IN_NO_CATEGORY] == f"{nobody}; consensus: race in no category (two: other)"
    not_asked = "consensus: not asked: Wikidata knows no person of this name"
    assert re.fullmatch(rf"wikidata: Q\d+ of this name is a group; {not_asked}", reasons[BAND_NAME])
    assert re.fullmatch(rf"wikidata: Q\d+ of this name is no human being; {not_asked}", reasons[FIGURE_NAME])
    status = pd.read_parquet(labelled.workflow.folder / "results/demographics/wikidata.parquet").set_index("author")[
        "status"
    ]
    assert status[[NAMESAKES, TWO_RACES, BAND_NAME, FIGURE_NAME, "Ann Plato", "George Eliot"]].tolist() == [
        "ambiguous",
        "multiple",
        "group",
        "not_a_person",
        "not_found",
        "found",
    ]


def test_the_models_are_asked_only_about_what_wikidata_lacks(labelled: Labelled) -> None:
    about_both = [*AT_NO_SOURCE_BUT_CONSENSUS, NAMESAKES, DISPUTED, IN_NO_CATEGORY]
    wanted = {(author, attribute) for author in about_both for attribute in ("race", "gender")}
    wanted |= {(author, "race") for author in (*WITHOUT_RACE_AT_WIKIDATA, TWO_RACES)}
    assert set(labelled.labellers.asked) == {(model, *about) for model in ("one", "two") for about in wanted}
    assert labelled.labellers.asked.total() == 2 * len(wanted) + 1, "one call was refused, and made again"
    agreement = pd.read_csv(labelled.workflow.folder / "results/demographics/agreement.csv").set_index("attribute")
    assert agreement.loc["race", ["n_asked", "n_kept", "n_other", "n_differ"]].tolist() == [9, 7, 1, 1]
    assert agreement.loc["gender", ["n_asked", "n_kept"]].tolist() == [6, 6]
    assert all("somebody@university.edu" in agent for agent in labelled.wikidata.agents)


def test_a_second_labelling_asks_nothing_and_is_the_same(labelled: Labelled) -> None:
    folder, asked = labelled.workflow.folder, labelled.asked()
    before = (folder / LABELS).read_bytes()
    shutil.rmtree(folder / "results/demographics")
    done = labelled.workflow.run(LABELS, SHEET, config=labelled.config)
    assert done.code == 0, done.screen
    assert {"look_up_wikidata", "ask_labellers"} <= set(done.jobs)
    assert labelled.asked() == asked
    assert (folder / LABELS).read_bytes() == before


def test_the_keys_of_the_models_are_sent_and_left_nowhere(labelled: Labelled) -> None:
    assert labelled.labellers.keys == set(zip(("one", "two"), KEYS.values(), strict=True))
    folder = labelled.workflow.folder
    assert holding(folder, labelled.done.screen, KEYS.values()) == []
    assert str(folder / "changed.yaml") in holding(folder, "", ["somebody@university.edu"]), "what is there is found"
    refusal = "Too many calls with (PLANTED_ONE_KEY)."
    assert holding(folder, "", [refusal]), "the refused call was kept, without the key that it repeated"


def test_a_filled_in_sheet_scores_the_labels_and_a_half_filled_one_is_refused(
    labelled: Labelled, tmp_path: Path
) -> None:
    workflow = labelled.workflow.duplicate(tmp_path / "copy")
    target = "score_validation"
    sheet = pd.read_csv(workflow.folder / SHEET, encoding="utf-8-sig")
    assert len(sheet) == 40
    refused(workflow.run(target, config=labelled.config), "filled.csv")
    for attribute in ("race", "gender"):
        sheet[f"{attribute}_true"] = sheet["author"].map(labelled.truth[attribute])
    half = sheet.copy()
    half.loc[[3, 5], "race_true"] = None
    half.to_csv(workflow.folder / "filled.csv", index=False)
    said = f"of 40 rows, 2 lack 'race_true' and 0 lack 'gender_true', the first of them {sheet.loc[3, 'author']}"
    refused(workflow.run(target, config=labelled.config), "filled.csv is filled in only in part", said)

    sheet.loc[:2, "race_true"] = "indigenous"
    sheet.loc[3, "race_true"] = "unknown"
    sheet.to_csv(workflow.folder / "filled.csv", index=False)
    done = workflow.run(target, config=labelled.config)
    assert done.code == 0, done.screen
    scores = pd.read_csv(workflow.folder / "results/demographics/validation.csv").set_index(
        ["attribute", "source", "group"]
    )
    counts = ["n_checked", "n_unknown", "n_correct"]
    assert scores.loc[("race", "all", "all"), counts].tolist() == [39, 1, 36]
    assert scores.loc[("gender", "all", "all"), counts].tolist() == [40, 0, 40]
    assert {"wikidata", "consensus"} < set(scores.index.get_level_values("source"))


def test_dataforseo_recovers_the_planted_fame_once_and_keeps_the_account_to_itself(
    with_dataset: Any, published: pd.DataFrame, tmp_path: Path
) -> None:
    hits = (10 ** published["log10_hits"]).round().astype(int).to_dict()
    hits |= {"Ann Plato": 0, "Jean Toomer": None}
    service = dataforseo.Service()
    login, password = ACCOUNT.values()
    account = [*forms(login), *forms(password, login)]
    trouble = [dataforseo.problem("x", 50000, f"Trouble with {' and '.join(account)}")]

    def answer(keyword: str) -> Any:
        if trouble:
            return trouble.pop()
        if hits[keyword] == 0:
            return dataforseo.problem(keyword, 40102, "No Search Results.", cost=0.002)
        return dataforseo.serp(keyword, hits[keyword])

    service.answer = answer
    workflow = with_dataset.duplicate(tmp_path / "copy")
    workflow.environment = ACCOUNT
    config = workflow.config
    config["fame"] = {"sources": ["dataforseo"], "dataforseo": {"url": service.url, "calls_per_minute": 2000}}
    done = workflow.run(FAME, config=config)
    assert done.code == 0, done.screen
    assert f"{len(hits)} searches to make, about 0.25 USD" in done.screen
    assert len(service.seen) == len(hits) + 1, "one call failed, and was made again"
    assert service.logins == {":".join(ACCOUNT.values())}

    file = workflow.folder / FAME
    found = pd.read_parquet(file).set_index("author")
    unknown = found[found["log10_hits"].isna()]
    assert unknown["reason"].to_dict() == {
        "Ann Plato": "dataforseo: no results",
        "Jean Toomer": "dataforseo: the search engine gave no count",
    }
    known = found.dropna(subset="log10_hits")
    assert set(known["fame_source"]) == {"dataforseo"}
    np.testing.assert_allclose(known["log10_hits"], np.log10([hits[author] for author in known.index]))

    before = file.read_bytes()
    shutil.rmtree(file.parent)
    again = workflow.run(FAME, config=config)
    assert again.code == 0, again.screen
    assert again.jobs == {"look_up_search_hits": 1, "measure_fame": 1}
    assert len(service.seen) == len(hits) + 1
    assert file.read_bytes() == before
    service.close()
    assert holding(workflow.folder, done.screen + again.screen, account) == []
    assert holding(workflow.folder, "", ["Trouble with (DATAFORSEO_LOGIN)"]), "the failed call was kept without them"


def test_mentions_in_a_text_and_tables_recover_the_planted_fame(with_dataset: Any, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    mentioned = {"Jane Austen": 100, "Lao Tzu": 10, "W. E. B. Du Bois": 3, "Charlotte Brontë": 1}
    (workflow.folder / "novel.txt").write_text(
        "As Jane Austen says, " * 100 + "LAO-TZU, or Lao Tzu? " * 5 + "Charlotte\nBronte's", encoding="utf-8"
    )
    letters = pd.DataFrame({"letter": ["W.E.B. Du Bois and a rich man", "W. E. B. Du Bois, W E B Du Bois"]})
    letters.to_csv(workflow.folder / "letters.csv", index=False)
    config = workflow.config
    config["fame"] = {"sources": ["mentions"], "mentions": {"files": ["novel.txt", "letters.csv"], "column": "letter"}}
    done = workflow.run(FAME, config=config)
    assert done.code == 0, done.screen
    found = pd.read_parquet(workflow.folder / FAME).set_index("author")
    known = found.dropna(subset="log10_hits")
    assert {author: round(10**value) for author, value in known["log10_hits"].items()} == mentioned
    assert set(known["fame_source"]) == {"mentions"}
    assert set(found.loc[found["log10_hits"].isna(), "reason"]) == {"mentions: no mention"}


def test_sources_of_fame_are_not_mixed_unless_that_is_meant(
    with_dataset: Any, published: pd.DataFrame, tmp_path: Path
) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    (workflow.folder / "counts.csv").write_text("author,hits\nJane Austen,1000\nLAO TZU,10\nMencius,0\n")
    config = workflow.config
    config["fame"] = {"sources": ["table", "published"], "table": {"path": "counts.csv"}}
    n = len(published) - 2
    refused(workflow.run(FAME, config=config), f"({n} by published, 2 by table)", "'fame.mix_sources: true'")
    config["fame"]["mix_sources"] = True
    done = workflow.run(FAME, config=config)
    assert done.code == 0, done.screen
    found = pd.read_parquet(workflow.folder / FAME).set_index("author")
    assert found["log10_hits"].to_dict() == published["log10_hits"].to_dict() | {"Jane Austen": 3.0, "Lao Tzu": 1.0}
    assert found.index[found["fame_source"] == "table"].tolist() == ["Jane Austen", "Lao Tzu"]


def test_two_sources_of_fame_are_compared_and_drawn(with_dataset: Any, published: pd.DataFrame, tmp_path: Path) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    is_latino = published["race"] == "latino"
    table = published["log10_hits"].mask(is_latino, 10 - published["log10_hits"]).drop("Mencius")
    table.reset_index().to_csv(workflow.folder / "counts.csv", index=False)
    config = workflow.config
    config["fame"] = {"sources": ["table"], "compare": ["published", "table"], "table": {"path": "counts.csv"}}
    figure, comparison = "results/report/figures/fame_comparison_multirace.png", "results/fame/multirace/comparison.csv"
    done = workflow.run(figure, FAME, config=config)
    assert done.code == 0, done.screen
    fame = pd.read_parquet(workflow.folder / FAME).set_index("author")["log10_hits"]
    assert fame.dropna().to_dict() == pytest.approx(table.to_dict())
    found = pd.read_csv(workflow.folder / comparison).set_index("group")
    assert found.index.tolist() == ["all", "Asian", "Black", "Latino", "White"]
    assert found.loc["all", ["one", "other", "n_both", "n_only_one"]].tolist() == ["published", "table", len(table), 1]
    assert found["rank_correlation"].drop("all").round(9).tolist() == [1, 1, -1, 1]
    ranks = pd.DataFrame({"one": published["log10_hits"], "other": table}).dropna().rank()
    assert found.loc["all", "rank_correlation"] == pytest.approx(ranks.corr().loc["one", "other"])
    assert (workflow.folder / figure).stat().st_size > 10_000


def test_a_source_that_lacks_what_it_needs_is_refused(
    with_dataset: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = with_dataset.duplicate(tmp_path / "copy")
    config = workflow.config
    config["demographics"] = {"sources": ["wikidata", "consensus"]}
    config["fame"] = {"sources": ["dataforseo"], "compare": ["mentions", "table"]}
    needed = ["demographics.wikidata.contact", "fame.mentions.files", "fame.table.path"]
    refused(workflow.run("--dry-run", config=config), *(f"needs '{key}', which is missing" for key in needed))

    for variable in ("OPENAI_API_KEY", "PERPLEXITYAI_API_KEY", *ACCOUNT):
        monkeypatch.delenv(variable, raising=False)
    config["demographics"] = {"sources": ["consensus", "wikidata"], "wikidata": {"contact": "me"}}
    config["fame"] = {"sources": ["dataforseo"]}
    done = workflow.run(LABELS, FAME, "--keep-going", config=config)
    refused(
        done, "'demographics.wikidata.contact' is 'me'", "gpt-4o-mini (openai/gpt-4o-mini): it needs OPENAI_API_KEY"
    )
    refused(done, "DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD are not set in the environment")


def refused(done: Any, *phrases: str) -> None:
    """Check that a run failed, said why, and showed no traceback."""
    assert done.code != 0, done.screen
    for phrase in phrases:
        assert phrase in done.screen, done.screen
    assert "Traceback" not in done.screen, done.screen
