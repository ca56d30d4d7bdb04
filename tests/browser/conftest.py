"""One headless Chromium and one set of runs for all tests here; a page that complains fails its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from benchmarks._chromium import NO_CHROMIUM, chromium_path, open_chromium
from offhook.host import PluginHost
from offhook.report import write_report
from offhook.storage import RunFolder
from tests.browser._drilled import make_drilled
from tests.browser._world import fake_host, make_odd_run, make_run

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")  # while it is there, no other test could run an event loop on this thread
def browser() -> Iterator[Browser]:
    path = chromium_path()
    if not path:
        pytest.skip(NO_CHROMIUM)
    with open_chromium(path) as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens an address in a window of a width and a colour scheme. No page may log an error, raise one or ask
    for something it does not get.
    """
    complaints: list[str] = []
    pages: list[Page] = []

    def opened(address: str, *, width: int = 1280, height: int = 900, scheme: str = "light") -> Page:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        pages.append(page)
        page.set_default_timeout(10_000)
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(f"{request.url[:80]}: {request.failure}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.goto(address)
        return page

    yield opened
    for page in pages:
        page.close()
    # A player that is closed in the middle of a transfer gives it up; nothing was refused to it.
    assert [each for each in complaints if not each.endswith("net::ERR_ABORTED")] == []


@pytest.fixture(scope="session")
def host() -> PluginHost:
    return fake_host()


@pytest.fixture(scope="session")
def shelf(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs in a folder: all pass in one, some fail in another, one is odd, one of drills, one broken."""
    root = tmp_path_factory.mktemp("shelf") / "runs"
    with ThreadPoolExecutor(1) as thread:  # the browser's own event loop may be on this one
        thread.submit(_fill, root, host).result()
    return root


def _fill(root: Path, host: PluginHost) -> None:
    tasks = ("T4-E1", "T4-M2", "T4-H1")
    make_run(host, root / "plain", tasks=tasks)
    make_run(host, root / "nightly" / "claims", tasks=tasks, platform="saboteur-claims-done")
    make_odd_run(host, root / "odd")
    make_drilled(root / "drilled")
    (root / "broken").mkdir()
    (root / "broken" / "run.json").write_text('{"version": 1')


@pytest.fixture(scope="session")
def plain(shelf: Path, host: PluginHost) -> str:
    return write_report(RunFolder(shelf / "plain"), host).as_uri()


@pytest.fixture(scope="session")
def odd(shelf: Path, host: PluginHost) -> str:
    return write_report(RunFolder(shelf / "odd"), host).as_uri()


@pytest.fixture(scope="session")
def drilled(shelf: Path) -> str:
    return (shelf / "drilled" / "drills.html").as_uri()
