"""The frozen manifest: its plan and its pins, as a file, and how two of them differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.freeze._moves import with_new_places
from offhook.freeze._semver import parse_version
from offhook.records import FrozenStamp
from offhook.runner import VARIANTS, EngineChoice
from offhook.storage import (
    MOST_ATTEMPTS,
    StorageError,
    file_stamp,
    from_json,
    guarded,
    read_text,
    to_json,
    write_text,
)

__all__ = [
    "FROZEN_FORMAT",
    "SECTIONS",
    "Difference",
    "FrozenManifest",
    "FrozenPlan",
    "Pins",
    "differences",
    "frozen_stamp",
    "read_frozen",
    "write_frozen",
]

FROZEN_FORMAT: Final = 1

SECTIONS: Final = (
    "audio",
    "build",
    "callers",
    "code",
    "embedders",
    "graders",
    "judges",
    "listeners",
    "measurers",
    "model_selectors",
    "packs",
    "platforms",
    "reviewers",
    "tasks",
    "thresholds",
    "vads",
    "verifiers",
    "voices",
)
"""What every manifest pins, be it nothing: without a section, whatever is installed would pass for frozen."""

Pins = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Section to name to what is pinned of it. Every value is plain JSON; where it stands for content it is a
SHA-256."""


@attrs.frozen
class FrozenPlan:
    """How the calls are placed: equal plans give the same calls. ``audio`` are the audio conditions,
    ``variants`` says which tasks those other than clean are placed for (``easy`` or ``all``); ``engines`` are
    names by role."""

    seed: int = 1
    runs: int = 5
    attempts: int = 3
    caller: str = "scripted"
    line: str = "audio"
    audio: tuple[str, ...] = ("clean",)
    variants: str = "easy"
    engines: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class FrozenManifest:
    """``format`` is of the file, ``version`` the benchmark's own, major.minor.patch."""

    format: int
    version: str
    plan: FrozenPlan
    pins: Pins


@attrs.frozen
class Difference:
    """One pinned value that is not the same in both. ``old`` and ``new`` are values, or None where there is
    none; without a ``field`` the whole entry is ``added`` or ``removed``."""

    section: str
    name: str
    field: str
    old: Any
    new: Any

    @property
    def added(self) -> bool:
        return not self.field and self.old is None

    @property
    def removed(self) -> bool:
        return not self.field and self.new is None

    def __str__(self) -> str:
        where = f"{self.section}: {self.name}"
        if self.added:
            return f"{where} is new"
        if self.removed:
            return f"{where} is gone"
        return f"{where}: {self.field} was {_short(self.old)}, is {_short(self.new)}"


def differences(old: FrozenManifest, new: FrozenManifest) -> tuple[Difference, ...]:
    """All differences but those of the versions, in the order of sections and names. A constant that only
    moved to another module of its package is none; the package's code differs then, and says so."""
    found: list[Difference] = []
    was, now = ({**_flat_plan(one.plan), **one.pins} for one in (old, new))
    for section in sorted({*was, *now}):
        before, after = was.get(section, {}), now.get(section, {})
        for name in sorted({*before, *after}):
            if name not in before or name not in after:
                found.append(Difference(section, name, "", before.get(name), after.get(name)))
                continue
            one, other = before[name], after[name]
            if (section, name) == ("thresholds", "constants"):
                one = with_new_places(one, other)
            fields = sorted({*one, *other}, key=lambda field: (field != "version", field))
            pairs = ((field, one.get(field), other.get(field)) for field in fields)
            found += [Difference(section, name, field, a, b) for field, a, b in pairs if a != b]
    return tuple(found)


def write_frozen(manifest: FrozenManifest, path: Path) -> FrozenStamp:
    """Writes the manifest, whole or not at all; equal manifests give equal bytes. Returns its stamp.

    Raises:
        StorageError: the disk refuses.
    """
    text = json.dumps(json.loads(to_json(manifest)), indent=1, sort_keys=True, ensure_ascii=False)
    with guarded(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text + "\n")
    return frozen_stamp(path)


def read_frozen(path: Path) -> FrozenManifest:
    """Raises:
    StorageError: the file can't be read, is no frozen manifest or half of one, or is of another format.
    """
    text = read_text(path)
    found = _format_of(text)
    if found != FROZEN_FORMAT:
        raise StorageError(
            f"{path}: $.format is {found!r}, expected {FROZEN_FORMAT}; it is no frozen manifest, or was "
            "written by another offhook"
        )
    manifest = from_json(text, FrozenManifest, source=str(path))
    try:
        parse_version(manifest.version)
    except ValueError as error:
        raise StorageError(f"{path}: $.version: {error}") from None
    fault = _plan_fault(manifest.plan, json.loads(text)["plan"]) or _pins_fault(manifest.pins)
    if fault:
        raise StorageError(f"{path}: {fault}; write it with offhook freeze")
    return manifest


def frozen_stamp(path: Path) -> FrozenStamp:
    """What a run keeps of the manifest that it follows. Raises StorageError as ``read_frozen``."""
    return FrozenStamp(read_frozen(path).version, file_stamp(path).sha256)


def _format_of(text: str) -> object:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    found = data.get("format") if isinstance(data, dict) else None
    return str(found) if isinstance(found, bool) else found  # True == 1


def _plan_fault(plan: FrozenPlan, given: Mapping[str, Any]) -> str:
    """What no run could follow, or would fill in by itself; empty where there is nothing."""
    for field in attrs.fields(FrozenPlan):
        if field.name not in given:
            return f"$.plan.{field.name} is missing"
    for ok, name, expected in (
        (plan.seed >= 0, "seed", "0 or more"),
        (plan.runs >= 1, "runs", "1 or more"),
        (1 <= plan.attempts <= MOST_ATTEMPTS, "attempts", f"1 to {MOST_ATTEMPTS}"),
        (plan.line in ("audio", "text"), "line", "audio or text"),
        (bool(plan.audio) and len(set(plan.audio)) == len(plan.audio), "audio", "conditions, each once"),
        (plan.variants in VARIANTS, "variants", " or ".join(VARIANTS)),
    ):
        if not ok:
            return f"$.plan.{name} is {_short(getattr(plan, name))}, expected {expected}"
    roles = {field.name for field in attrs.fields(EngineChoice)}
    if set(plan.engines) != roles:
        found = ", ".join(sorted(plan.engines)) or "none"
        return f"$.plan.engines names {found}, expected {', '.join(sorted(roles))}"
    return ""


def _pins_fault(pins: Pins) -> str:
    missing = [section for section in SECTIONS if section not in pins]
    return f"$.pins.{missing[0]} is missing" if missing else ""


def _flat_plan(plan: FrozenPlan) -> Pins:
    values = {field.name: getattr(plan, field.name) for field in attrs.fields(FrozenPlan)}
    values["audio"] = list(plan.audio)
    values["engines"] = dict(plan.engines)
    return {"plan": {name: {"value": value} for name, value in values.items()}}


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    if len(text) == 64 and set(text) <= set("0123456789abcdef"):
        return text[:12]
    return text if len(text) <= 80 else f"{text[:77]}..."
