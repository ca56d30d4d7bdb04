"""The published rule: a ceiling, min-max scaling, filters, and the least sum on the Pareto frontier.

Which candidates are scaled together decides the scores. The published table gives scores to models that its
filters exclude (a pre-release at 0.0567 beside the selected 0.0569; a model that is not served in real time
at 0.988 beside 0.975), so the filters come after the scaling; the ceiling comes before it, since candidates
are said to be restricted to it first. The frontier is taken among the candidates that are left: a model that
nobody can call keeps none out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import attrs

from offhook.selecting._contract import (
    LAYERS,
    SELECTION_VERSION,
    Candidate,
    Ceiling,
    ChosenBy,
    ChosenModel,
    Exclusion,
    LayerDeclaration,
    LayerSpec,
    ScoredCandidate,
    Selection,
    SelectionQuestion,
    SelectionRefused,
)
from offhook.selecting._maths import exact, pareto_frontier, scale_to_best

__all__ = ["ZERO_POINT_S", "first_token_ceiling", "layer_spec", "select_min_max_pareto"]

ZERO_POINT_S: Final = 4.0
"""Median latency at which the latency part of the score is nothing."""


@attrs.frozen
class _Point:
    candidate: Candidate
    a: float
    b: float
    scaled: tuple[Fraction, Fraction]

    @property
    def total(self) -> Fraction:
        return self.scaled[0] + self.scaled[1]

    @property
    def order(self) -> tuple[Fraction, Fraction, str]:
        return (self.total, self.scaled[0], self.candidate.name)


def layer_spec(layer: str) -> LayerSpec:
    """How a layer's candidates are compared.

    Raises:
        SelectionRefused: there is no such layer.
    """
    if layer not in LAYERS:
        raise SelectionRefused(f"there is no layer {layer!r}; the layers are {', '.join(LAYERS)}")
    return LAYERS[layer]


def first_token_ceiling(
    round_trip_s: float, overhead_s: float, *, zero_point_s: float = ZERO_POINT_S
) -> Ceiling:
    """``(zero_point_s - round_trip_s - overhead_s) / 2``: a turn with a tool call waits for two first tokens,
    one tool round trip, and once for hearing and speaking. All in seconds.

    Raises:
        SelectionRefused: a value that is not finite or below 0, or nothing is left for the model.
    """
    for what, value in (("round trip", round_trip_s), ("overhead", overhead_s), ("zero point", zero_point_s)):
        if not math.isfinite(value) or value < 0:
            raise SelectionRefused(f"the {what} must be a number of seconds, 0 or more, not {value}")
    left = (exact(zero_point_s) - exact(round_trip_s) - exact(overhead_s)) / 2
    if left <= 0:
        raise SelectionRefused(
            f"a round trip of {round_trip_s} s and an overhead of {overhead_s} s leave a model no time "
            f"before {zero_point_s} s"
        )
    return Ceiling(round_trip_s, overhead_s, zero_point_s, float(left))


def select_min_max_pareto(
    candidates: Sequence[Candidate], question: SelectionQuestion, *, rule: str, rule_version: str
) -> Selection:
    """Applies the rule to the candidates of the question's layer; those of other layers are passed over.

    Raises:
        SelectionRefused: an unknown layer, no candidate of it, one name twice, a metric that none has a
            figure for, or a ceiling that is missing or out of place.
    """
    spec = layer_spec(question.layer)
    pool = _pool(candidates, question, spec)
    unscaled = {c.name: reasons for c in pool if (reasons := _why_not_scaled(c, question, spec))}
    points = sorted(_scaled([c for c in pool if c.name not in unscaled], spec), key=lambda point: point.order)
    barred = {c.name: reasons for c in pool if (reasons := _why_not_selectable(c, question, spec))}
    open_points = [point for point in points if point.candidate.name not in barred]
    beaten_by_none = pareto_frontier([point.scaled for point in open_points])
    frontier = tuple(open_points[position].candidate.name for position in beaten_by_none)
    # The least sum is always on the frontier: whoever beats a point has a smaller sum.
    selected = open_points[0] if open_points else None
    return Selection(
        version=SELECTION_VERSION,
        layer=question.layer,
        platform=question.platform,
        chosen_by=ChosenBy.RULE,
        selected=_chosen(selected, question),
        runner_up=_chosen(open_points[1] if len(open_points) > 1 else None, question),
        tied=tuple(p.candidate.name for p in open_points[1:] if selected and p.total == selected.total),
        frontier=frontier,
        scored=tuple(_scored(p, frontier, excluded=p.candidate.name in barred) for p in points),
        exclusions=tuple(
            Exclusion(c.name, _with_note(unscaled.get(c.name, ()) + barred.get(c.name, ()), c.note))
            for c in pool
            if c.name in unscaled or c.name in barred
        ),
        rule=rule,
        rule_version=rule_version,
        ceiling=question.ceiling,
        declaration=LayerDeclaration(),
        data_sha256=question.data_sha256,
        data_date=question.data_date,
    )


def _pool(
    candidates: Sequence[Candidate], question: SelectionQuestion, spec: LayerSpec
) -> tuple[Candidate, ...]:
    pool = sorted((c for c in candidates if c.layer == question.layer), key=lambda c: c.name)
    if not pool:
        raise SelectionRefused(f"no candidate is of layer {question.layer}")
    twice = [name for name, times in Counter(c.name for c in pool).items() if times > 1]
    if twice:
        raise SelectionRefused(f"two candidates of layer {question.layer} are named {twice[0]!r}")
    for metric in spec.metrics:
        if not any(_has(candidate, metric.name) for candidate in pool):
            raise SelectionRefused(
                f"no candidate of layer {question.layer} has a figure for {metric.name} ({metric.what})"
            )
    if spec.ceiling_on and question.ceiling is None:
        raise SelectionRefused(
            f"layer {question.layer} has a ceiling: the tool round trip and the speech overhead are needed"
        )
    if not spec.ceiling_on and question.ceiling is not None:
        raise SelectionRefused(f"layer {question.layer} has no ceiling")
    return tuple(pool)


def _why_not_scaled(candidate: Candidate, question: SelectionQuestion, spec: LayerSpec) -> tuple[str, ...]:
    reasons = [f"no figure for {m.name}" for m in spec.metrics if not _has(candidate, m.name)]
    limit = question.ceiling
    if limit is not None and _has(candidate, spec.ceiling_on):
        value = candidate.metrics[spec.ceiling_on]
        if exact(value) > exact(limit.first_token_s):
            reasons.append(
                f"{spec.ceiling_on} {value:.12g} is over the ceiling of {limit.first_token_s:.12g}"
            )
    return tuple(reasons)


def _has(candidate: Candidate, metric: str) -> bool:
    return math.isfinite(candidate.metrics.get(metric, math.nan))


def _why_not_selectable(
    candidate: Candidate, question: SelectionQuestion, spec: LayerSpec
) -> tuple[str, ...]:
    reasons = []
    if not candidate.generally_available:
        reasons.append("not generally available")
    if question.platform not in candidate.runs_on:
        reasons.append(f"does not run on {question.platform}")
    elif question.platform not in candidate.callable_as:
        reasons.append(f"no live call on {question.platform} took its exact identifier")
    if spec.streams and not candidate.streams:
        reasons.append("not served in real time")
    return tuple(reasons)


def _with_note(reasons: tuple[str, ...], note: str) -> tuple[str, ...]:
    return (*reasons, f"note: {note}") if note else reasons


def _scaled(candidates: Sequence[Candidate], spec: LayerSpec) -> list[_Point]:
    first, second = spec.metrics
    values = [(c.metrics[first.name], c.metrics[second.name]) for c in candidates]
    a = scale_to_best([pair[0] for pair in values], higher_is_better=first.higher_is_better)
    b = scale_to_best([pair[1] for pair in values], higher_is_better=second.higher_is_better)
    return [
        _Point(candidate, *pair, scaled)
        for candidate, pair, scaled in zip(candidates, values, zip(a, b, strict=True), strict=True)
    ]


def _scored(point: _Point, frontier: tuple[str, ...], *, excluded: bool) -> ScoredCandidate:
    return ScoredCandidate(
        point.candidate.name,
        point.a,
        point.b,
        float(point.scaled[0]),
        float(point.scaled[1]),
        float(point.total),
        point.candidate.name in frontier,
        excluded,
    )


def _chosen(point: _Point | None, question: SelectionQuestion) -> ChosenModel | None:
    if point is None:
        return None
    return ChosenModel(point.candidate.name, point.candidate.callable_as[question.platform])
