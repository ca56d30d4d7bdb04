"""The run's ears and voice as Pipecat services."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Final

import numpy as np
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADState
from pipecat.frames.frames import Frame, TranscriptionFrame, TTSAudioRawFrame
from pipecat.services.settings import STTSettings, TTSSettings
from pipecat.services.stt_service import SegmentedSTTService
from pipecat.services.tts_service import TTSService
from pipecat.utils.time import time_now_iso8601

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, LINE_RATE, Clip, Resampler
from offhook.clock import compute, is_virtual, sleep_until
from offhook.sessions import RngSource
from offhook.speech import Listener, ListenerHint, SpeechUnavailable, VoiceActivityDetector
from offhook_adapters.reference.speech import Mouth

__all__ = ["EarsService", "PipecatVad", "RunVad", "VoiceService", "word_times"]

Bounds = tuple[float, float]

# Pipecat waits this long after the end of speech for words that may be late. Ours come with their last.
_TRANSCRIPT_SECONDS: Final = 1.0


class EarsService(SegmentedSTTService):
    """Hears each stretch of speech that Pipecat's voice activity detection cuts out.

    ``takes`` bounds the seconds a hearing is declared to take; ``heard`` is told what was understood, and
    ``broken`` that an engine is missing.
    """

    def __init__(
        self,
        ears: Listener,
        hint: ListenerHint,
        rng: RngSource,
        takes: Bounds,
        heard: Callable[[str], None],
        broken: Callable[[SpeechUnavailable], None],
    ) -> None:
        super().__init__(
            ttfs_p99_latency=_TRANSCRIPT_SECONDS, settings=STTSettings(model=ears.name, language=None)
        )
        self._ears = ears
        self._hint = hint
        self._delays = rng("hearing")
        self._takes = takes
        self._heard = heard
        self._broken = broken

    @property
    def wants_wav_segments(self) -> bool:
        return False

    async def cleanup(self) -> None:
        await self._cancel_segment_task()  # type: ignore[no-untyped-call]  # left running where a call is given up while it starts
        await super().cleanup()  # type: ignore[no-untyped-call]

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame | None, None]:
        began = asyncio.get_running_loop().time()
        clip = Clip(np.frombuffer(audio, dtype=np.int16), self.sample_rate)
        try:
            heard = await compute(self._ears.hear, clip, self._hint)
        except SpeechUnavailable as error:
            self._broken(error)
            return
        await sleep_until(began + float(self._delays.uniform(*self._takes)))
        text = heard.text.strip()
        if text:
            self._heard(text)
            yield TranscriptionFrame(text, self._user_id, time_now_iso8601())


class VoiceService(TTSService):
    """Speaks each sentence with the run's voice. ``takes`` bounds the seconds to its first sound.

    Words are timed by their share of the letters, so that Pipecat knows what was heard of a sentence that was
    cut off.
    """

    def __init__(
        self, mouth: Mouth, rng: RngSource, takes: Bounds, broken: Callable[[SpeechUnavailable], None]
    ) -> None:
        super().__init__(
            sample_rate=LINE_RATE,
            push_text_frames=False,
            push_start_frame=True,
            push_stop_frames=True,
            settings=TTSSettings(model=None, voice=mouth.voice.name, language=None),
        )
        self._mouth = mouth
        self._delays = rng("speaking")
        self._takes = takes
        self._broken = broken
        self._context = ""
        self._spoken = 0.0

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        began = asyncio.get_running_loop().time()
        try:
            clip = await self._mouth.speak(text)
        except SpeechUnavailable as error:
            self._broken(error)
            return
        await sleep_until(began + float(self._delays.uniform(*self._takes)))
        yield TTSAudioRawFrame(clip.samples.tobytes(), clip.rate, 1, context_id=context_id)
        if context_id != self._context:
            self._context, self._spoken = context_id, 0.0
        await self.add_word_timestamps(word_times(text, self._spoken, clip.seconds), context_id)
        self._spoken += clip.seconds


def word_times(text: str, start: float, seconds: float) -> list[tuple[str, float]]:
    """When each word of a text of that length begins, in seconds, if every letter takes as long."""
    words = text.split()
    letters = sum(len(word) for word in words)
    times, before = [], 0
    for word in words:
        times.append((word, start + seconds * before / letters))
        before += len(word)
    return times


class PipecatVad(SileroVADAnalyzer):
    """Pipecat's own. In virtual time it computes in place: a thread for each 20 ms would cost more than what
    it computes.
    """

    async def analyze_audio(self, buffer: bytes) -> VADState:
        return self._run_analyzer(buffer) if is_virtual() else await super().analyze_audio(buffer)


class RunVad(VADAnalyzer):
    """The run's voice activity detection where Pipecat's own would hear nothing, as on tones that stand for
    words. Thresholds and timing are Pipecat's.
    """

    def __init__(self, vad: VoiceActivityDetector) -> None:
        super().__init__()
        self._activity = vad.open()
        self._up: Resampler | None = None
        self._rest = np.zeros(0, dtype=np.int16)

    def num_frames_required(self) -> int:
        return round(self.sample_rate * FRAME_SECONDS)

    def voice_confidence(self, buffer: bytes) -> float:
        if self._up is None:
            self._up = Resampler(self.sample_rate, LINE_RATE)
        sound = np.concatenate((self._rest, self._up.push(np.frombuffer(buffer, dtype=np.int16))))
        whole = len(sound) // FRAME_SAMPLES * FRAME_SAMPLES
        self._rest = sound[whole:]
        frames = sound[:whole].reshape(-1, FRAME_SAMPLES)
        return max((self._activity.push(frame) for frame in frames), default=0.0)
