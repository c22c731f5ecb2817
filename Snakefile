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
include: "rules/targets.smk"


wildcard_constraints:
    dataset="|".join(map(re.escape, SETTINGS.datasets)),
    model="|".join(map(re.escape, SETTINGS.models)),
    gguf_file="|".join(map(re.escape, SETTINGS.gguf_files)) or "none",


scattergather:
    runs=min(SETTINGS.balance["jobs"], SETTINGS.balance["runs"]),


report: "resources/captions/workflow.rst"


localrules:
    all,
    dataset,
    release,
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
