"""Recruits over real speech: a synthesised voice each way, heard by recognisers."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import pytest

from offhook.sessions import Engines
from offhook.testing import HashEmbedder, hold_drill
from offhook_caller.speech import plugin
from offhook_drills.recruits.faults import recruits
from tests.drills._expected import CASES, DRILLS, Case, check

RECRUITS: Final = MappingProxyType({recruit.name: recruit for recruit in recruits()})

pytestmark = pytest.mark.speech


@pytest.fixture(scope="module")
def engines() -> Engines:
    ears, careful = plugin.offhook_listeners()
    (vad,) = plugin.offhook_vads()
    voices = {voice.name: voice for voice in plugin.offhook_voices()}
    return Engines(voices, ears, careful, vad, HashEmbedder())


def _case(recruit: str, drill: str) -> Case:
    return next(case for case in CASES if (case.recruit, case.drill) == (recruit, drill))


@pytest.mark.parametrize(
    ("recruit", "drill"), [("recruit", "hold_your_tongue"), ("recruit-slow-to-stop", "cease_fire")]
)
def test_some_recruits_over_real_speech(recruit: str, drill: str, engines: Engines) -> None:
    record, mark = hold_drill(DRILLS[drill], RECRUITS[recruit], seed=1, engines=engines)
    check(_case(recruit, drill), record, mark)
    assert record.voices == {"Sergeant": "us-female-heart-lower-slow"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.recruit}-{case.drill}")
def test_every_recruit_over_real_speech(case: Case, seed: int, engines: Engines) -> None:
    record, mark = hold_drill(DRILLS[case.drill], RECRUITS[case.recruit], seed=seed, engines=engines)
    assert record.session_errors == ()
    check(case, record, mark)
