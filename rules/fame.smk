# How often is each author referred to?
#
# In:  results/corpus/authors.parquet; what the sources need (published: the published universe)
# Out: results/fame/fame.parquet

FAME_SOURCES = [*SETTINGS.fame["sources"], *SETTINGS.fame["compare"]]


rule measure_fame:
    """Combine what the sources say of the fame of every author, in their order."""
    input:
        authors="results/corpus/authors.parquet",
        universe=UNIVERSE if "published" in FAME_SOURCES else [],
        search_hits=(
            ["results/fame/search_hits.parquet"]
            if "dataforseo" in FAME_SOURCES
            else []
        ),
        mentions=["results/fame/mentions.parquet"] if "mentions" in FAME_SOURCES else [],
        fame_table=[SETTINGS.fame["table"]["path"]] if "table" in FAME_SOURCES else [],
    output:
        fame="results/fame/fame.parquet",
        fame_by_source="results/fame/fame_by_source.parquet",
    log:
        "logs/fame/measure_fame.log",
    benchmark:
        "benchmarks/fame/measure_fame.tsv"
    conda:
        "../envs/fame.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        sources=SETTINGS.fame["sources"],
        compare=SETTINGS.fame["compare"],
        mix_sources=SETTINGS.fame["mix_sources"],
        code=code("fame/measure_fame.py"),
    message:
        "Measuring fame, sources in order: {params.sources}"
    script:
        "../src/attribench/fame/measure_fame.py"


rule look_up_search_hits:
    """Ask DataForSEO how many search results there are for the name of every author."""
    input:
        authors="results/corpus/authors.parquet",
    output:
        search_hits="results/fame/search_hits.parquet",
    log:
        "logs/fame/look_up_search_hits.log",
    benchmark:
        "benchmarks/fame/look_up_search_hits.tsv"
    conda:
        "../envs/fame.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=1440,
    params:
        # A function's value is taken as it is: the query holds {name}, which is no wildcard.
        **SETTINGS.fame["dataforseo"]
        | {"query": lambda wildcards: SETTINGS.fame["dataforseo"]["query"]},
        budget_together_usd=SETTINGS.budget_usd,
        store="resources/cache/fame/dataforseo.sqlite",
        code=code("fame/look_up_search_hits.py"),
    message:
        "Asking DataForSEO for the search hits of every author"
    script:
        "../src/attribench/fame/look_up_search_hits.py"


rule estimate_search_hits:
    """Say what asking DataForSEO for the search hits of every author would cost; asks nobody."""
    input:
        authors="results/corpus/authors.parquet",
    output:
        estimate="results/fame/estimate.csv",
    log:
        "logs/fame/estimate_search_hits.log",
    benchmark:
        "benchmarks/fame/estimate_search_hits.tsv"
    conda:
        "../envs/fame.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        **SETTINGS.fame["dataforseo"]
        | {"query": lambda wildcards: SETTINGS.fame["dataforseo"]["query"]},
        store="resources/cache/fame/dataforseo.sqlite",
        stored=state_of("fame/*.sqlite"),
        code=code("fame/estimate_search_hits.py"),
    message:
        "Estimating what the search hits cost"
    script:
        "../src/attribench/fame/estimate_search_hits.py"


rule count_mentions:
    """Count how often every author is named in a text collection."""
    input:
        authors="results/corpus/authors.parquet",
        files=SETTINGS.fame["mentions"]["files"],
    output:
        mentions="results/fame/mentions.parquet",
    log:
        "logs/fame/count_mentions.log",
    benchmark:
        "benchmarks/fame/count_mentions.tsv"
    conda:
        "../envs/fame.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(240),
    params:
        column=SETTINGS.fame["mentions"]["column"],
        code=code("fame/count_mentions.py"),
    message:
        "Counting mentions in {input.files}"
    script:
        "../src/attribench/fame/count_mentions.py"


rule compare_sources:
    """Compare two sources of fame by rank, over all authors and in each group of a data set."""
    input:
        fame_by_source="results/fame/fame_by_source.parquet",
        labels="results/demographics/labels.parquet",
    output:
        pairs="results/fame/{dataset}/pairs.parquet",
        comparison="results/fame/{dataset}/comparison.csv",
    log:
        "logs/fame/compare_sources.{dataset}.log",
    benchmark:
        "benchmarks/fame/compare_sources.{dataset}.tsv"
    conda:
        "../envs/fame.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        one=SETTINGS.fame["compare"][0] if SETTINGS.fame["compare"] else "",
        other=SETTINGS.fame["compare"][-1] if SETTINGS.fame["compare"] else "",
        groups=lambda wildcards: SETTINGS.datasets[wildcards.dataset].groups,
        code=code("fame/compare_sources.py"),
    message:
        "Comparing fame in {wildcards.dataset} by {params.one} and {params.other}"
    script:
        "../src/attribench/fame/compare_sources.py"
