# How often is each author referred to?
#
# In:  results/corpus/authors.parquet; what the sources need (published: the published universe)
# Out: results/fame/fame.parquet


rule measure_fame:
    """Look up the fame of every author in the sources, in order."""
    input:
        authors="results/corpus/authors.parquet",
        universe=SETTINGS.published_universe or [],
    output:
        fame="results/fame/fame.parquet",
    log:
        "logs/fame/measure_fame.log",
    benchmark:
        "benchmarks/fame/measure_fame.tsv"
    conda:
        "../envs/fame.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        sources=SETTINGS.fame["sources"],
        code=code("fame/measure_fame.py"),
    message:
        "Measuring fame, sources in order: {params.sources}"
    script:
        "../src/attribench/fame/measure_fame.py"
