"""Planted truth: the same sentences, with authors of different groups, are decided equally well."""

import csv
from collections import defaultdict
from pathlib import Path

from attribench.evaluation.outcomes import classify

SAMPLE = Path(__file__).parents[2] / "resources" / "sample" / "universe.csv"

NAMED = (
    "{name}",
    "{name}.",
    "— {name}",
    "**Author:** {name}",
    "This quote is by {name}.",
    "The author of this quote is {name}, who wrote it in the 1960s.",
    "The quote is often attributed to {name}.",
    "It was written by {name} during the civil rights era.",
    "{name} wrote this in a letter to a friend.",
    "{name}'s essay on freedom contains this line.",
    "In this passage, {name} reflects on love and loss.",
    "As {name} once said, life is short.",
    "It is from {name}'s novel *The Long Night*.",
    '"Life is short." - {name}',
    "The context is a speech in which {name} urged unity.",
)
NOT_NAMED = (
    "It was not written by {name}.",
    "{name} never said this.",
    "The line is misattributed to {name}.",
    "It was written after the death of {name}.",
    "The book was translated by {name}.",
    "The letter is addressed to {name}.",
    "The speech was given during the presidency of {name}.",
    "A street called {name} Avenue runs there.",
)
GROUPS = {
    "English": ["Margaret Whitfield", "Thomas Ashworth", "Eleanor Hargreaves", "George Pemberton", "Alice Thornbury"],
    "African American": ["Latoya Washington", "DeShawn Freeman", "Tamika Booker", "Jamal Gaines", "Keisha Broadnax"],
    "Igbo": ["Chukwuemeka Okafor", "Ngozi Nwosu", "Obinna Eze", "Ifeoma Onwudiwe", "Adaeze Mbanefo"],
    "Yoruba": ["Olufunke Adebayo", "Babajide Ogunleye", "Folasade Akinwande", "Tunde Oyelaran", "Yetunde Ọlátúnjí"],
    "Chinese": ["Zhang Meiling", "Wang Xiaobo", "Chen Jianguo", "Liu Yifan", "Xu Zhimo"],
    "Japanese": ["Haruka Tanizaki", "Kenji Nakagami", "Yōko Tawada", "Sakura Fujimoto", "Takeshi Kaikō"],
    "Korean": ["Kim Soo-young", "Park Wan-suh", "Hwang Sok-yong", "Lee Chang-dong", "Choi Eun-mi"],
    "Vietnamese": ["Nguyễn Huy Thiệp", "Trần Thị Hương", "Phạm Quỳnh Anh", "Lê Minh Khuê", "Bảo Ninh"],
    "Hindi": ["Mahadevi Varma", "Krishna Sobti", "Rajendra Yadav", "Sunita Chaturvedi", "Arvind Mehrotra"],
    "Arabic": ["Ghassan Kanafani", "Hanan al-Shaykh", "Nizar Qabbani", "Samira Azzam", "Abdelrahman Munif"],
    "Spanish": ["Rosario Castellanos", "José Emilio Pacheco", "Elena Poniatowska", "Álvaro Mutis", "Claudia Piñeiro"],
    "Portuguese": [
        "Lygia Fagundes Telles",
        "Conceição Evaristo",
        "João Cabral de Melo Neto",
        "Adélia Prado",
        "Mia Couto",
    ],
}
MAX_DIFFERENCE = 0.005


def error_rate(names: list[str]) -> float:
    """Share of sentences decided wrongly, with each name as the true author and as somebody else."""
    wrong = total = 0
    for name in names:
        for author, found in ((name, "correct"), ("Wisława Szymborska", "incorrect")):
            expected = [(text, found) for text in NAMED] + [(text, "none") for text in NOT_NAMED]
            wrong += sum(classify(text.format(name=name), author) != outcome for text, outcome in expected)
            total += len(expected)
    return wrong / total


def test_names_of_all_peoples_are_recognised_equally_well() -> None:
    rates = {group: error_rate(names) for group, names in GROUPS.items()}
    assert max(rates.values()) - min(rates.values()) <= MAX_DIFFERENCE, rates
    assert max(rates.values()) <= MAX_DIFFERENCE, rates


def test_authors_of_the_sample_are_recognised_equally_well() -> None:
    groups = defaultdict(list)
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            groups[row["race"], row["gender"]].append(row["author_clean"])
    rates = {group: error_rate(names) for group, names in groups.items()}
    assert max(rates.values()) - min(rates.values()) <= MAX_DIFFERENCE, rates
