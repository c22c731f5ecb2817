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
        *(
            ["corpus_differences.csv"]
            if Path(SETTINGS.corpus["quotes"]).is_file()
            else []
        ),
    ],
)
RELEASE_FILES = expand(
    "results/release/{dataset}/SHA256SUMS", dataset=SETTINGS.datasets
)
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
