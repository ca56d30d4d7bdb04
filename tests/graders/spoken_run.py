"""Stored calls with sound: a caller whose voice spells its words in tones, and an agent that does too."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import attrs
import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.callers import CallerTurn
from offhook.line import write_flac
from offhook.records import RUN_VERSION, CallKey, PlayedSpan, RunManifest, TimedTranscript, empty_record
from offhook.speech import SpeechStyle
from offhook.storage import RunFolder, file_stamp
from offhook.streams import opaque_id
from offhook.testing import FakeVoice

__all__ = ["spoken", "spoken_run"]

_PAUSE_S = 1.0


def spoken(texts: Sequence[str]) -> tuple[Samples, list[tuple[float, float]]]:
    """The texts in sound, a second of silence around each, and where each of them is."""
    quiet = np.zeros(round(_PAUSE_S * LINE_RATE), dtype=np.int16)
    parts, spans, at = [quiet], [], _PAUSE_S
    for text in texts:
        clip = FakeVoice().speak(text, SpeechStyle())
        parts += [clip.samples, quiet]
        spans.append((at, at + clip.seconds))
        at += clip.seconds + _PAUSE_S
    return np.concatenate(parts), spans


def spoken_run(
    path: Path, calls: Sequence[tuple[str, Sequence[str], Sequence[str]]], *, line: str = "audio"
) -> RunFolder:
    """A run of completed calls, each given as its voice, what the caller was to say, and what the voice made
    of it. The platform's transcript has every line as it was to be said."""
    manifest = RunManifest(
        RUN_VERSION,
        path.name,
        seed=1,
        platform="p",
        caller="scripted",
        line=line,
        runs=len(calls),
        audio=("clean",),
        tasks=("bicycle-repair/B-E1",),
        planned=len(calls),
        harness_reference=False,
        components=(),
    )
    folder = RunFolder.create(path, manifest)
    for run, (voice, texts, sounds) in enumerate(calls, 1):
        key = CallKey("bicycle-repair", "B-E1", "p", run, line=line)
        call_id = opaque_id(1, key.pack, key.task, key.platform, key.run, key.audio, key.line, key.attempt)
        scratch = folder.scratch(call_id)
        sqlite3.connect(scratch / "state.sqlite").close()
        (scratch / "tools.jsonl").write_text("")
        tape, spans = spoken(sounds)
        names = ["state.sqlite", "tools.jsonl"]
        if line == "audio":
            write_flac(scratch / "caller.flac", tape, LINE_RATE)
            write_flac(scratch / "recording.flac", np.stack([tape, tape], axis=1), LINE_RATE)
            names += ["caller.flac", "recording.flac"]
        turns = tuple(
            CallerTurn(text, text, *span, "opening") for text, span in zip(texts, spans, strict=True)
        )
        record = attrs.evolve(
            empty_record(call_id, key, seed=1, ending="completed", voice=voice),
            seconds=len(tape) / LINE_RATE,
            caller_turns=turns,
            user_transcripts=tuple(TimedTranscript(turn.spoken, turn.end) for turn in turns),
            user_transcript_available=True,
            played=tuple(PlayedSpan(*span) for span in spans),
            files=tuple(file_stamp(scratch / name) for name in sorted(names)),
        )
        folder.commit_call(scratch, record)
    return folder
