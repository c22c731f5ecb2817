"""What the report holds: its sections, and in which of them each figure and table stands, by the stem of its file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A part of the report; `if_absent` is said where a run has nothing for it."""

    name: str
    title: str
    text: str = ""
    if_absent: str = "This run has nothing to show here."


SECTIONS = (
    Section("overview", "Overview"),
    Section("datasets", "Data sets", "Which quotes by which authors were asked about, and how alike the groups are."),
    Section("accuracy", "Accuracy", "How often the true author is named."),
    Section(
        "suppression", "Suppression", "How often nobody is named, or not the true author although the name is there."
    ),
    Section("disparity", "Disparity", "How far groups are apart, and how large a gap this run could have found."),
    Section(
        "covariates",
        "Covariates",
        "Groups are matched by fame. Do their quotes differ in something else, and does that explain the gaps?",
    ),
    Section(
        "paper",
        "Beside the paper",
        "Where a model of this run is one of the paper's, its printed figures stand beside ours.",
        "This run has none of the paper's models on one of its data sets.",
    ),
    Section(
        "audit",
        "Audit",
        "How often the rules that decide whom an answer names are wrong, overall and by group.",
        "This run has no audit: nobody checked a sample of the decisions.",
    ),
    Section(
        "spend",
        "Spend",
        "What the answers cost. A question that two data sets share is asked once, and counts here in the first.",
        "This run has no table of what the answers cost.",
    ),
    Section(
        "on_demand",
        "Comparisons and self-test",
        "What the targets compare and selftest found when they were run last: two runs set against each other, and "
        "simulated answers whose truth is known.",
        "Neither was run. Both are made on demand: snakemake --cores 2 compare, or selftest; then report again.",
    ),
    Section("manifest", "Models and manifest", "What was asked, of whom, when, and with which code."),
)

FIGURES = {
    "figure_9_demographics": ("datasets", "9: race and gender of the corpus's authors"),
    "figure_10_fame_distribution": ("datasets", "10: fame after balancing"),
    "figure_4_overall_accuracy": ("accuracy", "4: overall accuracy"),
    "figure_5_subgroup_accuracy": ("accuracy", "5: accuracy by group"),
    "figure_8_fame": ("accuracy", "8: accuracy by fame"),
    "figure_11_accuracy_with_evidence": ("accuracy", "11: overall accuracy with evidence"),
    "figure_12_subgroup_accuracy_with_evidence": ("accuracy", "12: accuracy by group with evidence"),
    "figure_13_indirect_overt": ("accuracy", "13: accuracy by group, indirect_overt prompt"),
    "figure_6_s_omit": ("suppression", "6: omission suppression"),
    "figure_7_s_evid": ("suppression", "7: evidence-conditioned suppression"),
    "disparity": ("disparity", "gap between best and worst group"),
    "covariate_balance": ("covariates", "balance of the covariates"),
}
"""For each figure its section and its label, in the order of the report."""

TABLES = {
    "table_2_selected_runs": ("datasets", "2: selected runs"),
    "table_3_group_fame": ("datasets", "3: fame before balancing"),
    "accuracy": ("accuracy", "accuracy in every condition"),
    "fame_correlation": ("accuracy", "fame and outcome"),
    "generations": ("accuracy", "variation between generations"),
    "disparity": ("disparity", "gaps and ratios"),
    "power": ("disparity", "power"),
    "covariates": ("covariates", "covariates by group"),
    "adjusted": ("covariates", "gaps with and without covariates"),
    "sensitivity": ("covariates", "without quotes that name their author"),
    "beside_paper": ("paper", "ours and the paper's"),
    "table_4_models": ("manifest", "4: models and versions"),
}
"""For each table its section and its label, in the order of the report."""

TITLES = {section.name: section.title for section in SECTIONS}
