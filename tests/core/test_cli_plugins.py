"""``offhook plugins`` on a narrow terminal: every name in one piece, and who brings what."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

from offhook.cli import main
from offhook.host import PluginHost
from tests.core._stand import installed


@pytest.fixture
def listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed with a plugin of somebody else installed, 80 columns wide."""
    installed(tmp_path / "site", monkeypatch)
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main(["plugins"])
    assert ended.value.code == 0
    return capsys.readouterr().out


def _rows(listing: str) -> list[tuple[str, ...]]:
    lines = [line for line in listing.splitlines() if line.startswith("│")]
    return [tuple(cell.strip() for cell in line.strip("│").split("│")) for line in lines]


def test_each_thing_is_one_line_with_its_name_whole(listing: str) -> None:
    things = [(one.kind, one.name) for one in PluginHost.discover().all_components()]
    assert [row[:2] for row in _rows(listing)] == things
    table = listing[: listing.index("└")]
    assert max(map(len, table.splitlines())) <= 80


def test_the_title_counts_plugins_and_things(listing: str) -> None:
    host = PluginHost.discover()
    assert listing.startswith(f"{len(host.plugins)} plugins provide {len(host.all_components())} things")


def test_only_other_packages_are_named_and_the_rest_is_told_below(listing: str) -> None:
    origin = {row[:2]: row[2] for row in _rows(listing)}
    assert origin["drill", "count_off"] == "drills"
    assert origin["industry", "customer-support"] == "customer-support"
    assert origin["adapter", "brief"] == "stand (offhook-stand 1.0)"
    below = listing[listing.index("└") :].splitlines()[1]
    assert re.fullmatch(
        rf"Plugins without a package .* offhook {metadata.version('offhook')} itself\.", below
    )
