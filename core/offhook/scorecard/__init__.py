"""Scorecards: a platform's score, five lanes that are never blended, and an exam table, all computed from one
set of call records with their grades and request logs.

Everything is pure but ``read_input``. Where there is nothing to measure a card says "not measured" and why,
never 0. ``plain`` turns any result into JSON data.
"""

from __future__ import annotations

from offhook.scorecard._card import LaneCard, Scorecard, lane_card, scorecard
from offhook.scorecard._comparable import Comparability, comparability
from offhook.scorecard._compare import (
    AgainstBaseline,
    ConditionTest,
    Crosswalk,
    CrosswalkRow,
    RunComparison,
    compare_runs,
    condition_tests,
)
from offhook.scorecard._compliance import ComplianceLane, compliance_lane
from offhook.scorecard._components import COMPONENTS, ComponentRow, ComponentTies, component_ties
from offhook.scorecard._conversation import CONVERSATION_GRADER, ConversationLane, Share, conversation_lane
from offhook.scorecard._costs import CostPoint, Costs, call_costs, pareto
from offhook.scorecard._ends import CallEnd, end_of_call, was_transferred
from offhook.scorecard._exam import (
    BargeIns,
    Cut,
    EndCount,
    ExamCard,
    NamedRate,
    SoundexPasses,
    completion_by_task,
    exam_card,
)
from offhook.scorecard._exclusions import ExclusionKind, Exclusions, exclusion_of, exclusions
from offhook.scorecard._failures import CAUSES, FILING_REVIEWER, FailureCounts, FailureReason, why_calls_fail
from offhook.scorecard._input import CardInput, Condition, ScoredCall, TaskTraits, scored_calls
from offhook.scorecard._lanes import LaneStatus
from offhook.scorecard._page import compare_page, scorecard_page
from offhook.scorecard._plain import plain
from offhook.scorecard._platform import (
    CallCounts,
    ConditionRate,
    ModelFailures,
    PlatformCard,
    TierRate,
    platform_card,
)
from offhook.scorecard._read import ReadRun, read_input
from offhook.scorecard._robustness import DIMENSIONS, RobustnessGroup, RobustnessLane, robustness_lane
from offhook.scorecard._rules import LaneRules
from offhook.scorecard._speed import OverShare, SpeedLane, speed_lane
from offhook.scorecard._stability import Stability, StabilityBar, stability
from offhook.scorecard._stamp import stamp_of
from offhook.scorecard._task import TaskLane, clustered_line, task_lane

__all__ = [
    "CAUSES",
    "COMPONENTS",
    "CONVERSATION_GRADER",
    "DIMENSIONS",
    "FILING_REVIEWER",
    "AgainstBaseline",
    "BargeIns",
    "CallCounts",
    "CallEnd",
    "CardInput",
    "Comparability",
    "ComplianceLane",
    "ComponentRow",
    "ComponentTies",
    "Condition",
    "ConditionRate",
    "ConditionTest",
    "ConversationLane",
    "CostPoint",
    "Costs",
    "Crosswalk",
    "CrosswalkRow",
    "Cut",
    "EndCount",
    "ExamCard",
    "ExclusionKind",
    "Exclusions",
    "FailureCounts",
    "FailureReason",
    "LaneCard",
    "LaneRules",
    "LaneStatus",
    "ModelFailures",
    "NamedRate",
    "OverShare",
    "PlatformCard",
    "ReadRun",
    "RobustnessGroup",
    "RobustnessLane",
    "RunComparison",
    "Scorecard",
    "ScoredCall",
    "Share",
    "SoundexPasses",
    "SpeedLane",
    "Stability",
    "StabilityBar",
    "TaskLane",
    "TaskTraits",
    "TierRate",
    "call_costs",
    "clustered_line",
    "comparability",
    "compare_page",
    "compare_runs",
    "completion_by_task",
    "compliance_lane",
    "component_ties",
    "condition_tests",
    "conversation_lane",
    "end_of_call",
    "exam_card",
    "exclusion_of",
    "exclusions",
    "lane_card",
    "pareto",
    "plain",
    "platform_card",
    "read_input",
    "robustness_lane",
    "scorecard",
    "scorecard_page",
    "scored_calls",
    "speed_lane",
    "stability",
    "stamp_of",
    "task_lane",
    "was_transferred",
    "why_calls_fail",
]
