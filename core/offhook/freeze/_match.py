"""Whether an install is the frozen one."""

from __future__ import annotations

from pathlib import Path

from offhook.freeze._collect import freeze_install
from offhook.freeze._contract import Difference, FrozenManifest, differences
from offhook.freeze._semver import Level, reason_for
from offhook.host import PluginHost

__all__ = ["ManifestMismatch", "check_install"]


class ManifestMismatch(Exception):
    """The install is not the frozen one; the message says what differs, in one line."""


def check_install(
    frozen: FrozenManifest, host: PluginHost, *, platform: str | None = None, images: Path | None = None
) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """What differs, and what is there beside: a platform under test, or another part that no frozen score
    counts, may be installed beside what the manifest names. The golden set is not looked at.

    Args:
        platform: the platform to be called; what differs of others is then left out.
        images: where prepared seed databases are kept (None: the cache).

    Raises:
        SeedError: a pack's seed makes no database.
    """
    now = freeze_install(host, frozen.plan, version=frozen.version, images=images)
    found = [one for one in differences(frozen, now) if _matters(one, platform)]
    beside = [one for one in found if one.added and reason_for(one, frozen, now).level is Level.MINOR]
    return tuple(one for one in found if one not in beside), tuple(beside)


def _matters(difference: Difference, platform: str | None) -> bool:
    if difference.section == "platforms":
        return platform in (None, difference.name)
    return difference.section != "golden"
