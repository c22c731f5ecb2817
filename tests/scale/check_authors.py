"""How many labelled author cells are read right, by stratum, beside what is asked for.

    PYTHONPATH=src python tests/scale/check_authors.py --cases authors-dev.jsonl [--show]

A file of cases has one JSON object a line: `raw`, `keep`, `name`, `work`, `stratum`, and maybe `accept`
and `accept_work` (other answers just as right) and `ambiguous` (not scored). A case is right if it is kept
or dropped as it should be and, where it is kept, the name has the same letters and digits, whatever their
case and marks.
"""

import argparse
import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attribench.corpus.authors import CleanAuthor, NoIndividual, judge_author

TARGETS = {"comma": 0.98, "nocomma_ge3": 0.98, "nocomma_single": 0.90, "hard": 0.90}


def key(text: str | None) -> str:
    """Return the letters and digits of a text, in lower case and without marks."""
    return "".join(c for c in unicodedata.normalize("NFKD", text or "").lower() if c.isalnum())


def is_same(found: str | None, case: dict[str, Any], what: str) -> bool:
    """Return whether `found` is the `what` of a case, or one of those that are just as right."""
    right = [case.get(what), *(case.get({"name": "accept", "work": "accept_work"}[what]) or [])]
    return key(found) in map(key, right)


def check(cases: Iterable[dict[str, Any]], show: bool) -> None:
    """Print a line for each stratum, and each wrong case if `show` says so."""
    right: defaultdict[str, list[bool]] = defaultdict(list)
    works: defaultdict[str, list[bool]] = defaultdict(list)
    for case in cases:
        if case.get("ambiguous"):
            continue
        found = judge_author(case["raw"])
        is_right = isinstance(found, CleanAuthor) == case["keep"]
        if isinstance(found, CleanAuthor) and case["keep"]:
            is_right = is_same(found.name, case, "name")
            works[case["stratum"]].append(is_same(found.work, case, "work"))
        right[case["stratum"]].append(is_right)
        if show and not is_right:
            got = found.kind if isinstance(found, NoIndividual) else found.name
            print(
                f"  {case['stratum']}: {case['raw']!r} is {case['name'] if case['keep'] else 'dropped'!r}, not {got!r}"
            )
    print(f"{'stratum':16} {'right':>6} {'cases':>6} {'share':>7} {'target':>7} {'works right':>12}")
    for stratum, found_right in right.items():
        share, kept = sum(found_right) / len(found_right), works[stratum]
        print(
            f"{stratum:16} {sum(found_right):6} {len(found_right):6} {share:7.1%} {TARGETS.get(stratum, 0):7.0%} "
            f"{sum(kept):>7} of {len(kept)}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, required=True, help="labelled cells, one JSON object a line")
    parser.add_argument("--show", action="store_true", help="print the cases that are wrong")
    options = parser.parse_args()
    check(map(json.loads, options.cases.read_text(encoding="utf-8").splitlines()), options.show)
