"""No turn lost, none invented, in recordings of utterances with everything that misleads between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from benchmarks._dialogue import said_by_all
from offhook.audio import Samples
from offhook.host import PluginHost
from offhook.testing import speechlike
from offhook_graders.timing.measure import measure_recording
from tests.graders.building import Built, build_recording, lost_and_invented


@pytest.fixture(scope="module")
def clips() -> list[Samples]:
    lengths = np.random.default_rng(1).uniform(0.35, 4.0, 40)
    return [speechlike(float(seconds), seed).samples for seed, seconds in enumerate(lengths)]


def _wrong(built: Built) -> list[str]:
    found = measure_recording(built.stereo)
    if found.talk is None:
        return [str(found.not_measured)]
    wrong = []
    for side, turns in enumerate((found.talk.caller, found.talk.agent)):
        lost, invented = lost_and_invented(built.turns[side], [(turn.start, turn.end) for turn in turns])
        wrong += [f"side {side}: lost {span}" for span in lost]
        wrong += [f"side {side}: invented {span}" for span in invented]
    return wrong


def _all_wrong(clips: Sequence[Samples], seeds: Iterable[int]) -> dict[int, list[str]]:
    told = {seed: _wrong(build_recording(clips, seed)) for seed in seeds}
    return {seed: wrong for seed, wrong in told.items() if wrong}


def test_thirty_built_recordings(clips: list[Samples]) -> None:
    assert _all_wrong(clips, range(30)) == {}


@pytest.mark.slow
def test_two_hundred_built_recordings(clips: list[Samples]) -> None:
    assert _all_wrong(clips, range(200)) == {}


@pytest.mark.speech
@pytest.mark.slow
def test_two_hundred_recordings_of_real_voices() -> None:
    said = [each.samples for each in said_by_all(PluginHost.discover())]

    assert _all_wrong(said, range(200)) == {}


def test_the_recordings_hold_what_they_should(clips: list[Samples]) -> None:
    built = [build_recording(clips, seed) for seed in range(30)]

    assert sum(each.backchannels for each in built) > 30
    assert sum(each.early_starts for each in built) > 10
    assert sum(each.pauses for each in built) > 100
    assert sum(len(side) for each in built for side in each.turns) > 250


def test_what_is_lost_and_invented_is_noticed(clips: list[Samples]) -> None:
    built = build_recording(clips, 0).turns[0]

    assert lost_and_invented(built, built) == ([], [])
    assert lost_and_invented(built, built[1:]) == ([built[0]], [])
    assert lost_and_invented(built, [*built, (900.0, 901.0)]) == ([], [(900.0, 901.0)])
    joined = [(built[0][0], built[1][1]), *built[2:]]
    assert lost_and_invented(built, joined)[1] == joined[:1]
