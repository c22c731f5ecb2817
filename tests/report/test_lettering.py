"""Names are drawn with letters that a font has, in lines that fit."""

import matplotlib as mpl
import pytest

from attribench.report import style
from attribench.report.lettering import drawable, wrap


def test_letters_of_the_bundled_font_stay():
    assert drawable("Brontë, Åsa, Łukasz, Гоголь †*") == "Brontë, Åsa, Łukasz, Гоголь †*"


def test_a_letter_without_a_font_is_given_by_its_code_point(monkeypatch):
    monkeypatch.setattr("attribench.report.lettering._letters", lambda: frozenset(range(32, 128)))
    assert drawable("村上 春樹") == "[U+6751 U+4E0A] [U+6625 U+6A39]"


def test_control_characters_and_line_ends_become_spaces():
    assert drawable(" a\n\tb\x00c ") == "a b c"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("White female", 11, ["White", "female"]),
        ("Black male", 11, ["Black male"]),
        ("indirect_overt + evidence", 11, ["indirect_", "overt +", "evidence"]),
        ("llama-4-maverick-17b-128e", 12, ["llama-4-", "maverick-", "17b-128e"]),
        ("omission S_omit", 11, ["omission", "S_omit"]),
        ("unbreakableword", 5, ["unbreakableword"]),
        ("", 5, [""]),
    ],
)
def test_lines_are_parted_between_words_first(text, width, lines):
    assert wrap(text, width).split("\n") == lines


@pytest.mark.filterwarnings("error")
def test_no_empty_boxes(tmp_path):
    with style.house_style():
        figure = style.new_figure(4, 2)
        axes = figure.subplots()
        style.head(axes, "村上 春樹 🎉 \u202e", "नमस्ते", 4)
        axes.set_yticks([0.5], [drawable("$x^2$ 村上")])
    style.save(figure, tmp_path / "a.png", tmp_path / "a.pdf")
    assert axes.get_yticklabels()[0].get_text().startswith("$x^2$")


def test_the_house_style_ends_with_its_block():
    before = dict(mpl.rcParams)
    with style.house_style():
        assert mpl.rcParams["axes.titleweight"] == "bold"
    assert dict(mpl.rcParams) == before
