# Benchmarks that come in, and benchmarks that go out.
#
# In:  a benchmark that was handed in (datasets.<name>.benchmark), and the raw corpus where it is there; to be
#      published, results/balance/{dataset}/{benchmark,matchings}.parquet and what is known of its authors
# Out: results/balance/{dataset}/{benchmark,matchings}.parquet, differences.csv, corpus_differences.csv;
#      results/release/{dataset}/


rule read_benchmark:
    """Take a benchmark that was handed in, check it, and say what differs from what is expected."""
    input:
        file=lambda wildcards: SETTINGS.datasets[wildcards.dataset].benchmark,
    output:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        matchings="results/balance/{dataset}/matchings.parquet",
        differences=report(
            "results/balance/{dataset}/differences.csv",
            caption="../../resources/captions/differences.rst",
            category="Data sets",
            labels={"table": "What differs in the file", "data set": "{dataset}"},
        ),
    log:
        "logs/balance/read_benchmark.{dataset}.log",
    benchmark:
        "benchmarks/balance/read_benchmark.{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(HANDED_IN),
    conda:
        "../../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        groups=lambda wildcards: SETTINGS.datasets[wildcards.dataset].groups,
        reference=lambda wildcards: SETTINGS.datasets[wildcards.dataset].reference,
        code=code("balance/read_benchmark.py"),
    message:
        "Reading and checking the benchmark {input.file}"
    script:
        "../../src/attribench/balance/read_benchmark.py"


rule compare_with_corpus:
    """Check that the ids of a benchmark that was handed in are rows of the corpus, with their texts."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        quotes_csv=SETTINGS.corpus["quotes"],
    output:
        corpus_differences=report(
            "results/balance/{dataset}/corpus_differences.csv",
            caption="../../resources/captions/differences.rst",
            category="Data sets",
            labels={"table": "What differs from the corpus", "data set": "{dataset}"},
        ),
    log:
        "logs/balance/compare_with_corpus.{dataset}.log",
    benchmark:
        "benchmarks/balance/compare_with_corpus.{dataset}.tsv"
    wildcard_constraints:
        dataset=one_of(HANDED_IN),
    conda:
        "../../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        code=code("balance/compare_with_corpus.py"),
    message:
        "Comparing the benchmark {wildcards.dataset} with the corpus {input.quotes_csv}"
    script:
        "../../src/attribench/balance/compare_with_corpus.py"


rule write_release:
    """Write a data set as a folder that can be published: data, data card, metadata, checksums."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        matchings="results/balance/{dataset}/matchings.parquet",
        quality="results/balance/{dataset}/matching_quality.csv",
        labels=known_of_authors("results/demographics/labels.parquet"),
        fame=known_of_authors("results/fame/fame.parquet"),
        funnel=known_of_authors("results/corpus/funnel.csv"),
        source_file=lambda wildcards: SETTINGS.datasets[wildcards.dataset].benchmark
        or SETTINGS.corpus["quotes"],
    output:
        parquet="results/release/{dataset}/benchmark.parquet",
        csv="results/release/{dataset}/benchmark.csv",
        card="results/release/{dataset}/README.md",
        croissant="results/release/{dataset}/croissant.json",
        version_file="results/release/{dataset}/VERSION",
        checksums="results/release/{dataset}/SHA256SUMS",
    log:
        "logs/balance/write_release.{dataset}.log",
    benchmark:
        "benchmarks/balance/write_release.{dataset}.tsv"
    conda:
        "../../envs/balance.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        dataset="{dataset}",
        origin=origin_of,
        date_published=SETTINGS.release["date_published"],
        code=code("balance/write_release.py"),
    message:
        "Writing {wildcards.dataset} as a folder that can be published"
    script:
        "../../src/attribench/balance/write_release.py"
