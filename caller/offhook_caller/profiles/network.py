"""Which packets a lossy network delivers in time: losses in bursts, and delays that vary."""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import Final

import attrs
import numpy as np

__all__ = ["PACKET_MS", "Fate", "GilbertElliott", "JitterParameters", "LossParameters", "Network", "Queue"]

PACKET_MS: Final = 20.0
_BLOCK: Final = 256  # packets whose fate is drawn at once


class Fate(Enum):
    """What became of a packet. ``LATE`` ones arrive after their place in the sound has gone by."""

    IN_TIME = "in time"
    LOST = "lost"
    LATE = "late"


@attrs.frozen
class LossParameters:
    """A Gilbert-Elliott chain: before each packet the channel turns bad with probability ``to_bad`` or good
    again with ``to_good``; a packet is lost with the probability of the state it meets."""

    to_bad: float = 0.008
    to_good: float = 0.3
    lost_when_good: float = 0.002
    lost_when_bad: float = 0.9

    @property
    def share_bad(self) -> float:
        """How much of the time the channel is bad, in the long run."""
        return self.to_bad / (self.to_bad + self.to_good)

    @property
    def rate(self) -> float:
        """The share of packets that are lost, in the long run."""
        return self.lost_when_good * (1 - self.share_bad) + self.lost_when_bad * self.share_bad


@attrs.frozen
class JitterParameters:
    """What a packet's way takes beyond the shortest. Every packet waits a little, exponentially with mean
    ``mean_ms``; before one in ``1 / stalls`` the way is blocked for an evenly drawn time within ``stall_ms``,
    and what queued up meanwhile arrives with it: no packet overtakes another. ``buffer_ms`` is how long the
    receiver waits for a packet before it plays without it."""

    mean_ms: float = 4.0
    stalls: float = 0.004
    stall_ms: tuple[float, float] = (40.0, 150.0)
    buffer_ms: float = 60.0


class GilbertElliott:
    """The two-state loss process; it begins in its long-run mix of states."""

    def __init__(self, rng: np.random.Generator, parameters: LossParameters) -> None:
        self._rng, self._parameters = rng, parameters
        self._bad = bool(rng.random() < parameters.share_bad)

    def draw(self, packets: int) -> list[bool]:
        """Whether each of the next packets is lost."""
        turn, hit = self._rng.random((2, packets)).tolist()
        to_bad, to_good = self._parameters.to_bad, self._parameters.to_good
        when = (self._parameters.lost_when_good, self._parameters.lost_when_bad)
        bad, lost = self._bad, []
        for chance, luck in zip(turn, hit, strict=True):
            bad = chance >= to_good if bad else chance < to_bad
            lost.append(luck < when[bad])
        self._bad = bad
        return lost


class Queue:
    """The delay of each packet, in milliseconds beyond the shortest way."""

    def __init__(self, rng: np.random.Generator, parameters: JitterParameters) -> None:
        self._rng, self._parameters = rng, parameters
        self._before = 0.0

    def draw(self, packets: int) -> list[float]:
        """The delays of the next packets."""
        parameters = self._parameters
        waits = self._rng.exponential(parameters.mean_ms, packets)
        blocked = self._rng.random(packets) < parameters.stalls
        waits += np.where(blocked, self._rng.uniform(*parameters.stall_ms, packets), 0.0)
        delays, before = [], self._before
        for wait in waits.tolist():
            before = max(wait, before - PACKET_MS)
            delays.append(before)
        self._before = before
        return delays


class Network:
    """Loss and jitter together. A packet that is lost delays no other."""

    def __init__(self, rng: np.random.Generator, loss: LossParameters, jitter: JitterParameters) -> None:
        self._loss, self._queue = GilbertElliott(rng, loss), Queue(rng, jitter)
        self._buffer_ms = jitter.buffer_ms
        self._fates: deque[Fate] = deque()

    def next(self) -> Fate:
        """The next packet's."""
        if not self._fates:
            pairs = zip(self._loss.draw(_BLOCK), self._queue.draw(_BLOCK), strict=True)
            late = self._buffer_ms
            self._fates.extend(
                Fate.LOST if lost else Fate.LATE if delay > late else Fate.IN_TIME for lost, delay in pairs
            )
        return self._fates.popleft()
