"""Agents that do nothing a drill expects: every drill ends all the same, within its limit, and marks them."""

from __future__ import annotations

import numpy as np
import pytest

from offhook.drills import DrillMark, DrillRecord, MarkState
from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentConfig, CallSetup, Ended, FollowerPlan
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice, ScriptedRecruit, SendAt, fake_engines, hold_drill, run_virtual
from offhook.testing_pack import bicycle_pack
from offhook_drills.recruits.adapter import Recruit
from tests.drills._expected import DRILLS

ENDLESS = FakeVoice().speak("you have reached the front desk and " * 100, SpeechStyle())
AGENTS = {
    "silent": ScriptedRecruit(),
    "leaves": ScriptedRecruit(script=(SendAt(3.0, Ended("agent")),)),
    "never-silent": ScriptedRecruit(script=(SendAt(1.0, ENDLESS),)),
    "polite": ScriptedRecruit(answer=lambda order: "Thank you for calling, how may I help?"),
}


@pytest.mark.parametrize("agent", list(AGENTS))
@pytest.mark.parametrize("drill", list(DRILLS))
def test_every_drill_ends_and_scores_nothing(drill: str, agent: str) -> None:
    record, mark = hold_drill(DRILLS[drill], AGENTS[agent], seed=2)
    assert record.ending == "completed"
    assert record.seconds < DRILLS[drill].limit
    assert mark.mark == 0
    assert mark.state is (MarkState.UNMEASURED if drill == "cease_fire" else MarkState.MEASURED)


def _answering(answers: dict[str, str], drill: str, seed: int = 2) -> tuple[DrillRecord, DrillMark]:
    """Holds a drill with an agent that says something to whatever has a word in it."""

    def answer(order: str) -> str | None:
        return next((said for word, said in answers.items() if word in order), None)

    return hold_drill(DRILLS[drill], ScriptedRecruit(answer=answer), seed=seed)


def test_he_lets_an_agent_finish_that_answers_the_order() -> None:
    record, _ = _answering({"turns": "Very well sergeant I am ready for the count"}, "count_off")
    order, first = record.said[0], record.said[1]
    assert record.heard[0].start < first.start
    assert first.start > record.heard[0].end + 0.4
    assert first.start > order.end + 1.5


def test_counting_is_told_from_talk() -> None:
    record, mark = _answering({"Begin": "I will count for you in a moment"}, "cease_fire")
    assert record.moments == ()
    assert "never heard counting" in mark.why


def test_an_agent_that_has_run_out_of_numbers_was_not_interrupted() -> None:
    record, mark = _answering({"Begin": "one two three four five six seven"}, "cease_fire")
    assert [moment.name for moment in record.moments] == ["counting", "already_over"]
    assert mark.state is MarkState.UNMEASURED
    assert "had stopped" in mark.why


def test_a_recruit_takes_no_calls() -> None:
    async def main() -> None:
        recruit = Recruit("recruit")
        deployment = await recruit.deploy(AgentConfig("kestrel", "", "", (), ""))
        plan = FollowerPlan((), bicycle_pack().guide, ())
        call = CallSetup("call", bicycle_pack().now, lambda _: np.random.default_rng(1), fake_engines(), plan)
        with pytest.raises(PlatformUnusable, match="offhook drill all --platform recruit"):
            await recruit.connect(deployment, call)

    run_virtual(main())
