"""How fast answers are decided: our rules beside the published matcher, and the whole step at full size.

    PYTHONPATH=src python tests/scale/bench_outcomes.py [--authors 3000] [--answers 20000] [--whole 840000]

The answers are sentences of known kinds (`attribench.evaluation.planted`) about made-up authors, each
with one or two sentences more, as long as those of a chat model. Three ways are timed on the same
answers in one process: our rules; the published matcher transcribed plainly, each surname of the data
set tried as a pattern of its own, compiled beforehand; and the same outcomes by looking up words, which
is how `attribench.evaluation.published` gets them. `--whole` writes so many answers as a model's
responses and runs the step that classifies them by all three ways, with two processes; it prints the
time from start to end and the largest memory of a process.
"""

import argparse
import multiprocessing
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from attribench.evaluation import published
from attribench.evaluation.classify_answers import main as classify_answers
from attribench.evaluation.outcomes import explain
from attribench.evaluation.planted import planted_answers
from attribench.evaluation.words import Kind, listed
from attribench.tables import write
from attribench.tables.balance import BENCHMARK
from attribench.tables.evaluation import RESPONSES

MORE = (
    "It speaks of the way in which people hold on to hope when everything else has been taken from them.",
    "The passage belongs to a longer reflection on memory, loss and the duties that the living have to the dead.",
    "It was probably written in the years after the Second World War, when many artists left Europe for New York.",
    "The tone is warm and a little ironic, and the image of the river comes back at the end of the chapter.",
    "Readers have often quoted it in speeches about justice, education and the Civil Rights Movement.",
)
QUOTE_WORDS = [
    "the", "a", "river", "night", "heart", "time", "love", "of", "and", "in", "to", "we", "they", "never", "always",
    "light", "stone", "road", "home", "morning", "is", "was",
]  # fmt: skip


def make_benchmark(authors: int, rng: random.Random) -> pd.DataFrame:
    """Return made-up authors with two quotes each: given names and surnames of the word lists put together."""
    given, family = (
        sorted(w for w in listed(kind) if w.isalpha() and len(w) > 3) for kind in (Kind.GIVEN, Kind.FAMILY)
    )
    names = {f"{rng.choice(given).title()} {rng.choice(family).title()}": None for _ in range(authors)}
    rows = [(name, rng.choices(QUOTE_WORDS, k=rng.randint(8, 25))) for name in names for _ in range(2)]
    table = pd.DataFrame({"author": [n for n, _ in rows], "quote": [" ".join(q).capitalize() + "." for _, q in rows]})
    ids = [f"jstet_{n}" for n in range(len(table))]
    fixed = {"group": "g", "race": "r", "gender": "x", "match_id": 0, "n_words": 10, "log10_hits": 5.0}
    aliases = [[] for _ in ids]
    return table.assign(quote_id=ids, author_id=table["author"], aliases=aliases, **fixed)[BENCHMARK.names]


def make_answers(benchmark: pd.DataFrame, count: int, rng: random.Random) -> pd.DataFrame:
    """Return `count` answers, columns `quote_id` and `text`, those about one quote together."""
    per_author = -(-count // (3 * benchmark["author_id"].nunique()))
    planted = planted_answers(benchmark, rng=np.random.default_rng(1), per_author=per_author)[:count]
    texts = [" ".join([text, *rng.sample(MORE, rng.randint(0, 2))]) for text in planted["text"]]
    found = planted[["quote_id"]].assign(text=texts).sort_values("quote_id", kind="stable")
    return found.reset_index(drop=True)


def transcription(authors: list[str]) -> Callable[[str, str], str]:
    """Return the published rule as it stands: patterns over the answer, one for each surname of the data set."""
    surnames = {name for name in map(published.surname, authors) if name}
    others = [re.compile(rf"\b{re.escape(name)}\b") for name in surnames]

    def decide(output: str, author: str) -> str:
        low, words = output.lower(), author.lower().split()
        own = [" ".join(words), " ".join(words[::-1]), published.surname(author)]
        if any(name and re.search(rf"\b{re.escape(name)}\b", low) for name in own):
            return "correct"
        if published.TWO_CAPITALS.search(output) or any(other.search(low) for other in others):
            return "incorrect"
        return "none"

    return decide


def rate(decide: Callable[[str, str, str], object], answers: pd.DataFrame, about: pd.DataFrame) -> float:
    """Return the answers decided in a second of processor time."""
    rows = list(zip(answers["text"], about["author"], about["quote"], strict=True))
    start = time.process_time()
    for text, author, quote in rows:
        decide(text, author, quote)
    return len(rows) / (time.process_time() - start)


def compare(benchmark: pd.DataFrame, answers: pd.DataFrame) -> None:
    """Print the rates of the three ways."""
    about = benchmark.set_index("quote_id").loc[answers["quote_id"]]
    authors = list(benchmark["author"].unique())
    plain, looked_up = transcription(authors), published.classifier(authors)
    few = slice(None, None, max(1, len(answers) // 2000))  # the plain one takes milliseconds for each
    for text, author in zip(answers["text"][few], about["author"][few], strict=True):
        if plain(text, author) != looked_up(text, author, (), ""):
            raise SystemExit(f"the two ways of the published rule differ: {text!r}, {author!r}")
    ours = rate(lambda text, author, quote: explain(text, author, (), quote), answers, about)
    theirs = rate(lambda text, author, _: plain(text, author), answers[few], about[few])
    quick = rate(lambda text, author, _: looked_up(text, author, (), ""), answers, about)
    mean = answers["text"].str.len().mean()
    print(f"{len(answers):,} answers of {mean:.0f} characters on average, {len(authors):,} authors")
    print(
        f"answers a second of one core: ours {ours:,.0f}, published rule plainly {theirs:,.0f}, by look-up {quick:,.0f}"
    )
    print(
        f"ours is {ours / theirs:.1f} times as fast as the plain one, and {ours / quick:.2f} times the one by look-up"
    )


def whole(benchmark: pd.DataFrame, answers: pd.DataFrame) -> None:
    """Time the step on `answers` and print its memory."""
    number = answers.groupby("quote_id", sort=False).cumcount()
    filled = {"prompt": "direct", "evidence": False, "key": "k", "status": "ok", "attempts": 1}
    table = answers.assign(generation=number, **filled)
    for column in RESPONSES.columns:
        if column.name not in table:
            table[column.name] = None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(benchmark, folder / "benchmark.parquet", BENCHMARK)
        write(table, folder / "responses.parquet", RESPONSES)
        del table
        step = multiprocessing.get_context("spawn").Process(target=_timed, args=(folder, len(answers)))
        step.start()
        step.join()


def _timed(folder: Path, count: int) -> None:
    start = time.perf_counter()
    classify_answers(
        responses=folder / "responses.parquet",
        benchmark_table=folder / "benchmark.parquet",
        classifier="names",
        threads=2,
        outcomes=folder / "outcomes.parquet",
    )
    seconds = time.perf_counter() - start
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    memory = [one.ru_maxrss / 1024 for one in used]
    print(f"the step on {count:,} answers: {seconds:.1f} s from start to end, {cpu:.1f} s of processor time in all")
    print(f"largest memory: {memory[0]:,.0f} MB, of a process it starts {memory[1]:,.0f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--authors", type=int, default=3000, help="about those of a data set of the paper")
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument(
        "--whole", type=int, default=0, help="answers for the whole step, 840000 for a model of the paper"
    )
    options = parser.parse_args()
    made = make_benchmark(options.authors, random.Random(1))
    compare(made, make_answers(made, options.answers, random.Random(2)))
    if options.whole:
        whole(made, make_answers(made, options.whole, random.Random(3)))
