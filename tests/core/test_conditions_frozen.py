"""What a frozen manifest pins of audio conditions, what a change of one is, and which runs are compared."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from offhook.freeze import (
    FrozenManifest,
    FrozenPlan,
    decide,
    differences,
    freeze_install,
    write_frozen,
)
from offhook.freeze._semver import Level
from offhook.records import ProfileStamp, RunManifest
from offhook.runner import stamp_of
from offhook.scorecard._comparable import comparability
from offhook.storage import StorageError
from tests.core._conditions import HissParameters, HissProfile, hissing_host
from tests.core.scorecard._built import build, call


def frozen_with(profile: HissProfile, tmp_path: Path, **plan: object) -> FrozenManifest:
    return freeze_install(hissing_host(profile), FrozenPlan(**plan), images=tmp_path / "images")  # type: ignore[arg-type]


def test_every_parameter_of_a_condition_is_pinned(tmp_path: Path) -> None:
    manifest = frozen_with(HissProfile(), tmp_path)
    assert set(manifest.pins["audio"]) == {"clean", "hiss"}
    assert manifest.pins["audio"]["hiss"]["parameters"] == {"loudest": 50, "band_hz": [0.0, 12000.0]}
    louder = frozen_with(HissProfile(parameters=HissParameters(loudest=60)), tmp_path)
    found = {(one.section, one.name, one.field) for one in differences(manifest, louder)}
    assert ("audio", "hiss", "parameters") in found


@pytest.mark.parametrize(("audio", "level"), [(("clean", "hiss"), Level.MAJOR), (("clean",), Level.MINOR)])
def test_a_changed_condition_is_a_major_change_where_the_plan_has_it(
    tmp_path: Path, audio: tuple[str, ...], level: Level
) -> None:
    before = frozen_with(HissProfile(), tmp_path, audio=audio)
    after = frozen_with(HissProfile(parameters=HissParameters(loudest=60)), tmp_path, audio=audio)
    decision = decide(before, after)
    assert decision is not None
    assert decision.level is level


def test_other_variants_are_other_calls(tmp_path: Path) -> None:
    easy = frozen_with(HissProfile(), tmp_path, audio=("clean", "hiss"))
    decision = decide(easy, attrs.evolve(easy, plan=attrs.evolve(easy.plan, variants="all")))
    assert decision is not None
    assert decision.level is Level.MAJOR
    assert "plan: variants" in decision.reasons[0].what


def test_a_plan_with_unknown_variants_is_refused(tmp_path: Path) -> None:
    manifest = frozen_with(HissProfile(), tmp_path)
    hard = attrs.evolve(manifest, plan=attrs.evolve(manifest.plan, variants="hard"))
    with pytest.raises(StorageError, match=r"\$\.plan\.variants is hard, expected easy or all"):
        write_frozen(hard, tmp_path / "m.json")  # which reads back what it wrote


def test_runs_on_other_parameters_or_other_tasks_are_not_compared() -> None:
    data = build([call("S1"), call("S1", 2, audio="street")])
    names = data.manifest.tasks

    def run(**changes: object) -> RunManifest:
        stamps = {"street": ProfileStamp("road traffic", "", {"loudest": 50})}
        base = attrs.evolve(data.manifest, audio=("clean", "street"), profiles=stamps, variant_tasks=names)
        return attrs.evolve(base, **changes)  # type: ignore[arg-type]

    def told(other: RunManifest) -> tuple[str, ...]:
        pair = (attrs.evolve(data, manifest=one) for one in (run(), other))
        return comparability(*pair).differences

    assert told(run()) == ()
    louder = run(profiles={"street": ProfileStamp("road traffic", "", {"loudest": 60})})
    (difference,) = told(louder)
    assert difference.startswith("audio profile street (")
    (difference,) = told(run(variant_tasks=()))
    assert difference == f"tasks on other conditions than clean: {names[0]} and none"


def test_a_stamp_is_plain_json() -> None:
    assert stamp_of(HissProfile()) == ProfileStamp("hiss", "", {"loudest": 50, "band_hz": [0.0, 12000.0]})
