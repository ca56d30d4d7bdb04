"""Whether two runs' figures may be set side by side: whatever can change a score must be the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

import attrs

from offhook.grading import Grade, GradeKind
from offhook.records import CallRecord, ComponentInfo, RunManifest
from offhook.scorecard._input import CardInput
from offhook.scorecard._stamp import stamp_of
from offhook.scoring import ATTRIBUTION_REVIEWER, CLEAN
from offhook.storage import to_json

__all__ = ["Comparability", "comparability"]

_SHOWN = 4


@attrs.frozen
class Comparability:
    """``differences`` can change a score on the same calls, so the runs are no comparison; ``notes`` bear
    on how far a comparison reaches. One line each."""

    differences: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def comparable(self) -> bool:
        return not self.differences


def comparability(baseline: CardInput, other: CardInput, *, judge: str = "") -> Comparability:
    """What differs between two runs. The platform itself, its options and the models inside it may differ:
    they are what is compared.

    Args:
        judge: the judge or verifier whose grades are the verdicts. Findings of others, attribution apart,
            enter no score, so a difference of theirs is only noted.
    """
    return Comparability(tuple(_differences(baseline, other, judge)), tuple(_notes(baseline, other, judge)))


def _differences(a: CardInput, b: CardInput, judge: str) -> Iterator[str]:
    left, right = a.manifest, b.manifest
    only = [
        f"{_some(names)} only in {run.run_id}"
        for run, names in (
            (left, set(left.tasks) - set(right.tasks)),
            (right, set(right.tasks) - set(left.tasks)),
        )
        if names
    ]
    if only:
        yield f"tasks: {'; '.join(only)}"
    for what, one, two in (
        ("stamp", stamp_of(left), stamp_of(right)),
        ("line", left.line, right.line),
        ("audio conditions", ", ".join(left.audio), ", ".join(right.audio)),
        ("caller", left.caller, right.caller),
    ):
        if one != two:
            yield f"{what}: {one} and {two}"
    if left.audio == right.audio and _variants(left) != _variants(right):
        yield f"tasks on other conditions than clean: {_variants(left)} and {_variants(right)}"
    yield from _settings("audio profile", _shared(_profiles(left), _profiles(right)))
    yield from _settings("agent instructions", _shared(left.agents, right.agents))
    yield from _settings("content of pack", _shared(left.packs, right.packs))
    # The platform's own ears are part of the platform.
    engines = [{name: run.engines[name] for name in run.engines if name != "ears"} for run in (left, right)]
    yield from _settings("engine", _all(*engines))
    yield from _settings("version of", _shared(_components(a), _components(b)))
    yield from _settings("version of grader", _graders(a, b, judge, scoring=True))


def _notes(a: CardInput, b: CardInput, judge: str) -> Iterator[str]:
    left, right = a.manifest, b.manifest
    if left.seed != right.seed:
        yield f"seeds differ ({left.seed} and {right.seed}): the calls vary otherwise than from run to run"
    if left.runs != right.runs:
        yield f"runs of each task differ ({left.runs} and {right.runs})"
    if left.engines.get("ears") != right.engines.get("ears"):
        yield f"the platform's ears differ ({left.engines.get('ears')} and {right.engines.get('ears')})"
    yield from _settings("findings of other versions:", _graders(a, b, judge, scoring=False))
    for data in (a, b):
        final = {
            (record.key.task, record.key.pack, record.key.audio, record.key.run) for record in data.records
        }
        missing = data.manifest.planned - len(final)
        if missing > 0:
            yield f"{data.manifest.run_id} lacks {missing} of {data.manifest.planned} planned calls"


def _components(data: CardInput) -> dict[str, str]:
    """Versions of all that takes part in calls, save the platform."""
    found: dict[str, set[str]] = {}
    for component in (*data.manifest.components, *_of_records(data.records)):
        if not component.component.startswith(("adapter:", "grader:")):
            weights = f" {component.sha256[:12]}" if component.sha256 else ""
            version = f"{component.distribution} {component.version}{weights}"
            found.setdefault(component.component, set()).add(version)
    ears = f"listener:{data.manifest.engines.get('ears', '')}"
    careful = f"listener:{data.manifest.engines.get('careful_ears', '')}"
    if ears != careful:
        found.pop(ears, None)
    return {name: ", ".join(sorted(versions)) for name, versions in found.items()}


def _of_records(records: Iterable[CallRecord]) -> Iterator[ComponentInfo]:
    for record in records:
        yield from record.components


def _graders(a: CardInput, b: CardInput, judge: str, *, scoring: bool) -> dict[str, tuple[str, str]]:
    """Versions on both sides of the graders that enter a score, or of the others."""

    def versions(grades: Iterable[Grade]) -> dict[str, str]:
        found: dict[str, set[str]] = {}
        for grade in grades:
            enters = grade.kind is not GradeKind.FINDING or grade.grader in (ATTRIBUTION_REVIEWER, judge)
            if enters is scoring:
                found.setdefault(grade.grader, set()).add(grade.version)
        return {name: ", ".join(sorted(each)) for name, each in found.items()}

    return _all(versions(a.grades), versions(b.grades))


def _variants(manifest: RunManifest) -> str:
    chosen = {name for audio in manifest.audio if audio != CLEAN for name in manifest.tasks_under(audio)}
    return _some(chosen) or "none"


def _profiles(manifest: RunManifest) -> dict[str, str]:
    return {
        name: hashlib.sha256(to_json(stamp).encode()).hexdigest()[:12]
        for name, stamp in manifest.profiles.items()
    }


def _shared(a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (a[name], b[name]) for name in sorted(a.keys() & b.keys())}


def _all(a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (a.get(name, "none"), b.get(name, "none")) for name in sorted(a.keys() | b.keys())}


def _settings(what: str, pairs: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    differ = [f"{name} ({one} and {two})" for name, (one, two) in pairs.items() if one != two]
    if differ:
        yield f"{what} {_some(differ)}"


def _some(names: Iterable[str]) -> str:
    every = sorted(names)
    more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + more
