"""Runs are measured by the paper's five criteria and ranked; an example worked out by hand."""

import numpy as np
import pandas as pd
import pytest

from attribench.balance.rank_aggregation import measure_runs, rank_runs
from attribench.tables import check
from attribench.tables.balance import CRITERIA, RUNS

NAMES = [c.name for c in CRITERIA]

# run, match_id, group (R is the reference), log10_hits, to_sample
EXAMPLE = """
0 0 R 5.0 2
0 0 A 5.3 2
0 0 B 5.0 2
0 1 R 4.0 3
0 1 A 3.7 3
0 1 B 4.4 3
2 0 R 5.0 4
2 0 A 5.1 4
2 0 B 5.1 4
"""


def matchings(text: str) -> pd.DataFrame:
    rows = [line.split() for line in text.strip().splitlines()]
    table = pd.DataFrame(rows, columns=["run", "match_id", "group", "log10_hits", "to_sample"])
    table = table.astype({"run": int, "match_id": int, "log10_hits": float, "to_sample": int})
    return table.assign(is_reference=table["group"] == "R")


def runs(*values: tuple[float, ...]) -> pd.DataFrame:
    table = pd.DataFrame([(i, *v) for i, v in enumerate(values)], columns=["run", *NAMES])
    return table.astype({"authors_per_group": int, "quotes_per_group": int})


def test_criteria_by_hand() -> None:
    found = measure_runs(matchings(EXAMPLE), 3)
    assert found["run"].tolist() == [0, 1, 2]
    assert found["authors_per_group"].tolist() == [2, 0, 1]
    assert found["quotes_per_group"].tolist() == [5, 0, 4]
    # run 0: all fames (5.0 + 5.3 + 5.0 + 4.0 + 3.7 + 4.4) / 6; group means R 4.5, A 4.5, B 4.7
    assert found["mean_log10_hits"].tolist() == pytest.approx([27.4 / 6, np.nan, 15.2 / 3], nan_ok=True)
    assert found["range_log10_hits"].tolist() == pytest.approx([0.2, np.nan, 0.1], nan_ok=True)
    # run 0: squared distances 0.09, 0, 0.09, 0.16 over M x authors per group = 4
    assert found["rms_log10_hits"].tolist() == pytest.approx([np.sqrt(0.34 / 4), np.nan, 0.1], nan_ok=True)


def test_the_order_of_the_rows_does_not_matter() -> None:
    table = matchings(EXAMPLE)
    shuffled = table.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(measure_runs(table, 3), measure_runs(shuffled, 3))


def test_the_order_of_the_runs_does_not_change_a_digit() -> None:
    """Runs come in parts, in an order that depends on the number of jobs; a rank must not hang on a rounding."""
    rng = np.random.default_rng(2)
    rows = [(r, m, g, f"{rng.normal(5, 1):.2f}", 1) for r in range(12) for m in range(17) for g in "RAB"]
    table = matchings("\n".join(" ".join(map(str, row)) for row in rows))
    parts = pd.concat([table[table["run"] % 4 == part] for part in range(4)], ignore_index=True)
    pd.testing.assert_frame_equal(measure_runs(table, 12), measure_runs(parts, 12), check_exact=True)


def test_runs_of_the_same_authors_share_a_rank() -> None:
    """The same authors served in another order are equally famous, whatever the sum rounds to."""
    rng = np.random.default_rng(3)
    fames = [f"{f:.2f}" for f in rng.normal(5, 1, 51)]
    rows = [(0, i // 3, "RAB"[i % 3], fame, 1) for i, fame in enumerate(fames)]
    for run in range(1, 8):
        order = rng.permutation(17)
        rows += [(run, m, "RAB"[g], fames[3 * order[m] + g], 1) for m in range(17) for g in range(3)]
    table = matchings("\n".join(" ".join(map(str, row)) for row in rows))
    ranked = rank_runs(measure_runs(table, 8))
    assert (ranked[[f"rank_{name}" for name in NAMES]] == 4.5).all().all()


def test_ranks_by_hand() -> None:
    found = rank_runs(measure_runs(matchings(EXAMPLE), 3))
    ranks = found.set_index("run")[[f"rank_{name}" for name in NAMES]]
    assert ranks.loc[0].tolist() == [1, 1, 2, 2, 2]
    assert ranks.loc[2].tolist() == [2, 2, 1, 1, 1]
    assert ranks.loc[1].tolist() == [3, 3, 3, 3, 3]  # a run without any matching is the last in each
    assert found["rank_sum"].tolist() == [8, 15, 7]
    assert found["selected"].tolist() == [False, False, True]
    assert check(found, RUNS).num_rows == 3


def test_equal_values_share_the_average_rank() -> None:
    found = rank_runs(runs((10, 50, 5.0, 0.1, 0.5), (10, 40, 5.0, 0.2, 0.5), (9, 60, 5.0, 0.1, 0.4)))
    assert found["rank_authors_per_group"].tolist() == [1.5, 1.5, 3]
    assert found["rank_mean_log10_hits"].tolist() == [2, 2, 2]
    assert found["rank_range_log10_hits"].tolist() == [1.5, 3, 1.5]
    assert found["rank_rms_log10_hits"].tolist() == [2.5, 2.5, 1]


def test_a_tie_in_the_sum_goes_to_the_better_in_the_first_criterion_that_differs() -> None:
    # sums 7.5 each: run 1 has more authors
    found = rank_runs(runs((9, 50, 5.0, 0.1, 0.5), (10, 40, 5.0, 0.1, 0.5)))
    assert found["rank_sum"].tolist() == [7.5, 7.5]
    assert found["selected"].tolist() == [False, True]
    # authors equal: run 0 has more quotes, run 1 the higher mean
    found = rank_runs(runs((10, 50, 5.0, 0.1, 0.5), (10, 40, 5.1, 0.1, 0.5)))
    assert found["rank_sum"].tolist() == [7.5, 7.5]
    assert found["selected"].tolist() == [True, False]


def test_a_tie_in_everything_goes_to_the_smaller_number() -> None:
    found = rank_runs(runs(*[(10, 50, 5.0, 0.1, 0.5)] * 3).sort_values("run", ascending=False))
    assert found.loc[found["selected"], "run"].tolist() == [0]


@pytest.mark.parametrize(("criterion", "better"), [(0, 11), (1, 51), (2, 5.1), (3, 0.05), (4, 0.4)], ids=NAMES)
def test_each_criterion_counts_in_its_direction(criterion: int, better: float) -> None:
    plain = (10, 50, 5.0, 0.1, 0.5)
    winner = tuple(better if i == criterion else v for i, v in enumerate(plain))
    found = rank_runs(runs(plain, winner, plain))
    assert found["selected"].tolist() == [False, True, False]


def test_one_run_is_selected_always() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        n = int(rng.integers(1, 30))
        table = runs(*[tuple(rng.integers(1, 4, 5).tolist()) for _ in range(n)])
        found = rank_runs(table)
        assert found["selected"].sum() == 1
        assert found.loc[found["selected"], "rank_sum"].item() == found["rank_sum"].min()
        assert found["rank_sum"].sum() == pytest.approx(5 * n * (n + 1) / 2)
