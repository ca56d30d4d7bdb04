"""Every recruit over sound that spells what is said, in virtual time: the mark that the rules give."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import Final

import attrs
import pytest

from offhook.audio import Clip
from offhook.drills import DrillMark, DrillRecord, MarkState
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Deployment, Session
from offhook.speech import EngineInfo, Heard, ListenerHint
from offhook.testing import FakeListener, fake_engines, hold_drill
from offhook_drills import cease_fire, count_off, hold_your_tongue, read_it_back
from offhook_drills.plugin import offhook_adapters
from offhook_drills.recruits.adapter import Recruit
from offhook_drills.recruits.faults import FAULTS, recruits
from offhook_drills.recruits.minds import task_in
from tests.drills._expected import CASES, DRILLS, Case, check

RECRUITS: Final = MappingProxyType({recruit.name: recruit for recruit in recruits()})
SEEDS: Final = (1, 2, 3)


@cache
def held(recruit: str, drill: str, seed: int) -> tuple[DrillRecord, DrillMark]:
    return hold_drill(DRILLS[drill], RECRUITS[recruit], seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.recruit}-{case.drill}")
def test_a_recruit_gets_the_mark_that_the_rules_give(case: Case, seed: int) -> None:
    record, mark = held(case.recruit, case.drill, seed)
    assert record.session_errors == ()
    check(case, record, mark)


def test_every_fault_is_in_the_plugin() -> None:
    names = {adapter.name for adapter in offhook_adapters()}
    assert names == {"recruit", *(f"recruit-{fault.name}" for fault in FAULTS)}
    assert {fault.breaks for fault in FAULTS} == set(DRILLS)
    assert all(recruit.capabilities.harness_reference for recruit in recruits())


def test_homophones_are_really_heard() -> None:
    record, _ = held("recruit-homophones", "count_off", 1)
    assert {"to", "for", "ate"} <= {speech.text for speech in record.heard}


def test_talk_over_and_second_answers_are_on_record() -> None:
    _, over = held("recruit-talks-over", "count_off", 1)
    assert all(part.evidence["talked_over_s"] > 0 for part in over.parts[1:])
    record, _ = held("recruit-twice", "count_off", 1)
    assert len([speech for speech in record.heard if "two" in speech.text]) == 2


def test_corrections_come_after_the_last_turn() -> None:
    record, _ = held("recruit-wrong-once", "count_off", 1)
    last = record.said[-1]
    assert last.purpose == "correction"
    assert "Turn two: four was due" in last.text
    assert [line.purpose for line in record.said].count("number") == 5


def test_equal_seeds_give_equal_records() -> None:
    for drill in DRILLS.values():
        first, mark = held("recruit", drill.name, 1)
        again, same = hold_drill(drill, Recruit("recruit"), seed=1)
        assert attrs.evolve(again, wall={}) == attrs.evolve(first, wall={})
        assert same == mark


def test_other_seeds_draw_otherwise() -> None:
    for drill in DRILLS:
        records = [held("recruit", drill, seed)[0] for seed in SEEDS]
        assert len({str(record.draw) for record in records}) == len(SEEDS)
    starts = {held("recruit", "count_off", seed)[0].draw["start"] for seed in SEEDS}
    cuts = {held("recruit", "cease_fire", seed)[1].numbers["ran_s"] for seed in SEEDS}
    assert len(starts) > 1
    assert len(cuts) == len(SEEDS)


def test_he_cuts_in_after_ten_to_fifteen_seconds_of_heard_counting() -> None:
    for seed in SEEDS:
        record, mark = held("recruit", "cease_fire", seed)
        assert record.draw["run"] <= mark.numbers["ran_s"] <= record.draw["run"] + 1


def test_an_order_tells_which_drill_it_is() -> None:
    orders = {
        "count_off": count_off.ORDER,
        "read_it_back": read_it_back.ORDER,
        "hold_your_tongue": hold_your_tongue.ORDER,
        "cease_fire": cease_fire.ORDER,
    }
    assert {name: task_in(order) for name, order in orders.items()} == {name: name for name in orders}
    assert task_in("That will do. Dismissed.") is None


class _Deaf:
    """A recogniser that makes nothing of what it hears."""

    name = "deaf"

    @property
    def info(self) -> EngineInfo:
        return FakeListener().info

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        return Heard("")


@attrs.frozen
class _DeafRecruit:
    """The proper recruit, with nothing in its ears."""

    recruit: Recruit = attrs.field(factory=lambda: Recruit("recruit"))
    name: str = "recruit"

    @property
    def capabilities(self) -> Capabilities:
        return self.recruit.capabilities

    async def deploy(self, agent: AgentConfig) -> Deployment:
        return await self.recruit.deploy(agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Session:
        deaf = attrs.evolve(call.engines or fake_engines(), ears=_Deaf(), careful_ears=_Deaf())
        return await self.recruit.connect(deployment, attrs.evolve(call, engines=deaf))

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@pytest.mark.parametrize("drill", list(DRILLS))
def test_what_a_recruit_does_not_hear_it_does_not_know(drill: str) -> None:
    record, mark = hold_drill(DRILLS[drill], _DeafRecruit(), seed=1)
    assert mark.mark == 0
    assert record.heard == ()
    assert (mark.state is MarkState.UNMEASURED) == (drill == "cease_fire")
