"""All cards of one run, from one set of records."""

from __future__ import annotations

from collections.abc import Collection

import attrs

from offhook.scorecard._compliance import ComplianceLane, compliance_lane
from offhook.scorecard._conversation import ConversationLane, conversation_lane
from offhook.scorecard._exam import ExamCard, exam_card
from offhook.scorecard._failures import FailureCounts, why_calls_fail
from offhook.scorecard._input import CardInput, scored_calls
from offhook.scorecard._platform import PlatformCard, platform_card
from offhook.scorecard._robustness import RobustnessLane, robustness_lane
from offhook.scorecard._rules import LaneRules
from offhook.scorecard._speed import SpeedLane, speed_lane
from offhook.scorecard._stability import Stability, stability
from offhook.scorecard._task import TaskLane, task_lane

__all__ = ["LaneCard", "Scorecard", "lane_card", "scorecard"]


@attrs.frozen
class LaneCard:
    """The five lanes, which are never added up, with the stability block and why calls fail."""

    rules: LaneRules
    task: TaskLane
    speed: SpeedLane
    conversation: ConversationLane
    robustness: RobustnessLane
    compliance: ComplianceLane
    stability: Stability
    failures: FailureCounts

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """Each lane's name and its line, task first."""
        return (
            ("task", self.task.told),
            ("speed", self.speed.told),
            ("conversation", self.conversation.told),
            ("robustness", self.robustness.told),
            ("compliance", self.compliance.told),
        )


@attrs.frozen
class Scorecard:
    """The platform's score, the five lanes and the exam of one run."""

    platform: PlatformCard
    lanes: LaneCard
    exam: ExamCard


def lane_card(data: CardInput, rules: LaneRules | None = None, *, judge: str = "") -> LaneCard:
    """The five lanes of one run.

    Args:
        judge: the judge or verifier whose grades are the verdicts, and whose rulings make the compliance
            lane; by default the verdict graders' grades, and the rulings of the only judge there is.
    """
    rules = rules or LaneRules()
    calls = scored_calls(data, judge=judge)
    return LaneCard(
        rules=rules,
        task=task_lane(calls, rules),
        speed=speed_lane(calls, rules),
        conversation=conversation_lane(calls, rules),
        robustness=robustness_lane(calls, rules),
        compliance=compliance_lane(calls, rules, judge=judge),
        stability=stability(calls, rules),
        failures=why_calls_fail(calls),
    )


def scorecard(
    data: CardInput,
    rules: LaneRules | None = None,
    *,
    judge: str = "",
    wrong_verdicts: Collection[str] = (),
) -> Scorecard:
    """Every card of one run; arguments as in ``lane_card`` and ``exam_card``."""
    rules = rules or LaneRules()
    return Scorecard(
        platform=platform_card(data, rules),
        lanes=lane_card(data, rules, judge=judge),
        exam=exam_card(data, rules, judge=judge, wrong_verdicts=wrong_verdicts),
    )
