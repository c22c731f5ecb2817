"""What is exported for other tools: our questions byte for byte, files that parse, our classifier."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from attribench.evaluation import outcomes
from attribench.evaluation.classify_answers import classify_table
from attribench.evaluation.export_tasks import METRICS, main
from attribench.evaluation.exported_task import ExportedTask, condition
from attribench.evaluation.prompts import read_prompt_set
from attribench.evaluation.questions import list_questions
from attribench.tables import read
from attribench.tables.balance import BENCHMARK
from attribench.tables.evidence import EVIDENCE

ANSWERS = [
    "It was written by Maya Angelou.",
    "Marguerite Johnson.",
    "Mark Twain, in World War II.",
    "By Future.",
    "A speech.",
    " \n",
]


def asked(step: dict[str, Any]) -> dict[tuple[str, str, bool], list[dict[str, str]]]:
    """The messages that our own step sends, by what they are about."""
    questions = list_questions(
        read(step["benchmark_table"], BENCHMARK),
        read(step["evidence_table"], EVIDENCE),
        read_prompt_set(step["prompt_set"], step["prompts"]),
        prompts=step["prompts"],
        evidence_settings=step["evidence_settings"],
        generations=1,
        endpoint={},
        model="m",
        sampling={},
        seed=None,
    )
    return {(q.quote_id, q.prompt, q.evidence): q.question.content["messages"] for q in questions.itertuples()}


def test_the_messages_are_ours_to_the_byte(step: dict[str, Any], exported: Path) -> None:
    found = {
        (q["quote_id"], q["prompt"], q["evidence"]): [
            {"role": "system", "content": q["system"]},
            {"role": "user", "content": q["user"]},
        ]
        for q in ExportedTask(exported).questions()
    }
    assert found == asked(step)
    assert len(found) == 8 * 2 * 2
    assert len({messages[0]["content"] for messages in found.values()}) == 2, "evidence has a system prompt of its own"


def test_a_part_of_the_questions_can_be_had(exported: Path) -> None:
    task = ExportedTask(exported)
    found = task.questions("indirect", True)
    assert len(found) == 8
    assert {q["condition"] for q in found} == {"indirect_evidence"} == {condition("indirect", True)}
    assert len(task.questions(evidence=False)) == 16
    with pytest.raises(ValueError, match=r"overt is not in this task\. It has: direct, indirect"):
        task.questions("overt")


def test_each_condition_and_generation_is_a_task_of_the_harness(exported: Path) -> None:
    """Everything that a YAML file names is there; the functions are those of the file beside it."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    files = {path.name: yaml.load(path.read_text(encoding="utf-8"), Loader) for path in exported.glob("*.yaml")}
    shared = files.pop("shared.yaml")
    functions = {n.name for n in ast.walk(ast.parse((exported / "harness.py").read_text())) if hasattr(n, "name")}
    named = [shared["custom_dataset"], shared["process_results"], *(m["aggregation"] for m in shared["metric_list"])]
    assert {name.removeprefix("harness.") for name in named} <= functions
    assert [m["metric"] for m in shared["metric_list"]] == list(METRICS)
    groups = {found["group"]: found["task"] for found in files.values() if "group" in found}
    tasks = {found["task"]: found for found in files.values() if "group" not in found}
    assert {f"{name}.yaml" for name in [*groups, *tasks]} == set(files)
    assert set(groups.pop("attribench_some_set")) == set(groups)
    assert sorted(part for parts in groups.values() for part in parts) == sorted(tasks)
    one = tasks["attribench_some_set_indirect_evidence_1"]
    assert one["include"] == "shared.yaml"
    assert one["dataset_kwargs"] == {"prompt": "indirect", "evidence": True}
    sent = {"until": [], "do_sample": True, "temperature": 0.7, "top_p": 0.95, "max_gen_toks": 32, "seed": 8}
    assert one["generation_kwargs"] == sent


def test_one_generation_needs_no_group_for_it(step: dict[str, Any]) -> None:
    main(**step | {"generations": 1, "prompts": ["direct"], "evidence_settings": [False]})
    assert sorted(path.name for path in step["folder"].glob("attribench_*")) == [
        "attribench_some_set.yaml",
        "attribench_some_set_direct.yaml",
    ]


@pytest.mark.parametrize("classifier", ["names", "strict", "published"])
def test_answers_are_scored_as_the_workflow_does(step: dict[str, Any], classifier: str) -> None:
    """To the names of the data set's authors, too, which are persons whatever their words mean."""
    main(**step | {"classifier": classifier})
    task = ExportedTask(step["folder"])
    questions = task.questions("direct", False)
    rows = [(question, text) for question in questions for text in ANSWERS]
    answers = pd.DataFrame({"quote_id": [q["quote_id"] for q, _ in rows], "text": [text for _, text in rows]})
    answers = answers.assign(prompt="direct", evidence=False, generation=0, status="ok")
    ours = classify_table(answers, read(step["benchmark_table"], BENCHMARK), classifier)["outcome"]
    found = [task.outcome(question, text) for question, text in rows]
    assert found == ours.astype(object).where(ours.notna(), None).tolist()
    assert set(found) == {"correct", "incorrect", "none", None}
    assert task.outcome(questions[0], None) is None
    if classifier == "names":
        assert task.outcome(questions[0], "It is by Future.") == "incorrect"
        assert outcomes.classify("It is by Future.", questions[0]["author"]) == "none"


def test_what_is_exported_stands_alone(exported: Path) -> None:
    """The Python files import the tool, ours and the standard library; ours imports the standard library alone."""
    for name in ("harness.py", "inspect_task.py"):
        tree = ast.parse((exported / name).read_text(encoding="utf-8"))
        imported = {node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert imported - sys.stdlib_module_names <= {"attribench", "datasets", "inspect_ai"}
    source = Path(outcomes.__file__).parents[2]
    code = (
        f"import sys; sys.path.insert(0, {str(source)!r})\nfrom pathlib import Path\n"
        "from attribench.evaluation.exported_task import ExportedTask\n"
        f"task = ExportedTask(Path({str(exported)!r}))\n"
        "print(task.outcome(task.questions()[0], 'It is by Maya Angelou.'))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "correct\n"


def test_the_readme_names_the_data_set(exported: Path) -> None:
    text = (exported / "README.md").read_text(encoding="utf-8")
    assert "attribench_some_set_direct" in text
    assert "DATASET" not in text
    settings = json.loads((exported / "task.json").read_text(encoding="utf-8"))
    assert settings["sampling"] == {"temperature": 0.7, "top_p": 0.95, "max_tokens": 32}
