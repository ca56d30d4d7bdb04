"""The robustness lane: how much of the task lane survives other voices, lines and languages?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from offhook.scorecard._input import ScoredCall
from offhook.scorecard._lanes import LaneStatus, counts_by, percent
from offhook.scorecard._rules import LaneRules
from offhook.stats import ClusteredProportion, Interval, clustered_wilson, newcombe_same_tasks

__all__ = ["DIMENSIONS", "RobustnessGroup", "RobustnessLane", "robustness_lane"]

DIMENSIONS: Final = ("voice", "difficulty", "noise", "language", "impairment")

_REFERENCES: Final[Mapping[str, str]] = MappingProxyType(
    {dimension: f"reference_{dimension}" for dimension in DIMENSIONS}
)


@attrs.frozen
class RobustnessGroup:
    """The judged calls with one value of one dimension. ``drop`` is the reference's pass rate minus this
    one's, in shares, over the ``shared`` tasks that both have, with Newcombe's interval. Both are None where
    they share none, which would compare other tasks and not other voices or lines, and for the reference."""

    dimension: str
    value: str
    is_reference: bool
    rate: ClusteredProportion
    shared: int = 0
    drop: float | None = None
    interval: Interval | None = None

    @property
    def told(self) -> str:
        share = "not measured" if self.rate.share is None else percent(self.rate.share)
        line = f"{self.dimension} {self.value}: {share} ({self.rate.passes} of {self.rate.n})"
        return line if self.drop is None else f"{line}, {self.drop_told}"

    @property
    def drop_told(self) -> str:
        """``drop 25 points (95% interval 4 to 44, 12 tasks in common)``; empty for the reference."""
        if self.drop is None or self.interval is None:
            return "" if self.is_reference else "not compared (no task in common)"
        many = "task" if self.shared == 1 else "tasks"
        return (
            f"drop {self.drop * 100:.0f} points ({self.interval.confidence * 100:g}% interval "
            f"{self.interval.low * 100:.0f} to {self.interval.high * 100:.0f}, "
            f"{self.shared} {many} in common)"
        )


@attrs.frozen
class RobustnessLane:
    """``groups`` of the noise, and of all other dimensions with more than one value. ``largest`` is the
    largest drop among the groups that share tasks with their reference, None where none does."""

    status: LaneStatus
    judged: int
    groups: tuple[RobustnessGroup, ...]
    largest: RobustnessGroup | None

    @property
    def n(self) -> int:
        return self.judged

    @property
    def told(self) -> str:
        if self.status is LaneStatus.NOT_MEASURED:
            return "not measured (no judged call)"
        if self.largest is None:
            alone = all(group.is_reference for group in self.groups)
            why = "nothing beside the clean calls" if alone else "no group shares a task with its reference"
            return f"thin, {why} ({self.judged} judged)"
        where = f"{self.largest.dimension} {self.largest.value}"
        thin = "thin, too few groups on the same tasks: " if self.status is LaneStatus.THIN else ""
        return f"{thin}largest at {where}: {self.largest.drop_told}"


def robustness_lane(calls: Iterable[ScoredCall], rules: LaneRules) -> RobustnessLane:
    """The lane from the task lane's verdicts; thin without a clean group and another one on the same
    tasks."""
    judged = [(call, state == "passed") for call in calls if (state := call.judged)]
    groups = tuple(group for dimension in DIMENSIONS for group in _of_dimension(dimension, judged, rules))
    sharing = [group for group in groups if group.drop is not None]
    largest = max(sharing, key=lambda group: (group.drop or 0.0, group.dimension, group.value), default=None)
    # With its reference, which is what it shares tasks with, each group is one more.
    enough = any(
        1 + sum(group.dimension == dimension for group in sharing) >= rules.robustness_groups
        for dimension in {group.dimension for group in sharing}
    )
    status = LaneStatus.THIN if judged else LaneStatus.NOT_MEASURED
    return RobustnessLane(
        status=LaneStatus.MEASURED if enough else status,
        judged=len(judged),
        groups=groups,
        largest=largest,
    )


def _of_dimension(
    dimension: str, judged: list[tuple[ScoredCall, bool]], rules: LaneRules
) -> tuple[RobustnessGroup, ...]:
    values: dict[str, list[tuple[ScoredCall, bool]]] = {}
    for call, passed in judged:
        if value := _value(call, dimension):
            values.setdefault(value, []).append((call, passed))
    if len(values) < 2 and dimension != "noise":
        return ()
    reference = getattr(rules, _REFERENCES[dimension]) or _commonest(values)
    counts = {
        value: counts_by((call.scenario, passed) for call, passed in values[value])
        for value in sorted(values)
    }
    found = []
    for value, mine in counts.items():
        rate = clustered_wilson(mine.values(), confidence=rules.confidence)
        group = RobustnessGroup(dimension, value, value == reference, rate)
        theirs = counts.get(reference)
        if value == reference or theirs is None:
            found.append(group)
            continue
        difference = newcombe_same_tasks(theirs, mine, confidence=rules.confidence)
        found.append(
            attrs.evolve(
                group, shared=len(difference.tasks), drop=difference.value, interval=difference.interval
            )
            if difference.interval is not None
            else group
        )
    return tuple(found)


def _commonest(values: Mapping[str, list[tuple[ScoredCall, bool]]]) -> str:
    return max(sorted(values), key=lambda value: len(values[value]), default="")


def _value(call: ScoredCall, dimension: str) -> str:
    """A call's value of a dimension; empty where it is unknown or the call differs from the clean ones in
    another way too, which would mix two effects."""
    noise, impairment = call.condition.noise, call.condition.impairment
    if dimension == "noise":
        return noise if impairment == "none" else ""
    if dimension == "impairment":
        return impairment if noise == "clean" else ""
    if not call.quiet:
        return ""
    if dimension == "voice":
        return call.record.voice
    if dimension == "difficulty":
        return str(call.task.tier) if call.task else ""
    return call.traits.language
