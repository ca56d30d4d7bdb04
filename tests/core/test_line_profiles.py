"""Profiles: what stands between the caller and the platform."""

from __future__ import annotations

import asyncio

import attrs
import numpy as np
import pytest

from offhook.audio import Samples
from offhook.clock import run_virtual
from offhook.line import CleanParameters, CleanProfile, FrameTransform, Line, LineSetting
from offhook.testing import ScriptedAgent
from tests.core._line import HissProfile, placed, ramp, serving, virtual_call


def test_a_profile_sits_between_the_caller_and_the_platform() -> None:
    clip = ramp(960)
    agent = ScriptedAgent()
    line = Line(profile=HissProfile(), rng=np.random.default_rng(7))
    tapes = virtual_call(line, 0.1, lambda line: line.caller.say(clip), serving(agent))
    hiss = np.random.default_rng(7).integers(1, 50, 2400)
    clean = placed(clip, 0, 2400)
    assert tapes.caller_clean.tobytes() == clean.tobytes()
    assert tapes.stereo[:, 0].tobytes() == (clean + hiss).astype(np.int16).tobytes()
    assert agent.heard.samples.tobytes() == tapes.stereo[:, 0].tobytes()


def test_a_profile_needs_a_generator() -> None:
    with pytest.raises(ValueError, match="'hiss' needs rng"):
        Line(profile=HissProfile())


class _Shortening:
    def push(self, frame: Samples) -> Samples:
        return frame[:-1]


@attrs.frozen
class BrokenProfile:
    name: str = "broken"
    background: str = ""
    impairment: str = "frames cut short"
    parameters: CleanParameters = attrs.field(factory=CleanParameters)

    def open(self, rng: np.random.Generator, setting: LineSetting) -> FrameTransform:
        return _Shortening()


@pytest.mark.parametrize("push_at", [None, 0.05])
def test_a_broken_profile_ends_the_call_with_its_name(push_at: float | None) -> None:
    async def main() -> Line:
        line = Line(profile=BrokenProfile(), rng=np.random.default_rng(0))
        run = asyncio.create_task(line.run())
        if push_at is not None:
            # Settles a frame, but must not raise into the platform's hands.
            await asyncio.sleep(0.01)
            line.platform.playout.push(ramp(480).samples)
        with pytest.raises(ValueError, match="profile 'broken' must return int16 frames"):
            await run
        return line

    line = run_virtual(main())
    assert line.over
    assert line.result().ended_by == "line"


def test_the_clean_profile_changes_nothing() -> None:
    frame = ramp(480).samples
    assert CleanProfile().open(np.random.default_rng(0), LineSetting()).push(frame) is frame
