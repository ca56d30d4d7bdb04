"""The project's files speak of the project: no registry hosts, no machine paths, no leftovers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = {".py", ".md", ".toml", ".txt", ".sql", ".html", ".js", ".css", ".json", ""}
HOSTS = "|".join(["pypi" + r"\.org", "python" + r"hosted\.org", "registry" + r"\.npmjs", "deb" + r"\.debian"])


def _tracked() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = listing.stdout.splitlines() if listing.returncode == 0 else []
    return [ROOT / name for name in names if Path(name).suffix in TEXT and (ROOT / name).is_file()]


TRACKED = _tracked()


def test_there_is_something_to_read() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("the source tree is no git checkout, so its files can't be listed")
    assert len(TRACKED) > 50


@pytest.mark.parametrize("path", TRACKED, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_registry_hosts_or_machine_paths(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(HOSTS, text) == []
    assert re.findall(r"(?<![\w.])/(?:work|root)/\w+", text) == []


@pytest.mark.parametrize(
    "path",
    [p for p in TRACKED if p.suffix == ".py" and "tests" not in p.parts],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_nothing_is_left_to_do(path: Path) -> None:
    assert re.findall(r"\b(?:TODO|FIXME|XXX|HACK)\b", path.read_text(encoding="utf-8")) == []
