"""The caller's turns from Gradium's own signal: how likely it is that they stay silent for some seconds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any, Final

__all__ = ["Turn", "TurnSignal", "inactivity"]

# As the vendor's examples use it: the longest horizon, and evens. A flush feeds the model silence, which its
# signal takes for the caller's; so it is not trusted for some steps after one.
_HORIZON: Final = 2
_THRESHOLD: Final = 0.5
_STEPS_AFTER_FLUSH: Final = 8
_INSISTENT_STEPS: Final = 3


class Turn(Enum):
    """What a step says."""

    BEGAN = auto()
    INSISTS = auto()
    ENDED = auto()


def inactivity(step: Mapping[str, Any]) -> float:
    """The probability in a ``step`` that is watched.

    Raises:
        LookupError, TypeError, ValueError: the step has another shape.
    """
    return float(step["vad"][_HORIZON]["inactivity_prob"])


class TurnSignal:
    """Follows the steps, one each 80 ms. A turn begins below the threshold, once the caller was silent
    before, and ends above it; after that ``flushed`` has to be told before another can begin.
    """

    def __init__(self) -> None:
        self._armed = False
        self._active = 0
        self._open = False
        self._ending = False
        self._distrusted = 0

    @property
    def open(self) -> bool:
        """Whether a turn is open, or its words are still to come."""
        return self._open or self._ending

    def push(self, probability: float) -> Turn | None:
        """Takes one step."""
        if self._ending:
            return None
        if self._distrusted > 0:
            self._distrusted -= 1
            return None
        silent = probability >= _THRESHOLD
        if self._open:
            return self._within(silent)
        if silent:
            self._armed = True
        elif self._armed:
            self._open, self._armed, self._active = True, False, 1
            return Turn.BEGAN
        return None

    def flushed(self) -> None:
        """The words of the turn that ended are there."""
        self._ending, self._armed, self._distrusted = False, True, _STEPS_AFTER_FLUSH

    def renewed(self) -> None:
        """The signal comes from a new session. An open turn stays open."""
        self._distrusted = 0

    def _within(self, silent: bool) -> Turn | None:
        if silent:
            self._open, self._ending = False, True
            return Turn.ENDED
        self._active += 1
        return Turn.INSISTS if self._active == _INSISTENT_STEPS else None
