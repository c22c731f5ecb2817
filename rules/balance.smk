# Which authors match across groups?
#
# In:  results/corpus/{quotes,authors}.parquet, results/demographics/labels.parquet,
#      results/fame/fame.parquet
# Out: results/balance/{dataset}/runs.csv, matchings.parquet, benchmark.parquet, exclusions.csv,
#      group_fame.csv, matching_quality.csv (of one that was handed in, matching_quality.csv alone)

MATCHING_METHOD = SETTINGS.balance["method"]


rule measure_groups:
    """Measure how famous the groups are before anybody is matched (Table 3)."""
    input:
        labels="results/demographics/labels.parquet",
        fame="results/fame/fame.parquet",
    output:
        group_fame="results/balance/{dataset}/group_fame.csv",
    log:
        "logs/balance/measure_groups.{dataset}.log",
    benchmark:
        "benchmarks/balance/measure_groups.{dataset}.tsv"
    conda:
        "../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        groups=lambda wildcards: SETTINGS.datasets[wildcards.dataset].groups,
        code=code("balance/measure_groups.py"),
    message:
        "Measuring the fame of the groups of {wildcards.dataset}"
    script:
        "../src/attribench/balance/measure_groups.py"


rule select_candidates:
    """Choose the authors of each group that can be matched, and count the others by reason."""
    input:
        authors="results/corpus/authors.parquet",
        labels="results/demographics/labels.parquet",
        fame="results/fame/fame.parquet",
    output:
        candidates="results/balance/{dataset}/candidates.parquet",
        exclusions="results/balance/{dataset}/exclusions.csv",
    log:
        "logs/balance/select_candidates.{dataset}.log",
    benchmark:
        "benchmarks/balance/select_candidates.{dataset}.tsv"
    conda:
        "../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        groups=lambda wildcards: SETTINGS.datasets[wildcards.dataset].groups,
        min_log10_hits=SETTINGS.balance["min_log10_hits"],
        code=code("balance/select_candidates.py"),
    message:
        "Choosing the authors of {wildcards.dataset} that can be matched"
    script:
        "../src/attribench/balance/select_candidates.py"


rule match_authors:
    """Match authors across groups by fame, in a share of the randomized runs."""
    input:
        candidates="results/balance/{dataset}/candidates.parquet",
    output:
        matchings=temp("results/balance/{dataset}/runs/{scatteritem}.parquet"),
    log:
        "logs/balance/match_authors.{dataset}.{scatteritem}.log",
    benchmark:
        "benchmarks/balance/match_authors.{dataset}.{scatteritem}.tsv"
    conda:
        "../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(30),
    params:
        dataset="{dataset}",
        part="{scatteritem}",
        groups=lambda wildcards: list(SETTINGS.datasets[wildcards.dataset].groups),
        reference=lambda wildcards: SETTINGS.datasets[wildcards.dataset].reference,
        method=MATCHING_METHOD,
        runs=SETTINGS.balance["runs"],
        threshold=SETTINGS.balance["threshold"],
        unmatched=SETTINGS.balance["unmatched"],
        seed=SETTINGS.seed,
        code=code("balance/match_authors.py"),
    message:
        "Matching the authors of {wildcards.dataset}, part {wildcards.scatteritem} of the runs"
    script:
        "../src/attribench/balance/match_authors.py"


rule select_run:
    """Rank all runs by the five criteria and keep the best."""
    input:
        parts=gather.runs("results/balance/{{dataset}}/runs/{scatteritem}.parquet"),
    output:
        run_table=report(
            "results/balance/{dataset}/runs.csv",
            caption="../resources/captions/runs.rst",
            category="Data sets",
            labels={"table": "Randomized runs", "data set": "{dataset}"},
        ),
        matchings="results/balance/{dataset}/matchings.parquet",
    log:
        "logs/balance/select_run.{dataset}.log",
    benchmark:
        "benchmarks/balance/select_run.{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(BUILT),
    conda:
        "../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        dataset="{dataset}",
        method=MATCHING_METHOD,
        runs=SETTINGS.balance["runs"],
        code=code("balance/select_run.py"),
    message:
        "Selecting the best run for {wildcards.dataset}"
    script:
        "../src/attribench/balance/select_run.py"


rule sample_quotes:
    """Draw the same number of quotes for every author of a matching."""
    input:
        matchings="results/balance/{dataset}/matchings.parquet",
        quotes="results/corpus/quotes.parquet",
        authors="results/corpus/authors.parquet",
        labels="results/demographics/labels.parquet",
        wikidata=WIKIDATA,
    output:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
    log:
        "logs/balance/sample_quotes.{dataset}.log",
    benchmark:
        "benchmarks/balance/sample_quotes.{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(BUILT),
    conda:
        "../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        dataset="{dataset}",
        seed=SETTINGS.seed,
        code=code("balance/sample_quotes.py"),
    message:
        "Drawing the quotes of {wildcards.dataset}"
    script:
        "../src/attribench/balance/sample_quotes.py"


rule measure_quality:
    """Measure how well the groups match, in fame and in length of quotes."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        matchings="results/balance/{dataset}/matchings.parquet",
    output:
        quality=report(
            "results/balance/{dataset}/matching_quality.csv",
            caption="../resources/captions/matching_quality.rst",
            category="Data sets",
            labels={"table": "Quality of the matching", "data set": "{dataset}"},
        ),
    log:
        "logs/balance/measure_quality.{dataset}.log",
    benchmark:
        "benchmarks/balance/measure_quality.{dataset}.tsv"
    conda:
        "../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=code("balance/measure_quality.py"),
    message:
        "Measuring how well the groups of {wildcards.dataset} match"
    script:
        "../src/attribench/balance/measure_quality.py"


include: "balance/release.smk"
