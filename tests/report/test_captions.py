"""The captions that the rules name are there, and are what Snakemake's reporter can show."""

import re
from pathlib import Path
from types import SimpleNamespace

import docutils.core
import jinja2
import pytest

from attribench.report.contents import FIGURES, SECTIONS, TABLES

ROOT = Path(__file__).parents[2]
CAPTIONS = sorted((ROOT / "resources" / "captions").glob("*.rst"))


def shown(file, config, unanswered="exclude"):
    job = SimpleNamespace(
        wildcards=SimpleNamespace(model="gpt_x*`", dataset="d_e"),
        params=SimpleNamespace(unanswered=unanswered),
        config=config,
    )
    text = jinja2.Template(file.read_text(encoding="utf-8")).render(snakemake=job)
    return docutils.core.publish_parts(text, writer="html", settings_overrides={"halt_level": 2})["body"]


def test_every_caption_belongs_to_something():
    rules = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "rules").rglob("*.smk"))
    named = set(re.findall(r'caption="(?:\.\./)+resources/captions/(\w+)\.rst"', rules))
    assert {file.stem for file in CAPTIONS} == named | FIGURES.keys() | TABLES.keys() | {"workflow", "groups"}


def test_every_figure_and_table_has_its_place():
    sections = {section.name for section in SECTIONS}
    assert {place for place, _ in [*FIGURES.values(), *TABLES.values()]} <= sections


@pytest.mark.parametrize("file", CAPTIONS, ids=lambda file: file.stem)
@pytest.mark.parametrize("analysis", [{}, {"analysis": {"unanswered": "none"}}])
def test_captions_are_valid(file, analysis):
    body = shown(file, {"models": {"m_1": {}}, "datasets": {"d": {}}, **analysis})
    assert len(body) > 100
    assert "{{" not in body


def test_the_table_says_what_became_of_answers_without_text():
    file = ROOT / "resources" / "captions" / "accuracy.rst"
    assert "left out of the mean" in shown(file, {})
    assert "scored as" in shown(file, {}, "none")
