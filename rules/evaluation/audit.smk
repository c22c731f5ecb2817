# How far can the decision whom an answer names be trusted? (docs/audit.md)
#
# In:  the benchmarks, the answers and their outcomes, resources/labelled/, a sheet that a person filled in
# Out: results/evaluation/instrument_error.csv, audit/sample.parquet, sheet.csv, judge_answers.parquet,
#      agreement.csv, confusion.csv, disagreements.{csv,html}
#
# What the judge said is kept in resources/cache/audit/, which is no declared output.

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
    "sheet": [FILLED_SHEET] if FILLED_SHEET and exists(FILLED_SHEET) else [],
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
        "../../envs/evaluation.yaml"
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
        "../../src/attribench/evaluation/draw_audit_sample.py"


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
        "../../envs/evaluation.yaml"
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
        "../../src/attribench/evaluation/ask_judge.py"


rule score_audit:
    """Compare the classifier with the judge and the person, overall and by group."""
    input:
        sample="results/evaluation/audit/sample.parquet",
        judge_answers=JUDGED["judge_answers"],
        sheet=JUDGED["sheet"],
    output:
        agreement=report(
            "results/evaluation/audit/agreement.csv",
            caption="../../resources/captions/audit_agreement.rst",
            category="Audit",
            labels={"figure": "table: agreement with the classifier"},
        ),
        confusion="results/evaluation/audit/confusion.csv",
        disagreements="results/evaluation/audit/disagreements.csv",
        disagreements_page=report(
            "results/evaluation/audit/disagreements.html",
            caption="../../resources/captions/audit_disagreements.rst",
            category="Audit",
            labels={"figure": "page: disagreements with the classifier"},
        ),
    log:
        "logs/evaluation/score_audit.log",
    benchmark:
        "benchmarks/evaluation/score_audit.tsv"
    conda:
        "../../envs/evaluation.yaml"
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
        "../../src/attribench/evaluation/score_audit.py"


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
        "../../envs/evaluation.yaml"
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
        "../../src/attribench/evaluation/measure_instrument_error.py"
