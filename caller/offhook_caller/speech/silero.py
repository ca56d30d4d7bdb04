"""Silero voice activity through onnxruntime, fed with the line's 20 ms frames."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Resampler, Samples
from offhook.speech import EngineInfo
from offhook_caller.speech.onnx_session import open_session
from offhook_caller.speech.weights import SILERO_MODEL, distribution_version, located

__all__ = ["SileroActivity", "SileroDetector", "embedded_vads"]

_RATE: Final = 16_000
_WINDOW: Final = 512
_CONTEXT: Final = 64
_STATE_SHAPE: Final = (1, 1, 128)
_SILENT_FRAMES: Final = 16


@attrs.define(eq=False)
class SileroDetector:
    """The model as a :class:`offhook.speech.VoiceActivityDetector`; loads with the first :meth:`open`."""

    cache: Path
    name: str = attrs.field(default="silero", init=False)
    _session: Any = attrs.field(default=None, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo(
            name=self.name,
            engine="silero-vad v6",
            version=f"faster-whisper {distribution_version('faster-whisper')}",
            licence="MIT",
            weights_sha256=SILERO_MODEL.sha256,
        )

    def open(self) -> SileroActivity:
        """A fresh detector. Each belongs to one channel and one thread; all share the model.

        Raises:
            SpeechUnavailable: package or weights are missing or damaged.
        """
        with self._lock:
            if self._session is None:
                self._session = open_session(located(SILERO_MODEL, self.cache))
        return SileroActivity(self._session)


class SileroActivity:
    """Voice activity on one channel.

    The model looks at 32 ms windows of 16 kHz sound, so what :meth:`push` returns is the probability at the
    last whole window, up to 34 ms behind the frame just given.

    Exact digital silence is cheap. For 16 frames (320 ms) of it the model runs on, so the probability falls
    as it would anyway; after that the detector returns 0 without computing, and begins at the next sound as
    if freshly opened. Kept instead, the recurrent state would go on drifting for seconds, and what it holds
    would depend on how long the line was muted.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._restart()

    def _restart(self) -> None:
        self._resampler = Resampler(LINE_RATE, _RATE)
        self._pending: NDArray[np.float32] = np.zeros(0, np.float32)
        self._input = np.zeros((1, _CONTEXT + _WINDOW), np.float32)
        self._hidden = np.zeros(_STATE_SHAPE, np.float32)
        self._cell = np.zeros(_STATE_SHAPE, np.float32)
        self._probability = 0.0
        self._silent_frames = 0
        self._resting = False

    def push(self, frame: Samples) -> float:
        """Takes one 20 ms frame at the line's rate, ``int16`` of shape ``(480,)``; returns 0..1."""
        if frame.any():
            if self._resting:
                self._restart()
            self._silent_frames = 0
        else:
            self._silent_frames += 1
            if self._silent_frames > _SILENT_FRAMES:
                self._resting = True
                return 0.0
        converted = self._resampler.push(frame).astype(np.float32) / np.float32(32768)
        pending = np.concatenate([self._pending, converted]) if len(self._pending) else converted
        start = 0
        while len(pending) - start >= _WINDOW:
            self._probability = self._infer(pending[start : start + _WINDOW])
            start += _WINDOW
        self._pending = pending[start:]
        return self._probability

    def _infer(self, window: NDArray[np.float32]) -> float:
        self._input[0, :_CONTEXT] = self._input[0, -_CONTEXT:]
        self._input[0, _CONTEXT:] = window
        probability, self._hidden, self._cell = self._session.run(
            None, {"input": self._input, "h": self._hidden, "c": self._cell}
        )
        return float(probability[0])


def embedded_vads(cache: Path) -> tuple[SileroDetector, ...]:
    """The one bundled detector, not yet loaded."""
    return (SileroDetector(cache),)
