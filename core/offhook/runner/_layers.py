"""Who chose the models inside a platform: its own word, except where it would excuse it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from offhook.records import ModelLayer

__all__ = ["BY_RULE", "UNPROVEN", "WrongSelection", "settled_layers"]

BY_RULE: Final = "rule"
UNPROVEN: Final = "unproven"
"""Stands in place of ``rule`` where no frozen selection shows it; such a model counts as the platform's."""


class WrongSelection(Exception):
    """A frozen selection is not of this platform's models; the message says which."""


def settled_layers(declared: Sequence[ModelLayer], selected: Sequence[ModelLayer]) -> tuple[ModelLayer, ...]:
    """The layers as a run keeps them. Failures of a model that the benchmark's rule chose are left out of the
    score, so a platform can't say so by itself: only a selection that the run was given can.

    Args:
        declared: what the platform says of itself; it may leave layers out.
        selected: the outcomes of frozen selections, at most one a layer.

    Raises:
        WrongSelection: a layer is selected twice, or the platform says that it runs another model.
    """
    chosen = {layer.layer: layer for layer in selected}
    if len(chosen) < len(selected):
        raise WrongSelection("two selections are for one layer; give one each")
    settled = []
    for layer in declared:
        choice = chosen.pop(layer.layer, None)
        if choice is not None and choice.model != layer.model:
            raise WrongSelection(
                f"the selection for layer {layer.layer} is {choice.model}, the platform runs {layer.model}"
            )
        if choice is None and layer.chosen_by == BY_RULE:
            layer = attrs.evolve(layer, chosen_by=UNPROVEN)
        settled.append(choice or layer)
    return (*settled, *(chosen[name] for name in sorted(chosen)))
