"""Where offhook keeps what it can compute again: ``$OFFHOOK_CACHE``, or the user's cache folder."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

__all__ = ["cache_root"]


def cache_root() -> Path:
    """The cache folder; it may not exist yet."""
    named = os.environ.get("OFFHOOK_CACHE")
    return Path(named).expanduser() if named else Path(platformdirs.user_cache_dir("offhook"))
