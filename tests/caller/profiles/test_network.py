"""Losses come in bursts, at the rate the parameters give; jitter makes packets late as often as it must."""

from __future__ import annotations

import math

import numpy as np
import pytest

from offhook_caller.profiles.network import (
    PACKET_MS,
    Fate,
    GilbertElliott,
    JitterParameters,
    LossParameters,
    Network,
    Queue,
)

PACKETS = 300_000


def bursts(lost: list[bool]) -> list[int]:
    """Lengths of the runs of losses."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.array(lost, dtype=np.int8), [0]))))
    return list(edges[1::2] - edges[::2])


def loss_after_loss(p: LossParameters) -> float:
    """The probability that the packet after a lost one is lost too, from the chain's equations."""
    bad = p.share_bad * p.lost_when_bad / p.rate
    then_bad = bad * (1 - p.to_good) + (1 - bad) * p.to_bad
    return then_bad * p.lost_when_bad + (1 - then_bad) * p.lost_when_good


@pytest.mark.parametrize(
    "parameters",
    [
        LossParameters(),
        LossParameters(to_bad=0.05, to_good=0.5, lost_when_good=0.0, lost_when_bad=1.0),
        LossParameters(to_bad=0.01, to_good=0.1, lost_when_good=0.01, lost_when_bad=0.4),
    ],
)
def test_loss_rate_and_burst_length_are_those_of_the_parameters(parameters: LossParameters) -> None:
    lost = GilbertElliott(np.random.default_rng(1), parameters).draw(PACKETS)
    lengths = bursts(lost)
    again = loss_after_loss(parameters)
    # the variance of a mean of correlated losses: the correlation falls by this factor a packet
    memory = 1 - parameters.to_bad - parameters.to_good
    spread = math.sqrt(parameters.rate * (1 - parameters.rate) * (1 + memory) / (1 - memory) / PACKETS)
    assert abs(np.mean(lost) - parameters.rate) < 4 * spread
    error = float(np.std(lengths)) / math.sqrt(len(lengths))
    assert np.mean(lengths) == pytest.approx(1 / (1 - again), abs=4 * error)


def test_losses_are_no_coin_tosses() -> None:
    parameters = LossParameters()
    lengths = bursts(GilbertElliott(np.random.default_rng(2), parameters).draw(PACKETS))
    tossed = 1 / (1 - parameters.rate)
    assert np.mean(lengths) > 2 * tossed
    assert max(lengths) >= 10


def test_the_usual_line_lies_within_the_partially_managed_network() -> None:
    parameters = LossParameters()
    assert 0.02 < parameters.rate < 0.03
    assert 40 <= PACKET_MS / (1 - loss_after_loss(parameters)) <= 200
    assert JitterParameters().stall_ms[1] <= 150


def expected_late(parameters: JitterParameters) -> float:
    """The share of late packets by integration: a stall makes late what arrives before it has drained."""
    heights = np.linspace(*parameters.stall_ms, 2001)
    waits = -parameters.mean_ms * np.log(1 - (np.arange(500) + 0.5) / 500)
    beyond = heights[:, np.newaxis] + waits - parameters.buffer_ms
    return parameters.stalls * float(np.maximum(0, np.ceil(beyond / PACKET_MS)).mean())


@pytest.mark.parametrize("buffer_ms", [40.0, 60.0, 100.0])
def test_packets_are_late_as_often_as_the_parameters_say(buffer_ms: float) -> None:
    parameters = JitterParameters(buffer_ms=buffer_ms)
    delays = np.array(Queue(np.random.default_rng(3), parameters).draw(5 * PACKETS))
    # 6,000 stalls: their number and heights vary by 2 %
    assert float(np.mean(delays > buffer_ms)) == pytest.approx(expected_late(parameters), rel=0.06)


def test_no_packet_overtakes_another() -> None:
    queue = Queue(np.random.default_rng(4), JitterParameters(stalls=0.05))
    delays = np.array([*queue.draw(5000), *queue.draw(5000)])
    arrivals = np.arange(10_000) * PACKET_MS + delays
    assert np.all(np.diff(arrivals) >= -1e-9)
    assert delays.min() >= 0


def test_draws_go_on_where_the_last_ones_ended() -> None:
    """A block's end is no place where the chain or the queue forgets."""
    sticky = LossParameters(to_bad=0.1, to_good=0.0, lost_when_good=0.0, lost_when_bad=1.0)
    chain = GilbertElliott(np.random.default_rng(0), sticky)
    chain._bad = False
    one_by_one = [lost for _ in range(100) for lost in chain.draw(1)]
    turned = one_by_one.index(True)
    assert 0 < turned < 50
    assert all(one_by_one[turned:])
    queue = Queue(
        np.random.default_rng(5), JitterParameters(mean_ms=0.0, stalls=1.0, stall_ms=(100.0, 100.0))
    )
    assert queue.draw(1) == [100.0]
    still = Queue(np.random.default_rng(5), JitterParameters(mean_ms=0.0, stalls=0.0))
    still._before = 100.0
    assert [*still.draw(2), *still.draw(4)] == [80.0, 60.0, 40.0, 20.0, 0.0, 0.0]


def test_a_network_counts_late_packets_apart_from_lost_ones() -> None:
    loss, jitter = LossParameters(), JitterParameters()
    network = Network(np.random.default_rng(6), loss, jitter)
    fates = [network.next() for _ in range(PACKETS)]
    lost, late = (sum(fate is kind for fate in fates) / PACKETS for kind in (Fate.LOST, Fate.LATE))
    assert lost == pytest.approx(loss.rate, rel=0.1)
    # a packet that is lost can't be late
    assert late == pytest.approx(expected_late(jitter) * (1 - loss.rate), rel=0.1)


def test_a_perfect_network_delivers_all() -> None:
    network = Network(
        np.random.default_rng(7),
        LossParameters(to_bad=0.0, to_good=1.0, lost_when_good=0.0),
        JitterParameters(stalls=0.0),
    )
    assert {network.next() for _ in range(2000)} == {Fate.IN_TIME}
