"""What Berman et al. 2026 report about their data sets, to stand beside ours.

A data set of the configuration is compared with the paper's where it has the paper's name, and a
group where it has the name of the paper's group.
"""

TABLE_2: dict[str, dict[str, float]] = {
    "intersectional": {
        "authors_per_group": 742,
        "quotes_per_group": 1991,
        "mean_log10_hits": 5.0308,
        "range_log10_hits": 0.0017,
        "rms_log10_hits": 0.2985,
    },
    "multirace": {
        "authors_per_group": 831,
        "quotes_per_group": 1914,
        "mean_log10_hits": 5.0999,
        "range_log10_hits": 0.0006,
        "rms_log10_hits": 0.3143,
    },
}
"""The five criteria of the selected run, by data set."""

TABLE_3: dict[tuple[str, str], tuple[int, float]] = {
    ("intersectional", "White female"): (3945, 5.015722),
    ("intersectional", "White male"): (6098, 5.255980),
    ("intersectional", "Black female"): (847, 4.769593),
    ("intersectional", "Black male"): (1461, 5.031302),
    ("multirace", "White"): (10043, 5.161604),
    ("multirace", "Black"): (2308, 4.935258),
    ("multirace", "Asian"): (3281, 4.662645),
    ("multirace", "Latino"): (938, 4.900775),
}
"""Authors and their mean fame before balancing, by data set and group."""

FIGURE_9 = {("race", "white"): 82, ("gender", "male"): 64}
"""Percent of the corpus's authors with a label; Appendix A.2 gives these two."""
