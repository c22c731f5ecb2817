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
