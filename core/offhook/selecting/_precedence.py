"""A platform's own choice goes before the rule: what it bundles, what its documentation recommends, its
newest flagship, in this order.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from offhook.selecting._contract import (
    SELECTION_VERSION,
    Candidate,
    ChosenBy,
    ChosenModel,
    LayerDeclaration,
    ModelSelector,
    Selection,
    SelectionQuestion,
    SelectionRefused,
)
from offhook.selecting._rule import layer_spec

__all__ = ["choose_model", "decided_by", "parse_day"]


def parse_day(text: str) -> date:
    """The day that ``YYYY-MM-DD`` stands for.

    Raises:
        SelectionRefused: it is none.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise SelectionRefused(f"{text!r} is not a day such as 2026-10-27")
    return day


def decided_by(declaration: LayerDeclaration) -> tuple[ChosenBy, str]:
    """The step that decides a layer and the model it names, empty where the rule has to select.

    Raises:
        SelectionRefused: a recommendation without its source, a flagship without a day, or two newest ones.
    """
    if declaration.recommended and not declaration.recommended_at:
        raise SelectionRefused(f"where {declaration.recommended} is recommended is missing: add its address")
    if declaration.recommended_at and not declaration.recommended:
        raise SelectionRefused(f"{declaration.recommended_at} is the source of no recommendation")
    newest = _newest(declaration)
    for step, model in (
        (ChosenBy.BUNDLED, declaration.bundled),
        (ChosenBy.RECOMMENDED, declaration.recommended),
        (ChosenBy.FLAGSHIP, newest),
    ):
        if model:
            return step, model
    return ChosenBy.RULE, ""


def _newest(declaration: LayerDeclaration) -> str:
    """The flagship that came out last, empty where there is none."""
    dated = [(parse_day(flagship.released), flagship.id) for flagship in declaration.flagships]
    if not dated:
        return ""
    last = max(day for day, _ in dated)
    newest = sorted({model for day, model in dated if day == last})
    if len(newest) > 1:
        raise SelectionRefused(f"{' and '.join(newest)} came out on the same day; name one flagship")
    return newest[0]


def choose_model(
    declaration: LayerDeclaration,
    candidates: Sequence[Candidate],
    question: SelectionQuestion,
    selector: ModelSelector,
) -> Selection:
    """The model of a layer: the platform's own where it has one, otherwise what the selector selects.

    Raises:
        SelectionRefused: the declaration contradicts itself, or the selector has no answer.
        TypeError: the selector answers something else.
    """
    layer_spec(question.layer)
    parse_day(question.data_date)
    step, model = decided_by(declaration)
    if step is ChosenBy.RULE:
        answer = selector.select(candidates, question)
        if not isinstance(answer, Selection):
            raise TypeError(f"select returned a {type(answer).__name__}, expected a Selection")
        return answer
    return Selection(
        version=SELECTION_VERSION,
        layer=question.layer,
        platform=question.platform,
        chosen_by=step,
        selected=ChosenModel(_name_of(model, candidates, question), model),
        runner_up=None,
        tied=(),
        frontier=(),
        scored=(),
        exclusions=(),
        rule="",
        rule_version="",
        ceiling=question.ceiling,
        declaration=declaration,
        data_sha256=question.data_sha256,
        data_date=question.data_date,
    )


def _name_of(model: str, candidates: Sequence[Candidate], question: SelectionQuestion) -> str:
    """What the data call a model that a platform chose, its identifier where they name none or several."""
    names = {
        candidate.name
        for candidate in candidates
        if candidate.layer == question.layer
        and model in (candidate.id, candidate.callable_as.get(question.platform))
    }
    return names.pop() if len(names) == 1 else model
