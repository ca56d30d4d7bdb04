"""What a run has cost so far, and whether another call may begin."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from typing import Final

import attrs

from offhook.records import CallRecord
from offhook.runner._hold import sound_cost
from offhook.sessions import Adapter, Priced

__all__ = [
    "CALL_SECONDS",
    "CapReached",
    "Charge",
    "CostUnknown",
    "Spending",
    "charge_of",
    "check_cap",
    "list_price",
]

CALL_SECONDS: Final = 180.0
"""How long a call is taken to be where its price is reckoned beforehand."""

# Platforms round up to minutes: what a shorter call costs says little about a second of a long one.
_LEAST_SECONDS: Final = 60.0
# Sums of prices in binary fractions; a thousandth of a cent passes no cap.
_SLACK: Final = 1e-5


class CostUnknown(Exception):
    """No cap could hold for a platform, since nobody would ever know what its calls cost; one line says what
    to do.
    """


def list_price(adapter: Adapter, seconds: float = CALL_SECONDS) -> float | None:
    """What a call costs in USD by the adapter's own word; None where it gives none that could be a price."""
    try:
        return sound_cost(adapter.estimate(seconds)).usd if isinstance(adapter, Priced) else None
    except (Exception, SystemExit):  # a plugin's guess is no reason to place no call
        return None


def check_cap(adapter: Adapter, cap: float | None) -> None:
    """Raises CostUnknown where there is a cap, and no cost is ever known, neither before nor after a call."""
    if cap is None or adapter.capabilities.cost or list_price(adapter) is not None:
        return
    raise CostUnknown(
        f"{adapter.name} tells no cost, neither beforehand nor of finished calls, so --max-cost could not "
        "hold: leave it out and choose few calls (tasks, --runs), or set a limit with the vendor"
    )


@attrs.frozen
class Charge:
    """What one call cost. ``usd`` is None where nobody knows; ``seconds`` is the length of its line (0: not
    known). A call that the platform did not take, ``taken`` False, says nothing of what others cost.
    """

    usd: float | None
    seconds: float = 0.0
    taken: bool = True

    @property
    def known(self) -> float | None:
        """A sum of money, or None: what is not finite, or less than nothing, is none."""
        return self.usd if self.usd is not None and math.isfinite(self.usd) and self.usd >= 0 else None


def charge_of(record: CallRecord) -> Charge:
    """What a call cost; one that the platform did not take cost nothing."""
    if record.ending == "void" and record.cause.startswith("refused:"):
        return Charge(0.0, taken=False)
    return Charge(record.cost_usd, record.seconds)


@attrs.frozen
class CapReached:
    """Why a run stopped: another call could have passed the cap. ``left`` calls were not placed. ``blind``
    where it is not known what any call costs, so that no higher cap would help.
    """

    spent: float
    cap: float
    left: int
    blind: bool = False
    least: float = attrs.field(default=0.0, eq=False)
    """The smallest cap, in USD, under which one more call could begin."""

    def __str__(self) -> str:
        calls = "1 call is" if self.left == 1 else f"{self.left} calls are"
        spent = f"{_usd(self.spent)} of {_usd(self.cap)} spent"
        if self.blind:
            spent = f"what the finished calls cost is not known, and {_usd(self.cap)} is the cap"
        return f"stopped before the spending cap: {spent}, {calls} left to place"


def _usd(price: float) -> str:
    return f"${price:.2f}" if price >= 1 else f"${price:.4f}"


class Spending:
    """Counts what finished calls cost and holds back calls that could pass ``cap`` (None: nothing is held
    back). Threads may share one.

    Calls in flight are reserved at ``estimate``, a call of ``CALL_SECONDS`` at list price, or where that
    proves too low at the dearest call so far, or ``CALL_SECONDS`` at the most that a second has cost. A call
    whose cost nobody knows counts as much. Without an estimate, the first call is placed alone to learn what
    one costs, and where it does not tell that, no other follows.

    Args:
        estimate: what a call is reckoned at, in USD; None where nobody can say.
        charges: those of calls placed before.
    """

    def __init__(
        self, cap: float | None, estimate: float | None = None, charges: Iterable[Charge] = ()
    ) -> None:
        self.cap = cap
        self._estimate = estimate
        self._known = 0.0
        self._unknown = 0
        self._told = 0
        self._dearest = 0.0
        self._a_second = 0.0
        self._flying = 0
        self._silent = False
        self._held_back = False
        self._left = 0
        self._change = threading.Condition()
        for charge in charges:
            self._count(charge)
        self._silent = False  # those may have been cut off before they could tell; one more may try

    @property
    def is_blind(self) -> bool:
        """Whether there is a cap, and no call can be reckoned before one has told its cost."""
        return self.cap is not None and self._estimate is None and not self._told

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
        blind = self._silent and self._each() == 0
        return CapReached(self.spent, self.cap, self._left, blind, self.spent + self._each())

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

    def settle(self, charge: Charge) -> None:
        """A call that was reserved has ended."""
        with self._change:
            self._flying -= 1
            self._count(charge)
            self._change.notify_all()

    def note_left(self, calls: int) -> None:
        """How many calls were not placed, whatever the reason."""
        self._left = calls

    def _count(self, charge: Charge) -> None:
        usd = charge.known
        if usd is None:
            self._unknown += 1
            self._silent = True
            return
        self._known += usd
        self._dearest = max(self._dearest, usd)
        self._told += charge.taken and usd > 0  # one that ended too soon to be billed says nothing of others
        if charge.seconds > 0:
            self._a_second = max(self._a_second, usd / max(charge.seconds, _LEAST_SECONDS))

    def _each(self) -> float:
        """What a call is reckoned at."""
        return max(self._dearest, self._estimate or 0.0, self._a_second * CALL_SECONDS)

    def _spent(self) -> float:
        return self._known + self._unknown * self._each()

    def _fits(self) -> bool:
        if self.cap is None:
            return True
        if self._estimate is None and self._silent and self._each() == 0:
            return False
        if self.is_blind and self._flying:
            return False
        return self._spent() + (self._flying + 1) * self._each() <= self.cap + _SLACK
