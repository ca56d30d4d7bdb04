"""A stretch of road traffic, synthesised: vehicles that pass on a road beside the listener, traffic in the
distance, a horn now and then.

A vehicle is an engine (harmonics of its firing frequency) and tyres (noise around 800 Hz) that pass at
constant speed: loudness falls with distance, and both are heard as they were given off, distance over speed
of sound ago, from which the Doppler shift comes by itself. The stretch is periodic: its end goes on into its
beginning without a seam. Levels are set so that the whole has the spectrum of EN 1793-3's road traffic noise,
within 3 dB an octave.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import attrs
import numpy as np
from numpy.typing import NDArray

__all__ = ["TRAFFIC_RATE", "TrafficParameters", "traffic"]

TRAFFIC_RATE: Final = 24_000

_SPEED_OF_SOUND: Final = 343.0
_TABLE: Final = 4096  # samples of one turn of an engine's or a horn's wave
_FADE_SECONDS: Final = 1.5

Sound = NDArray[np.floating[Any]]
_Shape = Callable[[Sound], Sound]


@attrs.frozen
class TrafficParameters:
    """Ranges are drawn from evenly. Levels in dB are against the tyres of a vehicle at ``distance_m[0]``.

    ``seconds`` is the length of the stretch; longer calls hear it again. ``audible_s`` is how long before and
    after it is nearest a vehicle is heard. ``firing_hz`` are ignitions a second (two a turn in an engine of
    four cylinders: 60 Hz are 1,800 turns a minute), whose ``harmonics`` fall by ``engine_tilt_db`` an octave.
    Tyre noise is strongest around ``tyre_hz`` and falls by 6 dB an octave below it and 9 dB above.
    ``distant_db`` is the traffic that is too far away to tell apart, a noise that falls by 6 dB an octave
    above ``distant_hz``. A horn sounds two notes. ``microphone_hz`` is where the phone's own microphone
    begins to hear.
    """

    seconds: float = 60.0
    vehicles_per_minute: float = 22.0
    speed_kmh: tuple[float, float] = (30.0, 60.0)
    distance_m: tuple[float, float] = (6.0, 12.0)
    audible_s: float = 6.0
    vehicle_spread_db: float = 2.5
    firing_hz: tuple[float, float] = (50.0, 95.0)
    harmonics: int = 16
    engine_tilt_db: float = -4.5
    engine_db: float = 6.0
    tyre_hz: float = 800.0
    distant_db: float = -5.0
    distant_hz: float = 150.0
    horns_per_minute: float = 2.5
    horn_seconds: tuple[float, float] = (0.2, 0.8)
    horn_hz: tuple[float, float] = (400.0, 500.0)
    horn_db: float = 0.0
    microphone_hz: float = 120.0


def traffic(rng: np.random.Generator, parameters: TrafficParameters) -> Sound:
    """One stretch of road at 24 kHz, shape ``(round(seconds * 24000),)``, of no particular level."""
    n = round(parameters.seconds * TRAFFIC_RATE)
    road = _shaped(rng, n, _distant(parameters), parameters) * _ratio(parameters.distant_db)
    tyres = _shaped(rng, n, _tyres(parameters), parameters)
    for _ in range(int(rng.poisson(parameters.vehicles_per_minute * parameters.seconds / 60))):
        _add_vehicle(road, tyres, rng, parameters)
    for _ in range(int(rng.poisson(parameters.horns_per_minute * parameters.seconds / 60))):
        _add_horn(road, rng, parameters)
    return road


def _shaped(rng: np.random.Generator, n: int, shape: _Shape, parameters: TrafficParameters) -> Sound:
    """Periodic noise of RMS 1 with a given magnitude over frequency."""
    frequency = np.fft.rfftfreq(n, 1 / TRAFFIC_RATE)
    magnitude: Sound = shape(np.maximum(frequency, 1.0)) * _microphone(frequency, parameters)
    parts = rng.standard_normal((2, len(frequency)))
    spectrum = magnitude * (parts[0] + 1j * parts[1])
    spectrum[0] = 0.0
    sound = np.fft.irfft(spectrum, n)
    made: Sound = sound / np.sqrt(np.mean(np.square(sound)))
    return made


def _microphone(frequency: Sound, parameters: TrafficParameters) -> Sound:
    ratio = (np.maximum(frequency, 1e-3) / parameters.microphone_hz) ** 2
    return ratio / np.sqrt(1 + ratio**2)


def _tyres(parameters: TrafficParameters) -> _Shape:
    def shape(frequency: Sound) -> Sound:
        ratio = frequency / parameters.tyre_hz
        made: Sound = ratio / np.sqrt(1 + ratio**2) / (1 + ratio**2) ** 0.75
        return made

    return shape


def _distant(parameters: TrafficParameters) -> _Shape:
    return lambda frequency: 1 / np.sqrt(1 + (frequency / parameters.distant_hz) ** 2)


def _add_vehicle(
    road: Sound,
    tyres: Sound,
    rng: np.random.Generator,
    parameters: TrafficParameters,
) -> None:
    speed = rng.uniform(*parameters.speed_kmh) / 3.6
    distance = rng.uniform(*parameters.distance_m)
    firing = rng.uniform(*parameters.firing_hz)
    loudness = _ratio(rng.normal(0.0, parameters.vehicle_spread_db))
    begin, cut = (int(part) for part in rng.integers(len(road), size=2))
    half = min(round(parameters.audible_s * TRAFFIC_RATE), len(road) // 2)
    heard = np.arange(-half, half) / TRAFFIC_RATE
    given_off = _given_off(heard, speed, distance)
    near = parameters.distance_m[0] / np.sqrt(distance**2 + (speed * given_off) ** 2)
    engine = _looked_up(_wave(rng, firing, parameters), given_off * firing * _TABLE)
    rolling = _looked_up(tyres, cut + given_off * TRAFFIC_RATE)
    sound = loudness * near * _faded(2 * half) * (rolling + _ratio(parameters.engine_db) * engine)
    _add_around(road, begin, sound)


def _given_off(heard: Sound, speed: float, distance: float) -> Sound:
    """When the sound was given off that is heard at each second; the vehicle is nearest at second 0. The root
    of ``(c (heard - t))^2 = distance^2 + (speed t)^2`` that lies before ``heard``."""
    c2 = _SPEED_OF_SOUND**2
    slower = c2 - speed**2
    root = np.sqrt((c2 * heard) ** 2 - slower * (c2 * heard**2 - distance**2))
    return (c2 * heard - root) / slower


def _wave(rng: np.random.Generator, firing: float, parameters: TrafficParameters) -> Sound:
    """One turn of an engine, RMS 1 before the microphone."""
    order = np.arange(1, parameters.harmonics + 1)
    level = 10 ** (parameters.engine_tilt_db * np.log2(order) / 20) * rng.uniform(0.5, 1.5, len(order))
    level /= math.sqrt(0.5 * float(np.sum(level**2)))
    level *= _microphone(order * firing, parameters)
    turn = 2 * np.pi * np.outer(order, np.arange(_TABLE) / _TABLE)
    wave: Sound = level @ np.sin(turn + rng.uniform(0, 2 * np.pi, (len(order), 1)))
    return wave


def _looked_up(table: Sound, position: Sound) -> Sound:
    """A periodic table at fractional positions, by linear interpolation."""
    floor = np.floor(position)
    at = floor.astype(np.int64) % len(table)
    share = position - floor
    wrapped = np.append(table, table[0])
    found: Sound = wrapped[at] * (1 - share) + wrapped[at + 1] * share
    return found


def _add_horn(road: Sound, rng: np.random.Generator, parameters: TrafficParameters) -> None:
    n = round(rng.uniform(*parameters.horn_seconds) * TRAFFIC_RATE)
    begin = int(rng.integers(len(road)))
    shift = rng.uniform(0.97, 1.03)
    loudness = _ratio(parameters.horn_db + rng.normal(0.0, parameters.vehicle_spread_db))
    seconds = np.arange(n) / TRAFFIC_RATE
    sound = np.zeros(n)
    for note in parameters.horn_hz:
        for order in range(1, 8):
            sound += np.sin(2 * np.pi * order * note * shift * seconds + rng.uniform(0, 2 * np.pi)) / order
    sound /= float(np.sqrt(np.mean(np.square(sound)))) or 1.0
    attack = np.minimum(1.0, np.minimum(seconds, seconds[::-1]) / 0.03)
    _add_around(road, begin, loudness * attack * sound)


def _faded(n: int) -> Sound:
    """1 with a raised cosine at both ends."""
    steps = np.minimum(np.arange(n), np.arange(n)[::-1]) / (_FADE_SECONDS * TRAFFIC_RATE)
    faded: Sound = 0.5 - 0.5 * np.cos(np.pi * np.minimum(1.0, steps))
    return faded


def _add_around(road: Sound, begin: int, sound: Sound) -> None:
    """Adds sound to the stretch, which goes on at its beginning where it ends."""
    first = sound[: len(road) - begin]
    road[begin : begin + len(first)] += first
    rest = sound[len(first) :]
    road[: len(rest)] += rest


def _ratio(db: float) -> float:
    return float(10 ** (db / 20))
