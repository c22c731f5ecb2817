# What does a reader see?
#
# In:  results/analysis/*.csv, the benchmarks, the answers and their outcomes, resources/paper/*.csv
# Out: results/report/index.html (the report: open this one), report.html (Snakemake's own),
#      results/report/figures/*.{png,pdf} (Figures 4 to 13 of Berman et al. 2026 that are results),
#      results/report/models/{model}.{png,pdf,html} (a model at a glance),
#      results/report/tables/*.{csv,md,tex}
#
# The figures that show several models at once are in report/figures.smk.
# The captions are in resources/captions, each called like its figure or table.

# The order in which figures and tables show them.
MODELS = list(SETTINGS.models)
PROMPTS = list(SETTINGS.evaluation["prompts"])
EVIDENCE = list(SETTINGS.evaluation["evidence"])
UNANSWERED = SETTINGS.analysis["unanswered"]

# Figures 4, 5, 11 and 12 show these two; a config with neither shows the prompts that it has.
MAIN_PROMPTS = [p for p in PROMPTS if p in ("direct", "indirect")] or PROMPTS

TEMPLATES = expand(
    "resources/report/{file}",
    file=[
        "index.html",
        "model.html",
        "page.html",
        "macros.html",
        "style.css",
        "sort.js",
    ],
)


# What other stages make that the report shows, where there is any of it.
AUDIT_SHOWN = [
    file
    for file in [*AUDIT_FILES, *REPORT_FILES]
    if Path(file).stem in ("instruments", "instrument_error", "agreement", "confusion")
    and Path(file).suffix in (".png", ".csv")
]
SPEND_SHOWN = [file for file in EVALUATION_FILES if Path(file).stem == "spending"]
ON_DEMAND = ["results/analysis/comparison.csv", "results/selftest/checks.csv"]
QUALITY_SHOWN = [
    *QUALITY_TABLES,
    *(file for file in REPORT_FILES if Path(file).stem.startswith("fame_comparison")),
]


rule show_model:
    """Draw one model at a glance, and write its page: outcomes, wrong authors, examples, cost."""
    input:
        overall="results/analysis/overall.csv",
        subgroups="results/analysis/subgroups.csv",
        fame_bins="results/analysis/fame_bins.csv",
        outcome_shares="results/analysis/outcome_shares.csv",
        wrong_authors="results/analysis/wrong_authors.csv",
        statuses="results/analysis/statuses.csv",
        benchmarks=expand("results/balance/{dataset}/benchmark.parquet", dataset=GROUPS),
        outcomes=expand(
            "results/evaluation/{dataset}/{{model}}/outcomes.parquet", dataset=GROUPS
        ),
        responses=expand(
            "results/evaluation/{dataset}/{{model}}/responses.parquet", dataset=GROUPS
        ),
        manifests=expand(
            "results/evaluation/{dataset}/{{model}}/manifest.json", dataset=GROUPS
        ),
        captions=expand(
            "resources/captions/{name}.rst", name=["model_heatmap", "figure_8_fame"]
        ),
        templates=TEMPLATES,
    output:
        png=report(
            "results/report/models/{model}.png",
            caption="../resources/captions/model_heatmap.rst",
            category="Models",
            labels={"model": "{model}", "what": "heatmap"},
        ),
        pdf="results/report/models/{model}.pdf",
        fame_png="results/report/figures/fame/{model}.png",
        fame_pdf="results/report/figures/fame/{model}.pdf",
        page=report(
            "results/report/models/{model}.html",
            caption="../resources/captions/model_page.rst",
            category="Models",
            labels={"model": "{model}", "what": "page"},
        ),
    log:
        "logs/report/show_model.{model}.log",
    benchmark:
        "benchmarks/report/show_model.{model}.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(3000),
        runtime=growing(15),
    params:
        groups=GROUPS,
        prompts=PROMPTS,
        evidence=EVIDENCE,
        unanswered=UNANSWERED,
        seed=SETTINGS.seed,
        code=code("report/show_model.py"),
    message:
        "Showing {wildcards.model} at a glance"
    script:
        "../src/attribench/report/show_model.py"


rule write_report:
    """Write every table as CSV, Markdown and LaTeX, and the report's page."""
    input:
        analysis=expand(
            "results/analysis/{table}.csv",
            table=[
                "overall",
                "subgroups",
                "pairwise",
                "disparity",
                "covariates",
                "adjusted",
                "sensitivity",
                "power",
                "generations",
                "fame_correlation",
            ],
        ),
        runs=expand("results/balance/{dataset}/runs.csv", dataset=BUILT),
        group_fame=expand("results/balance/{dataset}/group_fame.csv", dataset=BUILT),
        manifests=expand(
            "results/evaluation/{dataset}/{model}/manifest.json",
            dataset=GROUPS,
            model=MODELS,
        ),
        paper=expand(
            "resources/paper/{table}.csv",
            table=["models", "results", "table_2", "table_3"],
        ),
        figures=expand("results/report/figures/{name}.png", name=REPORT_FIGURES),
        quality=QUALITY_SHOWN,
        audit=AUDIT_SHOWN,
        spend=SPEND_SHOWN,
        captions=expand(
            "resources/captions/{name}.rst",
            name=[
                "workflow",
                *REPORT_FIGURES,
                *(Path(file).stem for file in AUDIT_SHOWN if file.endswith(".png")),
            ],
        ),
        templates=TEMPLATES,
    output:
        tables=[
            *(table(name) for name in REPORT_TABLES),
            *(table(f"groups_{dataset}", "groups") for dataset in GROUPS),
        ],
        forms=beside(TABLE_FILES, "md", "tex"),
        index="results/report/index.html",
    log:
        "logs/report/write_report.log",
    benchmark:
        "benchmarks/report/write_report.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        built=BUILT,
        groups=GROUPS,
        models={name: model.id for name, model in SETTINGS.models.items()},
        prompts=PROMPTS,
        evidence=EVIDENCE,
        unanswered=UNANSWERED,
        # No input, or `all` would run these targets again.
        on_demand=checksums(ON_DEMAND),
        config={
            "models": MODELS,
            "datasets": list(GROUPS),
            "analysis": {"unanswered": UNANSWERED},
        },
        code=code("report/write_report.py"),
    message:
        "Writing the report"
    script:
        "../src/attribench/report/write_report.py"


include: "report/figures.smk"
