# AttriBench: from a corpus of quotes to the question whom language models give credit to.
#
#   snakemake --cores 8 all        everything that config.yaml asks for
#   snakemake --list-target-rules  what else can be asked for
#
# This file reads the configuration and names the targets; each stage has a file in rules/.

# A configuration that is named on the command line stands for itself: it is not mixed with the default.
if not workflow.overwrite_configfiles:

    configfile: "config.yaml"


include: "rules/common.smk"


wildcard_constraints:
    dataset="|".join(map(re.escape, SETTINGS.datasets)),
    model="|".join(map(re.escape, SETTINGS.models)),
    gguf_file="|".join(map(re.escape, SETTINGS.gguf_files)) or "none",


scattergather:
    runs=min(SETTINGS.balance["jobs"], SETTINGS.balance["runs"]),


report: "resources/captions/workflow.rst"


# The files that the targets stand for.
DATASET_FILES = expand(
    "results/balance/{dataset}/{table}",
    dataset=BUILT,
    table=[
        "benchmark.parquet",
        "matchings.parquet",
        "runs.csv",
        "exclusions.csv",
        "group_fame.csv",
        "matching_quality.csv",
    ],
) + (["results/corpus/funnel.csv"] if BUILT else [])
DATASET_FILES += expand(
    "results/balance/{dataset}/{table}",
    dataset=HANDED_IN,
    table=[
        "benchmark.parquet",
        "matchings.parquet",
        "differences.csv",
        "matching_quality.csv",
        # A benchmark can be checked against the corpus where that is at hand.
        *(["corpus_differences.csv"] if exists(SETTINGS.corpus["quotes"]) else []),
    ],
)
RELEASE_FILES = expand(
    "results/release/{dataset}/SHA256SUMS", dataset=SETTINGS.datasets
)
TASK_FOLDERS = expand("results/tasks/{dataset}", dataset=SETTINGS.datasets)
EVIDENCE_FILES = expand("results/evidence/{dataset}.parquet", dataset=SETTINGS.datasets)
EVALUATION_FILES = expand(
    "results/evaluation/{dataset}/{model}/{table}",
    dataset=SETTINGS.datasets,
    model=SETTINGS.models,
    table=["responses.parquet", "outcomes.parquet", "manifest.json"],
)
# The tables about outcomes: attribench.analysis.summarise_outcomes.TABLES.
OUTCOME_TABLES = [
    "overall",
    "subgroups",
    "pairwise",
    "disparity",
    "adjusted",
    "sensitivity",
    "fame_bins",
    "fame_correlation",
    "power",
    "generations",
    "outcome_shares",
    "wrong_authors",
    "statuses",
]
EVALUATION_FILES.append("results/evaluation/spending.csv")
ANALYSIS_FILES = expand(
    "results/analysis/{table}.csv",
    table=[*OUTCOME_TABLES, "covariates", "instruments"],
)
# The classifier's own errors are always measured; the rest of the audit only where somebody judges.
AUDIT_FILES = ["results/evaluation/instrument_error.csv"]
AUDIT_FILES += expand(
    "results/report/figures/instrument_error.{format}", format=["png", "pdf"]
)
if SETTINGS.judges or SETTINGS.audit["sheet"]:
    AUDIT_FILES += expand(
        "results/evaluation/audit/{table}",
        table=[
            "agreement.csv",
            "confusion.csv",
            "disagreements.csv",
            "disagreements.html",
        ],
    )
COMPARE_FILES = [
    "results/analysis/comparison.csv",
    "results/analysis/compared_quotes.parquet",
]
SELFTEST_FILES = ["results/selftest/report.md", "results/selftest/passed.txt"]
# Figures of results, of comparisons and of the data sets, each of which one job draws.
RESULT_FIGURES = [
    "figure_4_overall_accuracy",
    "figure_5_subgroup_accuracy",
    "figure_6_s_omit",
    "figure_7_s_evid",
]
if True in SETTINGS.evaluation["evidence"]:
    RESULT_FIGURES += [
        "figure_11_accuracy_with_evidence",
        "figure_12_subgroup_accuracy_with_evidence",
    ]
if "indirect_overt" in SETTINGS.evaluation["prompts"]:
    RESULT_FIGURES.append("figure_13_indirect_overt")
COMPARISON_FIGURES = ["figure_8_fame", "disparity", "covariate_balance"]
DATASET_FIGURES = [
    *(["figure_9_demographics"] if BUILT else []),
    "figure_10_fame_distribution",
]
REPORT_FIGURES = [*RESULT_FIGURES, *COMPARISON_FIGURES, *DATASET_FIGURES]
REPORT_TABLES = [
    "accuracy",
    "beside_paper",
    "disparity",
    "covariates",
    "adjusted",
    "sensitivity",
    "power",
    "generations",
    "fame_correlation",
    "table_4_models",
    *(["table_2_selected_runs", "table_3_group_fame"] if BUILT else []),
]
TABLE_FILES = expand(
    "results/report/tables/{table}.csv",
    table=[*REPORT_TABLES, *(f"groups_{dataset}" for dataset in SETTINGS.datasets)],
)
# What the report shows of the stages before, beside its own tables.
QUALITY_TABLES = [
    file
    for file in DATASET_FILES
    if Path(file).stem in ("funnel", "exclusions", "matching_quality", "differences")
]
REPORT_FILES = [
    "results/report/index.html",
    *TABLE_FILES,
    *expand(
        "results/report/figures/{figure}.{format}",
        figure=[*REPORT_FIGURES, "instruments"],
        format=["png", "pdf"],
    ),
    *expand(
        "results/report/models/{model}.{format}",
        model=SETTINGS.models,
        format=["png", "html"],
    ),
]
if SETTINGS.fame["compare"]:
    REPORT_FILES += expand(
        "results/report/figures/fame_comparison_{dataset}.png",
        dataset=BUILT,
    )


localrules:
    all,
    dataset,
    release,
    tasks,
    evidence,
    evaluate,
    analysis,
    compare,
    selftest,
    report,
    audit,


rule all:
    """Build the data sets, ask every model, and draw the report (the default)."""
    default_target: True
    input:
        DATASET_FILES,
        REPORT_FILES,
        AUDIT_FILES,
        "results/evaluation/spending.csv",


rule dataset:
    """Build the balanced data sets and ask no model."""
    input:
        DATASET_FILES,


rule release:
    """Write each data set as a folder that can be published."""
    input:
        RELEASE_FILES,


rule tasks:
    """Write each data set as a task for lm-evaluation-harness and inspect_ai."""
    input:
        TASK_FOLDERS,


rule evidence:
    """Find the quotes that go into the evidence-conditioned prompts."""
    input:
        EVIDENCE_FILES,


rule evaluate:
    """Ask every model, and decide whom each answer names."""
    input:
        EVALUATION_FILES,


rule analysis:
    """Compare the groups."""
    input:
        ANALYSIS_FILES,


rule compare:
    """Set pairs of runs against each other, quote by quote."""
    input:
        COMPARE_FILES,


rule selftest:
    """Simulate answers with a known truth, analyse them, and check that the truth comes back."""
    input:
        SELFTEST_FILES,


rule report:
    """Draw the figures and write the tables."""
    input:
        REPORT_FILES,


rule audit:
    """Check the classifier: a sheet for a person, a judge's and the person's agreement, errors by group."""
    input:
        AUDIT_FILES,
        "results/evaluation/audit/sheet.csv",


include: "rules/corpus.smk"
include: "rules/demographics.smk"
include: "rules/fame.smk"
include: "rules/balance.smk"
include: "rules/evidence.smk"
include: "rules/evaluation.smk"
include: "rules/analysis.smk"
include: "rules/report.smk"


onsuccess:
    # Snakemake's own report, where something of it was made anew: `--report-after-run` takes its time after
    # a run that had nothing to do, too.
    if not {"all", "report"}.isdisjoint(
        rule.name for rule in workflow.dag.targetrules
    ):
        write_workflow_report("results/report/report.html")
