"""The figure of the classifier's errors: every value of every attribute, from every source that there is."""

import pandas as pd
import pytest

from attribench.report import draw_instrument_error
from attribench.tables import write
from attribench.tables.evaluation import INSTRUMENT_ERROR

pytestmark = pytest.mark.filterwarnings("error")

GROUPS = {"intersectional": ["White female", "Black female"], "multi": ["White"]}


def error_table(sources=("planted",), rate=0.01, race=("black", "white")):
    """Return INSTRUMENT_ERROR, the error rate growing from value to value."""
    values = [("all", "all", "all"), *(("all", "race", name) for name in race), ("all", "gender", "not on record")]
    values += [("all", "name form", name) for name in ("plain", "marks")]
    values += [(dataset, "group", group) for dataset, groups in GROUPS.items() for group in sorted(groups)]
    rows = [
        {
            "source": source, "classifier": "names", "dataset": dataset, "attribute": attribute, "value": value,
            "expected": expected, "n": 1000, "n_authors": 10, "errors": 1, "error_rate": rate * i,
            "ci_low": rate * i * 0.9, "ci_high": rate * i * 1.2, "difference": 0.0,
            "excess_correct": 0.0, "excess_none": 0.0,
        }
        for source in sources
        for i, (dataset, attribute, value) in enumerate(values)
        for expected in ("all", "none")
    ]  # fmt: skip
    return pd.DataFrame(rows).assign(weighted_error_rate=None, difference_low=None, difference_high=None, note=None)[
        INSTRUMENT_ERROR.names
    ]


def names(axes):
    return [label.get_text() for label in axes.get_yticklabels()]


def test_a_panel_for_each_attribute_and_groups_in_their_order():
    figure = draw_instrument_error.draw_instrument_error(error_table(), GROUPS)
    assert [names(axes) for axes in figure.axes] == [
        ["all"], ["black", "white"], ["not on record"], ["marks", "plain"], GROUPS["intersectional"], GROUPS["multi"],
    ]  # fmt: skip
    groups = figure.axes[4]
    assert groups.yaxis_inverted()
    rates = dict(zip(names(groups), groups.lines[0].get_xdata(), strict=True))
    assert rates["Black female"] == pytest.approx(6) and rates["White female"] == pytest.approx(7)
    assert figure.axes[-1].get_xlim()[1] == pytest.approx(1.08 * 1.2 * 8)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["planted answers (n = 1,000)"]


def test_every_source_has_its_mark_beside_the_others():
    figure = draw_instrument_error.draw_instrument_error(
        error_table(("planted", "labelled", "labelled_latino", "judge", "hand")), GROUPS
    )
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert [text.split(" (")[0] for text in legend] == [
        "planted answers",
        "labelled answers",
        "labelled answers about Latino authors",
        "judged by a model",
        "judged by a person",
    ]
    marks = {line.get_marker() for line in figure.axes[1].lines} - {"|"}
    assert {"o", "^", "v", "s", "D"} <= marks
    places = [line.get_ydata()[0] for line in figure.axes[0].lines if line.get_marker() in "o^vsD"]
    assert len(set(places)) == 5


def test_an_interval_of_few_answers_does_not_stretch_the_axis():
    table = error_table()
    table.loc[table["value"] == "marks", ["ci_high", "note"]] = [0.9, "rests on 3 answers"]
    assert draw_instrument_error.draw_instrument_error(table, GROUPS).axes[0].get_xlim()[1] < 12


def test_no_error_at_all_and_odd_names_can_be_drawn():
    table = error_table(rate=0.0, race=("$x_{1}$ <b>", "村上"))
    figure = draw_instrument_error.draw_instrument_error(table, GROUPS)
    assert figure.axes[0].get_xlim() == (0, 1)


def test_the_files_are_the_same_each_time(tmp_path):
    other = error_table(("hand",), rate=0.2).assign(classifier="published")
    write(pd.concat([error_table(), other]), tmp_path / "errors.csv", INSTRUMENT_ERROR)
    made = []
    for name in "ab":
        png = tmp_path / f"{name}.png"
        draw_instrument_error.main(instrument_error=tmp_path / "errors.csv", groups=GROUPS, classifier="names", png=png)
        made.append([png.read_bytes(), png.with_suffix(".pdf").read_bytes()])
    assert made[0] == made[1] and made[0][0].startswith(b"\x89PNG")
