# How do groups differ, and is it chance?
#
# In:  results/balance/{dataset}/benchmark.parquet,
#      results/evaluation/{dataset}/{model}/outcomes.parquet
# Out: results/analysis/overall.csv, results/analysis/subgroups.csv, results/analysis/pairwise.csv,
#      results/analysis/instruments.csv


rule summarise_outcomes:
    """Work out accuracy and suppression, overall, by group, and between groups."""
    input:
        benchmarks=expand(
            "results/balance/{dataset}/benchmark.parquet", dataset=SETTINGS.datasets
        ),
        outcomes=expand(
            "results/evaluation/{dataset}/{model}/outcomes.parquet",
            dataset=SETTINGS.datasets,
            model=SETTINGS.models,
        ),
    output:
        overall="results/analysis/overall.csv",
        subgroups="results/analysis/subgroups.csv",
        pairwise="results/analysis/pairwise.csv",
    log:
        "logs/analysis/summarise_outcomes.log",
    benchmark:
        "benchmarks/analysis/summarise_outcomes.tsv"
    conda:
        "../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        groups={
            name: list(dataset.groups) for name, dataset in SETTINGS.datasets.items()
        },
        models=list(SETTINGS.models),
        unanswered=SETTINGS.analysis["unanswered"],
        code=code("analysis/summarise_outcomes.py"),
    message:
        "Comparing groups"
    script:
        "../src/attribench/analysis/summarise_outcomes.py"


rule compare_instruments:
    """Work out accuracy and suppression by each way of telling whom an answer names."""
    input:
        benchmarks=expand(
            "results/balance/{dataset}/benchmark.parquet", dataset=SETTINGS.datasets
        ),
        outcomes=expand(
            "results/evaluation/{dataset}/{model}/outcomes.parquet",
            dataset=SETTINGS.datasets,
            model=SETTINGS.models,
        ),
    output:
        instruments="results/analysis/instruments.csv",
    log:
        "logs/analysis/compare_instruments.log",
    benchmark:
        "benchmarks/analysis/compare_instruments.tsv"
    conda:
        "../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        groups={
            name: list(dataset.groups) for name, dataset in SETTINGS.datasets.items()
        },
        models=list(SETTINGS.models),
        unanswered=SETTINGS.analysis["unanswered"],
        code=code("analysis/compare_instruments.py"),
    message:
        "Comparing instruments"
    script:
        "../src/attribench/analysis/compare_instruments.py"
