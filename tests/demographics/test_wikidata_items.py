"""One item, in both of its shapes: best rank, unknown values, labels, redirects, what is gone."""

from typing import Any

import pytest

from attribench.demographics.wikidata_items import (
    Statement,
    best_rank,
    choose_label,
    is_qid,
    item_from_json,
    item_from_rows,
    year,
)


def snak(value: str | None, rank: str = "normal", kind: str = "value") -> dict[str, Any]:
    main: dict[str, Any] = {"snaktype": kind, "property": "P21", "datatype": "wikibase-item"}
    if value:
        main["datavalue"] = {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": value}}
    return {"mainsnak": main, "type": "statement", "rank": rank}


def rows(*values: tuple[str | None, str]) -> list[dict[str, str]]:
    """Return statements as wikidata_client hands them on: entity addresses cut, the others left."""
    found = []
    for value, rank in values:
        row = {"kind": "P172", "rank": f"http://wikiba.se/ontology#{rank.capitalize()}Rank"}
        found.append(row if value is None else {**row, "value": value})
    return found


class TestRank:
    def test_a_preferred_statement_hides_the_normal_ones(self) -> None:
        item = item_from_json("Q9", {"id": "Q9", "claims": {"P21": [snak("Q6581072"), snak("Q48270", "preferred")]}})
        assert item.values("P21") == ["Q48270"]

    def test_a_deprecated_statement_counts_in_no_case(self) -> None:
        only = item_from_json("Q9", {"id": "Q9", "claims": {"P21": [snak("Q6581072", "deprecated")]}})
        assert only.values("P21") == [] and not only.has_unknown("P21")
        assert item_from_rows("Q9", rows(("Q49085", "deprecated"), ("Q49078", "normal"))).values("P172") == ["Q49078"]

    def test_a_preferred_unknown_hides_the_normal_ones_too(self) -> None:
        item = item_from_rows(
            "Q9", rows(("Q49085", "normal"), ("http://www.wikidata.org/.well-known/genid/a", "preferred"))
        )
        assert item.values("P172") == [] and item.has_unknown("P172")

    def test_several_of_one_rank_all_stay(self) -> None:
        statements = [Statement("Q1", "normal"), Statement("Q2", "normal"), Statement("Q3", "deprecated")]
        assert best_rank(statements) == statements[:2]
        assert best_rank([]) == []


class TestUnknownValues:
    @pytest.mark.parametrize("kind", ["somevalue", "novalue"])
    def test_unknown_is_one_thing_and_none_another(self, kind: str) -> None:
        item = item_from_json("Q9", {"id": "Q9", "claims": {"P172": [snak(None, kind=kind)]}})
        assert item.values("P172") == []
        assert (item.has_unknown("P172"), item.has_none("P172")) == (kind == "somevalue", kind == "novalue")

    def test_the_query_service_gives_an_unknown_value_an_address_and_none_nothing(self) -> None:
        unknown = item_from_rows("Q9", rows(("http://www.wikidata.org/.well-known/genid/a", "normal")))
        assert unknown.has_unknown("P172") and not unknown.has_none("P172")
        none = item_from_rows("Q9", rows((None, "normal")))
        assert none.has_none("P172") and not none.has_unknown("P172") and none.values("P172") == []

    @pytest.mark.parametrize(
        "value", ["http://www.wikidata.org/.well-known/genid/abc123", "_:t1", "t123", None, "Q", "Q0", "L12", "Q5\n"]
    )
    def test_what_is_no_id_of_an_item_never_becomes_one(self, value: str | None) -> None:
        assert not is_qid(value)
        assert item_from_rows("Q9", rows((value, "normal"))).values("P172") == []

    def test_an_old_claim_with_only_a_number_is_read(self) -> None:
        claim = snak("Q1")
        claim["mainsnak"]["datavalue"]["value"] = {"entity-type": "item", "numeric-id": 6581072}
        assert item_from_json("Q9", {"id": "Q9", "claims": {"P21": [claim]}}).values("P21") == ["Q6581072"]


class TestLabels:
    def test_mul_comes_before_other_languages(self) -> None:
        assert choose_label({"ku": "X", "mul": "Maya Angelou", "fa": "Y"}) == "Maya Angelou"

    @pytest.mark.parametrize(
        ("labels", "chosen"),
        [
            ({"mul": "M", "en-gb": "B", "en": "E"}, "E"),
            ({"mul": "M", "en-gb": "B"}, "B"),
            ({"fa": "مایا", "ru": "Майя", "sv": "Maya"}, "Maya"),
            ({"fa": "مایا"}, None),
            ({}, None),
        ],
    )
    def test_the_order(self, labels: dict[str, str], chosen: str | None) -> None:
        assert choose_label(labels) == chosen

    def test_aliases_of_both_shapes_are_the_same(self) -> None:
        names = {"en": ["Marguerite Johnson", "Marguerite Annie Johnson"], "mul": ["M. Angelou"]}
        json_shape = {lang: [{"language": lang, "value": v} for v in values] for lang, values in names.items()}
        flat = [
            {"kind": "alias", "value": value, "language": lang} for lang, values in names.items() for value in values
        ]
        one = item_from_json("Q9", {"id": "Q9", "aliases": json_shape})
        other = item_from_rows("Q9", flat[::-1])
        assert sorted(one.aliases) == sorted(other.aliases)
        assert other.aliases[-1] == "M. Angelou"


class TestWhatIsNotThere:
    def test_a_missing_item_is_known_by_its_key_although_the_value_is_empty(self) -> None:
        assert item_from_json("Q900061", {"id": "Q900061", "missing": ""}).missing

    def test_empty_parts_that_come_as_lists_are_read(self) -> None:
        item = item_from_json("Q9", {"id": "Q9", "labels": [], "aliases": [], "claims": [], "sitelinks": []})
        assert (item.name, item.aliases, item.sitelinks, item.missing) == (None, [], 0, False)

    def test_a_redirect_keeps_both_ids(self) -> None:
        item = item_from_json("Q1", {"id": "Q9", "redirects": {"from": "Q1", "to": "Q9"}})
        assert (item.qid, item.asked) == ("Q9", "Q1")


def test_dates_are_read_from_both_shapes() -> None:
    claim = {"mainsnak": {"snaktype": "value", "datavalue": {"value": {"time": "+1928-04-04T00:00:00Z"}}}}
    one = item_from_json("Q9", {"id": "Q9", "claims": {"P569": [{**claim, "rank": "normal"}]}})
    row = {"kind": "P569", "value": "1928-04-04T00:00:00Z", "rank": "http://wikiba.se/ontology#NormalRank"}
    assert one.values("P569") == item_from_rows("Q9", [row]).values("P569") == ["1928-04-04T00:00:00Z"]
    assert [year(date) for date in ("1928-04-04T00:00:00Z", "-0427-01-01T00:00:00Z", "+2010-00-00")] == [
        1928,
        -427,
        2010,
    ]
    with pytest.raises(ValueError, match="'unknown' is no date"):
        year("unknown")
