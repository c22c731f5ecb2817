"""The documentation agrees with the code: generated pages are fresh, links lead somewhere, files are named right."""

import difflib
import re
from pathlib import Path

import pytest

from attribench import rulegraph
from attribench.reference import COMMAND, MODULES, ROOT, declared, file_of, pages

DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "resources").rglob("*.md"),
    *ROOT.glob("config/*.md"),
]
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize(("path", "text"), pages().items(), ids=lambda value: getattr(value, "stem", ""))
def test_reference_is_fresh(path: Path, text: str) -> None:
    there = path.read_text(encoding="utf-8") if path.is_file() else ""
    difference = "\n".join(
        difflib.unified_diff(there.splitlines(), text.splitlines(), "there", "declared", lineterm="")
    )
    assert there == text, (
        f"{path.relative_to(ROOT)} differs from what is declared; mend it with: {COMMAND}\n{difference}"
    )


def test_no_module_of_tables_is_left_out() -> None:
    folder = ROOT / "src" / "attribench" / "tables"
    declaring = {
        path.stem
        for path in folder.glob("*.py")
        if re.search(r"^\w+ = Table\(", path.read_text(encoding="utf-8"), re.M)
    }
    assert declaring == {Path(str(module.__file__)).stem for found in MODULES.values() for module in found}


def test_each_column_has_a_meaning() -> None:
    bare = [f"{t.name}.{c.name}" for found in declared().values() for t in found for c in t.columns if not c.meaning]
    assert not bare


def test_files_of_tables_are_those_of_rules() -> None:
    """Each file that the reference names is one that a rule or the Snakefile names."""
    rules = "\n".join(
        path.read_text(encoding="utf-8") for path in [ROOT / "Snakefile", *(ROOT / "rules").rglob("*.smk")]
    )
    strange = []
    for stage, found in declared().items():
        for table in found:
            last = Path(file_of(table, stage).split(", ")[0]).name
            if (
                last not in rules
                and f'"{Path(last).stem}"' not in rules
                and not (ROOT / file_of(table, stage)).exists()
            ):
                strange.append(file_of(table, stage))
    assert not strange, f"No rule makes {strange}; mend FILES in src/attribench/reference.py."


def anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_resolve(document: Path) -> None:
    broken = []
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, part = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        headings = (
            re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
            if path.suffix == ".md" and path.is_file()
            else []
        )
        if not path.exists() or (part and part not in map(anchor, headings)):
            broken.append(target)
    assert not broken, f"{document.relative_to(ROOT)} links to what is not there: {', '.join(broken)}"


MERMAID = """
flowchart TB
	id0[all]
	id1[clean_quotes]
	id2[label_authors]
	id3[select_candidates]
	style id0 fill:#D95757
	id3 --> id0
	id1 --> id0
	id1 --> id2
	id1 --> id3
	id2 --> id3
"""


def test_the_drawing_has_the_rules_in_their_stages_and_no_arrow_that_follows_from_others() -> None:
    lines = [line.strip() for line in rulegraph.drawing(MERMAID)]
    assert [line for line in lines if "-->" in line] == [
        "clean_quotes --> label_authors",
        "label_authors --> select_candidates",
    ]
    assert lines[lines.index("subgraph balance") + 1] == "select_candidates"


def test_rules_of_the_drawing_are_those_of_the_stages() -> None:
    """That they are those of a whole run is seen where one is made (test_main_job.py)."""
    stages = rulegraph.rules_by_stage()
    drawn = rulegraph.drawn(rulegraph.PAGE.read_text(encoding="utf-8"))
    assert drawn.keys() == stages.keys()
    strange = {rule for stage, rules in drawn.items() for rule in rules if rule not in stages[stage]}
    assert not strange, f"No such rules in rules/*.smk: {strange}; mend it with: {rulegraph.COMMAND}"
