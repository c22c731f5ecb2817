"""How far groups are apart: best against worst, and each against the reference group."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from attribench.analysis.bootstrap import interval, largest_gap
from attribench.analysis.means import Values

Draws = Mapping[str, Values]
Measure = Callable[[Draws], Values]


def measure_disparity(
    means: Mapping[str, float | None], authors: Mapping[str, int], draws: Draws, sign: int, reference: str
) -> list[dict[str, Any]]:
    """Return the rows of the table `disparity` for one condition, without the columns of the condition.

    The best and the worst group are found anew in every draw of the bootstrap, so that `gap` and
    `ratio` carry the uncertainty about which they are. Where all groups are alike a largest gap
    is above 0 all the same: `chance` says how large it gets then (draws of each group's mean less
    its own mean), and the interval of a gap below that says little.

    Args:
        means: the mean of each group, missing where no answer was scored.
        authors: the number of authors behind each mean.
        draws: each group's mean in the draws of the bootstrap.
        sign: 1 where a higher mean is better, -1 where a lower one is.
        reference: the reference group.
    """
    known = {group: mean for group, mean in means.items() if mean is not None}
    lost = [group for group in means if group not in known]
    single = [group for group in known if authors[group] == 1]
    ranked = sorted(known, key=lambda group: -sign * known[group])
    best, worst = (ranked[0], ranked[-1]) if ranked else (next(iter(means)), next(iter(means)))
    varying = {group: draws[group] for group in known}
    note: str | None = "fewer than two groups with a scored answer"
    if len(known) > 1:
        note = _note(lost, single, _ties(known, best, worst))
    rows = []
    if len(known) > 1:
        gap = abs(known[best] - known[worst])
        low, high = sorted([known[best], known[worst]])
        rows += [
            _row("gap", best, worst, gap, varying, largest_gap, single, note, chance=_chance(known, varying, single)),
            _row("ratio", best, worst, low / high if high > 0 else None, varying, _ratio, single, note),
        ]
    else:
        rows += [_row(measure, best, worst, None, {}, largest_gap, [], note) for measure in ("gap", "ratio")]
    for group in means:
        if group == reference:
            continue
        pair = {name: known.get(name) for name in (group, reference)}
        missing = [name for name, mean in pair.items() if mean is None]
        alone = [name for name in pair if name in single]
        value = None if missing else sign * (known[group] - known[reference])
        used = {} if missing else {name: draws[name] for name in pair}

        def distance(of: Draws, group: str = group) -> Values:
            return sign * (of[group] - of[reference])

        rows.append(_row("gap_to_reference", group, reference, value, used, distance, alone, _note(missing, alone)))
    return rows


def _row(
    measure: str,
    group: str,
    other: str,
    value: float | None,
    draws: Draws,
    work_out: Measure,
    single: list[str],
    note: str | None,
    chance: float | None = None,
) -> dict[str, Any]:
    drawn = work_out(draws) if draws and not single and value is not None else np.array([])
    low, high = interval(drawn)
    if value is None and not draws:
        why = None
    elif value is None:
        why = "undefined (a mean is 0)"
    else:
        why = "no variance" if low is None and not single else None
    note = "; ".join(part for part in (note, why) if part) or None
    return {
        "measure": measure, "group": group, "other": other, "value": value, "ci_low": low, "ci_high": high,
        "chance": chance, "replicates": len(drawn) if low is not None else 0, "note": note,
    }  # fmt: skip


def _ratio(draws: Draws) -> Values:
    means = np.stack(list(draws.values()))
    high = means.max(axis=0)
    ratios: Values = np.divide(means.min(axis=0), high, out=np.full(len(high), np.nan), where=high > 0)
    return ratios


def _chance(means: Mapping[str, float], draws: Draws, single: list[str]) -> float | None:
    if single:
        return None
    centred = largest_gap({group: drawn - means[group] for group, drawn in draws.items()})
    centred = centred[~np.isnan(centred)]
    return float(np.quantile(centred, 0.95)) if len(centred) and np.ptp(centred) > 1e-6 else None


def _ties(means: Mapping[str, float], best: str, worst: str) -> list[str]:
    """Return which groups share the first or the last place, of which the row can name only one."""
    if means[best] == means[worst]:
        return ["all groups alike"]
    places = {"best": means[best], "worst": means[worst]}
    shared = {place: [group for group in means if means[group] == mean] for place, mean in places.items()}
    return [f"tied as {place}: {', '.join(groups)}" for place, groups in shared.items() if len(groups) > 1]


def _note(lost: list[str], single: list[str], ties: Sequence[str] = ()) -> str | None:
    lacking = (("no scored answer", lost), ("one author", single))
    parts = [f"{what} in {' and '.join(names)}" for what, names in lacking if names]
    return "; ".join([*parts, *ties]) or None
