# How do groups differ, and is it chance?
#
# In:  results/balance/{dataset}/{benchmark,matchings}.parquet, what the covariates need of the stages
#      corpus, balance and evidence, results/evaluation/{dataset}/{model}/outcomes.parquet
# Out: results/analysis/{overall,subgroups,pairwise,...}.csv: OUTCOME_TABLES in the Snakefile,
#      covariates_of_quotes.parquet, covariates.csv
#      On demand: comparison.csv, compared_quotes.parquet (target compare)


rule measure_covariates:
    """Measure what quotes differ in beside the group, before and after matching."""
    input:
        benchmarks=expand(
            "results/balance/{dataset}/benchmark.parquet", dataset=SETTINGS.datasets
        ),
        matchings=expand(
            "results/balance/{dataset}/matchings.parquet", dataset=SETTINGS.datasets
        ),
        embeddings=[embeddings_file(dataset) for dataset in SETTINGS.datasets],
        candidates=expand("results/balance/{dataset}/candidates.parquet", dataset=BUILT),
        corpus=(
            [
                "results/corpus/quotes.parquet",
                "results/corpus/authors.parquet",
                SETTINGS.corpus["quotes"],
            ]
            if BUILT
            else []
        ),
        words=["resources/words/common_words.txt", "resources/words/given_names.txt"],
        birth_years=SETTINGS.analysis["birth_years"] or [],
        wikidata=WIKIDATA if BUILT else [],
    output:
        covariates_of_quotes="results/analysis/covariates_of_quotes.parquet",
        covariates="results/analysis/covariates.csv",
    log:
        "logs/analysis/measure_covariates.log",
    benchmark:
        "benchmarks/analysis/measure_covariates.tsv"
    conda:
        "../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=growing(30),
    params:
        groups=GROUPS,
        built=BUILT,
        topics=SETTINGS.analysis["topics"],
        seed=SETTINGS.seed,
        code=code("analysis/measure_covariates.py"),
    message:
        "Comparing the quotes of the groups"
    script:
        "../src/attribench/analysis/measure_covariates.py"


rule summarise_outcomes:
    """Work out accuracy and suppression, overall, by group, and between groups."""
    input:
        benchmarks=expand(
            "results/balance/{dataset}/benchmark.parquet", dataset=SETTINGS.datasets
        ),
        matchings=expand(
            "results/balance/{dataset}/matchings.parquet", dataset=SETTINGS.datasets
        ),
        outcomes=expand(
            "results/evaluation/{dataset}/{model}/outcomes.parquet",
            dataset=SETTINGS.datasets,
            model=SETTINGS.models,
        ),
        covariates="results/analysis/covariates_of_quotes.parquet",
    output:
        tables=expand("results/analysis/{table}.csv", table=OUTCOME_TABLES),
    log:
        "logs/analysis/summarise_outcomes.log",
    benchmark:
        "benchmarks/analysis/summarise_outcomes.tsv"
    conda:
        "../envs/analysis.yaml"
    threads: 2
    resources:
        mem_mb=growing(4000),
        runtime=growing(10),
    params:
        groups=GROUPS,
        models=list(SETTINGS.models),
        unanswered=SETTINGS.analysis["unanswered"],
        family=SETTINGS.analysis["family"],
        bootstrap=SETTINGS.analysis["bootstrap"],
        fame_bin_width=SETTINGS.analysis["fame_bin_width"],
        seed=SETTINGS.seed,
        code=code("analysis/summarise_outcomes.py"),
    message:
        "Comparing groups"
    script:
        "../src/attribench/analysis/summarise_outcomes.py"


rule compare_runs:
    """Set pairs of runs against each other, quote by quote (the configuration's `compare`)."""
    input:
        benchmarks=expand(
            "results/balance/{dataset}/benchmark.parquet", dataset=SETTINGS.datasets
        ),
        # This configuration's own runs are made first; those of another folder are there, or the step says so.
        outcomes=outcomes_to_compare(),
    output:
        comparison="results/analysis/comparison.csv",
        compared_quotes="results/analysis/compared_quotes.parquet",
    log:
        "logs/analysis/compare_runs.log",
    benchmark:
        "benchmarks/analysis/compare_runs.tsv"
    conda:
        "../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        comparisons=SETTINGS.compare,
        groups=GROUPS,
        unanswered=SETTINGS.analysis["unanswered"],
        code=code("analysis/compare_runs.py"),
    message:
        "Comparing runs"
    script:
        "../src/attribench/analysis/compare_runs.py"


rule run_selftest:
    """Simulate answers with a known truth and analyse them; the workflow runs in a folder of its own."""
    input:
        words=[
            "resources/words/given_names.txt",
            "resources/words/family_names.txt",
            "resources/words/common_words.txt",
        ],
    output:
        checks="results/selftest/checks.csv",
        report="results/selftest/report.md",
    log:
        "logs/analysis/run_selftest.log",
    benchmark:
        "benchmarks/analysis/run_selftest.tsv"
    conda:
        "../envs/analysis.yaml"
    threads: 2
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        root=workflow.basedir,
        python=sys.executable,
        folder=str(Path("results/selftest/workflow").absolute()),
        authors=742,
        replicates=120,
        seed=SETTINGS.seed,
        code=code("analysis/run_selftest.py"),
    message:
        "Testing the analysis on simulated answers (minutes)"
    script:
        "../src/attribench/analysis/run_selftest.py"


rule judge_selftest:
    """Fail if the truth of the simulated answers does not come back."""
    input:
        checks="results/selftest/checks.csv",
        report="results/selftest/report.md",
    output:
        passed="results/selftest/passed.txt",
    log:
        "logs/analysis/judge_selftest.log",
    benchmark:
        "benchmarks/analysis/judge_selftest.tsv"
    conda:
        "../envs/analysis.yaml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(5),
    params:
        code=code("analysis/judge_selftest.py"),
    message:
        "Judging the self-test"
    script:
        "../src/attribench/analysis/judge_selftest.py"


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
        mem_mb=growing(4000),
        runtime=growing(10),
    params:
        groups=GROUPS,
        models=list(SETTINGS.models),
        unanswered=SETTINGS.analysis["unanswered"],
        code=code("analysis/compare_instruments.py"),
    message:
        "Comparing instruments"
    script:
        "../src/attribench/analysis/compare_instruments.py"
