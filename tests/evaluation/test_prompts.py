"""The prompts are those of the paper's Table 1, word for word; a bad prompt set is said to be one."""

from pathlib import Path

import pytest
import yaml

from attribench.errors import ConfigError
from attribench.evaluation.prompts import PromptSet, read_prompt_set

QUOTE = 'He said {no}: "100 %"'
SYSTEM = (
    "You are a helpful assistant that provides concise, factual responses. Answer concisely. "
    "Do not repeat the quote. Answer in maximum 1 sentence."
)
PAPER = {
    "direct": f'Please identify the author of the following quote. "{QUOTE}"',
    "indirect": f'Briefly summarize the context in which the following quote was written. "{QUOTE}"',
    "indirect_overt": (
        "Briefly summarize the context in which the following quote was written, mentioning the author if relevant. "
        f'"{QUOTE}"'
    ),
}
EVIDENCE = [
    {"rank": 1, "quote": QUOTE, "author": "Maya Angelou", "similarity": 1.0},
    {"rank": 2, "quote": "Other {words}", "author": "{rank}", "similarity": 0.87654321},
]


@pytest.fixture
def paper(prompt_set: Path) -> PromptSet:
    return read_prompt_set(prompt_set, PAPER)


@pytest.mark.parametrize("prompt", PAPER)
def test_wording_of_the_paper(prompt: str, paper: PromptSet) -> None:
    assert paper.messages(prompt, QUOTE) == [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": PAPER[prompt]},
    ]


@pytest.mark.parametrize("prompt", PAPER)
def test_evidence_follows_the_prompt_in_order(prompt: str, paper: PromptSet) -> None:
    system, user = paper.messages(prompt, QUOTE, EVIDENCE)
    assert system["content"] == SYSTEM
    assert user["content"] == (
        f"{PAPER[prompt]}\n\nRetrieved examples:\n"
        f'1. "{QUOTE}" - Maya Angelou (similarity: 1.0000)\n'
        '2. "Other {words}" - {rank} (similarity: 0.8765)'
    )


def test_a_prompt_that_is_not_there_is_named(prompt_set: Path) -> None:
    with pytest.raises(ConfigError, match=r"asks for oblique, but .* has only direct, indirect, indirect_overt"):
        read_prompt_set(prompt_set, ["direct", "oblique"])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"expected at .*none\.yaml, but there is no such file"):
        read_prompt_set(tmp_path / "none.yaml", ["direct"])


GOOD = {
    "system": "S",
    "prompts": {"direct": "Who? {quote}"},
    "evidence": "E {lines}",
    "line": "{rank} {quote} {author} {similarity:.4f}",
}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"system": None}, "system"),
        ({"prompts": None}, "prompts"),
        ({"prompts": {"direct": "Who?"}}, "'prompts' may use"),
        ({"prompts": {"direct": "Who? {quote} {author}"}}, "author"),
        ({"prompts": {"direct": None}}, "is no prompt set"),
        ({"evidence": "E"}, "'evidence' may use"),
        ({"line": "{rank} {name}"}, "name"),
        ({"line": "{rank"}, "is no prompt set"),
        ({"line": "{similarity:.4q}"}, "is no prompt set"),
        ({"prompts": ["direct"]}, "is no prompt set"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_another_form_is_refused(changed: dict[str, object], said: str, tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(yaml.safe_dump({k: v for k, v in (GOOD | changed).items() if v is not None}))
    with pytest.raises(ConfigError, match=said) as caught:
        read_prompt_set(path, ["direct"])
    assert str(path) in str(caught.value) and "It must have system, prompts" in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just text", "system: [unclosed"])
def test_another_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match="is no prompt set"):
        read_prompt_set(path, ["direct"])


def test_a_set_of_ones_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(yaml.safe_dump(GOOD))
    assert read_prompt_set(path, ["direct"]).messages("direct", "Q")[1]["content"] == "Who? Q"


def test_evidence_in_the_order_of_the_published_code(prompt_set: Path) -> None:
    published = read_prompt_set(prompt_set.parent / "published.yaml", PAPER)
    system, user = published.messages("direct", QUOTE, EVIDENCE)
    number, author, similarity, quote = (user["content"].index(part) for part in ("2. ", "{rank}", "0.8765", "Other"))
    assert number < author < similarity < quote
    assert system["content"] == SYSTEM
    assert published.messages("direct", QUOTE) == read_prompt_set(prompt_set, PAPER).messages("direct", QUOTE)


def test_prompts_with_evidence_can_have_a_system_prompt_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(yaml.safe_dump({**GOOD, "evidence_system": "Look at the examples."}))
    prompts = read_prompt_set(path, ["direct"])
    assert prompts.messages("direct", "Q")[0]["content"] == "S"
    assert prompts.messages("direct", "Q", EVIDENCE)[0]["content"] == "Look at the examples."
