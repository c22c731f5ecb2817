# Which quotes, by which individual?
#
# In:  the corpus that corpus.quotes names
# Out: results/corpus/quotes.parquet, authors.parquet, funnel.csv
#
# Two rules run only when they are asked for by name: fetch_data, before the others, and
# list_similar_names, after clean_quotes.


# Where jobs go to a cluster, only the machine that sends them may reach the internet.
localrules:
    fetch_data,


rule fetch_data:
    """Fetch the files under downloads from their public homes, save those that are there already."""

    # No output is declared: Snakemake would delete the files, which may be the user's own, when
    # this fails or runs again. Nor is a benchmark, which counts as an output: so it runs
    # whenever it is asked for.
    log:
        "logs/corpus/fetch_data.log",
    conda:
        "../envs/corpus.yaml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(60),
    params:
        downloads=SETTINGS.downloads,
        code=code("corpus/fetch_data.py"),
    message:
        "Fetching the data"
    script:
        "../src/attribench/corpus/fetch_data.py"


rule clean_quotes:
    """Clean the corpus: individuals only, one spelling an author, no bylines, no duplicates."""
    input:
        quotes_csv=SETTINGS.corpus["quotes"],
        words=WORD_LISTS["corpus"],
    output:
        quotes="results/corpus/quotes.parquet",
        authors="results/corpus/authors.parquet",
        funnel=report(
            "results/corpus/funnel.csv",
            caption="../resources/captions/funnel.rst",
            category="Data sets",
            labels={"table": "What cleaning removed"},
        ),
    log:
        "logs/corpus/clean_quotes.log",
    benchmark:
        "benchmarks/corpus/clean_quotes.tsv"
    conda:
        "../envs/corpus.yaml"
    threads: 1
    resources:
        mem_mb=growing(3000),
        runtime=growing(10),
    params:
        rules=SETTINGS.corpus["rules"],
        naming_author=SETTINGS.corpus["naming_author"],
        min_words=SETTINGS.corpus["min_words"],
        max_words=SETTINGS.corpus["max_words"],
        max_quotes_per_author=SETTINGS.corpus["max_quotes_per_author"],
        seed=SETTINGS.seed,
        code=code("corpus/clean_quotes.py"),
    message:
        "Cleaning the corpus {input.quotes_csv}"
    script:
        "../src/attribench/corpus/clean_quotes.py"


rule list_similar_names:
    """List authors whose names may be misspellings of others, for review; nothing is merged."""
    input:
        authors="results/corpus/authors.parquet",
    output:
        similar_names="results/corpus/similar_names.csv",
    log:
        "logs/corpus/list_similar_names.log",
    benchmark:
        "benchmarks/corpus/list_similar_names.tsv"
    conda:
        "../envs/corpus.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        code=code("corpus/list_similar_names.py"),
    message:
        "Listing names that are almost the same"
    script:
        "../src/attribench/corpus/list_similar_names.py"
