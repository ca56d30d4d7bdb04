"""``degraded_x`` and ``noise_x``: how many seconds of a call each audio profile gets through in a second."""

from __future__ import annotations

import time
from typing import Final

import numpy as np

from benchmarks._row import BenchRow, print_rows
from offhook.audio import LINE_RATE, Clip, Samples, frames_of
from offhook.line import AudioProfile, LineSetting
from offhook.testing import speechlike
from offhook_caller.profiles.degraded import DegradedProfile
from offhook_caller.profiles.noise import NoiseProfile

_CALL_SECONDS: Final = 70.0
_ROUNDS: Final = 3


def _frames() -> list[Samples]:
    """A caller who speaks for three seconds of every nine, as in most calls."""
    said = speechlike(3.0).samples
    turn = np.concatenate((said, np.zeros(6 * LINE_RATE, dtype=np.int16)))
    whole = np.tile(turn, round(_CALL_SECONDS / 9) + 1)[: round(_CALL_SECONDS * LINE_RATE)]
    return list(frames_of(Clip(whole)))


def _call(profile: AudioProfile, frames: list[Samples]) -> float:
    started = time.perf_counter()
    transform = profile.open(np.random.default_rng(1), LineSetting())
    for frame in frames:
        transform.push(frame)
    return _CALL_SECONDS / (time.perf_counter() - started)


def run() -> list[BenchRow]:
    """Times a call each, the opening of the profile included; the best of three rounds."""
    frames = _frames()
    how = (
        f"a call of {_CALL_SECONDS:.0f} s, frame by frame as a line pushes it, a third of it speech, opening "
        f"the profile included, one core, best of {_ROUNDS} rounds"
    )
    profiles: tuple[tuple[AudioProfile, str], ...] = (
        (DegradedProfile(), "hiss, band limit, AMR-NB and G.711 with bit errors, loss, jitter, concealment"),
        (NoiseProfile(), "a minute of road traffic made, levelled and mixed in"),
    )
    return [
        BenchRow(
            f"{profile.name}_x",
            round(max(_call(profile, frames) for _ in range(_ROUNDS)), 1),
            "x",
            ">= 100",
            f"{what}; {how}",
        )
        for profile, what in profiles
    ]


if __name__ == "__main__":
    print_rows(run())
