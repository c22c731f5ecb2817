# The data sets as folders that can be published (docs/release.md).
#
# In:  results/balance/{dataset}/benchmark.parquet, and where it was built, how
# Out: results/release/{dataset}/


def origin_of(wildcards):
    """Return what the data card of a data set says about where it comes from."""
    dataset = SETTINGS.datasets[wildcards.dataset]
    groups = "; ".join(
        f"{name}: {', '.join(labels.values())}"
        for name, labels in dataset.groups.items()
    )
    options = {
        "groups": groups,
        "reference group": dataset.reference or "the smallest",
    }
    if not dataset.benchmark:
        options |= {
            "corpus.rules": SETTINGS.corpus["rules"],
            "corpus.naming_author": SETTINGS.corpus["naming_author"],
            "corpus.min_words": SETTINGS.corpus["min_words"],
            "corpus.max_words": SETTINGS.corpus["max_words"],
            "corpus.max_quotes_per_author": SETTINGS.corpus["max_quotes_per_author"],
            "demographics.sources": ", ".join(SETTINGS.demographics["sources"]),
            "fame.sources": ", ".join(SETTINGS.fame["sources"]),
            **{
                f"balance.{key}": SETTINGS.balance[key]
                for key in (
                    "method",
                    "runs",
                    "threshold",
                    "unmatched",
                    "min_log10_hits",
                )
            },
            "seed": SETTINGS.seed,
        }
    sources = [SETTINGS.demographics["sources"], SETTINGS.fame["sources"]]
    in_universe = (
        "all"
        if ["published"] in sources
        else "some" if "published" in sources[0] + sources[1] else "none"
    )
    return {
        "is_handed_in": bool(dataset.benchmark),
        "universe": "none" if dataset.benchmark else in_universe,
        "options": options,
        **{key: SETTINGS.release[key] for key in ("creator", "license", "url")},
    }


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
        "../envs/balance.yaml"
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
        "../src/attribench/balance/write_release.py"
