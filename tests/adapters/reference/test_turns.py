"""Endpointing on made-up speech probabilities."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS
from offhook_adapters.reference.turns import Edge, Endpointer, Started, Stopped, TurnSettings

SETTINGS = TurnSettings(onset=0.06, hangover=0.1, lead=0.04, longest=30.0)


def _follow(probabilities: list[float], settings: TurnSettings = SETTINGS) -> list[Edge]:
    """Feeds frames whose samples are their own index, so that a clip tells which frames it holds."""
    endpointer = Endpointer(settings)
    edges: list[Edge] = []
    for index, probability in enumerate(probabilities):
        frame = np.full(FRAME_SAMPLES, index, np.int16)
        edge = endpointer.push(frame, probability, index * FRAME_SECONDS)
        if edge is not None:
            edges.append(edge)
    return edges


def _frames_in(stopped: Stopped) -> list[int]:
    return [int(value) for value in stopped.clip.samples[::FRAME_SAMPLES]]


def test_a_turn_has_its_lead_in_its_speech_and_its_hangover() -> None:
    started, stopped = _follow([0.0] * 10 + [0.9] * 5 + [0.0] * 20)
    assert isinstance(started, Started)
    assert isinstance(stopped, Stopped)
    assert started.at == pytest.approx(10 * FRAME_SECONDS)
    assert stopped.start == pytest.approx(10 * FRAME_SECONDS)
    assert stopped.end == pytest.approx(15 * FRAME_SECONDS)
    assert _frames_in(stopped) == list(range(8, 20))


def test_a_click_shorter_than_the_onset_starts_nothing() -> None:
    assert _follow([0.0] * 5 + [0.9] * 2 + [0.0] * 20 + [0.9] * 2 + [0.0] * 20) == []


def test_a_pause_shorter_than_the_hangover_stays_within_the_turn() -> None:
    edges = _follow([0.9] * 5 + [0.0] * 4 + [0.9] * 5 + [0.0] * 5)
    assert [type(edge) for edge in edges] == [Started, Stopped]
    assert isinstance(edges[1], Stopped)
    assert edges[1].end == pytest.approx(14 * FRAME_SECONDS)


def test_a_dip_above_the_release_level_is_still_speech() -> None:
    assert len(_follow([0.9] * 5 + [0.4] * 50)) == 1
    assert len(_follow([0.9] * 5 + [0.3] * 50)) == 2


def test_steady_noise_ends_at_the_longest_turn_and_a_new_turn_can_begin() -> None:
    edges = _follow([0.9] * 60, attrs.evolve(SETTINGS, longest=0.5))
    assert [type(edge) for edge in edges] == [Started, Stopped, Started, Stopped, Started]


def test_voiced_counts_speech_only_while_a_turn_is_open() -> None:
    endpointer = Endpointer(SETTINGS)
    seen = []
    for index, probability in enumerate([0.9] * 5 + [0.0] * 6):
        endpointer.push(np.zeros(FRAME_SAMPLES, np.int16), probability, index * FRAME_SECONDS)
        seen.append((endpointer.speaking, round(endpointer.voiced, 2)))
    assert seen[1] == (False, 0.0)
    assert seen[2] == (True, 0.06)
    assert seen[7] == (True, 0.1)
    assert seen[10] == (False, 0.0)
