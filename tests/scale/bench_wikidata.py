"""How fast many names are looked up in Wikidata, and whether a run that is killed goes on where it was.

    PYTHONPATH=src:tests python tests/scale/bench_wikidata.py [--names 5000] [--delay 0.0]

A loopback server answers in Wikidata's shapes, each time after `delay` seconds. The step runs in a process of
its own, which is killed (SIGKILL) after a third of the searches, and again among the items; the third run ends.
What was kept is asked for no more: of all requests only those under way when the process ended may be repeated.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd

from attribench.tables import read, write
from attribench.tables.corpus import AUTHORS
from attribench.tables.demographics import WIKIDATA

CONCURRENCY = 2
TESTS = Path(__file__).parents[1]


def server(names: int, delay: float) -> Any:
    """Return a Wikidata that knows `names` people and answers after `delay` seconds."""
    spec = importlib.util.spec_from_file_location("wikidata_server", TESTS / "demographics" / "conftest.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class Wikidata(module.WikidataServer):  # type: ignore[misc, name-defined]
        def _answer(self, path: str, agent: str) -> Any:
            time.sleep(delay)
            return super()._answer(path, agent)

        def _search(self, asked: dict[str, str]) -> dict[str, Any]:
            number = asked["search"].rsplit(" ", 1)[1]
            match = {"type": "label", "language": "en", "text": asked["search"]}
            hit = {"id": f"Q9{number}", "title": f"Q9{number}", "label": asked["search"], "match": match}
            return {"searchinfo": {}, "search": [hit], "success": 1}

    found = Wikidata()
    for number in range(names):
        found.add(f"Q9{number}", name(number), P21=["Q6581072"], P172=["Q49085"])
    found.add("Q49085", "African Americans", P31=["Q41710"])
    return found


def name(number: int) -> str:
    """Return the name of a person."""
    return f"Somebody Number {number}"


def look_up(arguments: dict[str, str]) -> None:
    """Run the step."""
    from attribench.demographics.look_up_wikidata import main

    paths = {key: Path(arguments[key]) for key in ("authors", "ethnic_groups", "wikidata")}
    main(
        **paths,
        contact="somebody@university.edu",
        api=arguments["api"],
        sparql=arguments["sparql"],
        timeout=60,
        concurrency=CONCURRENCY,
        attempts=3,
        max_missing=0,
        store=arguments["store"],
    )


def bench(names: int, delay: float) -> None:
    """Run the step three times, the first two of them killed, and print what was asked for."""
    wikidata = server(names, delay)
    with tempfile.TemporaryDirectory() as folder:
        people = pd.DataFrame({"author_id": [f"a{n}" for n in range(names)], "author": list(map(name, range(names)))})
        people = people.assign(aliases=[[] for _ in range(names)], n_quotes=1)
        write(people, Path(folder) / "authors.parquet", AUTHORS)
        arguments = {
            "authors": f"{folder}/authors.parquet",
            "ethnic_groups": str(TESTS.parent / "resources" / "ethnic_groups.csv"),
            "wikidata": f"{folder}/wikidata.parquet",
            "store": f"{folder}/wikidata.sqlite",
            "api": wikidata.api,
            "sparql": wikidata.sparql,
        }
        batches = -(-names // 50)
        for part, until in (("search", names // 3), ("sparql", batches // 2), ("", 0)):
            start, before = time.monotonic(), len(wikidata.seen)
            running = subprocess.Popen([sys.executable, __file__, "--only", json.dumps(arguments)])
            while running.poll() is None and not (part and wikidata.count(part) >= until):
                time.sleep(0.005)
            if part:
                running.kill()
            code = running.wait()
            asked, seconds = len(wikidata.seen) - before, time.monotonic() - start
            how = f"killed after {until} requests of the kind '{part}'" if part else f"ended with code {code}"
            print(f"{how}: {asked} requests in {seconds:.1f} s, {asked / seconds:.0f} a second", flush=True)
        table = read(Path(arguments["wikidata"]), WIKIDATA)
    wikidata.close()
    searches = [asked["search"] for part, asked in wikidata.seen if part == "search"]
    repeated = len(searches) - len(set(searches))
    print(
        f"{len(table)} authors, {(table['status'] == 'found').sum()} found, {(table['race'] == 'black').sum()} labelled"
    )
    print(f"{len(searches)} searches for {names} names: {repeated} made twice (at most {CONCURRENCY} were under way)")
    print(f"{wikidata.count('sparql')} queries for {batches} batches and the ethnic groups")
    if repeated > CONCURRENCY or (table["status"] != "found").any():
        raise SystemExit("Something was asked for again that had been answered, or was lost.")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--only"]:
        look_up(json.loads(sys.argv[2]))
    else:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--names", type=int, default=5000, help="names to look up")
        parser.add_argument("--delay", type=float, default=0.0, help="what each answer takes, in seconds")
        options = parser.parse_args()
        bench(options.names, options.delay)
