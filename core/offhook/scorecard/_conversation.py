"""The conversation lane: how does the exchange behave?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from offhook.scorecard._input import ScoredCall
from offhook.scorecard._lanes import LaneStatus, lane_status, percent
from offhook.scorecard._rules import LaneRules

__all__ = ["CONVERSATION_GRADER", "ConversationLane", "Share", "conversation_lane"]

CONVERSATION_GRADER: Final = "conversation"


@attrs.frozen
class Share:
    """``count`` of ``of``; ``share`` is None where ``of`` is 0."""

    count: int
    of: int

    @property
    def share(self) -> float | None:
        return self.count / self.of if self.of else None

    @property
    def told(self) -> str:
        return "not measured" if self.share is None else f"{percent(self.share)} ({self.count} of {self.of})"


@attrs.frozen
class ConversationLane:
    """Counts over all measured calls, without intervals: turns of one call are no independent draws.

    ``talk_over`` is caller turns that the agent spoke over, ``unanswered`` caller turns that got no reply of
    those that ask for one, ``repeats`` agent utterances that say an earlier one again."""

    status: LaneStatus
    floor: int
    calls: int
    caller_turns: int
    talk_over: Share
    unanswered: Share
    repeats: Share
    why_not: str = ""

    @property
    def n(self) -> int:
        return self.caller_turns

    @property
    def told(self) -> str:
        if self.status is LaneStatus.NOT_MEASURED:
            return f"not measured ({self.why_not})"
        thin = f"thin, fewer than {self.floor} caller turns: " if self.status is LaneStatus.THIN else ""
        return (
            f"{thin}talked over {self.talk_over.told}, unanswered {self.unanswered.told}, "
            f"repeated {self.repeats.told}"
        )


def conversation_lane(calls: Iterable[ScoredCall], rules: LaneRules) -> ConversationLane:
    """The lane from the counts of the ``conversation`` grades."""
    every = list(calls)
    measured = [numbers for call in every if (numbers := call.measured(CONVERSATION_GRADER))]

    def total(name: str) -> int:
        return round(sum(numbers.get(name, 0.0) for numbers in measured))

    turns = total("caller_turns")
    return ConversationLane(
        status=lane_status(turns, rules.conversation_turns),
        floor=rules.conversation_turns,
        calls=len(measured),
        caller_turns=turns,
        talk_over=Share(total("talked_over_turns"), turns),
        unanswered=Share(total("unanswered_turns"), total("answerable_turns")),
        repeats=Share(total("agent_repeats"), total("agent_utterances")),
        why_not="" if turns else _why_not(every),
    )


def _why_not(calls: Sequence[ScoredCall]) -> str:
    """What most of the grades say that measured nothing."""
    found = (call.grades.get(CONVERSATION_GRADER) for call in calls)
    said = Counter(grade.summary.removeprefix("not measured: ") for grade in found if grade is not None)
    return said.most_common(1)[0][0] if said else "no call with a conversation grade"
