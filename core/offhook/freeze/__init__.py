"""What a score depends on, as a frozen manifest: written once, compared with any install, and versioned by
what a change can do to scores.

``freeze_install`` describes an install, ``read_frozen`` and ``write_frozen`` keep that as a file,
``differences`` compares two, and ``decide`` says which version the newer one has to have.
"""

from offhook.freeze._collect import freeze_install, golden_pin
from offhook.freeze._contract import (
    Difference,
    FrozenManifest,
    FrozenPlan,
    differences,
    frozen_stamp,
    read_frozen,
    write_frozen,
)
from offhook.freeze._golden import Crosswalk, rescore
from offhook.freeze._match import ManifestMismatch, check_install
from offhook.freeze._semver import Decision, Level, Reason, decide, next_version, parse_version

__all__ = [
    "Crosswalk",
    "Decision",
    "Difference",
    "FrozenManifest",
    "FrozenPlan",
    "Level",
    "ManifestMismatch",
    "Reason",
    "check_install",
    "decide",
    "differences",
    "freeze_install",
    "frozen_stamp",
    "golden_pin",
    "next_version",
    "parse_version",
    "read_frozen",
    "rescore",
    "write_frozen",
]
