"""The figure of suppression by instrument."""

import pandas as pd
import pytest

from attribench.report.draw_instruments import draw_instruments, main
from attribench.tables import write
from attribench.tables.analysis import INSTRUMENTS

pytestmark = pytest.mark.filterwarnings("error")


def make_table(models, datasets, metrics=("s_omit", "s_evid")):
    rows = []
    for dataset in datasets:
        for n, model in enumerate(models):
            for metric in metrics:
                for k, classifier in enumerate(("names", "strict", "published")):
                    for g, group in enumerate(("all", "x", "y")):
                        mean = 0.1 + 0.2 * k + 0.01 * n + 0.05 * g
                        row = dict.fromkeys(INSTRUMENTS.names, 0) | {
                            "dataset": dataset,
                            "model": model,
                            "metric": metric,
                        }
                        row |= {"prompt": "indirect", "evidence": metric == "s_evid", "group": group, "note": None}
                        row |= {"classifier": classifier, "n_quotes": 40, "mean": mean}
                        interval = {"ci_low": mean - 0.02, "ci_high": mean + 0.02}
                        rows.append(row | interval | {"wilson_low": mean - 0.02, "wilson_high": mean + 0.02})
    return pd.DataFrame(rows, columns=INSTRUMENTS.names)


def panels(figure):
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


@pytest.mark.parametrize("n_models", [1, 11])
def test_bars_of_each_instrument(n_models):
    models = [f"model-{n}" for n in range(n_models)]
    figure = draw_instruments(make_table(models, ["d", "e"]), ["d", "e"], models)
    assert [axes.get_title(loc="left") for axes in panels(figure)] == ["d", "e", "d", "e"]
    for axes in panels(figure):
        shown = sorted(bar.get_width() for bar in axes.patches)
        assert shown == pytest.approx(sorted(10 + 20 * k + n for k in range(3) for n in range(n_models)))
    assert [label.get_text() for label in panels(figure)[0].get_yticklabels()] == models


def test_what_was_not_asked_is_said():
    figure = draw_instruments(make_table(["m"], ["d"], metrics=("s_omit",)), ["d"], ["m"])
    assert any("not asked" in text.get_text() for text in panels(figure)[1].texts)


def test_the_step_writes_both_files(tmp_path):
    write(make_table(["m"], ["d"]), tmp_path / "instruments.csv", INSTRUMENTS)
    main(
        instruments=tmp_path / "instruments.csv", datasets=["d"], models=["m"],
        png=tmp_path / "figure.png",
    )  # fmt: skip
    assert (tmp_path / "figure.png").stat().st_size > 1000
    assert (tmp_path / "figure.pdf").stat().st_size > 1000
