# Which five quotes go into the prompt?
#
# In:  results/corpus/quotes.parquet, results/balance/{dataset}/{benchmark,candidates}.parquet
# Out: results/evidence/{dataset}.parquet
#
# The vectors of an embedding model are kept in resources/cache/evidence/, by its name.
# What is embedded here for nothing are also the quotes that could have been matched: analysis compares their topics.
# A data set that was handed in has an embedding of its own, fitted on its quotes.


rule embed_quotes:
    """Embed every quote of the data sets and of their candidates, or of the corpus."""
    input:
        quotes="results/corpus/quotes.parquet",
        benchmarks=expand("results/balance/{dataset}/benchmark.parquet", dataset=BUILT),
        candidates=expand(
            "results/balance/{dataset}/candidates.parquet",
            dataset=BUILT if SETTINGS.evidence["embedding"] == "lsa" else [],
        ),
    output:
        embeddings="results/evidence/embeddings.parquet",
    log:
        "logs/evidence/embed_quotes.log",
    benchmark:
        "benchmarks/evidence/embed_quotes.tsv"
    conda:
        "../envs/evidence.yaml"
    threads: 2
    resources:
        **api_resources(SETTINGS.evidence["provider"]),
        mem_mb=growing(4000),
        runtime=1440,
    params:
        settings=EMBEDDING_SETTINGS,
        seed=SETTINGS.seed,
        store=EMBEDDING_STORE,
        code=code("evidence/embed_quotes.py", NOT_FOR_EMBEDDING),
    message:
        "Embedding the quotes of the data sets, and what else costs nothing"
    script:
        "../src/attribench/evidence/embed_quotes.py"


rule embed_benchmark:
    """Embed the quotes of a benchmark that was handed in."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
    output:
        embeddings="results/evidence/{dataset}/embeddings.parquet",
    log:
        "logs/evidence/embed_benchmark.{dataset}.log",
    benchmark:
        "benchmarks/evidence/embed_benchmark.{dataset}.tsv"
    conda:
        "../envs/evidence.yaml"
    threads: 2
    resources:
        **api_resources(SETTINGS.evidence["provider"]),
        mem_mb=growing(2000),
        runtime=1440,
    params:
        settings=EMBEDDING_SETTINGS,
        seed=SETTINGS.seed,
        store=EMBEDDING_STORE,
        code=code("evidence/embed_benchmark.py", NOT_FOR_EMBEDDING),
    message:
        "Embedding the quotes of {wildcards.dataset}"
    script:
        "../src/attribench/evidence/embed_benchmark.py"


rule retrieve_evidence:
    """Find each quote's nearest neighbours in its data set, or in the corpus."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        corpus=corpus_of_evidence,
        embeddings=embeddings_of,
    output:
        evidence="results/evidence/{dataset}.parquet",
    log:
        "logs/evidence/retrieve_evidence.{dataset}.log",
    benchmark:
        "benchmarks/evidence/retrieve_evidence.{dataset}.tsv"
    conda:
        "../envs/evidence.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        k=SETTINGS.evidence["k"],
        code=code("evidence/retrieve_evidence.py"),
    message:
        "Retrieving the evidence for {wildcards.dataset}"
    script:
        "../src/attribench/evidence/retrieve_evidence.py"
