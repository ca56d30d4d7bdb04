"""What calls cost, and which of several runs give the most for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from offhook.scorecard._input import ScoredCall

__all__ = ["CostPoint", "Costs", "call_costs", "pareto"]


@attrs.frozen
class Costs:
    """US dollars over the ``calls`` counted, of which ``known`` have a cost. ``bases`` says where it is from:
    a bill, a rate card. Nothing is extrapolated to the calls without one."""

    calls: int
    known: int
    total_usd: float
    completed: int
    bases: tuple[tuple[str, int], ...]

    @property
    def mean_usd(self) -> float | None:
        """Of a call; None where no cost is known."""
        return self.total_usd / self.known if self.known else None

    @property
    def per_completed_usd(self) -> float | None:
        """What one completed call costs, the failed ones paid for too; None without one."""
        return self.total_usd / self.completed if self.completed else None

    @property
    def told(self) -> str:
        if self.mean_usd is None:
            return "not measured (no call with a known cost)"
        basis = ", ".join(f"{name} {count}" for name, count in self.bases)
        each = "" if self.per_completed_usd is None else f", ${self.per_completed_usd:.3f} a completed call"
        return f"${self.mean_usd:.3f} a call{each} (known for {self.known} of {self.calls}: {basis})"


def call_costs(calls: Iterable[ScoredCall]) -> Costs:
    """Sums the costs of calls up. ``completed`` counts those of known cost alone."""
    every = list(calls)
    known = [(call, usd) for call in every if (usd := call.record.cost_usd) is not None]
    bases = Counter(call.record.cost_basis for call, _ in known)
    return Costs(
        calls=len(every),
        known=len(known),
        total_usd=float(sum(usd for _, usd in known)),
        completed=sum(call.verdict == "pass" for call, _ in known),
        bases=tuple(sorted(bases.items())),
    )


@attrs.frozen
class CostPoint:
    """One run; on the ``frontier`` where no other is as cheap and completes as much, better in one of the
    two."""

    name: str
    cost_usd: float
    completion: float
    frontier: bool


def pareto(points: Mapping[str, tuple[float | None, float | None]]) -> tuple[CostPoint, ...]:
    """The runs with both figures, ``(mean cost in US dollars, completion)`` by name, cheapest first."""
    known: Sequence[tuple[str, float, float]] = [
        (name, cost, completion)
        for name, (cost, completion) in points.items()
        if cost is not None and completion is not None
    ]
    return tuple(
        CostPoint(
            name,
            cost,
            completion,
            not any(
                c <= cost and done >= completion and (c, done) != (cost, completion) for _, c, done in known
            ),
        )
        for name, cost, completion in sorted(known, key=lambda point: (point[1], -point[2], point[0]))
    )
