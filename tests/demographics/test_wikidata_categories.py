"""Race and gender by the ids of items, never by labels, nationality or the order of statements."""

from pathlib import Path

import pytest

from attribench.demographics.wikidata_categories import (
    CATEGORIES,
    SHIPPED,
    EthnicGroups,
    differences,
    gender_of,
    race_of,
    read_ethnic_groups,
    relabelled,
)
from attribench.demographics.wikidata_items import Item, Statement
from attribench.errors import InputError

GROUPS = read_ethnic_groups(SHIPPED)


def person(**claims: list[str | None]) -> Item:
    return Item("Q9", "Q9", {name: [Statement(v, "normal") for v in values] for name, values in claims.items()})


class TestGender:
    @pytest.mark.parametrize(
        ("qid", "gender"),
        [
            ("Q6581097", "male"),
            ("Q6581072", "female"),
            ("Q1052281", "female"),
            ("Q2449503", "male"),
            ("Q15145779", "female"),
            ("Q15145778", "male"),
            ("Q48270", "other"),
            ("Q1097630", "other"),
            ("Q18116794", "other"),
        ],
    )
    def test_each_id_has_its_gender(self, qid: str, gender: str) -> None:
        assert gender_of(person(P21=[qid])).value == gender

    def test_an_animals_sex_is_an_error_in_the_record(self) -> None:
        label = gender_of(person(P21=["Q43445"]))
        assert label.value is None and "Q43445 is no gender of a person" in label.reason

    def test_two_that_mean_the_same_are_one(self) -> None:
        assert gender_of(person(P21=["Q1052281", "Q6581072"])).value == "female"

    @pytest.mark.parametrize("values", [["Q6581072", "Q6581097"], ["Q6581072", "Q48270"]])
    def test_two_that_differ_are_none(self, values: list[str | None]) -> None:
        label = gender_of(person(P21=values))
        assert label.value is None and label.several

    def test_unknown_and_absent_are_told_apart(self) -> None:
        assert gender_of(person(P21=[None])).reason == "gender recorded as unknown"
        assert gender_of(person()).reason == "no gender on record"


class TestRace:
    def test_ids_decide_where_labels_mislead(self) -> None:
        races = [race_of(person(P172=[qid]), GROUPS).value for qid in ("Q862086", "Q49297", "Q2643509")]
        assert races == ["asian", "indigenous", "asian"]

    def test_two_categories_are_no_label(self) -> None:
        label = race_of(person(P172=["Q49085", "Q58669"]), GROUPS)
        assert (label.value, label.several, label.qids) == (None, True, ["Q49085", "Q58669"])
        assert "Q49085: black, Q58669: latino" in label.reason

    def test_two_groups_of_one_category_are_one_label(self) -> None:
        assert race_of(person(P172=["Q49085", "Q190168"]), GROUPS).value == "black"

    def test_a_group_of_several_origins_is_multiple(self) -> None:
        label = race_of(person(P172=["Q6935055"]), GROUPS)
        assert label.value is None and label.several
        assert race_of(person(P172=["Q6935055", "Q49085"]), GROUPS).several

    @pytest.mark.parametrize("qid", ["Q235155", "Q7129609", "Q7325", "Q846570", "Q36", "Q54259", "Q23444", "Q36747"])
    def test_the_undecided_the_never_mapped_and_the_unknown_decide_nothing(self, qid: str) -> None:
        label = race_of(person(P172=[qid]), GROUPS)
        assert (label.value, label.several) == (None, False)
        assert qid in label.reason
        assert race_of(person(P172=[qid, "Q49085"]), GROUPS).value == "black"

    def test_citizenship_is_no_race(self) -> None:
        label = race_of(person(P27=["Q30"], P31=["Q5"]), GROUPS)
        assert (label.value, label.reason) == (None, "no ethnic group on record")

    def test_an_unknown_value_is_unknown(self) -> None:
        assert race_of(person(P172=[None]), GROUPS).reason == "ethnic group recorded as unknown"

    def test_a_group_that_was_merged_counts_as_what_it_is_now(self) -> None:
        assert race_of(person(P172=["Q900001"]), GROUPS, {"Q900001": "Q49085"}).value == "black"

    def test_a_vandalised_label_changes_nothing_and_is_not_shown(self) -> None:
        served = {"Q49085": Item("Q49085", "Q49085", labels={"en": "<abuse>"})}
        assert relabelled(GROUPS, served) == ["Q49085"]
        assert "abuse" not in str(race_of(person(P172=["Q49085"]), GROUPS))
        assert relabelled(GROUPS, {"Q49085": Item("Q49085", "Q49085", labels={"en": "African americans"})}) == []
        assert relabelled(GROUPS, {"Q49085": Item("Q49085", "Q49085", missing=True)}) == []


class TestMap:
    def test_the_shipped_map_is_whole(self) -> None:
        assert len(GROUPS.categories) > 300
        assert set(GROUPS.categories.values()) == set(CATEGORIES)
        lines = SHIPPED.read_text(encoding="utf-8").splitlines()[1:]
        assert all(line.rsplit(",", 1)[1] for line in lines)
        assert [qid for qid, label in GROUPS.labels.items() if not label] == ["Q10939350"]

    def test_a_map_that_contradicts_the_pinned_labels_is_noticed(self) -> None:
        own = EthnicGroups(
            {"Q190168": "black", "Q49078": "asian", "Q49297": "asian", "Q900001": "white"},
            {"Q190168": "African Americans", "Q49078": "Afro-Germans", "Q49297": "", "Q900001": "Somebody"},
        )
        said = differences(own, GROUPS)
        assert len(said) == 3
        for sentence, pinned in zip(
            said,
            ["White American (white)", "Indigenous peoples of the United States (indigenous)", "Yoruba people (black)"],
            strict=True,
        ):
            assert pinned in sentence
        assert differences(GROUPS, GROUPS) == []

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("qid,label\nQ1,x\n", "lacks the columns category, source"),
            ("qid,label,category,source\nAfrican Americans,x,black,y\n", "row 2: 'African Americans' is no id"),
            ("qid,label,category,source\nQ1,x,Caucasian,y\n", "row 2: 'caucasian' is none of black, white"),
            ("qid,label,category,source\nQ1,x,white,y\nQ1,x,black,y\n", "row 3: Q1 stands there twice"),
        ],
    )
    def test_a_wrong_map_is_refused_with_its_row(self, text: str, said: str, tmp_path: Path) -> None:
        (tmp_path / "map.csv").write_text(text)
        with pytest.raises(InputError, match=said):
            read_ethnic_groups(tmp_path / "map.csv")

    def test_no_map_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="expected at"):
            read_ethnic_groups(tmp_path / "no.csv")
