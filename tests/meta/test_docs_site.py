"""The pages build as a site, without a warning and without a request to anybody."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="the site needs offhook's extra [docs]")
pytest.importorskip("material", reason="the site needs offhook's extra [docs]")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder))
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


class _Loaded(HTMLParser):
    """What a browser fetches by itself when it opens a page; links that a reader may follow are none."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag != "a":
            self.addresses += [told[name] or "" for name in ("src", "href", "data", "poster") if name in told]


def test_every_page_is_built(site: Path) -> None:
    pages = {
        path.relative_to(ROOT / "sdk_docs").with_suffix(".html") for path in (ROOT / "sdk_docs").rglob("*.md")
    }
    assert {path for path in pages if (site / path).is_file()} == pages
    assert len(pages) >= 12


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = _Loaded()
        loaded.feed(page.read_text(encoding="utf-8"))
        outside = [address for address in loaded.addresses if re.match(r"(https?:)?//", address)]
        assert outside == [], page.relative_to(site)
    for style in site.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")) == []


def test_there_is_a_search_index_of_every_page(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "tutorials/adapter.html" in index
    assert "reference/hooks.html#offhook_graders" in index
