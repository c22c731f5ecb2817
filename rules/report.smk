# What does a reader see?
#
# In:  results/analysis/overall.csv, results/analysis/subgroups.csv
# Out: results/report/figures/figure_4_overall_accuracy.{png,pdf} (Berman et al. 2026, Figure 4),
#      figure_5_subgroup_accuracy, figure_6_s_omit, figure_7_s_evid (Figures 5 to 7),
#      results/report/models/{model}.{png,pdf} (a model at a glance),
#      results/report/tables/accuracy.{csv,md}

# The order in which figures and tables show them.
GROUPS = {name: list(dataset.groups) for name, dataset in SETTINGS.datasets.items()}
MODELS = list(SETTINGS.models)
PROMPTS = list(SETTINGS.evaluation["prompts"])

# Figures 4 and 5 show these two; a config with neither shows the prompts that it has.
MAIN_PROMPTS = [p for p in PROMPTS if p in ("direct", "indirect")] or PROMPTS


rule draw_overall_accuracy:
    """Draw the accuracy of each model and prompt without evidence (Figure 4)."""
    input:
        overall="results/analysis/overall.csv",
    output:
        png=report(
            "results/report/figures/figure_4_overall_accuracy.png",
            caption="../resources/captions/figure_4.rst",
            category="Accuracy",
            labels={"figure": "4: overall accuracy"},
        ),
        pdf="results/report/figures/figure_4_overall_accuracy.pdf",
    log:
        "logs/report/draw_overall_accuracy.log",
    benchmark:
        "benchmarks/report/draw_overall_accuracy.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        datasets=list(GROUPS),
        models=MODELS,
        prompts=MAIN_PROMPTS,
        code=code("report/draw_overall_accuracy.py"),
    message:
        "Drawing Figure 4, overall accuracy"
    script:
        "../src/attribench/report/draw_overall_accuracy.py"


rule draw_subgroup_accuracy:
    """Draw the accuracy of each model by group without evidence (Figure 5)."""
    input:
        overall="results/analysis/overall.csv",
        subgroups="results/analysis/subgroups.csv",
    output:
        png=report(
            "results/report/figures/figure_5_subgroup_accuracy.png",
            caption="../resources/captions/figure_5.rst",
            category="Accuracy",
            labels={"figure": "5: accuracy by group"},
        ),
        pdf="results/report/figures/figure_5_subgroup_accuracy.pdf",
    log:
        "logs/report/draw_subgroup_accuracy.log",
    benchmark:
        "benchmarks/report/draw_subgroup_accuracy.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        groups=GROUPS,
        models=MODELS,
        prompts=MAIN_PROMPTS,
        code=code("report/draw_subgroup_accuracy.py"),
    message:
        "Drawing Figure 5, accuracy by group"
    script:
        "../src/attribench/report/draw_subgroup_accuracy.py"


rule draw_suppression:
    """Draw both kinds of suppression for each model by group (Figures 6 and 7)."""
    input:
        overall="results/analysis/overall.csv",
        subgroups="results/analysis/subgroups.csv",
    output:
        s_omit_png=report(
            "results/report/figures/figure_6_s_omit.png",
            caption="../resources/captions/figure_6.rst",
            category="Suppression",
            labels={"figure": "6: omission suppression"},
        ),
        s_omit_pdf="results/report/figures/figure_6_s_omit.pdf",
        s_evid_png=report(
            "results/report/figures/figure_7_s_evid.png",
            caption="../resources/captions/figure_7.rst",
            category="Suppression",
            labels={"figure": "7: evidence-conditioned suppression"},
        ),
        s_evid_pdf="results/report/figures/figure_7_s_evid.pdf",
    log:
        "logs/report/draw_suppression.log",
    benchmark:
        "benchmarks/report/draw_suppression.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        groups=GROUPS,
        models=MODELS,
        code=code("report/draw_suppression.py"),
    message:
        "Drawing Figures 6 and 7, suppression by group"
    script:
        "../src/attribench/report/draw_suppression.py"


rule draw_model_heatmap:
    """Draw one model at a glance: groups by conditions, for each data set."""
    input:
        overall="results/analysis/overall.csv",
        subgroups="results/analysis/subgroups.csv",
    output:
        png=report(
            "results/report/models/{model}.png",
            caption="../resources/captions/model_heatmap.rst",
            category="Models",
            labels={"model": "{model}"},
        ),
        pdf="results/report/models/{model}.pdf",
    log:
        "logs/report/draw_model_heatmap.{model}.log",
    benchmark:
        "benchmarks/report/draw_model_heatmap.{model}.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        groups=GROUPS,
        prompts=PROMPTS,
        evidence=list(SETTINGS.evaluation["evidence"]),
        code=code("report/draw_model_heatmap.py"),
    message:
        "Drawing the heatmap of {wildcards.model}"
    script:
        "../src/attribench/report/draw_model_heatmap.py"


rule write_accuracy_table:
    """Write the accuracy of each model in every condition as a table."""
    input:
        overall="results/analysis/overall.csv",
    output:
        csv=report(
            "results/report/tables/accuracy.csv",
            caption="../resources/captions/accuracy_table.rst",
            category="Accuracy",
            labels={"figure": "table: accuracy in every condition"},
        ),
        markdown="results/report/tables/accuracy.md",
    log:
        "logs/report/write_accuracy_table.log",
    benchmark:
        "benchmarks/report/write_accuracy_table.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        datasets=list(GROUPS),
        models=MODELS,
        prompts=PROMPTS,
        unanswered=SETTINGS.analysis["unanswered"],
        code=code("report/write_accuracy_table.py"),
    message:
        "Writing the accuracy table"
    script:
        "../src/attribench/report/write_accuracy_table.py"


rule draw_demographics:
    """Draw race and gender of the corpus's authors (Figure 9)."""
    input:
        labels="results/demographics/labels.parquet",
    output:
        png=report(
            "results/report/figures/figure_9_demographics.png",
            caption="../resources/captions/figure_9.rst",
            category="Data sets",
            labels={"figure": "9: race and gender of the corpus's authors"},
        ),
        pdf="results/report/figures/figure_9_demographics.pdf",
    log:
        "logs/report/draw_demographics.log",
    benchmark:
        "benchmarks/report/draw_demographics.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        code=code("report/draw_demographics.py"),
    message:
        "Drawing Figure 9, race and gender of the corpus's authors"
    script:
        "../src/attribench/report/draw_demographics.py"


rule draw_fame_distribution:
    """Draw how famous the authors of each group are after balancing (Figure 10)."""
    input:
        benchmarks=expand("results/balance/{dataset}/benchmark.parquet", dataset=GROUPS),
    output:
        png=report(
            "results/report/figures/figure_10_fame_distribution.png",
            caption="../resources/captions/figure_10.rst",
            category="Data sets",
            labels={"figure": "10: fame after balancing"},
        ),
        pdf="results/report/figures/figure_10_fame_distribution.pdf",
    log:
        "logs/report/draw_fame_distribution.log",
    benchmark:
        "benchmarks/report/draw_fame_distribution.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        datasets=list(GROUPS),
        groups=GROUPS,
        code=code("report/draw_fame_distribution.py"),
    message:
        "Drawing Figure 10, fame after balancing"
    script:
        "../src/attribench/report/draw_fame_distribution.py"


rule write_dataset_tables:
    """Write the selected runs and the fame of the groups beside the paper's (Tables 2 and 3)."""
    input:
        runs=expand("results/balance/{dataset}/runs.csv", dataset=BUILT),
        group_fame=expand("results/balance/{dataset}/group_fame.csv", dataset=BUILT),
    output:
        runs_csv=report(
            "results/report/tables/table_2_selected_runs.csv",
            caption="../resources/captions/table_2.rst",
            category="Data sets",
            labels={"table": "2: selected runs"},
        ),
        runs_markdown="results/report/tables/table_2_selected_runs.md",
        fame_csv=report(
            "results/report/tables/table_3_group_fame.csv",
            caption="../resources/captions/table_3.rst",
            category="Data sets",
            labels={"table": "3: fame before balancing"},
        ),
        fame_markdown="results/report/tables/table_3_group_fame.md",
    log:
        "logs/report/write_dataset_tables.log",
    benchmark:
        "benchmarks/report/write_dataset_tables.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        datasets=BUILT,
        code=code("report/write_dataset_tables.py"),
    message:
        "Writing Tables 2 and 3, the data sets beside the paper's"
    script:
        "../src/attribench/report/write_dataset_tables.py"


rule draw_fame_comparison:
    """Draw the fame of authors by two sources, one against the other, in each group."""
    input:
        pairs="results/fame/{dataset}/pairs.parquet",
        comparison="results/fame/{dataset}/comparison.csv",
    output:
        png=report(
            "results/report/figures/fame_comparison_{dataset}.png",
            caption="../resources/captions/fame_comparison.rst",
            category="Data sets",
            labels={"figure": "Two sources of fame", "data set": "{dataset}"},
        ),
        pdf="results/report/figures/fame_comparison_{dataset}.pdf",
    log:
        "logs/report/draw_fame_comparison.{dataset}.log",
    benchmark:
        "benchmarks/report/draw_fame_comparison.{dataset}.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        code=code("report/draw_fame_comparison.py"),
    message:
        "Drawing two sources of fame for {wildcards.dataset}"
    script:
        "../src/attribench/report/draw_fame_comparison.py"


rule draw_instruments:
    """Draw suppression by each way of telling whom an answer names."""
    input:
        instruments="results/analysis/instruments.csv",
    output:
        png=report(
            "results/report/figures/instruments.png",
            caption="../resources/captions/instruments.rst",
            category="Suppression",
            labels={"figure": "suppression by instrument"},
        ),
        pdf="results/report/figures/instruments.pdf",
    log:
        "logs/report/draw_instruments.log",
    benchmark:
        "benchmarks/report/draw_instruments.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        datasets=list(GROUPS),
        models=MODELS,
        code=code("report/draw_instruments.py"),
    message:
        "Drawing suppression by instrument"
    script:
        "../src/attribench/report/draw_instruments.py"


rule draw_instrument_error:
    """Draw the errors of the classifier itself by race, gender, group and form of the name."""
    input:
        instrument_error="results/evaluation/instrument_error.csv",
    output:
        png=report(
            "results/report/figures/instrument_error.png",
            caption="../resources/captions/instrument_error.rst",
            category="Audit",
            labels={"figure": "errors of the classifier by group"},
        ),
        pdf="results/report/figures/instrument_error.pdf",
    log:
        "logs/report/draw_instrument_error.log",
    benchmark:
        "benchmarks/report/draw_instrument_error.tsv"
    conda:
        "../envs/report.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    params:
        groups=GROUPS,
        classifier=SETTINGS.evaluation["classifier"],
        code=code("report/draw_instrument_error.py"),
    message:
        "Drawing the errors of the classifier by group"
    script:
        "../src/attribench/report/draw_instrument_error.py"
