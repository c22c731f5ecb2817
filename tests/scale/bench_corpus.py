"""How the time and the memory of the whole corpus step grow with the corpus, beside a plain pandas pipeline.

    PYTHONPATH=src python tests/scale/bench_corpus.py [--base quotes.csv.gz] [--sizes 50000 500000 5000000]

Each corpus is made from the base by repetition with changes: of the rows that are repeated, a tenth
is repeated as it stands, a tenth with nothing but capitals and the last mark changed, and the rest
with one word replaced; half of the author cells get another surname in each round, so that authors
grow in number as well as in quotes. The plain pipeline does the least that can be called cleaning:
author before the first comma, exact repeats removed, 5 to 30 words, at most 10 quotes an author.

Both read the same gzipped file and write Parquet, each in a process of its own. The ratio of their
CPU times does not depend much on the computer; the time per row should stay the same.
"""

import argparse
import csv
import gzip
import io
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE = Path(__file__).parents[2] / "resources" / "sample" / "quotes.csv"


def make(base: Path, size: int, corpus: Path) -> dict[str, float]:
    """Write a corpus of `size` rows."""
    rng = random.Random(1)
    with (gzip.open if base.suffix == ".gz" else open)(base, "rt", encoding="utf-8-sig", newline="") as file:
        rows = [(r["quote"], r["author"], r["category"]) for r in csv.DictReader(file)]
    if len(rows) > size:
        rows = [rows[place] for place in sorted(rng.sample(range(len(rows)), size))]
    words = [word for quote, _, _ in rng.sample(rows, min(len(rows), 5000)) for word in quote.split()]
    with gzip.open(corpus, "wb", compresslevel=1) as packed, io.TextIOWrapper(packed, "utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("quote", "author", "category"))
        for number in range(size):
            turn, place = divmod(number, len(rows))
            quote, author, category = rows[place]
            if turn:
                quote, author = changed(quote, words, rng), renamed(author, turn)
            writer.writerow((quote, author, category))
    return {}


def changed(quote: str, words: list[str], rng: random.Random) -> str:
    """Return a repeated quote: as it is, with other capitals and marks, or with another word."""
    draw = rng.random()
    if draw < 0.1:
        return quote
    if draw < 0.2:
        return quote.upper().rstrip(".!?") + "!"
    parts = quote.split() or [""]
    parts[rng.randrange(len(parts))] = rng.choice(words)
    return " ".join(parts)


def renamed(author: str, turn: int) -> str:
    """Return the author cell of a repeated quote, for half of the authors with another surname."""
    head, comma, work = author.partition(",")
    if not head.strip() or (sum(map(ord, head)) + turn) % 2:
        return author
    ending = "".join(("ba", "de", "ki", "lo", "mu", "na", "ri", "so", "tu", "ve")[int(digit)] for digit in str(turn))
    return f"{head.rstrip()}{ending}{comma}{work}"


def clean(corpus: Path, folder: Path) -> None:
    """Run the step, with the paper's rules."""
    from attribench.corpus.clean_quotes import main

    main(
        quotes_csv=corpus,
        quotes=folder / "quotes.parquet",
        authors=folder / "authors.parquet",
        funnel=folder / "funnel.csv",
        rules="paper",
        naming_author="keep",
        min_words=5,
        max_words=30,
        max_quotes_per_author=10,
        seed=1,
    )


def plain(corpus: Path, folder: Path) -> None:
    """Run the plain pipeline."""
    import pandas as pd

    rows = pd.read_csv(corpus, dtype=str, keep_default_na=False)
    rows["author"] = rows["author"].str.split(",", n=1).str[0].str.strip()
    rows = rows[rows["author"] != ""].drop_duplicates(["author", "quote"])
    rows = rows[rows["quote"].str.count(r"\w+").between(5, 30)]
    rows.groupby("author", sort=False).head(10).to_parquet(folder / "plain.parquet")


def measured(way: str, corpus: Path, folder: Path) -> dict[str, float]:
    """Run one way in this process and return its CPU time in seconds and its peak memory in MB."""
    import attribench.corpus.clean_quotes  # noqa: F401  (imports, pandas among them, are not counted)

    start = time.process_time()
    {"clean": clean, "plain": plain}[way](corpus, folder)
    seconds = time.process_time() - start
    return {"seconds": seconds, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def apart(*arguments: object) -> dict[str, float]:
    """Run this file in a process of its own and return what it prints."""
    done = subprocess.run(
        [sys.executable, __file__, "--only", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(base: Path, sizes: list[int]) -> None:
    """Print a row of the table for each size."""
    print(f"{'rows':>10} {'step, s':>9} {'plain, s':>9} {'ratio':>6} {'µs per row':>11}", end=" ")
    print(f"{'step, MB':>9} {'plain, MB':>10} {'ratio':>6} {'bytes per row':>14}   growth: rows, time, memory")
    before: tuple[int, float, float] | None = None
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            corpus = Path(name) / "corpus.csv.gz"
            apart("make", corpus, base, size)
            ours, theirs = apart("clean", corpus, name), apart("plain", corpus, name)
        seconds, memory = ours["seconds"], ours["megabytes"]
        line = f"{size:10,} {seconds:9.2f} {theirs['seconds']:9.2f} {seconds / theirs['seconds']:6.2f}"
        line += f" {1e6 * seconds / size:11.1f} {memory:9.0f} {theirs['megabytes']:10.0f}"
        line += f" {memory / theirs['megabytes']:6.2f} {memory * 2**20 / size:14.0f}"
        if before:
            line += f"   × {size / before[0]:.1f}, {seconds / before[1]:.1f}, {memory / before[2]:.1f}"
        print(line, flush=True)
        before = size, seconds, memory


if __name__ == "__main__":
    if sys.argv[1:2] == ["--only"]:
        way, corpus, *rest = sys.argv[2:]
        done = (
            make(Path(rest[0]), int(rest[1]), Path(corpus))
            if way == "make"
            else measured(way, Path(corpus), Path(rest[0]))
        )
        print(json.dumps(done))
    else:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--base", type=Path, default=SAMPLE, help="the corpus to begin with, plain or .gz")
        parser.add_argument("--sizes", type=int, nargs="+", default=[50_000, 500_000, 5_000_000], help="in rows")
        options = parser.parse_args()
        compare(options.base, options.sizes)
