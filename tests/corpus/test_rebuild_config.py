"""The configuration for a rebuild at full scale, and the section `downloads`."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from attribench.errors import ConfigError
from attribench.settings import read_settings

ROOT = Path(__file__).parents[2]


@pytest.fixture
def config() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "config.rebuild.yaml").read_text(encoding="utf-8"))
    return found


def test_it_is_the_paper_s_way_without_a_network(config: dict[str, Any]) -> None:
    settings = read_settings(config)
    assert settings.corpus["rules"] == "paper"
    assert (settings.balance["method"], settings.balance["unmatched"]) == ("algorithm_1", "skip")
    assert settings.demographics["sources"] == settings.fame["sources"] == ["published"]
    assert settings.fame["compare"] == []
    assert {name: data.reference for name, data in settings.datasets.items()} == {
        "intersectional": "Black female",
        "multirace": "Latino",
    }


def test_what_is_fetched_goes_where_it_is_read(config: dict[str, Any]) -> None:
    settings = read_settings(config)
    assert {entry["path"] for entry in settings.downloads.values()} == {
        settings.corpus["quotes"],
        settings.published_universe,
    }


def test_nothing_is_fetched_by_default() -> None:
    default = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    assert read_settings(default).downloads == {}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"url": "ftp://example.org/a.csv"}, "'downloads.quotes.url'"),
        ({"url": "https://me:pass@example.org/a.csv"}, "Public address of the file, without an account in it"),
        ({"sha256": "abc"}, "Checksum of the file as it is sent; null if it is not known"),
        ({"path": ""}, "'downloads.quotes.path'"),
        ({"file": "a.csv"}, "unknown 'file'"),
    ],
)
def test_wrong_downloads_are_refused(config: dict[str, Any], changed: dict[str, Any], said: str) -> None:
    config["downloads"]["quotes"] |= changed
    with pytest.raises(ConfigError) as caught:
        read_settings(config)
    assert said in str(caught.value)


@pytest.mark.parametrize("key", ["url", "path"])
def test_a_download_needs_an_address_and_a_place(config: dict[str, Any], key: str) -> None:
    del config["downloads"]["quotes"][key]
    with pytest.raises(ConfigError, match=f"At 'downloads.quotes': '{key}' is missing"):
        read_settings(config)


def test_a_checksum_may_be_left_out(config: dict[str, Any]) -> None:
    del config["downloads"]["quotes"]["sha256"]
    assert read_settings(config).downloads["quotes"]["sha256"] is None
