# The figures of the report that show several models, data sets or instruments at once.
#
# In:  results/analysis/*.csv, the benchmarks, results/fame/{dataset}/, results/evaluation/instrument_error.csv
# Out: results/report/figures/*.{png,pdf}


rule draw_results:
    """Draw accuracy and suppression of the models, overall and by group (Figures 4 to 7 and 11 to 13)."""
    input:
        overall="results/analysis/overall.csv",
        subgroups="results/analysis/subgroups.csv",
    output:
        figures=[figure(name) for name in RESULT_FIGURES],
        pdf=expand("results/report/figures/{name}.pdf", name=RESULT_FIGURES),
    log:
        "logs/report/draw_results.log",
    benchmark:
        "benchmarks/report/draw_results.tsv"
    conda:
        "../../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        groups=GROUPS,
        models=MODELS,
        prompts=MAIN_PROMPTS,
        unanswered=UNANSWERED,
        code=code("report/draw_results.py"),
    message:
        "Drawing accuracy and suppression (Figures 4 to 7 and 11 to 13)"
    script:
        "../../src/attribench/report/draw_results.py"


rule draw_comparisons:
    """Draw accuracy by fame (Figure 8), the gaps between groups, and how alike their quotes are."""
    input:
        overall="results/analysis/overall.csv",
        fame_bins="results/analysis/fame_bins.csv",
        disparity="results/analysis/disparity.csv",
        covariates="results/analysis/covariates.csv",
    output:
        figures=[figure(name) for name in COMPARISON_FIGURES],
        pdf=expand("results/report/figures/{name}.pdf", name=COMPARISON_FIGURES),
    log:
        "logs/report/draw_comparisons.log",
    benchmark:
        "benchmarks/report/draw_comparisons.tsv"
    conda:
        "../../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        datasets=list(GROUPS),
        models=MODELS,
        prompt=MAIN_PROMPTS[0],
        unanswered=UNANSWERED,
        code=code("report/draw_comparisons.py"),
    message:
        "Drawing accuracy by fame (Figure 8), disparity and covariates"
    script:
        "../../src/attribench/report/draw_comparisons.py"


rule draw_datasets:
    """Draw the corpus's authors and the fame of the balanced groups (Figures 9 and 10)."""
    input:
        labels=["results/demographics/labels.parquet"] if BUILT else [],
        benchmarks=expand("results/balance/{dataset}/benchmark.parquet", dataset=GROUPS),
        paper_labels="resources/paper/corpus_labels.csv",
        paper_table_2="resources/paper/table_2.csv",
    output:
        figures=[figure(name) for name in DATASET_FIGURES],
        pdf=expand("results/report/figures/{name}.pdf", name=DATASET_FIGURES),
    log:
        "logs/report/draw_datasets.log",
    benchmark:
        "benchmarks/report/draw_datasets.tsv"
    conda:
        "../../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        groups=GROUPS,
        code=code("report/draw_datasets.py"),
    message:
        "Drawing the data sets (Figures 9 and 10)"
    script:
        "../../src/attribench/report/draw_datasets.py"


rule draw_fame_comparison:
    """Draw the fame of authors by two sources, one against the other, in each group."""
    input:
        pairs="results/fame/{dataset}/pairs.parquet",
        comparison="results/fame/{dataset}/comparison.csv",
    output:
        png=report(
            "results/report/figures/fame_comparison_{dataset}.png",
            caption="../../resources/captions/fame_comparison.rst",
            category="Data sets",
            labels={"figure": "Two sources of fame", "data set": "{dataset}"},
        ),
        pdf="results/report/figures/fame_comparison_{dataset}.pdf",
    log:
        "logs/report/draw_fame_comparison.{dataset}.log",
    benchmark:
        "benchmarks/report/draw_fame_comparison.{dataset}.tsv"
    conda:
        "../../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    params:
        code=code("report/draw_fame_comparison.py"),
    message:
        "Drawing two sources of fame for {wildcards.dataset}"
    script:
        "../../src/attribench/report/draw_fame_comparison.py"


rule draw_instruments:
    """Draw suppression by each way of telling whom an answer names."""
    input:
        instruments="results/analysis/instruments.csv",
    output:
        png=report(
            "results/report/figures/instruments.png",
            caption="../../resources/captions/instruments.rst",
            category="Suppression",
            labels={"figure": "suppression by instrument"},
        ),
        pdf="results/report/figures/instruments.pdf",
    log:
        "logs/report/draw_instruments.log",
    benchmark:
        "benchmarks/report/draw_instruments.tsv"
    conda:
        "../../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    params:
        datasets=list(GROUPS),
        models=MODELS,
        code=code("report/draw_instruments.py"),
    message:
        "Drawing suppression by instrument"
    script:
        "../../src/attribench/report/draw_instruments.py"


rule draw_instrument_error:
    """Draw the errors of the classifier itself by race, gender, group and form of the name."""
    input:
        instrument_error="results/evaluation/instrument_error.csv",
    output:
        png=report(
            "results/report/figures/instrument_error.png",
            caption="../../resources/captions/instrument_error.rst",
            category="Audit",
            labels={"figure": "errors of the classifier by group"},
        ),
        pdf="results/report/figures/instrument_error.pdf",
    log:
        "logs/report/draw_instrument_error.log",
    benchmark:
        "benchmarks/report/draw_instrument_error.tsv"
    conda:
        "../../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    params:
        groups=GROUPS,
        classifier=SETTINGS.evaluation["classifier"],
        code=code("report/draw_instrument_error.py"),
    message:
        "Drawing the errors of the classifier by group"
    script:
        "../../src/attribench/report/draw_instrument_error.py"
