"""The sample of labels that a person checks, the sheet that is filled in, and its score."""

import codecs
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from attribench.demographics import draw_validation_sheet, score_validation
from attribench.demographics.draw_validation_sheet import draw_sample
from attribench.errors import InputError
from attribench.strata import allocate
from attribench.tables import read, write
from attribench.tables.demographics import LABELS, VALIDATION, VALIDATION_SAMPLE, VALIDATION_SHEET

CHOICES = Path(__file__).parents[2] / "resources" / "prompts" / "labels.yaml"
GROUPS = [{"race": race, "gender": gender} for race in ("black", "white") for gender in ("female", "male")]
GROUPS += [{"race": race} for race in ("asian", "latino")]


def make_labels() -> pd.DataFrame:
    """Return LABELS of white men from one source, women from one or two, and some who are in no group."""
    parts = [("white", "male", "wikidata", 500), ("black", "female", "consensus", 6)]
    parts += [("asian", "female", "wikidata", 30), ("asian", "female", "consensus", 10)]
    parts += [("indigenous", "male", "wikidata", 50), (None, "male", "wikidata", 50)]
    rows = [(race, gender, source) for race, gender, source, number in parts for _ in range(number)]
    table = pd.DataFrame(rows, columns=["race", "gender", "race_source"])
    table["gender_source"] = table["race_source"]
    table["race_source"] = table["race_source"].where(table["race"].notna(), None)
    numbers = table.index.astype(str)
    return table.assign(author_id="author-" + numbers, author="Zoë “Q.” Author, " + numbers, reason="")[LABELS.names]


@pytest.fixture
def drawn(tmp_path: Path) -> dict[str, Path]:
    """Return the paths of labels, sample and sheet, as the step makes them."""
    paths = {name: tmp_path / f"{name}.csv" for name in ("labels", "sample", "sheet", "filled", "validation")}
    write(make_labels(), paths["labels"], LABELS)
    draw_validation_sheet.main(
        labels=paths["labels"],
        groups=GROUPS,
        sample_size=40,
        seed=3,
        sample=paths["sample"],
        sheet=paths["sheet"],
    )
    return paths


def fill(drawn: dict[str, Path], **changed: Any) -> pd.DataFrame:
    """Return the sheet filled in with the labels on record, some columns `changed`."""
    sheet = read(drawn["sheet"], VALIDATION_SHEET)
    sample = read(drawn["sample"], VALIDATION_SAMPLE)
    return sheet.assign(**{"race_true": sample["race"], "gender_true": sample["gender"], "note": "a, b", **changed})


def score(drawn: dict[str, Path], sheet: pd.DataFrame, **options: Any) -> pd.DataFrame:
    sheet.to_csv(drawn["filled"], **{"index": False, **options})
    score_validation.main(
        sample=drawn["sample"], filled_sheet=drawn["filled"], choices=CHOICES, validation=drawn["validation"]
    )
    return read(drawn["validation"], VALIDATION).set_index(["attribute", "source", "group"])


def test_the_sample_is_spread_over_sources_and_groups(drawn: dict[str, Path]) -> None:
    sample = read(drawn["sample"], VALIDATION_SAMPLE)
    assert len(sample) == 40
    counts = sample.groupby(["group", "race_source"]).size().to_dict()
    assert counts.pop(("black female", "consensus")) == 6
    assert counts.pop(("asian female", "consensus")) == 10
    assert counts == {("white male", "wikidata"): 12, ("asian female", "wikidata"): 12}
    assert sample["weight"].sum() == pytest.approx(546), "the sample stands for all authors of the groups"


def test_the_sheet_shows_no_label_and_no_order(drawn: dict[str, Path]) -> None:
    assert drawn["sheet"].read_bytes().startswith(codecs.BOM_UTF8)
    sheet = read(drawn["sheet"], VALIDATION_SHEET)
    assert sheet[["race_true", "gender_true", "note"]].isna().all(axis=None)
    assert sheet["author"].tolist() == read(drawn["sample"], VALIDATION_SAMPLE)["author"].tolist()
    assert sheet["author_id"].tolist() != sorted(sheet["author_id"])


def test_the_seed_decides() -> None:
    labels = make_labels()
    one = draw_sample(labels, GROUPS, 40, np.random.default_rng(1))
    assert one.equals(draw_sample(labels.sample(frac=1, random_state=1), GROUPS, 40, np.random.default_rng(1)))
    assert not one.equals(draw_sample(labels, GROUPS, 40, np.random.default_rng(2)))


def test_few_authors_are_all_drawn_and_none_is_an_error() -> None:
    assert len(draw_sample(make_labels(), GROUPS, 10_000, np.random.default_rng(1))) == 546
    with pytest.raises(InputError, match="nothing to validate"):
        draw_sample(make_labels(), [{"race": "martian"}], 10, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("sizes", "total", "expected"),
    [([5, 5], 4, [2, 2]), ([1, 100], 10, [1, 9]), ([3, 3], 100, [3, 3]), ([2, 50, 50], 12, [2, 5, 5]), ([], 3, [])],
)
def test_shares_are_as_equal_as_can_be(sizes: list[int], total: int, expected: list[int]) -> None:
    assert allocate(sizes, total, np.random.default_rng(0)) == expected


def test_what_is_left_over_goes_by_chance() -> None:
    shares = [allocate([9] * 5, 3, np.random.default_rng(seed)) for seed in range(40)]
    assert all(sum(share) == 3 and max(share) == 1 for share in shares)
    assert np.sum(shares, axis=0).min() > 10


def test_the_score_is_the_share_of_right_labels(drawn: dict[str, Path]) -> None:
    sample = read(drawn["sample"], VALIDATION_SAMPLE)
    race = sample["race"].copy()
    race[sample.index[sample["group"] == "white male"][:3]] = ["Latino ", "OTHER", "unknown"]
    found = score(drawn, fill(drawn, race_true=race))
    row = found.loc[("race", "all", "white male")]
    assert row[["n_checked", "n_unknown", "n_correct"]].tolist() == [11, 1, 9]
    assert row["accuracy"] == pytest.approx(9 / 11)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(proportion_confint(9, 11, method="wilson"))
    whole = found.loc[("race", "all", "all")]
    assert whole["accuracy"] == pytest.approx(37 / 39)
    weights = {"white": 500 / 12, "other": 46}
    assert whole["weighted_accuracy"] == pytest.approx(
        (9 * weights["white"] + weights["other"]) / (11 * weights["white"] + weights["other"])
    )
    assert found.loc[("race", "consensus", "all"), "n_correct"] == 16
    assert found.loc[("race", "wikidata", "asian female"), "n_correct"] == 12
    assert found.loc[("gender", "all", "all"), "accuracy"] == 1
    assert len(found) == 2 * (1 + 3 + (1 + 2) + (1 + 2))


def test_nothing_decided_is_no_accuracy(drawn: dict[str, Path]) -> None:
    row = score(drawn, fill(drawn, race_true="unknown")).loc[("race", "all", "all")]
    assert row["n_checked"] == 0 and row["n_unknown"] == 40
    assert row[["accuracy", "ci_low", "ci_high", "weighted_accuracy"]].isna().all()


@pytest.mark.parametrize("options", [{"sep": ";"}, {"encoding": "utf-8-sig"}, {"lineterminator": "\r\n"}])
def test_the_ways_of_spreadsheet_programs_do_not_matter(drawn: dict[str, Path], options: dict[str, str]) -> None:
    sheet = fill(drawn).sample(frac=1, random_state=0)
    empty_rows = pd.DataFrame("", index=[0, 1], columns=sheet.columns)
    found = score(drawn, pd.concat([sheet, empty_rows]), **options)
    assert found.loc[("race", "all", "all"), "n_correct"] == 40


def test_a_half_filled_sheet_is_refused(drawn: dict[str, Path]) -> None:
    sheet = fill(drawn)
    sheet.loc[[3, 5], "race_true"] = ""
    sheet.loc[5, "gender_true"] = " "
    with pytest.raises(InputError, match="of 40 rows, 2 lack 'race_true' and 1 lack 'gender_true'") as caught:
        score(drawn, sheet)
    assert sheet.loc[3, "author"] in str(caught.value)
    with pytest.raises(InputError, match="40 lack 'race_true' and 40 lack 'gender_true'"):
        score(drawn, read(drawn["sheet"], VALIDATION_SHEET))
    assert not drawn["validation"].exists()


def altered(sheet: pd.DataFrame, kind: str) -> pd.DataFrame:
    if kind == "missing":
        return sheet.iloc[1:]
    if kind == "twice":
        return pd.concat([sheet, sheet.iloc[:1]])
    if kind == "not drawn":
        return pd.concat([sheet, sheet.iloc[:1].assign(author_id="somebody-else")])
    return sheet.assign(author=["Somebody", *sheet["author"][1:]])


@pytest.mark.parametrize("kind", ["missing", "twice", "not drawn", "with another author"])
def test_an_altered_sheet_is_refused(drawn: dict[str, Path], kind: str) -> None:
    with pytest.raises(InputError, match=rf"was altered: of its authors, 1 {kind} \(the first is"):
        score(drawn, altered(fill(drawn), kind))


def test_other_damage_is_refused(drawn: dict[str, Path]) -> None:
    with pytest.raises(InputError, match=r"lacks the columns gender_true; it has author_id"):
        score(drawn, fill(drawn).drop(columns="gender_true"))
    with pytest.raises(InputError, match="Did you mean 'white'"):
        score(drawn, fill(drawn, race_true="whit"))
    with pytest.raises(InputError, match=r"has 40 answers .* Possible are female, male, other, unknown"):
        score(drawn, fill(drawn, gender_true="?"))
    with pytest.raises(InputError, match="not in UTF-8"):
        score(drawn, fill(drawn), encoding="cp1252")
    with pytest.raises(InputError, match="there is no such file"):
        score_validation.main(
            sample=drawn["sample"],
            filled_sheet=drawn["filled"].with_name("no.csv"),
            choices=CHOICES,
            validation=drawn["validation"],
        )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no CSV file"),
        ("author_id,author,race_true,gender_true,note\na,b,white,male,one,two\n", "is no CSV file"),
        ("author_id,author,race_true,gender_true,note\na,b,white\n", "altered"),
    ],
)
def test_a_broken_file_is_refused(drawn: dict[str, Path], text: str, message: str) -> None:
    drawn["filled"].write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        score_validation.main(
            sample=drawn["sample"], filled_sheet=drawn["filled"], choices=CHOICES, validation=drawn["validation"]
        )
