"""What every recruit has to be marked with, by the rules and by what it was told to do."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

import attrs
import pytest

from offhook.drills import DrillMark, DrillRecord, MarkState
from offhook_drills.plugin import offhook_drills
from offhook_drills.recruits.faults import FAULTS
from tests.drills._made import count_rule, yield_rule

__all__ = ["CASES", "DRILLS", "check"]

DRILLS: Final = MappingProxyType({drill.name: drill for drill in offhook_drills()})

Rule = Callable[[DrillRecord], float]


def _flat(mark: float) -> Rule:
    return lambda record: mark


def _in_place(change: Callable[[list[int]], list[int]]) -> Rule:
    def rule(record: DrillRecord) -> float:
        numbers = list(record.draw["numbers"])
        read = change(numbers)
        return float(100 * sum(a == b for a, b in zip(numbers, read, strict=False)) / 6)

    return rule


def _held(seconds: float) -> Rule:
    return lambda record: min(100.0, 100 * seconds / record.draw["silence"])


@attrs.frozen
class Case:
    """A recruit in one drill. ``times`` is how long after he spoke each of its answers has to be heard."""

    recruit: str
    drill: str
    rule: Rule
    state: MarkState = MarkState.MEASURED
    times: float | None = None


_RULES: Final[dict[str, tuple[Rule, MarkState, float | None]]] = {
    "wrong-number": (_flat(0), MarkState.MEASURED, 0.5),
    "wrong-once": (_flat(80), MarkState.MEASURED, 0.5),
    "misses-a-turn": (_flat(80), MarkState.MEASURED, 0.5),
    "late": (_flat(80), MarkState.MEASURED, 2.4),
    "very-late": (_flat(60), MarkState.MEASURED, 4.5),
    "too-late": (_flat(0), MarkState.MEASURED, None),
    "mute-in-turns": (_flat(0), MarkState.MEASURED, None),
    "talks-over": (_flat(100), MarkState.MEASURED, None),
    "twice": (_flat(100), MarkState.MEASURED, None),
    "homophones": (_flat(100), MarkState.MEASURED, 0.5),
    "wordy": (_flat(100), MarkState.MEASURED, 0.5),
    "misreads-one": (_flat(500 / 6), MarkState.MEASURED, 1.2),
    "drops-the-last": (_flat(500 / 6), MarkState.MEASURED, 1.2),
    "drops-the-first": (_in_place(lambda numbers: numbers[1:]), MarkState.MEASURED, 1.2),
    "backwards": (_in_place(lambda numbers: numbers[::-1]), MarkState.MEASURED, 1.2),
    "reads-nothing": (_flat(0), MarkState.MEASURED, None),
    "halting": (_flat(100), MarkState.MEASURED, 6.0),
    "two-words": (_flat(0), MarkState.MEASURED, 1.2),
    "second-word": (_flat(0), MarkState.MEASURED, 1.2),
    "wrong-word": (_flat(0), MarkState.MEASURED, 1.2),
    "no-word": (_flat(0), MarkState.MEASURED, None),
    "late-word": (_flat(0), MarkState.MEASURED, 5.4),
    "apologises": (_held(4.0), MarkState.MEASURED, 1.2),
    "fills-the-gap": (_held(7.0), MarkState.MEASURED, 1.2),
    "never-stops": (_flat(0), MarkState.MEASURED, None),
    "slow-to-stop": (_flat(80), MarkState.MEASURED, 1.5),
    "very-slow-to-stop": (_flat(60), MarkState.MEASURED, 5.0),
    "never-starts": (_flat(0), MarkState.UNMEASURED, None),
    "stops-by-itself": (_flat(0), MarkState.UNMEASURED, None),
    "only-pauses": (_flat(0), MarkState.MEASURED, None),
}

CASES: Final = (
    Case("recruit", "count_off", _flat(100), times=0.5),
    Case("recruit", "read_it_back", _flat(100), times=1.2),
    Case("recruit", "hold_your_tongue", _flat(100), times=1.2),
    Case("recruit", "cease_fire", _flat(100)),
    *(Case(f"recruit-{fault.name}", fault.breaks, *_RULES[fault.name]) for fault in FAULTS),
)


def check(case: Case, record: DrillRecord, mark: DrillMark) -> None:
    """The mark is what the rules give for what the recruit was told, and for what was recorded."""
    assert mark.state is case.state, mark.why
    assert mark.mark == pytest.approx(case.rule(record), abs=0.5), mark.why
    delays = _delays(record, mark)
    if case.times is not None:
        assert delays
        assert delays == pytest.approx([case.times] * len(delays), abs=0.02)
    match record.drill:
        case "count_off":
            right = [part.evidence["latency_s"] for part in mark.parts if part.mark > 0]
            assert mark.mark == pytest.approx(sum(map(count_rule, right)) / 5)
        case "cease_fire" if "yield_s" in mark.numbers:
            assert mark.mark == pytest.approx(yield_rule(mark.numbers["yield_s"]))
        case _:
            pass


def _delays(record: DrillRecord, mark: DrillMark) -> list[float]:
    """From the end of what he said, or in Cease Fire from the beginning, to what was heard."""
    if record.drill == "cease_fire":
        return [mark.numbers["yield_s"]] if "yield_s" in mark.numbers else []
    purpose = "now" if record.drill == "hold_your_tongue" else "number"
    ends = [line.end for line in record.said if line.purpose == purpose]
    if record.drill == "read_it_back":
        ends = ends[-1:]
    starts = [speech.start for speech in record.heard]
    answers = [(end, next((start for start in starts if start > end), None)) for end in ends]
    following = [*ends[1:], float("inf")]
    return [
        start - end
        for (end, start), beyond in zip(answers, following, strict=True)
        if start is not None and start < beyond
    ]
