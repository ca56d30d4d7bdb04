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
    one's, in shares, over the ``shared`` scenarios that both have, with Newcombe's interval. Where they share
    none the interval is None and the drop is between different scenarios. Both are None for the reference."""

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
        """``drop 25 points (95% interval 4 to 44, 12 scenarios in common)``."""
        if self.drop is None:
            return ""
        if self.interval is None:
            return f"drop {self.drop * 100:.0f} points between different scenarios"
        many = "scenario" if self.shared == 1 else "scenarios"
        return (
            f"drop {self.drop * 100:.0f} points ({self.interval.confidence * 100:g}% interval "
            f"{self.interval.low * 100:.0f} to {self.interval.high * 100:.0f}, "
            f"{self.shared} {many} in common)"
        )


@attrs.frozen
class RobustnessLane:
    """``groups`` of the noise, and of all other dimensions with more than one value. ``largest`` is the
    largest drop among the groups that share scenarios with their reference; where none does, among all."""

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
            return f"thin, nothing beside the clean calls ({self.judged} judged)"
        where = f"{self.largest.dimension} {self.largest.value}"
        thin = ""
        if self.status is LaneStatus.THIN:
            thin = "thin, no scenario in common with a clean group: "
        return f"{thin}largest at {where}: {self.largest.drop_told}"


def robustness_lane(calls: Iterable[ScoredCall], rules: LaneRules) -> RobustnessLane:
    """The lane from the task lane's verdicts; thin without a clean group and another one on the same
    scenarios."""
    judged = [(call, state == "passed") for call in calls if (state := call.judged)]
    groups = tuple(group for dimension in DIMENSIONS for group in _of_dimension(dimension, judged, rules))
    compared = [group for group in groups if group.drop is not None]
    largest = max(
        compared,
        key=lambda group: (group.interval is not None, group.drop or 0.0, group.dimension, group.value),
        default=None,
    )
    sharing = [group for group in compared if group.interval is not None]
    # With its reference, which is what it shares scenarios with, each group is one more.
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
        if difference.interval is not None:
            found.append(
                attrs.evolve(
                    group,
                    shared=len(difference.tasks),
                    drop=difference.value,
                    interval=difference.interval,
                )
            )
        else:
            base = clustered_wilson(theirs.values(), confidence=rules.confidence)
            found.append(attrs.evolve(group, drop=(base.share or 0.0) - (rate.share or 0.0)))
    return tuple(found)


def _commonest(values: Mapping[str, list[tuple[ScoredCall, bool]]]) -> str:
    return max(sorted(values), key=lambda value: len(values[value]), default="")


def _value(call: ScoredCall, dimension: str) -> str:
    """A call's value of a dimension; empty where it is unknown or the call differs from the quiet ones in
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
