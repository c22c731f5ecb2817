# Which quotes, by which individual?
#
# In:  the corpus that corpus.quotes names
# Out: results/corpus/quotes.parquet, authors.parquet, funnel.csv


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
        mem_mb=3000,
        runtime=10,
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
