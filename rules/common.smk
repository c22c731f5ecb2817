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
from attribench.modules import fingerprint, show_to_children
from attribench.report.contents import FIGURES, TABLES, TITLES
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
    for key, path in files.items():
        if path and not Path(path).is_file():
            raise WorkflowError(
                f"'{key}' is {path}, but there is no such file. Put it there, or set '{key}' to where it is."
            )


def served_files(models):
    """Return the files of those models that a step serves itself."""
    endpoints = [model.endpoint for model in models.values()]
    return [
        f"resources/cache/models/{endpoint['file']}.gguf"
        for endpoint in endpoints
        if endpoint["kind"] == "gguf"
    ]


def model_file(wildcards):
    """Return the file that the model's step serves, or nothing for a model that runs elsewhere."""
    return served_files({wildcards.model: SETTINGS.models[wildcards.model]})


def growing(amount):
    """Return a resource that doubles with each attempt, where a profile has failed jobs run again."""
    return lambda wildcards, attempt: amount * 2 ** (attempt - 1)


def threads_to_ask(models):
    """Return all cores where a step serves one of `models`, so that no two compete, else one per process that asks."""
    models = list(models)
    served = [
        model.endpoint
        for model in models
        if model.endpoint["kind"] in ("gguf", "command")
    ]
    if not served:
        return max((model.threads for model in models), default=1)
    # Without --cores, jobs run on other machines: each gets what its servers use.
    return workflow.resource_settings.cores or max(
        (
            endpoint["parallel"] * endpoint["threads"]
            if endpoint["kind"] == "gguf"
            else 8
        )
        for endpoint in served
    )


def gpus_to_ask(models):
    """Return the graphics processors of a job whose servers use them (Snakemake's resource `gpu`)."""
    wanted = max((model.endpoint.get("gpus", 0) for model in models), default=0)
    return {"gpu": wanted} if wanted else {}


def asking_threads(wildcards):
    """Return the threads of a job that asks the model of its wildcard."""
    return threads_to_ask([SETTINGS.models[wildcards.model]])


def api_resource(provider):
    """Return the name of the resource that the jobs which ask a provider share."""
    return re.sub(r"\W", "_", f"api_{provider}")


def api_resources(*providers):
    """Return the resources of a job that asks `providers`."""
    return {api_resource(name): 1 for name in providers if name in SETTINGS.limits}


def asking_resources(models):
    """Return for each provider with limits whether a job of one of `models`, by its wildcard, asks it live."""
    # A batch is waited for, up to a day: meanwhile it keeps no other model from its provider.
    return {
        api_resource(provider): lambda wildcards, provider=provider: int(
            models[wildcards.model].provider == provider
            and not models[wildcards.model].batch
        )
        for provider in SETTINGS.limits
    } | {
        name: lambda wildcards: models[wildcards.model].endpoint.get("gpus", 0)
        for name in gpus_to_ask(models.values())
    }


def files_by_model(models):
    """Return, by the name of each model that a step serves itself, the file that is served."""
    return {
        name: served_files({name: model})[0]
        for name, model in models.items()
        if served_files({name: model})
    }


def hosted(models):
    """Return those models that a provider hosts."""
    return {
        name: model
        for name, model in models.items()
        if model.endpoint["kind"] == "hosted"
    }


def preflight_of(wildcards):
    """Return what was found out about how a hosted model is asked; nothing for any other."""
    return (
        [ancient("results/evaluation/preflight.json")]
        if wildcards.model in hosted(SETTINGS.models)
        else []
    )


def state_of(pattern):
    """Return what tells whether stores have changed, which no rule has as an input."""
    found = sorted(Path("resources/cache").glob(pattern))
    return [f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in found]


def one_of(datasets):
    """Return the pattern of a rule's wildcard that stands for one of `datasets` only."""
    return "|".join(map(re.escape, datasets)) or "(?!)"  # the last matches nothing


def embeddings_file(dataset):
    """Return the file with the embeddings of a data set's quotes."""
    own = f"results/evidence/{dataset}/embeddings.parquet"
    return own if dataset in HANDED_IN else "results/evidence/embeddings.parquet"


def embeddings_of(wildcards):
    """Return the same as an input function."""
    return embeddings_file(wildcards.dataset)


def corpus_of_evidence(wildcards):
    """Return the corpus where a data set's evidence is found in all of it, else nothing."""
    return (
        ["results/corpus/quotes.parquet"]
        if SETTINGS.evidence["pool"] == "corpus"
        else []
    )


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
            if results == "results" or Path(results, file).is_file()
        }
    )


def known_of_authors(table):
    """Return a function that names a table about all authors, for data sets that have one."""
    return lambda wildcards: [] if wildcards.dataset in HANDED_IN else [table]


def figure(name):
    """Return a figure's file, for Snakemake's report too."""
    section, label = FIGURES[name]
    return report(
        f"results/report/figures/{name}.png",
        caption=f"../resources/captions/{name}.rst",
        category=TITLES[section],
        labels={"figure": label},
    )


def table(name, caption=None):
    """Return a table's CSV, for Snakemake's report too."""
    section, label = TABLES.get(name, ("accuracy", name.replace("_", ": ")))
    return report(
        f"results/report/tables/{name}.csv",
        caption=f"../resources/captions/{caption or name}.rst",
        category=TITLES[section],
        labels={"table": label},
    )


def beside(files, *formats):
    """Return files of the same names in other formats."""
    return [str(Path(file).with_suffix(f".{f}")) for file in files for f in formats]


SETTINGS = checked_settings()
# The groups of each data set, in the order in which tables and figures show them.
GROUPS = {name: list(dataset.groups) for name, dataset in SETTINGS.datasets.items()}
# Data sets are taken from a file that was handed in, or built from the corpus.
HANDED_IN = [name for name, dataset in SETTINGS.datasets.items() if dataset.benchmark]
BUILT = [name for name in SETTINGS.datasets if name not in HANDED_IN]
EMBEDDING_SETTINGS = {
    key: value for key, value in SETTINGS.evidence.items() if key != "k"
}
if SETTINGS.evidence["embedding"] != "lsa":
    EMBEDDING_SETTINGS["budget_usd"] = SETTINGS.budget_usd
# What asks an embedding model changes nothing where none is asked.
NOT_FOR_EMBEDDING = (
    ("chat", "ledger") if SETTINGS.evidence["embedding"] == "lsa" else ()
)
EMBEDDING_STORE = "resources/cache/evidence/{}.sqlite".format(
    re.sub(r"[^A-Za-z0-9.-]+", "_", SETTINGS.evidence["embedding"])
)
# The jobs that ask a provider with limits share them: so many at a time as the limits are parted for.
for provider, limit in SETTINGS.limits.items():
    workflow.register_resource(api_resource(provider), limit["jobs"])
# Snakemake's reporter writes there, and makes no folder.
Path("results/report").mkdir(parents=True, exist_ok=True)
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
