"""A headless Chromium of this machine, for what can only be seen in a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, sync_playwright

__all__ = ["NO_CHROMIUM", "chromium_path", "open_chromium"]

NO_CHROMIUM: Final = "no Chromium: apt-get install chromium, or set OFFHOOK_CHROMIUM"
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def chromium_path() -> str:
    """The program that OFFHOOK_CHROMIUM names, else the first of the usual names; empty if there is none."""
    named = os.environ.get("OFFHOOK_CHROMIUM")
    if named:
        return shutil.which(named) or ""
    return next((path for path in map(shutil.which, _NAMES) if path), "")


@contextmanager
def open_chromium(path: str) -> Iterator[Browser]:
    """A browser without a window; containers seldom allow its sandbox or a large /dev/shm."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()
