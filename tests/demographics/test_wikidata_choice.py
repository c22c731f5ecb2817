"""Of the items that bear an author's name, the right one or none: never the first for being first."""

from typing import Any

import pytest

from attribench.demographics.wikidata_choice import choose, hits_of_name
from attribench.demographics.wikidata_items import Item, Statement

POET, FOOTBALLER = "Q49757", "Q937857"


def item(qid: str, kind: str | None = "Q5", links: int = 10, *, job: str = "", born: str = "", **more: Any) -> Item:
    claims = {"P31": kind, "P106": job, "P569": born, **more}
    return Item(
        qid, qid, {name: [Statement(value, "normal")] for name, value in claims.items() if value}, sitelinks=links
    )


def hit(qid: str, text: str, kind: str = "label", **more: Any) -> dict[str, Any]:
    return {"id": qid, "match": {"type": kind, "language": "en", "text": text}, **more}


class TestHits:
    def test_only_the_whole_name_counts(self) -> None:
        hits = [hit("Q1", "John Smithson"), hit("Q2", "John Smith"), hit("Q3", "John  SMITH", "alias"), {"id": "Q4"}]
        assert hits_of_name("John Smith", hits) == ["Q2", "Q3"]

    @pytest.mark.parametrize(
        ("name", "text"), [("C. S. Lewis", "C.S. Lewis"), ("Charlotte Bronte", "Charlotte Brontë")]
    )
    def test_spellings_of_one_name_are_the_same(self, name: str, text: str) -> None:
        assert hits_of_name(name, [hit("Q1", text)]) == ["Q1"]

    def test_what_a_hit_leaves_out_is_no_error(self) -> None:
        assert hits_of_name("A B", [{"id": "Q1", "aliases": ["A B"]}, {"id": "Q2", "label": "A B"}]) == ["Q1", "Q2"]
        assert hits_of_name("A B", []) == []


class TestNobody:
    @pytest.mark.parametrize(
        ("kind", "status"),
        [
            ("Q15632617", "not_a_person"),
            ("Q95074", "not_a_person"),
            ("Q215380", "group"),
            ("Q5741069", "group"),
            ("Q4167410", "not_found"),
            ("Q101352", "not_found"),
            ("Q571", "not_found"),
            (None, "not_found"),
        ],
    )
    def test_what_a_hit_is_tells_why_there_is_no_person(self, kind: str | None, status: str) -> None:
        choice = choose([item("Q900021", kind)])
        assert (choice.status, choice.item) == (status, None)
        assert choice.reason

    def test_no_hit_is_nobody(self) -> None:
        assert (choose([]).status, choose([]).reason) == ("not_found", "no person of this name")

    def test_what_is_gone_is_said_to_be_gone(self) -> None:
        assert choose([Item("Q900061", "Q900061", missing=True)]).status == "missing"
        assert choose([Item("Q900061", "Q900061", missing=True), item("Q1")]).status == "found"

    def test_a_famous_figure_outdoes_an_obscure_namesake(self) -> None:
        assert choose([item("Q1", "Q15632617", 100), item("Q2", links=1)]).status == "not_a_person"
        assert choose([item("Q1", "Q11424", 100), item("Q2", links=1)]).status == "found"
        assert choose([item("Q1", "Q15632617", 20), item("Q2", links=15)]).status == "found"


class TestNamesakes:
    def test_one_person_is_found_among_other_things(self) -> None:
        choice = choose([item("Q1", "Q4167410"), item("Q2"), item("Q3", "Q11424")])
        assert choice.item is not None and choice.item.qid == "Q2"

    def test_sitelinks_decide_when_they_are_clear(self) -> None:
        choice = choose([item("Q1", links=3, job=POET), item("Q2", links=60, job=POET)])
        assert choice.item is not None
        assert (choice.item.qid, choice.reason, choice.considered) == ("Q2", "by sitelinks", ["Q1", "Q2"])

    def test_occupation_decides_when_sitelinks_do_not(self) -> None:
        choice = choose([item("Q1", links=8, job=FOOTBALLER), item("Q2", links=6, job=POET)])
        assert choice.item is not None and (choice.item.qid, choice.reason) == ("Q2", "by occupation")

    @pytest.mark.parametrize(
        "people",
        [
            [item("Q1", links=8, job=POET), item("Q2", links=6, job=POET)],
            [item("Q1", links=80, job=FOOTBALLER), item("Q2", links=6, job=POET)],
            [item("Q1", links=8), item("Q2", links=6)],
            [item("Q1", links=2), item("Q2", links=0)],
        ],
    )
    def test_the_rest_stays_ambiguous(self, people: list[Item]) -> None:
        choice = choose(people)
        assert (choice.status, choice.item) == ("ambiguous", None)
        assert "Q1, Q2" in choice.reason

    def test_a_record_without_race_is_not_passed_over_for_a_namesake_with_one(self) -> None:
        choice = choose([item("Q1", links=60), item("Q2", links=3, P172="Q49085")])
        assert choice.item is not None and choice.item.qid == "Q1"

    def test_who_was_born_after_the_corpus_is_not_meant(self) -> None:
        young = item("Q1", links=50, born="2012-05-06T00:00:00Z")
        choice = choose([young, item("Q2", links=3)])
        assert choice.item is not None and choice.item.qid == "Q2"
        assert choose([young]).status == "not_found"

    def test_a_stub_of_the_same_person_is_run_together_with_it(self) -> None:
        stub = item("Q1", links=0, born="1928-04-04T00:00:00Z", P172="Q49085")
        choice = choose([stub, item("Q2", links=9, born="1928-04-04T00:00:00Z", P21="Q6581072")])
        assert choice.item is not None and choice.item.qid == "Q2"
        assert choice.item.values("P172") == ["Q49085"] and choice.item.values("P21") == ["Q6581072"]

    def test_a_day_of_death_makes_a_double_too_and_another_one_two_persons(self) -> None:
        died, later = "1999-04-04T00:00:00Z", "2001-04-04T00:00:00Z"
        assert choose([item(qid, links=9, P570=died) for qid in ("Q1", "Q2")]).status == "found"
        twins = [
            item(qid, links=9, born="1928-04-04T00:00:00Z", P570=day) for qid, day in (("Q1", died), ("Q2", later))
        ]
        assert choose(twins).status == "ambiguous"

    def test_the_same_year_is_not_the_same_person(self) -> None:
        people = [item(qid, links=9, born="1928-01-01T00:00:00Z") for qid in ("Q1", "Q2")]
        assert choose(people).status == "ambiguous"

    def test_no_more_than_three_people_are_compared(self) -> None:
        people = [item("Q1", links=9), item("Q2", links=8), item("Q3", links=7), item("Q4", links=90)]
        assert choose(people).considered == ["Q1", "Q2", "Q3"]

    def test_two_hits_of_one_merged_item_are_one(self) -> None:
        merged = Item("Q2", "Q1", item("Q2").statements, sitelinks=5)
        choice = choose([merged, item("Q2", links=5)])
        assert choice.status == "found" and choice.considered == ["Q2"]
