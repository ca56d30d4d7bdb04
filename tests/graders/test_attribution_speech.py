"""Speech-to-text and text-to-speech told apart on real voices, by a real recogniser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.hooks import hookimpl
from offhook.host import PluginHost
from tests.graders._attr_stand import Call, FaultyPlatform, place

pytestmark = [pytest.mark.speech, pytest.mark.slow]


@attrs.frozen(eq=False)
class One:
    """A plugin with one adapter, beside all that is installed."""

    adapter: FaultyPlatform

    @hookimpl
    def offhook_adapters(self) -> Sequence[Any]:
        return [self.adapter]


def placed(adapter: FaultyPlatform, out: Path) -> Call:
    return place(One(adapter), out / "run", on=PluginHost.discover(), tasks=("customer-support/T4-M2",))


def test_a_misheard_number_is_the_ears_fault_and_a_mumbled_question_the_voices(tmp_path: Path) -> None:
    misheard = placed(FaultyPlatform(misheard={"3": "6", "three": "six"}), tmp_path / "ears")
    mumbled = placed(FaultyPlatform(mumbled=("zip",)), tmp_path / "voice")

    assert misheard.cause == 5, misheard.why
    assert misheard.grades["attribution"].evidence["decided_by"]["fact"]["value"] == "941-555-0135"
    assert mumbled.cause == 7, mumbled.why
    assert "zip" in mumbled.why.casefold()


def test_an_altered_digit_is_the_minds_with_real_ears(tmp_path: Path) -> None:
    from offhook_adapters.reference.minds.saboteurs import FAULTS, saboteur

    alters = next(fault for fault in FAULTS if fault.name == "alters-digit")

    call = placed(FaultyPlatform(make_mind=saboteur(alters)), tmp_path)

    assert call.cause == 6, call.why
    assert "the transcript had it right" in call.why
