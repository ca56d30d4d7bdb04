"""Pins an install: every part that a score depends on, by name, version and content."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import attrs

from offhook._score import ScoreWeights
from offhook.audio import FRAME_SECONDS, LINE_RATE
from offhook.freeze._contract import FROZEN_FORMAT, FrozenManifest, FrozenPlan
from offhook.freeze._semver import parse_version
from offhook.freeze._sources import (
    code_digest,
    constants_in,
    files_digest,
    modules_used,
    package_of,
    settings_digest,
)
from offhook.host import Component, PluginHost
from offhook.line import CLEAN
from offhook.packs import Pack
from offhook.records import LATE_LIMIT_MS
from offhook.runner import EngineChoice, RunOptions, current_versions, stamp_of
from offhook.scoring import MAX_ATTEMPTS, SILENT_ATTEMPTS
from offhook.storage import RunFolder, file_stamp, to_json
from offhook.toolserver import SeedImages, agent_config, pack_digest
from offhook.toolserver._digest import content_digest

__all__ = ["freeze_install", "golden_pin"]

_SCORING: Final = ("_score.py", "_settle.py", "scoring.py", "_hearing_pool.py", "grading.py", "stats/*.py")
_WORDS: Final = ("_spoken*.py", "_lexicon.py", "_payments.py", "names.py", "spoken.py", "values.py")
_LINE: Final = (
    "_ends.py",
    "_frame_clock.py",
    "_playout.py",
    "_polyphase.py",
    "_tape.py",
    "_verbalise*.py",
    "_virtual_loop.py",
    "audio.py",
    "clock.py",
    "levels.py",
    "line.py",
    "streams.py",
    "textline.py",
    "verbalise.py",
)


def freeze_install(
    host: PluginHost,
    plan: FrozenPlan | None = None,
    *,
    version: str = "1.0.0",
    golden: RunFolder | None = None,
    images: Path | None = None,
) -> FrozenManifest:
    """What is installed, pinned. Equal installs give equal manifests: nothing of this machine and no clock is
    in it. A missing engine's weights are pinned by the hash that its plugin expects.

    Args:
        plan: how calls are placed; engine names that it leaves out are the usual ones.
        golden: a run whose calls and outcomes are the golden set.
        images: where prepared seed databases are kept (None: the cache).

    Raises:
        ValueError: the version is not major.minor.patch.
        SeedError: a pack's seed makes no database.
        StorageError: the golden set can't be read.
    """
    parse_version(version)
    chosen = plan or FrozenPlan()
    chosen = attrs.evolve(chosen, engines={**attrs.asdict(EngineChoice()), **chosen.engines})
    seeds = SeedImages(images or RunOptions("", Path()).images)
    packs = host.packs()
    pins: dict[str, Mapping[str, Mapping[str, Any]]] = {
        "packs": {name: _pack(host.components("industry")[name], seeds) for name in packs},
        "tasks": {
            f"{pack.name}/{task.id}": {"sha256": content_digest(task)}
            for pack in packs.values()
            for task in pack.tasks
        },
        "thresholds": _thresholds(host),
        "build": _build(),
        "code": _code(host),
    }
    for kind, section, pin in _KINDS:
        pins[section] = {name: pin(part) for name, part in sorted(host.components(kind).items())}
    clean = {"profile": "unaltered", "rate_hz": LINE_RATE, "frame_s": FRAME_SECONDS}
    pins["audio"] = {CLEAN.name: clean, **pins["audio"]}
    if golden is not None:
        pins["golden"] = {"set": golden_pin(golden, host)}
    return FrozenManifest(FROZEN_FORMAT, version, chosen, json.loads(to_json(pins)))


def golden_pin(golden: RunFolder, host: PluginHost) -> Mapping[str, Any]:
    """The golden set's calls and outcomes as one hash. Raises StorageError where they can't be read."""
    versions = current_versions(golden, host)
    calls = golden.call_ids()
    told = [
        (
            call_id,
            file_stamp(golden.call_folder(call_id) / "record.json").sha256,
            [(grade.grader, str(grade.outcome)) for grade in golden.grades(call_id, versions)],
        )
        for call_id in calls
    ]
    digest = hashlib.sha256(to_json(told).encode()).hexdigest()
    return {"run": golden.manifest().run_id, "calls": len(calls), "sha256": digest}


def _pack(part: Component, seeds: SeedImages) -> dict[str, Any]:
    pack: Pack = part.value
    return {
        **_origin(part),
        "version": pack.version,
        "sha256": pack_digest(pack),
        "schema_sha256": hashlib.sha256(pack.schema.encode()).hexdigest(),
        "seed_sha256": _rows_digest(seeds.image(pack)),
        "agent_sha256": agent_config(pack).sha256,
    }


def _rows_digest(image: Path) -> str:
    """Over the rows, not over the file: SQLite writes its own version into that."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(f"{image.resolve().as_uri()}?mode=ro", uri=True)) as db:
        tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
        for (table,) in tables:
            rows = sorted(repr(row) for row in db.execute(f'SELECT * FROM "{table}"'))
            digest.update(f"\0{table}\0{len(rows)}\0".encode())
            for row in rows:
                digest.update(row.encode())
    return digest.hexdigest()


def _origin(part: Component) -> dict[str, Any]:
    return {"distribution": part.plugin.distribution, "distribution_version": part.plugin.version}


def _engine(part: Component) -> dict[str, Any]:
    info = part.value.info
    return {
        **_origin(part),
        "engine": info.engine,
        "engine_version": info.version,
        "weights_sha256": info.weights_sha256,
        "package": _package_name(part),
    }


def _grader(part: Component) -> dict[str, Any]:
    return {**_versioned(part), "kind": str(part.value.kind)}


def _versioned(part: Component) -> dict[str, Any]:
    return {**_coded(part), "version": part.value.version}


def _coded(part: Component) -> dict[str, Any]:
    return {
        **_origin(part),
        "settings_sha256": settings_digest(part.value),
        "package": _package_name(part),
    }


def _profile(part: Component) -> dict[str, Any]:
    return {**_coded(part), **attrs.asdict(stamp_of(part.value))}


def _package_name(part: Component) -> str:
    return type(part.value).__module__.partition(".")[0]


def _code(host: PluginHost) -> Mapping[str, Mapping[str, Any]]:
    """Each package that parts come from, with the kinds of its parts: one line where its code changes."""
    packages: dict[str, Path] = {}
    provides: dict[str, set[str]] = {}
    for kind, section, _ in _KINDS:
        for part in host.components(kind).values():
            path = package_of(part.value)
            if path is not None:
                packages[_package_name(part)] = path
                provides.setdefault(_package_name(part), set()).add(section)
    return {
        name: {"sha256": code_digest(path), "provides": sorted(provides[name])}
        for name, path in sorted(packages.items())
    }


def _adapter(part: Component) -> dict[str, Any]:
    capabilities = part.value.capabilities
    return {**_coded(part), "layers": [attrs.asdict(layer) for layer in capabilities.layers]}


_KINDS: Final[tuple[tuple[str, str, Callable[[Component], dict[str, Any]]], ...]] = (
    ("adapter", "platforms", _adapter),
    ("audio_profile", "audio", _profile),
    ("caller", "callers", _coded),
    ("embedder", "embedders", _engine),
    ("grader", "graders", _grader),
    ("judge", "judges", _versioned),
    ("listener", "listeners", _engine),
    ("measurer", "measurers", _versioned),
    ("model_selector", "model_selectors", _coded),
    ("reviewer", "reviewers", _versioned),
    ("vad", "vads", _engine),
    ("verifier", "verifiers", _versioned),
    ("voice", "voices", _engine),
)


def _thresholds(host: PluginHost) -> Mapping[str, Mapping[str, Any]]:
    """The score's weights, and every named number in the sources of scoring, graders and measurers."""
    root = _core()
    found = dict(constants_in(root, _matching(root, _SCORING)))
    modules: dict[Path, set[str]] = {}
    for kind in ("grader", "measurer", "reviewer"):
        for part in host.components(kind).values():
            package = package_of(part.value)
            if package is not None and package.is_dir() and package != root:
                modules.setdefault(package, set()).add(type(part.value).__module__)
    for package, names in sorted(modules.items()):
        found.update(constants_in(package, modules_used(package, sorted(names))))
    return {
        "score": attrs.asdict(ScoreWeights()),
        "calls": {
            "late_limit_ms": LATE_LIMIT_MS,
            "most_attempts": MAX_ATTEMPTS,
            "silent_attempts": SILENT_ATTEMPTS,
        },
        "constants": found,
    }


def _build() -> Mapping[str, Mapping[str, Any]]:
    from importlib import metadata

    root = _core()
    groups = {"scoring": _SCORING, "values": _WORDS, "line": _LINE, "tool-server": ("toolserver/*.py",)}
    named = {name: set(_matching(root, patterns)) for name, patterns in groups.items()}
    rest = set(root.rglob("*.py")) - set().union(*named.values())
    return {
        "offhook": {"version": metadata.version("offhook")},
        **{name: {"sha256": files_digest(root, files)} for name, files in named.items()},
        "harness": {"sha256": files_digest(root, rest)},
    }


def _matching(root: Path, patterns: tuple[str, ...]) -> list[Path]:
    return sorted({path for pattern in patterns for path in root.glob(pattern)})


def _core() -> Path:
    return Path(__file__).resolve().parents[1]
