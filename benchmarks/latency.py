"""``latency_err_*``: how far our latency is off, against replies injected at known samples.

python -m benchmarks.latency            rows
python -m benchmarks.latency --table    the table of sdk_docs/reference/latency.md
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
import numpy as np
import soundfile

from benchmarks._dialogue import CONDITIONS, Dialogue, Said, make_dialogue, said_by_all
from benchmarks._row import BenchRow, print_rows
from offhook.host import PluginHost
from offhook_graders.timing.latency import our_waits, published_waits
from offhook_graders.timing.measure import measure_recording
from offhook_graders.timing.measurement import AudioMeasurement, measure_audio
from offhook_graders.timing.recording import read_stereo

__all__ = ["Errors", "bias_table", "errors_ms", "run"]

MEASURES: Final = ("published", "ours")

_TAPES: Final = 30
_TURNS: Final = 10
_LIMITS_MS: Final[Mapping[str, tuple[int, int]]] = {
    "clean": (10, 20),
    "noise on the caller's line": (10, 20),
    "hiss at 30 dB": (15, 50),
    "babble at 10 dB": (50, 120),
}


@attrs.frozen
class Errors:
    """Measured less true waits in ms, of the turns that a measure measured, and how many there were."""

    ms: tuple[float, ...]
    turns: int

    @property
    def median(self) -> float:
        return float(np.percentile(np.abs(self.ms), 50))

    @property
    def p95(self) -> float:
        return float(np.percentile(np.abs(self.ms), 95))

    @property
    def bias(self) -> float:
        return float(np.median(self.ms))


def errors_ms(
    said: Sequence[Said],
    folder: Path,
    condition: str,
    *,
    tapes: int = _TAPES,
    turns: int = _TURNS,
    sentences: int = 1,
) -> Mapping[str, Errors]:
    """Errors per measure over ``tapes`` dialogues of ``turns`` replies each."""
    found: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for index in range(tapes):
        rng = np.random.default_rng(index)
        dialogue = make_dialogue(said, rng, turns=turns, seconds=0.0, sentences=sentences)
        dialogue.write(folder, condition, voices=said, seed=index)
        audio = measure_audio(dialogue.turns, folder / "recording.flac", folder / "caller.flac")
        for measure, errors in _errors(dialogue, audio).items():
            found[measure] += errors
    return {measure: Errors(tuple(errors), tapes * turns) for measure, errors in found.items()}


def _errors(dialogue: Dialogue, audio: AudioMeasurement) -> Mapping[str, list[float]]:
    told = {
        "published": published_waits(dialogue.turns, audio),
        "ours": our_waits(dialogue.turns, audio),
    }
    return {
        measure: [
            1000 * (wait.latency_s - true)
            for wait, true in zip(waits, dialogue.waits.tolist(), strict=True)
            if wait.latency_s is not None
        ]
        for measure, waits in told.items()
    }


def bias_table(found: Mapping[str, Mapping[str, Errors]]) -> str:
    """Per condition and measure, as a Markdown table."""
    lines = [
        "| condition | measure | turns measured | bias (median) | abs. error, median / p95 |",
        "|---|---|---|---|---|",
    ]
    for condition, errors in found.items():
        for measure, name in (("published", "published rule"), ("ours", "ours")):
            error = errors[measure]
            lines.append(
                f"| {condition} | {name} | {len(error.ms)} of {error.turns} | {error.bias:+.0f} ms "
                f"| {error.median:.1f} / {error.p95:.1f} ms |"
            )
    return "\n".join(lines)


def _error_rows(found: Mapping[str, Mapping[str, Errors]]) -> list[BenchRow]:
    rows = []
    for condition, errors in found.items():
        ours, published = errors["ours"], errors["published"]
        if len(ours.ms) < 0.98 * ours.turns:
            raise RuntimeError(f"{condition}: only {len(ours.ms)} of {ours.turns} turns were measured")
        name = condition.split()[0]
        how = (
            f"{condition}; {len(ours.ms)} of {ours.turns} replies of 64 clips (8 voices) at known samples, "
            "0.2 to 4 s after the caller; truth: first and last 2 ms within 40 dB of the clip's peak; "
            f"published rule {published.median:.1f}/{published.p95:.1f}, bias {published.bias:+.1f}, over "
            f"{len(published.ms)} turns"
        )
        for figure, value, limit in zip(
            ("median", "p95"), (ours.median, ours.p95), _LIMITS_MS[condition], strict=True
        ):
            rows.append(
                BenchRow(f"latency_err_{name}_{figure}_ms", round(value, 3), "ms", f"<= {limit}", how)
            )
    return rows


def _speed_rows(said: Sequence[Said], folder: Path) -> list[BenchRow]:
    """Two minutes from audio and from the stored measurement, and ten minutes of a file by itself."""
    dialogue = make_dialogue(said, np.random.default_rng(0), turns=None, seconds=120.0)
    dialogue.write(folder, "hiss at 30 dB")
    tapes = (folder / "recording.flac", folder / "caller.flac")
    measure_audio(dialogue.turns, *tapes)  # imports
    started = time.perf_counter()
    stored = measure_audio(dialogue.turns, *tapes).as_json()
    from_audio = time.perf_counter() - started
    started = time.perf_counter()
    audio = AudioMeasurement.from_json(stored)
    our_waits(dialogue.turns, audio), published_waits(dialogue.turns, audio)
    from_stored = 1000 * (time.perf_counter() - started)
    make_dialogue(said, np.random.default_rng(1), turns=None, seconds=600.0).write(folder, "hiss at 30 dB")
    samples, rate = soundfile.read(folder / "recording.flac", dtype="int16")
    soundfile.write(folder / "long.wav", samples.repeat(2, axis=0), 2 * rate)
    started = time.perf_counter()
    found = measure_recording(read_stereo(folder / "long.wav"))
    took = time.perf_counter() - started
    if not found.measured:
        raise RuntimeError("the long recording should be measured")
    how = "hiss at 30 dB on the agent's channel, one core, files in the page cache"
    return [
        BenchRow("audio_measure_120_s", round(from_audio, 3), "s", "<= 0.35", f"two minutes, 24 kHz; {how}"),
        BenchRow("audio_stored_120_ms", round(from_stored, 2), "ms", "<= 20", "both measures of that call"),
        BenchRow("measure_file_600_s", round(took, 2), "s", "<= 5", f"ten minutes of wav at 48 kHz; {how}"),
    ]


def run() -> list[BenchRow]:
    """All rows. The voices speak before anything is timed."""
    said = said_by_all(PluginHost.discover())
    with tempfile.TemporaryDirectory() as folder:
        found = {condition: errors_ms(said, Path(folder), condition) for condition in CONDITIONS}
        return [*_error_rows(found), *_speed_rows(said, Path(folder))]


def _print_table() -> None:
    said = said_by_all(PluginHost.discover())
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        found = {name: errors_ms(said, place, name) for name in CONDITIONS}
        talks = errors_ms(said, place, "hiss at 30 dB", sentences=10)
        print(bias_table(found | {"hiss at 30 dB, an agent that hardly pauses": talks}))


if __name__ == "__main__":
    if "--table" in sys.argv[1:]:
        _print_table()
    else:
        print_rows(run())
