# Which five quotes go into the prompt?
#
# In:  results/corpus/quotes.parquet, results/balance/{dataset}/benchmark.parquet
# Out: results/evidence/{dataset}.parquet
#
# The vectors of an embedding model are kept in resources/cache/evidence/, by its name.
# A data set that was handed in has an embedding of its own, fitted on its quotes.

EMBEDDING_SETTINGS = {
    key: value for key, value in SETTINGS.evidence.items() if key != "k"
}
if SETTINGS.evidence["embedding"] != "lsa":
    EMBEDDING_SETTINGS["budget_usd"] = SETTINGS.budget_usd
# What asks an embedding model changes nothing where none is asked.
NOT_FOR_EMBEDDING = (
    ("chat", "ledger") if SETTINGS.evidence["embedding"] == "lsa" else ()
)
EMBEDDING_STORE = "resources/cache/evidence/{}.sqlite".format(
    re.sub(r"[^A-Za-z0-9.-]+", "_", SETTINGS.evidence["embedding"])
)


def embeddings_file(dataset):
    """Return the file with the embeddings of a data set's quotes."""
    own = f"results/evidence/{dataset}/embeddings.parquet"
    return own if dataset in HANDED_IN else "results/evidence/embeddings.parquet"


def embeddings_of(wildcards):
    """Return the same as an input function."""
    return embeddings_file(wildcards.dataset)


def corpus_of_evidence(wildcards):
    """Return the corpus where a data set's evidence is found in all of it, else nothing."""
    return (
        ["results/corpus/quotes.parquet"]
        if SETTINGS.evidence["pool"] == "corpus"
        else []
    )


rule embed_quotes:
    """Embed every quote of the data sets, or of the corpus."""
    input:
        quotes="results/corpus/quotes.parquet",
        benchmarks=expand("results/balance/{dataset}/benchmark.parquet", dataset=BUILT),
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
        "Embedding the quotes of the data sets"
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
