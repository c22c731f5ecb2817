"""The data card of a released benchmark: what it is, how it was made, and what it cannot tell."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from attribench.tables.balance import BENCHMARK

_SPECIAL = re.compile(r"([\\`*_{}\[\]#|!~])")

UNIVERSE_LIMIT = (
    "The White authors of the published universe stop alphabetically at M: those whose names come later are "
    "missing. A White group is therefore a sample by name, and not one of all White authors of the corpus."
)
_LIMITS = (
    "Race and gender are what sources have on record, in few categories. They are no statement of how a person "
    "describes themselves, and people of other categories are left out.",
    "Quotes come from a collection that nobody verified: some are worded otherwise in the original, or are not "
    "by the author at all.",
    "Fame is one number of one source at one time. The groups are balanced in it, and may differ in what it "
    "does not show: period, language, field of work.",
    "The length of the quotes is not matched; the table above shows whether it differs.",
)


def write_card(
    benchmark: pd.DataFrame,
    quality: pd.DataFrame,
    *,
    name: str,
    version: str,
    origin: Mapping[str, Any],
    provenance: Mapping[str, str],
) -> str:
    """Return the card as Markdown.

    Args:
        benchmark: the table BENCHMARK.
        quality: the table MATCHING_QUALITY.
        name: the data set's name.
        version: its version.
        origin: `is_handed_in`, `options` (what was set, by name), `universe` (``all`` if labels or
            fame come from the published universe alone, ``some`` if it is one source of several, else
            ``none``), `creator`, `license`, `url`.
        provenance: what the data were made from, and by which code, by name; its `File` is the corpus, or
            the benchmark that was handed in.
    """
    matchings = benchmark["match_id"].nunique()
    summary = (
        f"{len(benchmark):,} quotes by {benchmark['author_id'].nunique():,} authors in {benchmark['group'].nunique()} "
        f"groups, in {matchings:,} matchings: an author of each group, about equally famous, with equally many quotes."
    )
    parts = [
        f"{_front_matter(name)}\n\n# {escape(name)}",
        f"Version {escape(version)}. {summary} It serves to ask whom language models give credit to.",
        "## Files",
        "- `benchmark.parquet`: the data; what its columns mean is below and in the file itself.\n"
        "- `benchmark.csv`: the same quotes in the columns of the published AttriBench files, with `match_id` and "
        "`group`. Aliases are separated by semicolons, `google_hits` is worked out from `log10_hits`, and cells are "
        "empty where nothing is on record.\n"
        "- `croissant.json`: metadata in the Croissant format 1.0.\n"
        "- `SHA256SUMS`: check with `sha256sum -c SHA256SUMS`. `VERSION`: the version.",
        "## Provenance",
        _provenance(origin, provenance),
        "## Counts and balance",
        _table(
            ("Group", "Authors", "Quotes", "Mean fame", "Difference", "Mean words", "Difference"),
            _group_rows(benchmark, quality),
        ),
        "Fame is in log10 hits, as a mean over authors; words are a mean over quotes. Differences are standardised, to "
        f"the reference group, {escape(_reference(quality))}; below 0.1 is commonly taken as balanced. Group means of "
        f"fame lie {_range(quality):.4f} log10 hits apart.",
        "## Columns of benchmark.parquet",
        _table(("Column", "Meaning"), ((f"`{c.name}`", _meaning(c.meaning, c.unit)) for c in BENCHMARK.columns)),
        "## Known limits",
        "\n".join(f"- {limit}" for limit in _limits(origin)),
        "## Licence and citation",
        f"Released by {escape(origin['creator'])} under {escape(origin['license'])}. Home: {escape(origin['url'])}. "
        "Labels and fame that come from the AttriBench data of Berman, Chang, Neill and Black are under CC BY 4.0: "
        "name them. Single quotes may be under the copyright of their authors.\n\n"
        "Berman, Chang, Neill and Black. *Attribution Bias in Large Language Models*. 2026. "
        "<https://arxiv.org/abs/2604.05224>",
    ]
    return "\n\n".join(parts) + "\n"


def escape(text: object) -> str:
    """Return `text` so that Markdown and HTML show it as it is, on one line."""
    safe = str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\1", " ".join(safe.split()))


def _front_matter(name: str) -> str:
    """Return the YAML from which `datasets.load_dataset` knows which file holds the data."""
    # JSON is YAML, and quotes whatever a name may hold.
    configs = [{"config_name": "default", "data_files": "benchmark.parquet"}]
    return f"---\npretty_name: {json.dumps(name)}\nconfigs: {json.dumps(configs)}\n---"


def _provenance(origin: Mapping[str, Any], provenance: Mapping[str, str]) -> str:
    file = escape(provenance["File"])
    if origin["is_handed_in"]:
        first = f"Taken from the benchmark {file}, checked, and otherwise unchanged."
    else:
        first = (
            f"Built from the corpus {file} by the method of Berman et al. (2026): quotes are cleaned, authors labelled "
            "and their fame measured, authors of equal fame matched across groups, and equally many quotes of each "
            "drawn."
        )
    made = [(escape(key), escape(value)) for key, value in provenance.items()]
    options = [(escape(key), escape(value)) for key, value in origin["options"].items()]
    return f"{first}\n\n{_table(('Made from', ''), made)}\n\n{_table(('Option', 'Value'), options)}"


def _limits(origin: Mapping[str, Any]) -> list[str]:
    limits = list(_LIMITS)
    if origin["universe"] == "all":
        limits.insert(0, UNIVERSE_LIMIT)
    elif origin["universe"] == "some":
        limits.insert(0, f"Labels or fame of some authors come from the published universe. {UNIVERSE_LIMIT}")
    elif origin["is_handed_in"]:
        limits.insert(0, f"If the file is one of the published AttriBench files: {UNIVERSE_LIMIT}")
    if origin["is_handed_in"]:
        limits.append(
            "Published files do not say which authors were matched with each other. Where the file did not, `match_id` "
            "is reconstructed by rank of fame among the authors with equally many quotes."
        )
    return limits


def _group_rows(benchmark: pd.DataFrame, quality: pd.DataFrame) -> Iterable[Sequence[str]]:
    for row in quality.to_dict("records"):
        own = benchmark[benchmark["group"] == row["group"]]
        yield (
            escape(row["group"]),
            f"{own['author_id'].nunique():,}",
            f"{len(own):,}",
            f"{row['mean_log10_hits']:.4f}",
            _number(row["smd_log10_hits"]),
            f"{row['mean_words']:.1f}",
            _number(row["smd_words"]),
        )


def _reference(quality: pd.DataFrame) -> str:
    return str(quality.loc[quality["is_reference"], "group"].iloc[0])


def _range(quality: pd.DataFrame) -> float:
    means = quality["mean_log10_hits"]
    return float(means.max() - means.min())


def _number(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.3f}"


def _meaning(meaning: str, unit: str) -> str:
    return escape(f"{meaning} ({unit})" if unit else meaning)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
