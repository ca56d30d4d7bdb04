"""What a run has cost so far, and whether another call may begin."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final

import attrs

from offhook.records import CallRecord
from offhook.runner._hold import sound_cost
from offhook.sessions import Adapter, Priced

__all__ = ["CALL_SECONDS", "CapReached", "Spending", "charge_of", "list_price"]

CALL_SECONDS: Final = 180.0
"""How long a call is taken to be where its price is reckoned beforehand."""

# Sums of prices in binary fractions; a thousandth of a cent passes no cap.
_SLACK: Final = 1e-5


def list_price(adapter: Adapter, seconds: float = CALL_SECONDS) -> float | None:
    """What a call costs in USD by the adapter's own word; None where it gives none."""
    if not isinstance(adapter, Priced):
        return None
    try:
        usd = sound_cost(adapter.estimate(seconds)).usd
    except (Exception, SystemExit):  # a plugin's guess is no reason to place no call
        return None
    return None if usd is None or usd < 0 else usd


def charge_of(record: CallRecord) -> float | None:
    """What a call cost in USD, None where nobody knows. One that the platform did not take cost nothing."""
    if record.ending == "void" and record.cause.startswith("refused:"):
        return 0.0
    return record.cost_usd


@attrs.frozen
class CapReached:
    """Why a run stopped: another call could have passed the cap. ``left`` calls were not placed."""

    spent: float
    cap: float
    left: int

    def __str__(self) -> str:
        calls = "1 call is" if self.left == 1 else f"{self.left} calls are"
        spent = f"{_usd(self.spent)} of {_usd(self.cap)} spent"
        return f"stopped before the spending cap: {spent}, {calls} left to place"


def _usd(price: float) -> str:
    return f"${price:.2f}" if price >= 1 else f"${price:.4f}"


class Spending:
    """Counts what finished calls cost and holds back calls that could pass ``cap`` (None: nothing is held
    back). Calls in flight are reserved at the dearer of ``estimate`` and the dearest call so far, and a call
    whose cost nobody knows counts as much. Where nobody can say, the first call is placed alone, to learn
    what one costs. Threads may share one.

    Args:
        estimate: what a call is reckoned at, in USD; None where nobody can say.
        costs: those of calls placed before, None for one that nobody knows.
    """

    def __init__(
        self, cap: float | None, estimate: float | None = None, costs: Iterable[float | None] = ()
    ) -> None:
        self.cap = cap
        self._estimate = estimate
        self._known = 0.0
        self._unknown = 0
        self._dearest = 0.0
        self._flying = 0
        self._counted = 0
        self._held_back = False
        self._left = 0
        self._change = threading.Condition()
        for cost in costs:
            self._count(cost)

    @property
    def is_blind(self) -> bool:
        """Whether there is a cap, and no call can be reckoned before one has told its cost."""
        return self.cap is not None and self._estimate is None and self._dearest == 0

    @property
    def spent(self) -> float:
        """USD so far; calls of unknown cost are in it as reckoned."""
        with self._change:
            return self._spent()

    @property
    def reached(self) -> CapReached | None:
        """What stopped the run; None unless the cap did."""
        if self.cap is None or not self._held_back:
            return None
        return CapReached(self.spent, self.cap, self._left)

    def reserve(self, stop: threading.Event) -> bool:
        """Whether one more call may begin. Where that depends on what calls in flight will cost, waits for
        them, unless ``stop`` is set.
        """
        with self._change:
            while not self._fits():
                if stop.is_set():
                    return False
                if not self._flying:
                    self._held_back = True
                    return False
                self._change.wait(0.2)  # nobody tells when stop is set
            self._flying += 1
            return True

    def settle(self, cost: float | None) -> None:
        """A call that was reserved has ended; None if nobody knows at what cost."""
        with self._change:
            self._flying -= 1
            self._count(cost)
            self._change.notify_all()

    def note_left(self, calls: int) -> None:
        """How many calls were not placed, whatever the reason."""
        self._left = calls

    def _count(self, cost: float | None) -> None:
        self._counted += 1
        if cost is None:
            self._unknown += 1
        else:
            self._known += max(cost, 0.0)
            self._dearest = max(self._dearest, cost)

    def _each(self) -> float:
        return max(self._dearest, self._estimate or 0.0)

    def _spent(self) -> float:
        return self._known + self._unknown * self._each()

    def _fits(self) -> bool:
        if self.is_blind and self._flying and not self._counted:
            return False
        return self.cap is None or self._spent() + (self._flying + 1) * self._each() <= self.cap + _SLACK
