# What is left to ask, and what does it cost? (docs/engine.md)
#
# In:  what can be built without asking anybody, and what is there already
# Out: results/evaluation/estimate.csv, which is no declared output

if "estimate" in sys.argv and workflow.storage_settings.default_storage_provider:
    # Only declared files travel, and what may be missing cannot be declared.
    raise WorkflowError(
        "'estimate' looks for what is there already on this disk only, and a default storage provider is set. Run "
        "it without one: answers that were kept are here anyway (docs/cluster.md says what else it needs)."
    )

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
        "../../envs/evaluation.yaml"
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
        "../../src/attribench/evaluation/estimate_models.py"
