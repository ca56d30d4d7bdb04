"""Which version a changed manifest has to have: decided by what each change can do to a score."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import attrs

from offhook.scorecard import CONVERSATION_GRADER, FILING_REVIEWER
from offhook.scoring import ATTRIBUTION_REVIEWER, CLEAN, HEARING_GRADER, LATENCY_GRADER

if TYPE_CHECKING:
    from offhook.freeze._contract import Difference, FrozenManifest
    from offhook.freeze._golden import Crosswalk

__all__ = ["Decision", "Level", "Reason", "decide", "next_version", "parse_version", "reason_for"]

_VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_BY_CODE: Final = "its code may give other outcomes; a golden set can show whether it does"
_ENGINES: Final = {"listeners": ("ears", "careful_ears"), "vads": ("vad",), "embedders": ("embedder",)}


class Level(IntEnum):
    """``MAJOR`` can change a score on the same calls, ``MINOR`` adds what no score counts, ``PATCH``
    neither."""

    PATCH = 0
    MINOR = 1
    MAJOR = 2

    def __str__(self) -> str:
        return self.name.lower()


@attrs.frozen
class Reason:
    """Why a difference is of its level. ``provable`` says that the difference is in code alone: a golden set
    that comes out as before makes it a patch."""

    level: Level
    what: str
    why: str
    provable: bool = False


@attrs.frozen
class Decision:
    """``level`` and the ``version`` that follows from it; ``reasons`` the most serious first."""

    level: Level
    version: str
    reasons: tuple[Reason, ...]


def parse_version(text: str) -> tuple[int, int, int]:
    """``1.2.3`` as numbers. Raises ValueError for anything else."""
    found = _VERSION.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no version; write major.minor.patch, such as 1.0.0")
    major, minor, patch = (int(part) for part in found.groups())
    return major, minor, patch


def next_version(version: str, level: Level) -> str:
    """The version after a change of that level. Raises ValueError for what is no version."""
    major, minor, patch = parse_version(version)
    match level:
        case Level.MAJOR:
            return f"{major + 1}.0.0"
        case Level.MINOR:
            return f"{major}.{minor + 1}.0"
        case Level.PATCH:
            return f"{major}.{minor}.{patch + 1}"


def decide(old: FrozenManifest, new: FrozenManifest, *, golden: Crosswalk | None = None) -> Decision | None:
    """The version that ``new`` has to have after ``old``; None where nothing differs.

    Args:
        golden: the golden set scored again by what is installed. Any outcome or figure that it changes makes
            the change a major one; if nothing changes, differences in code alone are patches.
    """
    from offhook.freeze._contract import differences

    reasons = [reason_for(difference, old, new) for difference in differences(old, new)]
    if golden is not None:
        if golden.same:
            reasons = [_proven(reason, golden) if reason.provable else reason for reason in reasons]
        else:
            reasons.append(Reason(Level.MAJOR, "golden set", golden.told))
    if not reasons:
        return None
    ordered = tuple(sorted(reasons, key=lambda reason: (-reason.level, reason.what)))
    level = ordered[0].level
    return Decision(level, next_version(old.version, level), ordered)


def reason_for(difference: Difference, old: FrozenManifest, new: FrozenManifest) -> Reason:
    """What one difference can do to a score."""
    what = str(difference)
    level, why = _judged(difference, old, new)
    scores = difference.section == "build" and difference.name in ("scoring", "values", "tool-server")
    if scores or (difference.section == "code" and why == _BY_CODE):
        return Reason(Level.MAJOR, what, _BY_CODE, provable=True)
    return Reason(level, what, why)


def _proven(reason: Reason, golden: Crosswalk) -> Reason:
    why = f"code alone; all {golden.outcomes} outcomes of the golden set come out as before"
    return Reason(Level.PATCH, reason.what, why, True)


def _judged(d: Difference, old: FrozenManifest, new: FrozenManifest) -> tuple[Level, str]:
    match d.section:
        case "plan":
            return Level.MAJOR, "other calls are placed"
        case "tasks" | "packs":
            return _of_packs(d, old)
        case "judges" | "verifiers":
            return _of_judges(d)
        case "graders" | "measurers" | "reviewers":
            return _of_graders(d, old, new)
        case "callers":
            used = d.name in (old.plan.caller, new.plan.caller)
            return (Level.MAJOR, "the calls are other calls") if used else _unused(d)
        case "voices":
            return _of_voices(d)
        case "listeners" | "vads" | "embedders":
            roles = _ENGINES[d.section]
            used = any(d.name == one.plan.engines.get(role) for one in (old, new) for role in roles)
            return (Level.MAJOR, "the calls use it, and so does grading") if used else _unused(d)
        case "platforms":
            return _of_platforms(d)
        case "thresholds":
            return Level.MAJOR, "a threshold or weight can change a score on the same calls"
        case "audio":
            return _of_audio(d, old, new)
        case "golden":
            return Level.MINOR, "the golden set itself is another"
        case "model_selectors":
            return Level.MINOR, "it may choose other models, and scores no call"
        case "build":
            return _of_build(d)
        case "code":
            return _of_code(d, old, new)
        case _:
            return Level.MAJOR, "nothing is known of such a part"


def _of_packs(d: Difference, old: FrozenManifest) -> tuple[Level, str]:
    pack = d.name.partition("/")[0]
    if d.added and pack not in old.pins.get("packs", {}):
        return Level.MINOR, "a further pack; no score so far counts it"
    return Level.MAJOR, "the tasks that are scored are others"


def _of_judges(d: Difference) -> tuple[Level, str]:
    if d.added:
        return Level.MINOR, "a further judge; no score so far counts it"
    if d.field in ("distribution_version", "distribution"):
        return Level.PATCH, "the same judge out of another release"
    return Level.MAJOR, "another judge is always a major change"


def _of_graders(d: Difference, old: FrozenManifest, new: FrozenManifest) -> tuple[Level, str]:
    if d.field in ("distribution_version", "distribution"):
        return Level.PATCH, "the same version out of another release"
    kinds = {one.pins[d.section][d.name].get("kind") for one in (old, new) if d.name in one.pins[d.section]}
    if "verdict" in kinds or d.name == ATTRIBUTION_REVIEWER:
        who = "a further" if d.added else "another"
        return Level.MAJOR, f"{who} grader has a say in which calls pass"
    if d.name in (HEARING_GRADER, LATENCY_GRADER):
        return Level.MAJOR, "the score counts what it measures"
    if d.name in (CONVERSATION_GRADER, FILING_REVIEWER):
        return Level.MAJOR, "a part of the scorecard is made of what it finds"
    if d.added:
        return Level.MINOR, "a further measure; no score or lane so far counts it"
    if kinds == {"measure"}:
        return Level.MINOR, "a measure that no score or lane counts"
    return Level.MAJOR, "graders may rest on it, and so a score on the same calls"


def _of_audio(d: Difference, old: FrozenManifest, new: FrozenManifest) -> tuple[Level, str]:
    if d.added:
        return Level.MINOR, "a further audio condition"
    if d.field == "distribution_version":
        return Level.PATCH, "the same audio condition out of another release"
    used = d.name == CLEAN or d.name in (*old.plan.audio, *new.plan.audio)
    return (Level.MAJOR, "the calls sound otherwise") if used else _unused(d)


def _of_voices(d: Difference) -> tuple[Level, str]:
    entry = d.new if d.added else d.old if d.removed else None
    foreign = isinstance(entry, dict) and entry.get("distribution") != "offhook"
    if foreign:
        return _unused(d)
    if d.field == "distribution_version":
        return Level.PATCH, "the same voice out of another release"
    return Level.MAJOR, "callers sound otherwise, or tasks get other voices"


def _of_platforms(d: Difference) -> tuple[Level, str]:
    if d.added:
        return Level.MINOR, "a further platform"
    if d.removed or d.field == "layers":
        return Level.MAJOR, "a platform is measured with other models, or no longer"
    return Level.MINOR, "a platform is reached otherwise; scores of stored calls stand"


def _of_code(d: Difference, old: FrozenManifest, new: FrozenManifest) -> tuple[Level, str]:
    """By what the package provides; what is new or gone is told part by part besides."""
    if d.added or d.removed or d.field != "sha256":
        return Level.MINOR, "its parts are judged one by one"
    told = [one.pins["code"][d.name].get("provides") for one in (old, new)]
    lists = [parts for parts in told if isinstance(parts, list)]
    if len(lists) < len(told):
        return Level.MAJOR, "it does not say which parts are made of it"
    provides = {str(part) for parts in lists for part in parts}
    if provides & {"audio", "callers", "voices", "listeners", "vads", "embedders"}:
        return Level.MAJOR, "calls placed by its code may be other calls"
    if provides & {"graders", "measurers", "reviewers", "judges", "verifiers"}:
        return Level.MAJOR, _BY_CODE
    return Level.MINOR, "platforms are reached otherwise; scores of stored calls stand"


def _of_build(d: Difference) -> tuple[Level, str]:
    if d.name == "line":
        return Level.MAJOR, "calls sound otherwise or keep other time"
    return Level.PATCH, "no score depends on it"


def _unused(d: Difference) -> tuple[Level, str]:
    return Level.MINOR, "the frozen plan does not use it"
