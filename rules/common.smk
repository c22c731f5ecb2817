# What every stage's rules share: the checked configuration, the fingerprint of a step's code,
# and where things are.

import hashlib
import re
import sys
from dataclasses import asdict
from pathlib import Path

from dotenv import load_dotenv
from snakemake.exceptions import WorkflowError

SOURCE = Path(workflow.basedir) / "src"
sys.path.insert(0, str(SOURCE))

from attribench.errors import AttribenchError
from attribench.evaluation.prompts import read_prompt_set
from attribench.modules import fingerprint, show_to_children
from attribench.settings import read_settings

# Keys of services may stand in a file .env; what the environment says already goes before it.
load_dotenv(".env")
# Each step runs in a process, and maybe in an environment, of its own: this is how it finds us.
show_to_children(SOURCE)


def checked_settings():
    """Return the typed configuration, or end with what is wrong with it."""
    try:
        return read_settings(config)
    except AttribenchError as error:
        raise WorkflowError(str(error))


def code(step, unused=()):
    """Return the fingerprint of a step's module and of everything of ours behind it, save what is unused."""
    return fingerprint(SOURCE / "attribench" / step, SOURCE, unused)


def require_files(files):
    """End with a sentence if a file that the configuration names is not there, unless it is not needed."""
    if not {"fetch_data", "--lint", "--unlock"}.isdisjoint(sys.argv):
        return
    if workflow.storage_settings.default_storage_provider:
        return  # they are there and need not be here; Snakemake says so if they are not
    for key, path in files.items():
        if path and not Path(path).is_file():
            raise WorkflowError(
                f"'{key}' is {path}, but there is no such file. Put it there, or set '{key}' to where it is. "
                "The published files are fetched by: snakemake --cores 1 fetch_data --configfile config.rebuild.yaml"
            )


def require_prompts(evaluation):
    """End with a sentence if the prompt set lacks a prompt that is to be asked."""
    if Path(evaluation["prompt_set"]).is_file():
        try:
            read_prompt_set(Path(evaluation["prompt_set"]), evaluation["prompts"])
        except AttribenchError as error:
            raise WorkflowError(str(error))


def growing(amount):
    """Return a resource that doubles with each attempt, where a profile has failed jobs run again."""
    return lambda wildcards, attempt: amount * 2 ** (attempt - 1)


def state_of(pattern):
    """Return what tells whether stores have changed, which no rule has as an input."""
    found = sorted(Path("resources/cache").glob(pattern))
    return [f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in found]


def one_of(datasets):
    """Return the pattern of a rule's wildcard that stands for one of `datasets` only."""
    return "|".join(map(re.escape, datasets)) or "(?!)"  # the last matches nothing


def origin_of(wildcards):
    """Return what the data card of a data set says about where it comes from."""
    dataset = SETTINGS.datasets[wildcards.dataset]
    groups = "; ".join(
        f"{name}: {', '.join(labels.values())}"
        for name, labels in dataset.groups.items()
    )
    options = {
        "groups": groups,
        "reference group": dataset.reference or "the smallest",
    }
    if not dataset.benchmark:
        options |= {
            "corpus.rules": SETTINGS.corpus["rules"],
            "corpus.naming_author": SETTINGS.corpus["naming_author"],
            "corpus.min_words": SETTINGS.corpus["min_words"],
            "corpus.max_words": SETTINGS.corpus["max_words"],
            "corpus.max_quotes_per_author": SETTINGS.corpus["max_quotes_per_author"],
            "demographics.sources": ", ".join(SETTINGS.demographics["sources"]),
            "fame.sources": ", ".join(SETTINGS.fame["sources"]),
            **{
                f"balance.{key}": SETTINGS.balance[key]
                for key in (
                    "method",
                    "runs",
                    "threshold",
                    "unmatched",
                    "min_log10_hits",
                )
            },
            "seed": SETTINGS.seed,
        }
    sources = [SETTINGS.demographics["sources"], SETTINGS.fame["sources"]]
    in_universe = (
        "all"
        if ["published"] in sources
        else "some" if "published" in sources[0] + sources[1] else "none"
    )
    return {
        "is_handed_in": bool(dataset.benchmark),
        "universe": "none" if dataset.benchmark else in_universe,
        "options": options,
        **{key: SETTINGS.release[key] for key in ("creator", "license", "url")},
    }


def checksums(files):
    """Return the sha256 of those of `files` that are there."""
    there = [Path(file) for file in files if Path(file).is_file()]
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in there}


def outcomes_to_compare():
    """Return the outcomes behind the configuration's comparisons, of other folders only those that are there."""
    if not SETTINGS.compare and "compare" in sys.argv:
        raise WorkflowError(
            "The configuration names no comparison. Add one, such as: compare: {new-version: "
            "{first: {model: old}, second: {model: new}}}, with names of models (docs/analysis.md)."
        )
    runs = [run for pair in SETTINGS.compare.values() for run in pair.values()]
    files = [
        (run["results"], f"evaluation/{dataset}/{run['model']}/outcomes.parquet")
        for run in runs
        for dataset in SETTINGS.datasets
    ]
    return sorted(
        {
            f"{results}/{file}"
            for results, file in files
            if results == "results" or exists(f"{results}/{file}")
        }
    )


def known_of_authors(table):
    """Return a function that names a table about all authors, for data sets that have one."""
    return lambda wildcards: [] if wildcards.dataset in HANDED_IN else [table]


SETTINGS = checked_settings()
# The groups of each data set, in the order in which tables and figures show them.
GROUPS = {name: list(dataset.groups) for name, dataset in SETTINGS.datasets.items()}
# Data sets are taken from a file that was handed in, or built from the corpus.
HANDED_IN = [name for name, dataset in SETTINGS.datasets.items() if dataset.benchmark]
BUILT = [name for name in SETTINGS.datasets if name not in HANDED_IN]
require_files(
    {"evaluation.prompt_set": SETTINGS.evaluation["prompt_set"]}
    | {"audit.prompt": SETTINGS.audit["prompt"] for _ in SETTINGS.judges}
    | {
        f"datasets.{name}.benchmark": SETTINGS.datasets[name].benchmark
        for name in HANDED_IN
    }
    | (
        {
            "corpus.quotes": SETTINGS.corpus["quotes"],
            "published_universe": SETTINGS.published_universe,
            "fame.table.path": SETTINGS.fame["table"].get("path"),
        }
        if BUILT
        else {}
    )
)
require_prompts(SETTINGS.evaluation)
WORD_LISTS = {
    "corpus": [
        *(
            f"resources/words/{name}.txt"
            for name in ("characters", "common_words", "family_names", "given_names")
        ),
        *sorted(map(str, Path("resources/words/corpus").glob("*.txt"))),
    ],
    "evaluation": sorted(
        str(file)
        for file in Path("resources/words").rglob("*.txt")
        if "corpus" not in file.parts
    ),
}


include: "common/asking.smk"
include: "common/evidence.smk"
include: "common/report.smk"
