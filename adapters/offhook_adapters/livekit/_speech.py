"""The run's ears and voice as LiveKit's speech-to-text and text-to-speech."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from livekit import rtc
from livekit.agents import APIConnectOptions, stt, tts
from livekit.agents.language import LanguageCode
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS, NOT_GIVEN, NotGivenOr
from livekit.agents.utils import AudioBuffer

from offhook.audio import FRAME_SECONDS, LINE_RATE, Clip, Samples
from offhook.clock import compute, sleep_until
from offhook.speech import Listener, SpeechUnavailable, VoiceActivityDetector
from offhook_adapters._frameworks.ears import HINT
from offhook_adapters.livekit._audio import LineFrames
from offhook_adapters.reference.speech import Mouth

__all__ = ["RunEars", "RunVoice"]

# Of the detector's probability and of speech in seconds: as the reference platform's ears, but that LiveKit
# says when a turn is over. The silence is only for speech it never asks about.
_THRESHOLD: Final = 0.5
_RELEASE: Final = 0.35
_ONSET_SECONDS: Final = 0.06
_LEAD_SECONDS: Final = 0.36
_SILENCE_SECONDS: Final = 3.0
_TAIL_SECONDS: Final = 0.6
_LONGEST_SECONDS: Final = 30.0

_PIECE: Final = LINE_RATE // 10

Broken = Callable[[SpeechUnavailable], None]
Seconds = Callable[[], float]


class RunEars(stt.STT[Any]):
    """Streaming speech-to-text. A stretch of speech is heard as one when LiveKit asks for it, which it does
    at what it takes for the end of a turn, and by itself after a long silence.

    ``activity`` opens the detector that finds speech, ``seconds`` gives what each hearing takes at the least;
    an engine that is missing is told to ``broken``, for it is no fault of the platform.
    """

    def __init__(
        self, listener: Listener, activity: VoiceActivityDetector, seconds: Seconds, broken: Broken
    ) -> None:
        super().__init__(
            capabilities=stt.STTCapabilities(
                streaming=True, interim_results=False, manual_flush=True, offline_recognize=False
            )
        )
        self.listener = listener
        self.activity = activity
        self.seconds = seconds
        self.broken = broken

    @property
    def model(self) -> str:
        return self.listener.name

    @property
    def provider(self) -> str:
        return "offhook"

    async def _recognize_impl(
        self,
        buffer: AudioBuffer,
        *,
        language: NotGivenOr[str] = NOT_GIVEN,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
    ) -> stt.SpeechEvent:
        raise NotImplementedError("these ears hear a stream")

    def stream(
        self,
        *,
        language: NotGivenOr[str] = NOT_GIVEN,
        conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS,
    ) -> stt.RecognizeStream:
        return _Hearing(self, conn_options)


class _Hearing(stt.RecognizeStream):
    def __init__(self, ears: RunEars, conn_options: APIConnectOptions) -> None:
        super().__init__(stt=ears, conn_options=conn_options)
        self._ears = ears

    async def _run(self) -> None:
        activity = self._ears.activity.open()
        frames, speech = LineFrames(), _Speech()
        async for item in self._input_ch:
            if not isinstance(item, rtc.AudioFrame):
                await self._hear(speech.take())
                continue
            for frame in frames.push(item):
                if speech.push(frame, activity.push(frame)):
                    await self._hear(speech.take())

    async def _hear(self, clip: Clip | None) -> None:
        if clip is None:
            return
        due = asyncio.get_running_loop().time() + self._ears.seconds()
        try:
            heard = await compute(self._ears.listener.hear, clip, HINT)
        except SpeechUnavailable as error:
            self._ears.broken(error)
            raise
        await sleep_until(due)
        usage = stt.RecognitionUsage(audio_duration=clip.seconds)
        self._event_ch.send_nowait(
            stt.SpeechEvent(type=stt.SpeechEventType.RECOGNITION_USAGE, recognition_usage=usage)
        )
        if heard.text:
            data = stt.SpeechData(LanguageCode("en"), heard.text, confidence=heard.confidence)
            self._event_ch.send_nowait(
                stt.SpeechEvent(type=stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[data])
            )


class _Speech:
    """A stretch of speech in the making, with some sound before its first word."""

    def __init__(self) -> None:
        self._lead: deque[Samples] = deque(maxlen=_frames(_LEAD_SECONDS))
        self._frames: list[Samples] = []
        self._run = 0
        self._quiet = 0

    def push(self, frame: Samples, probability: float) -> bool:
        """Takes a 20 ms frame; whether it is time to take the stretch, because it is long or long over."""
        if not self._frames:
            self._lead.append(frame)
            self._run = self._run + 1 if probability >= _THRESHOLD else 0
            if self._run >= _frames(_ONSET_SECONDS):
                self._frames = list(self._lead)
            return False
        self._frames.append(frame)
        self._quiet = 0 if probability >= _RELEASE else self._quiet + 1
        return self._quiet >= _frames(_SILENCE_SECONDS) or len(self._frames) >= _frames(_LONGEST_SECONDS)

    def take(self) -> Clip | None:
        """The stretch without most of the silence after it; None where nobody spoke."""
        if not self._frames:
            return None
        silent = max(0, self._quiet - _frames(_TAIL_SECONDS))
        clip = Clip(np.concatenate(self._frames[: len(self._frames) - silent]))
        self._frames, self._run, self._quiet = [], 0, 0
        self._lead.clear()
        return clip


def _frames(seconds: float) -> int:
    return round(seconds / FRAME_SECONDS)


class RunVoice(tts.TTS[Any]):
    """Text-to-speech, a sentence at a time. The arguments are as for ``RunEars``."""

    def __init__(self, mouth: Mouth, seconds: Seconds, broken: Broken) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False), sample_rate=LINE_RATE, num_channels=1
        )
        self.mouth = mouth
        self.seconds = seconds
        self.broken = broken

    @property
    def model(self) -> str:
        return self.mouth.voice.name

    @property
    def provider(self) -> str:
        return "offhook"

    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        return _Sentence(self, text, conn_options)


class _Sentence(tts.ChunkedStream):
    def __init__(self, voice: RunVoice, text: str, conn_options: APIConnectOptions) -> None:
        super().__init__(tts=voice, input_text=text, conn_options=conn_options)
        self._voice = voice

    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        due = asyncio.get_running_loop().time() + self._voice.seconds()
        try:
            clip = await self._voice.mouth.speak(self.input_text)
        except SpeechUnavailable as error:
            self._voice.broken(error)
            raise
        await sleep_until(due)
        output_emitter.initialize(
            request_id="sentence", sample_rate=LINE_RATE, num_channels=1, mime_type="audio/pcm"
        )
        samples = clip.at_rate(LINE_RATE).samples
        for start in range(0, len(samples), _PIECE):
            output_emitter.push(samples[start : start + _PIECE].tobytes())
            # Each piece is looked over where it passes: the loop must not wait for a whole sentence of them.
            await asyncio.sleep(0)
        output_emitter.flush()
