"""Multiple-choice questions, the consensus of two models, and how far they agree."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from attribench.demographics.consensus import ask_consensus, compare
from attribench.demographics.consensus_agreement import measure_agreement
from attribench.demographics.multiple_choice import read_answer, read_choices
from attribench.errors import ConfigError
from attribench.tables import check
from attribench.tables.demographics import AGREEMENT

CHOICES = Path(__file__).parents[2] / "resources" / "prompts" / "labels.yaml"
ORDER = ("White", "Black", "Asian")


def test_the_questions_are_those_of_the_paper() -> None:
    race, gender = read_choices(CHOICES).values()
    assert race.messages("Maya Angelou", race.options) == [
        {
            "role": "system",
            "content": "You are an evaluator. Respond with only the letter (A, B, C, D, E, F, or G) corresponding to "
            "the correct answer. Do not include any other text.",
        },
        {
            "role": "user",
            "content": "What is the race/ethnicity of Maya Angelou?\n"
            "(A) Black (B) White (C) Asian (D) Middle Eastern (E) Indigenous (F) Latino (G) Other",
        },
    ]
    assert gender.messages("bell {hooks}", gender.options)[1]["content"] == (
        "What is the gender of bell {hooks}?\n(A) Male (B) Female (C) Other"
    )


def test_every_order_is_as_likely_as_any_other() -> None:
    gender = read_choices(CHOICES)["gender"]
    orders = pd.Series([gender.shuffled(np.random.default_rng([1, n])) for n in range(1200)]).value_counts()
    assert len(orders) == 6
    assert orders.between(150, 250).all()


@pytest.mark.parametrize(
    "answer",
    ["B", "b", " B\n", "B.", "(B)", "B)", "**B**", "`B`", "B[1][2]", "B) Black", "(B) black.", "B: Black", "Ｂ"],
)
def test_one_letter_is_an_answer(answer: str) -> None:
    assert read_answer(answer, ORDER) == "black"


@pytest.mark.parametrize(
    "answer",
    [
        "A) Black",  # letter and text disagree
        "Black",
        "A or B",
        "A, B",
        "AB",
        "B1",
        "BBlack",
        "BLACK",
        "D",
        "I cannot say.",
        "A person of colour",
        "The answer is B",
        "B) Black\n\nShe was born in St. Louis.",
        "B) Black or Asian",
        "",
        "?",
        "1",
        "Б",
    ],
)
def test_anything_else_is_none(answer: str) -> None:
    assert read_answer(answer, ORDER) is None


def test_a_letter_means_what_this_request_showed() -> None:
    assert read_answer("A", ("Female", "Other", "Male")) == "female"
    assert read_answer("A", ("Male", "Female", "Other")) == "male"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("of {author}?", "of the author?"),
        ("({letter}) {text}", "{text}"),
        ("Latino, Other", "Latino"),
        ("Male, Female", "Male, male"),
        ("system:", "sistem:"),
        ("gender:", "sex:"),
    ],
)
def test_other_files_are_refused(old: str, new: str, tmp_path: Path) -> None:
    text = CHOICES.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "labels.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError, match="holds no multiple-choice questions"):
        read_choices(path)
    with pytest.raises(ConfigError, match="no such file"):
        read_choices(tmp_path / "nothing.yaml")


def answers(rows: list[tuple[str, str, str, int, str | None, str]]) -> pd.DataFrame:
    columns = ["author_id", "attribute", "labeller", "request", "label", "status"]
    return pd.DataFrame(rows, columns=columns).assign(cause=None)


def pairs(attribute: str, said: list[tuple[str | None, str | None]]) -> pd.DataFrame:
    rows = [
        (f"a{place}", attribute, name, 0, label, "ok")
        for place, both in enumerate(said)
        for name, label in zip(("one", "two"), both, strict=True)
    ]
    return answers(rows)


def test_only_identical_answers_are_labels() -> None:
    table = pairs(
        "gender", [("female", "female"), ("female", "male"), ("other", "male"), ("other", "other"), (None, "male")]
    )
    compared = compare(table)
    assert compared["label"].tolist() == ["female", None, None, None, None]
    assert compared["outcome"].tolist() == ["kept", "differ", "other", "other", "no_answer"]
    authors = pd.DataFrame({"author_id": ["a4", "nobody", "a3", "a2", "a1", "a0"]})
    found = ask_consensus(authors, table)
    assert found["gender"].tolist() == [None, None, None, None, None, "female"]
    assert found["race"].tolist() == [None] * 6
    assert found["reason"].tolist() == [
        "gender unanswered (one: no single letter)",
        "not asked",
        "gender in no category (one and two: other)",
        "gender in no category (one: other)",
        "gender disputed (one: female, two: male)",
        "",
    ]


def test_the_last_request_counts_and_a_failed_call_is_no_label() -> None:
    table = answers(
        [
            ("a", "race", "one", 0, None, "ok"),
            ("a", "race", "one", 1, "black", "ok"),
            ("a", "race", "two", 0, "black", "ok"),
            ("b", "race", "one", 0, "white", "ok"),
            ("b", "race", "two", 0, None, "failed"),
        ]
    )
    table.loc[4, "cause"] = "timeout"
    found = ask_consensus(pd.DataFrame({"author_id": ["a", "b"]}), table)
    assert found["race"].tolist() == ["black", None]
    assert found["reason"].tolist() == ["", "race unanswered (two: timeout)"]


def test_nobody_asked() -> None:
    found = ask_consensus(pd.DataFrame({"author_id": ["a"]}), answers([]))
    assert found.to_dict("records") == [{"race": None, "gender": None, "reason": "not asked"}]


def test_kappa_is_that_of_the_textbook() -> None:
    """Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions (2003), Table 18.1: kappa 0.68."""
    counts = {("x", "x"): 75, ("x", "y"): 1, ("x", "z"): 4, ("y", "x"): 5, ("y", "y"): 4, ("y", "z"): 1}
    counts |= {("z", "x"): 0, ("z", "y"): 0, ("z", "z"): 10}
    said: list[tuple[str | None, str | None]] = [pair for pair, number in counts.items() for _ in range(number)]
    table = pd.concat([pairs("race", [*said, (None, "x"), ("x", None)]), pairs("gender", [("x", "x")] * 40)])
    measured = measure_agreement(table, ("one", "two"))
    check(measured, AGREEMENT)
    race, gender = measured.to_dict("records")
    assert race["n_asked"] == 102 and race["n_no_answer"] == 2 and race["n_kept"] == 89 and race["n_differ"] == 11
    assert race["agreement"] == pytest.approx(0.89)
    assert race["kappa"] == pytest.approx(0.676, abs=0.001)
    assert (race["ci_high"] - race["ci_low"]) / 2 / 1.96 == pytest.approx(0.088, abs=0.001)
    assert gender["agreement"] == 1 and np.isnan(gender["kappa"]) and "both say x" in gender["note"]


@pytest.mark.parametrize(
    ("said", "kappa", "note"),
    [
        ([("m", "m"), ("f", "f")] * 20, 1.0, "no interval: the answers do not vary"),
        ([("m", "f"), ("f", "m")] * 20, -1.0, "no interval"),
        ([("m", "m"), ("m", "f")] * 20, 0.0, "no interval"),
        ([("m", "m"), ("m", "f"), ("f", "f"), ("f", "f")] * 20, 0.5, ""),
        ([("m", "m"), ("f", "f"), ("m", "f")], 0.4, "rests on 3 authors"),
        ([(None, "m")], None, "no author has an answer from both"),
        ([], None, "no author has an answer from both"),
    ],
)
def test_kappa_of_odd_tables(said: list[tuple[str | None, str | None]], kappa: float | None, note: str) -> None:
    row = measure_agreement(pairs("race", said), ("one", "two")).iloc[0]
    assert row["kappa"] == pytest.approx(kappa) if kappa is not None else pd.isna(row["kappa"])
    assert note in str(row["note"])
    assert pd.isna(row["ci_low"]) == (kappa not in (0.4, 0.5)), "a width of zero would claim too much"
    if not pd.isna(row["ci_low"]):
        assert -1 <= row["ci_low"] <= row["kappa"] <= row["ci_high"] <= 1
