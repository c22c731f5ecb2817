"""Two sources of fame are compared by rank, over all authors and in each group, and drawn."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from attribench.errors import ConfigError, InputError
from attribench.fame.compare_sources import interval, main
from attribench.fame.several_sources import by_source, require_one_source
from attribench.report.draw_fame_comparison import main as draw
from attribench.tables import read, write
from attribench.tables.demographics import LABELS
from attribench.tables.fame import FAME_BY_SOURCE, FAME_COMPARISON, FAME_PAIRS

GROUPS = {"Black": {"race": "black"}, "White female": {"race": "white", "gender": "female"}, "Asian": {"race": "asian"}}
N = 200


@pytest.fixture
def world(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    ids = [f"author-{i:03}" for i in range(N)]
    hits = rng.normal(5, 1, N).round(1)
    other = (hits + rng.normal(0, 1, N)).round(1)
    hits[:10], other[5:30] = np.nan, np.nan
    answers = {
        name: pd.DataFrame({"log10_hits": values, "reason": np.where(np.isnan(values), "not there", "")})
        for name, values in {"dataforseo": hits, "mentions": other}.items()
    }
    write(by_source(pd.DataFrame({"author_id": ids}), answers), tmp_path / "by_source.parquet", FAME_BY_SOURCE)
    labels = pd.DataFrame({"author_id": ids[:-5], "author": "A", "race": "white", "gender": None})
    labels.loc[:99, "race"] = "black"
    labels["gender"] = np.where(np.arange(N - 5) % 2, "female", None)
    labels = labels.assign(race_source=None, gender_source=None, reason=None)
    write(labels, tmp_path / "labels.parquet", LABELS)
    return tmp_path


def compare(world: Path, one: str = "dataforseo", other: str = "mentions") -> pd.DataFrame:
    main(
        fame_by_source=world / "by_source.parquet",
        labels=world / "labels.parquet",
        one=one,
        other=other,
        groups=GROUPS,
        pairs=world / "pairs.parquet",
        comparison=world / "comparison.csv",
    )
    return read(world / "comparison.csv", FAME_COMPARISON).set_index("group")


def test_ranks_are_compared_over_all_and_in_each_group(world: Path) -> None:
    found = compare(world)
    pairs = read(world / "pairs.parquet", FAME_PAIRS)
    assert list(found.index) == ["all", *GROUPS]
    assert found.loc["all", ["n_both", "n_only_one", "n_only_other"]].tolist() == [170, 20, 5]
    assert found.loc["all", "rank_correlation"] == pytest.approx(spearmanr(pairs["one"], pairs["other"]).statistic)
    black = pairs[pairs["group"] == "Black"]
    assert found.loc["Black", "n_both"] == len(black) == 70
    assert found.loc["Black", "rank_correlation"] == pytest.approx(spearmanr(black["one"], black["other"]).statistic)
    assert found.loc["Black", "ci_low"] < found.loc["Black", "rank_correlation"] < found.loc["Black", "ci_high"]
    assert found.loc["White female", "n_both"] == 47
    assert pd.isna(found.loc["Asian", "rank_correlation"])
    assert found.loc["Asian", "note"] == "fewer than two authors known to both"
    assert pairs["group"].isna().sum() == 170 - 70 - 47


def test_sources_that_are_not_there_or_the_same_are_refused(world: Path) -> None:
    for pair in (("dataforseo", "table"), ("mentions", "mentions")):
        with pytest.raises(InputError, match="there are figures by dataforseo, mentions"):
            compare(world, *pair)


def test_an_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    r = 2 * np.sin(np.pi / 6 * 0.6)  # Pearson's, where Spearman's is 0.6
    covered = 0
    for _ in range(300):
        x, noise = rng.normal(size=(2, 60))
        low, high = interval(float(spearmanr(x, r * x + np.sqrt(1 - r**2) * noise).statistic), 60)
        assert low is not None and high is not None
        covered += low < 0.6 < high
    assert covered / 300 > 0.91
    assert interval(0.5, 3) == interval(1.0, 50) == (None, None)


def test_the_figure_shows_every_group_and_is_the_same_each_time(world: Path) -> None:
    compare(world)
    files = []
    for name in ("a", "b"):
        draw(
            pairs=world / "pairs.parquet",
            comparison=world / "comparison.csv",
            png=world / f"{name}.png",
            pdf=world / f"{name}.pdf",
        )
        files.append((world / f"{name}.png").read_bytes())
    assert files[0] == files[1]
    assert (world / "a.pdf").stat().st_size > 1000


def test_sources_are_mixed_only_with_an_explicit_yes() -> None:
    fame = pd.DataFrame({"fame_source": ["published", "mentions", "published", None]})
    with pytest.raises(ConfigError, match=r"2 sources \(2 by published, 1 by mentions\).*mix_sources: true"):
        require_one_source(fame, mix_sources=False)
    require_one_source(fame, mix_sources=True)
    require_one_source(fame[fame["fame_source"] != "mentions"], mix_sources=False)
