# What race and gender is each author recorded with, and by which source?
#
# In:  results/corpus/authors.parquet; what the sources need (published: the published universe)
# Out: results/demographics/labels.parquet


rule label_authors:
    """Look up race and gender of every author in the sources, in order."""
    input:
        authors="results/corpus/authors.parquet",
        universe=SETTINGS.published_universe or [],
    output:
        labels="results/demographics/labels.parquet",
    log:
        "logs/demographics/label_authors.log",
    benchmark:
        "benchmarks/demographics/label_authors.tsv"
    conda:
        "../envs/demographics.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        sources=SETTINGS.demographics["sources"],
        code=code("demographics/label_authors.py"),
    message:
        "Labelling the authors, sources in order: {params.sources}"
    script:
        "../src/attribench/demographics/label_authors.py"
