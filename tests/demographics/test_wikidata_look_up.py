"""The whole look-up over a loopback server: who is found, and what every fault of the service comes to."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from loopback import Reply

from attribench.demographics.wikidata_api import MAX_LAG, status_failure
from attribench.demographics.wikidata_etiquette import retry_after, user_agent
from attribench.demographics.wikidata_labels import ask_wikidata, not_persons
from attribench.demographics.wikidata_sparql import write_query
from attribench.errors import ConfigError, EndpointError, InputError, MissingAnswersError
from attribench.ledger.runner import CallFailedError
from attribench.tables import check
from attribench.tables.demographics import WIKIDATA

LookUp = Callable[..., pd.DataFrame]
BLACK, WHITE, FEMALE, MALE, NON_BINARY = "Q49085", "Q49078", "Q6581072", "Q6581097", "Q48270"


@pytest.fixture
def maya(wikidata: Any) -> str:
    wikidata.add(
        "Q19526",
        "Maya Angelou",
        ("Marguerite Johnson",),
        90,
        P172=[BLACK],
        P21=[FEMALE],
        P569=["+1928-04-04T00:00:00Z"],
    )
    return "Maya Angelou"


def calls(tmp_path: Path) -> list[tuple[str]]:
    with sqlite3.connect(tmp_path / "cache" / "wikidata.sqlite") as database:
        found = database.execute("SELECT cause FROM attempts").fetchall()
    database.close()
    return found


class TestPeople:
    def test_a_person_is_found_with_all_that_is_kept(self, look_up: LookUp, maya: str) -> None:
        row = look_up(maya).loc[maya]
        assert (row["status"], row["qid"], row["race"], row["gender"]) == ("found", "Q19526", "black", "female")
        assert list(row["race_qids"]) == [BLACK] and list(row["gender_qids"]) == [FEMALE]
        assert list(row["aliases"]) == ["Marguerite Johnson"]
        assert (row["sitelinks"], row["birth_year"], row["reason"]) == (90, 1928, "")
        assert pd.Timestamp(row["asked_at"]).tz is not None

    def test_an_alias_finds_a_person_and_the_label_becomes_an_alias(self, look_up: LookUp, maya: str) -> None:
        row = look_up("Marguerite Johnson").loc["Marguerite Johnson"]
        assert row["qid"] == "Q19526" and list(row["aliases"]) == ["Maya Angelou"]

    def test_another_spelling_of_the_corpus_is_tried(self, look_up: LookUp, wikidata: Any, maya: str) -> None:
        row = look_up("Mayah Angelou", aliases={"Mayah Angelou": ["Maya Angelou", "M. Angelou"]}).loc["Mayah Angelou"]
        assert row["status"] == "found"
        assert wikidata.count("search") == 3

    def test_the_best_rank_decides(self, look_up: LookUp, wikidata: Any) -> None:
        wikidata.add("Q900051", "A B", P21=[FEMALE, (NON_BINARY, "preferred")], P172=[(BLACK, "deprecated"), WHITE])
        row = look_up("A B").loc["A B"]
        assert (row["gender"], row["race"]) == ("other", "white")

    def test_a_year_of_birth_is_known_where_one_is_on_record(self, look_up: LookUp, wikidata: Any) -> None:
        dates = {
            "A One": ["-0427-01-01T00:00:00Z", "-0427-05-07T00:00:00Z"],
            "B Two": ["+1801-01-01T00:00:00Z", "+1802-01-01T00:00:00Z"],
            "C Better": ["+1801-01-01T00:00:00Z", ("+1802-01-01T00:00:00Z", "preferred")],
            "D Year": ["+1803-00-00T00:00:00Z/9", "+1800-00-00T00:00:00Z/8"],
            "E Century": ["+2000-00-00T00:00:00Z/7"],
        }
        for number, (name, born) in enumerate(dates.items()):
            wikidata.add(f"Q90006{number}", name, P569=born)
        found = look_up(*dates)["birth_year"]
        assert (found["A One"], found["C Better"], found["D Year"]) == (-427, 1802, 1803)
        assert pd.isna(found["B Two"]) and pd.isna(found["E Century"])

    def test_two_categories_are_multiple(self, look_up: LookUp, wikidata: Any) -> None:
        wikidata.add("Q900052", "A B", P21=[MALE], P172=[BLACK, "Q58669"])
        row = look_up("A B").loc["A B"]
        assert (row["status"], row["gender"]) == ("multiple", "male") and pd.isna(row["race"])
        assert "several categories" in row["reason"]

    def test_an_unknown_value_is_none_in_both_shapes(self, look_up: LookUp, wikidata: Any) -> None:
        wikidata.add("Q900041", "A B", P172=[None], P21=[MALE])
        wikidata.add("Q900042", "C D", P172=[None], P21=[MALE])
        wikidata.unknown_to_queries = {"Q900042"}
        table = look_up("A B", "C D")
        assert table["race"].isna().all() and (table["gender"] == "male").all()
        assert table["race_qids"].map(len).tolist() == [0, 0]
        assert (table["reason"] == "ethnic group recorded as unknown").all()

    def test_a_record_of_none_is_not_one_of_unknown(self, look_up: LookUp, wikidata: Any) -> None:
        wikidata.add("Q900041", "A B", P172=[(None, "normal", "novalue")], P21=[MALE])
        wikidata.add("Q900042", "C D", P172=[(None, "normal", "novalue")], P21=[MALE])
        wikidata.unknown_to_queries = {"Q900042"}
        assert (look_up("A B", "C D")["reason"] == "recorded as having no ethnic group").all()

    def test_citizenship_alone_is_no_race(self, look_up: LookUp, wikidata: Any) -> None:
        wikidata.add("Q900043", "A B", P27=["Q30"], P21=[MALE])
        assert look_up("A B").loc["A B", "reason"] == "no ethnic group on record"

    def test_a_merged_item_is_followed(self, look_up: LookUp, wikidata: Any, maya: str) -> None:
        wikidata.add("Q900044", "M. Angelou")
        wikidata.merged["Q900044"] = "Q19526"
        wikidata.unknown_to_queries = {"Q900044"}
        assert look_up("M. Angelou").loc["M. Angelou", "qid"] == "Q19526"

    def test_a_merged_ethnic_group_is_followed(self, look_up: LookUp, wikidata: Any) -> None:
        wikidata.add("Q900045", "A B", P172=["Q900046"], P21=[MALE])
        wikidata.add(BLACK, "African Americans", P31=["Q41710"])
        wikidata.merged["Q900046"] = BLACK
        assert look_up("A B").loc["A B", "race"] == "black"

    @pytest.mark.parametrize(
        ("name", "kind", "status"),
        [("Albus Dumbledore", "Q15632617", "not_a_person"), ("The Beatles", "Q215380", "group")],
    )
    def test_what_is_no_person_is_said_to_be_none(
        self, name: str, kind: str, status: str, look_up: LookUp, wikidata: Any
    ) -> None:
        wikidata.add("Q900021", name, P31=[kind])
        table = look_up(name)
        assert table.loc[name, "status"] == status
        assert not_persons(table.reset_index(), table.reset_index()).tolist() == [True]

    def test_a_vandalised_label_is_shown_nowhere(
        self, look_up: LookUp, wikidata: Any, maya: str, capfd: pytest.CaptureFixture[str]
    ) -> None:
        wikidata.add(BLACK, "<abusive text>", P31=["Q41710"])
        table = look_up(maya)
        assert table.loc[maya, "race"] == "black"
        said = capfd.readouterr()
        assert "another name on Wikidata" in said.out and BLACK in said.out
        assert "abusive" not in said.out + said.err + table.to_string()

    def test_nobody_of_that_name(self, look_up: LookUp, wikidata: Any) -> None:
        wikidata.add("Q1001", "John Smithson")
        row = look_up("John Smith").loc["John Smith"]
        assert row["status"] == "not_found" and row[["qid", "race", "gender", "sitelinks"]].isna().all()

    def test_no_authors_make_an_empty_table(self, look_up: LookUp, wikidata: Any) -> None:
        assert len(look_up()) == 0
        assert wikidata.seen == []


class TestEtiquette:
    @pytest.mark.parametrize(
        "contact", ["", None, "  ", "python-httpx/0.28", "me", "a@b", "you@example.org", "https://example.com/me"]
    )
    def test_without_a_contact_nothing_is_asked(
        self, contact: str | None, look_up: LookUp, wikidata: Any, maya: str
    ) -> None:
        with pytest.raises(ConfigError, match=r"demographics\.wikidata\.contact.*Set it to an e-mail address"):
            look_up(maya, contact=contact)
        assert wikidata.seen == []

    @pytest.mark.parametrize("contact", ["a.b@university.edu", "https://www.university.edu/~ab", "User:Somebody"])
    def test_a_contact_is_sent_in_full(self, contact: str) -> None:
        assert user_agent(contact).startswith("attribench/") and user_agent(contact).endswith(f" ({contact})")

    def test_both_services_hear_who_asks(self, look_up: LookUp, wikidata: Any, maya: str) -> None:
        look_up(maya, contact="a.b@university.edu")
        assert {part for part, _ in wikidata.seen} >= {"search", "sparql"}
        assert wikidata.agents == {user_agent("a.b@university.edu")}

    def test_no_request_is_made_while_the_database_lags(self, look_up: LookUp, wikidata: Any, maya: str) -> None:
        look_up(maya)
        asked = next(values for part, values in wikidata.seen if part == "search")
        assert asked["maxlag"] == str(MAX_LAG) and asked["type"] == "item" and asked["search"] == maya

    def test_no_more_requests_at_a_time_than_allowed(self, look_up: LookUp, wikidata: Any) -> None:
        look_up(*[f"Name {number}" for number in range(40)], concurrency=2)
        assert wikidata.most_at_once <= 2

    def test_retry_after_is_read_in_both_forms(self) -> None:
        assert retry_after({"Retry-After": "5"}) == 5.0
        assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
        later = retry_after({"retry-after": "Wed, 21 Oct 2133 07:28:00 GMT"})
        assert later is not None and later > 1e9
        assert retry_after({}) is None and retry_after({"retry-after": "soon"}) is None


class TestBatches:
    def test_items_are_asked_for_fifty_at_a_time(self, look_up: LookUp, wikidata: Any) -> None:
        names = [f"Person {number:03}" for number in range(101)]
        for number, name in enumerate(names):
            wikidata.add(f"Q{900100 + number}", name, P21=[MALE])
        wikidata.unknown_to_queries = set(wikidata.items)
        table = look_up(*names)
        assert (table["gender"] == "male").all()
        asked = [len(values["ids"].split("|")) for part, values in wikidata.seen if part == "items"]
        assert asked == [50, 50, 1] and wikidata.count("sparql") == 3

    def test_a_query_for_more_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at most 50"):
            write_query([f"Q{number}" for number in range(1, 52)])
        with pytest.raises(ValueError, match="at most 50"):
            write_query(["Q1 } DROP"])

    def test_what_is_known_is_not_asked_again(self, look_up: LookUp, wikidata: Any, maya: str) -> None:
        look_up(maya, "Nobody Atall")
        before = len(wikidata.seen)
        wikidata.add("Q900047", "C D", P21=[MALE], P172=[BLACK])
        table = look_up("C D", maya, "Nobody Atall")
        queries = [values["query"] for part, values in wikidata.seen[before:] if part == "sparql"]
        assert wikidata.count("search") == 3 and "wd:Q900047" in queries[0] and "wd:Q19526" not in queries[0]
        assert table["status"].tolist() == ["found", "found", "not_found"]

    def test_a_killed_run_is_taken_up_again(
        self, look_up: LookUp, wikidata: Any, wikidata_pages: Any, maya: str
    ) -> None:
        wikidata.add("Q900048", "C D", P21=[MALE])
        wikidata.pages["sparql"] = [wikidata_pages.forbidden]
        with pytest.raises(EndpointError, match="refuses us"):
            look_up(maya, "C D")
        assert wikidata.count("search") == 2
        assert look_up(maya, "C D")["gender"].tolist() == ["female", "male"]
        assert wikidata.count("search") == 2

    def test_the_store_holds_what_was_said(self, look_up: LookUp, maya: str, tmp_path: Path) -> None:
        look_up(maya)
        with sqlite3.connect(tmp_path / "cache" / "wikidata.sqlite") as database:
            rows = database.execute("SELECT question, text, status FROM answers").fetchall()
        database.close()
        search = next(json.loads(text) for question, text, _ in rows if "wbsearchentities" in question)
        assert search[0]["id"] == "Q19526"
        assert {status for *_, status in rows} == {"ok"}


class TestFaults:
    @pytest.mark.parametrize("part", ["search", "items", "sparql"])
    @pytest.mark.parametrize(
        ("fault", "cause"),
        [
            ("too_many", "rate_limit"),
            ("html", "not_json"),
            ("down", "server_error"),
            ("reset", "connection"),
            ("wrong_shape", "shape"),
            ("cut_off", "not_json"),
        ],
    )
    def test_what_may_pass_is_waited_out(
        self,
        part: str,
        fault: str,
        cause: str,
        look_up: LookUp,
        wikidata: Any,
        wikidata_pages: Any,
        maya: str,
        clock: list[float],
        tmp_path: Path,
    ) -> None:
        wikidata.unknown_to_queries = {"Q19526"} if part == "items" else set()
        wikidata.pages[part] = [getattr(wikidata_pages, fault)] * 2
        assert look_up(maya).loc[maya, "race"] == "black"
        assert calls(tmp_path) == [(cause,)] * 2
        if fault == "too_many":
            assert sum(seconds >= 5 for seconds in clock) >= 2

    @pytest.mark.parametrize("part", ["search", "items"])
    @pytest.mark.parametrize("fault", ["maxlag", "maxlag_without_time"])
    def test_a_lagging_database_is_no_empty_result(
        self,
        part: str,
        fault: str,
        look_up: LookUp,
        wikidata: Any,
        wikidata_pages: Any,
        maya: str,
        clock: list[float],
        tmp_path: Path,
    ) -> None:
        wikidata.unknown_to_queries = {"Q19526"}
        wikidata.pages[part] = [getattr(wikidata_pages, fault)]
        assert look_up(maya).loc[maya, "status"] == "found"
        assert calls(tmp_path) == [("maxlag",)] and max(clock) >= 5

    @pytest.mark.parametrize("part", ["search", "sparql"])
    @pytest.mark.parametrize("fault", ["too_many", "html", "maxlag", "cut_off"])
    def test_what_does_not_pass_is_missing_and_never_not_found(
        self,
        part: str,
        fault: str,
        look_up: LookUp,
        wikidata: Any,
        wikidata_pages: Any,
        maya: str,
        clock: list[float],
        tmp_path: Path,
    ) -> None:
        wikidata.pages[part] = [getattr(wikidata_pages, fault)] * 4
        with pytest.raises(MissingAnswersError, match=r"1 of 1 authors .*start the same command again"):
            look_up(maya)
        assert not (tmp_path / "wikidata.parquet").exists()
        assert look_up(maya).loc[maya, "status"] == "found"

    def test_a_share_may_be_missing_and_is_marked(
        self, look_up: LookUp, wikidata: Any, wikidata_pages: Any, maya: str, clock: list[float]
    ) -> None:
        wikidata.pages["search"] = [wikidata_pages.too_many] * 4
        table = look_up(maya, max_missing=1.0)
        assert table.loc[maya, ["status", "reason"]].tolist() == ["failed", "rate_limit"]

    def test_a_name_that_could_not_be_asked_for_is_not_replaced_by_its_alias(
        self, look_up: LookUp, wikidata: Any, wikidata_pages: Any, maya: str, clock: list[float]
    ) -> None:
        wikidata.pages["search"] = [wikidata_pages.down] * 4
        table = look_up("M. Angelou", maya, aliases={"M. Angelou": [maya]}, max_missing=0.5, concurrency=1)
        assert table["status"].tolist() == ["failed", "found"]

    def test_one_pause_is_everybodys(
        self, look_up: LookUp, wikidata: Any, wikidata_pages: Any, clock: list[float]
    ) -> None:
        wikidata.pages["search"] = [wikidata_pages.page("busy", 429, {"Retry-After": "300"})]
        look_up(*[f"Name {number}" for number in range(20)], concurrency=2)
        assert sum(clock) >= 300
        assert wikidata.count("search") == 21

    def test_a_refusal_stops_at_once(
        self, look_up: LookUp, wikidata: Any, wikidata_pages: Any, clock: list[float]
    ) -> None:
        wikidata.pages["search"] = [wikidata_pages.forbidden] * 50
        with pytest.raises(EndpointError, match="respect our robot policy"):
            look_up(*[f"Name {number}" for number in range(50)])
        assert wikidata.count("search") <= 2

    def test_nothing_listens(self, look_up: LookUp, maya: str, clock: list[float]) -> None:
        with pytest.raises(MissingAnswersError, match="connection"):
            look_up(maya, api="http://127.0.0.1:9/w/api.php")
        with pytest.raises(MissingAnswersError, match="connection"):
            look_up(maya, sparql="http://127.0.0.1:9/sparql")

    def test_an_error_that_repeating_cannot_mend_is_not_repeated(
        self, look_up: LookUp, wikidata: Any, wikidata_pages: Any, maya: str
    ) -> None:
        error = {"error": {"code": "param-missing", "info": "The parameter is missing."}}
        wikidata.pages["search"] = [wikidata_pages.page(error)]
        with pytest.raises(MissingAnswersError, match="1 param-missing"):
            look_up(maya)
        assert wikidata.count("search") == 1

    def test_what_is_gone_is_not_kept_as_such(self, look_up: LookUp, wikidata: Any, maya: str) -> None:
        away = wikidata.items.pop("Q19526")
        hit = {"id": "Q19526", "match": {"type": "label", "language": "en", "text": maya}}
        wikidata.pages["search"] = [Reply({"search": [hit]})]
        row = look_up(maya).loc[maya]
        assert row["status"] == "missing" and pd.isna(row["gender"])
        wikidata.items["Q19526"] = away
        assert look_up(maya).loc[maya, ["status", "gender"]].tolist() == ["found", "female"]

    def test_candidates_that_could_not_all_be_asked_for_decide_nothing(
        self, look_up: LookUp, wikidata: Any, wikidata_pages: Any, maya: str, clock: list[float]
    ) -> None:
        wikidata.add("Q900050", "Maya Angelou", links=1)
        wikidata.unknown_to_queries = {"Q900050"}
        wikidata.pages["items"] = [wikidata_pages.down] * 4
        table = look_up(maya, max_missing=1.0)
        assert table.loc[maya, ["status", "reason"]].tolist() == ["failed", "server_error"]
        assert look_up(maya).loc[maya, "qid"] == "Q19526"

    @pytest.mark.parametrize(
        ("status", "kind"),
        [(200, type(None)), (301, EndpointError), (400, CallFailedError), (401, EndpointError), (404, EndpointError)],
    )
    def test_the_meaning_of_a_status(self, status: int, kind: type) -> None:
        assert isinstance(status_failure(status, "", None, "http://x"), kind)


class TestAnswers:
    def test_labels_follow_the_order_of_the_authors(self, look_up: LookUp, wikidata: Any, maya: str) -> None:
        wikidata.add("Q900049", "C D", P21=[MALE])
        table = look_up(maya, "C D", "E F").reset_index()
        assert check(table, WIKIDATA).num_rows == 3
        authors = table[["author_id", "author"]].iloc[::-1].set_index(pd.Index([7, 3, 5]))
        answer = ask_wikidata(authors, table)
        assert answer.index.equals(pd.RangeIndex(3))
        shown = answer.astype(object).where(answer.notna(), None)
        assert shown.to_numpy().tolist() == [
            [None, None, "no person of this name"],
            [None, "male", "no ethnic group on record"],
            ["black", "female", ""],
        ]
        assert not not_persons(authors, table).any()

    def test_a_table_of_other_authors_is_refused(self, look_up: LookUp, maya: str) -> None:
        table = look_up(maya).reset_index()
        with pytest.raises(InputError, match="1 of 1 authors"):
            ask_wikidata(pd.DataFrame({"author_id": ["somebody-else"], "author": ["Somebody Else"]}), table)


def test_a_map_of_ones_own_that_contradicts_is_said_on_the_screen(
    look_up: LookUp, maya: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.csv"
    own.write_text("qid,label,category,source\nQ49085,African Americans,black,me\nQ49078,Afro-Germans,asian,me\n")
    look_up(maya, ethnic_groups=own)
    said = capfd.readouterr().err
    assert "Q49078 is Afro-Germans (asian)" in said and "Q49085 is" not in said
