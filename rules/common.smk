# What every stage's rules share: the checked configuration, the fingerprint of a step's code,
# and the files that the targets stand for.

import re
import sys
from dataclasses import asdict
from pathlib import Path

from snakemake.exceptions import WorkflowError

SOURCE = Path(workflow.basedir) / "src"
sys.path.insert(0, str(SOURCE))

from attribench.errors import AttribenchError
from attribench.modules import fingerprint, show_to_children
from attribench.settings import read_settings

# Each step runs in a process, and maybe in an environment, of its own: this is how it finds us.
show_to_children(SOURCE)


def checked_settings():
    """Return the typed configuration, or end with what is wrong with it."""
    try:
        return read_settings(config)
    except AttribenchError as error:
        raise WorkflowError(str(error))


def code(step):
    """Return the fingerprint of a step's module and of everything of ours behind it."""
    return fingerprint(SOURCE / "attribench" / step, SOURCE)


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


def asking_threads(wildcards):
    """Return all cores for a model that its step serves, so that no two compete, else one."""
    return workflow.cores if model_file(wildcards) else 1


SETTINGS = checked_settings()
Path("results/report").mkdir(
    parents=True, exist_ok=True
)  # where Snakemake's reporter writes
WORD_LISTS = {
    "corpus": [
        "resources/words/characters.txt",
        *sorted(map(str, Path("resources/words/corpus").glob("*.txt"))),
    ],
    "evaluation": sorted(
        str(file)
        for file in Path("resources/words").rglob("*.txt")
        if "corpus" not in file.parts
    ),
}

DATASET_FILES = expand(
    "results/balance/{dataset}/{table}",
    dataset=SETTINGS.datasets,
    table=[
        "benchmark.parquet",
        "matchings.parquet",
        "runs.csv",
        "exclusions.csv",
        "group_fame.csv",
        "matching_quality.csv",
    ],
) + ["results/corpus/funnel.csv"]
EVIDENCE_FILES = expand("results/evidence/{dataset}.parquet", dataset=SETTINGS.datasets)
EVALUATION_FILES = expand(
    "results/evaluation/{dataset}/{model}/{table}",
    dataset=SETTINGS.datasets,
    model=SETTINGS.models,
    table=["responses.parquet", "outcomes.parquet", "manifest.json"],
)
ANALYSIS_FILES = expand(
    "results/analysis/{table}.csv", table=["overall", "subgroups", "pairwise"]
)
REPORT_FILES = expand(
    "results/report/figures/{figure}.{format}",
    figure=[
        "figure_4_overall_accuracy",
        "figure_5_subgroup_accuracy",
        "figure_6_s_omit",
        "figure_7_s_evid",
        "figure_9_demographics",
        "figure_10_fame_distribution",
    ],
    format=["png", "pdf"],
) + expand("results/report/models/{model}.png", model=SETTINGS.models)
REPORT_FILES += expand(
    "results/report/tables/{table}.{format}",
    table=["accuracy", "table_2_selected_runs", "table_3_group_fame"],
    format=["csv", "md"],
)
if SETTINGS.fame["compare"]:
    REPORT_FILES += expand(
        "results/report/figures/fame_comparison_{dataset}.png",
        dataset=SETTINGS.datasets,
    )
