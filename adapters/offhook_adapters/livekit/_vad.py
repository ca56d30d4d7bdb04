"""The run's voice activity detection in the place of LiveKit's, for sound that only stands for words."""

from __future__ import annotations

from typing import Final

from livekit import rtc
from livekit.agents import vad

from offhook.audio import FRAME_SECONDS
from offhook.speech import VoiceActivityDetector
from offhook_adapters.livekit._audio import LineFrames

__all__ = ["LineVAD"]

# As LiveKit's own.
_THRESHOLD: Final = 0.5
_RELEASE: Final = 0.35
_SPEECH_SECONDS: Final = 0.05
_SILENCE_SECONDS: Final = 0.25


class LineVAD(vad.VAD):
    """Follows sound of any rate."""

    def __init__(self, detector: VoiceActivityDetector) -> None:
        super().__init__(capabilities=vad.VADCapabilities(update_interval=FRAME_SECONDS))
        self.detector = detector

    @property
    def model(self) -> str:
        return self.detector.name

    @property
    def provider(self) -> str:
        return "offhook"

    @property
    def min_silence_duration(self) -> float:
        """Seconds of silence that end speech."""
        return _SILENCE_SECONDS

    def stream(self) -> vad.VADStream:
        return _Following(self)


class _Following(vad.VADStream):
    def __init__(self, parent: LineVAD) -> None:
        super().__init__(parent)
        self._detector = parent.detector
        self._now = self._speech = self._silence = 0.0
        self._run = self._quiet = 0.0
        self._speaking = False

    async def _main_task(self) -> None:
        activity, frames = self._detector.open(), LineFrames()
        async for item in self._input_ch:
            if not isinstance(item, rtc.AudioFrame):
                activity = self._detector.open()
                self._speech = self._silence = self._run = self._quiet = 0.0
                self._speaking = False
                continue
            for frame in frames.push(item):
                self._now += FRAME_SECONDS
                self._follow(activity.push(frame))

    def _follow(self, probability: float) -> None:
        loud = probability >= _THRESHOLD or (self._speaking and probability > _RELEASE)
        self._run = self._run + FRAME_SECONDS if loud else 0.0
        self._quiet = 0.0 if loud else self._quiet + FRAME_SECONDS
        if self._speaking:
            self._speech += FRAME_SECONDS
        else:
            self._silence += FRAME_SECONDS
        self._tell(vad.VADEventType.INFERENCE_DONE, probability)
        if not self._speaking and self._run >= _SPEECH_SECONDS:
            self._speaking, self._silence, self._speech = True, 0.0, self._run
            self._tell(vad.VADEventType.START_OF_SPEECH, probability)
        elif self._speaking and self._quiet >= _SILENCE_SECONDS:
            self._speaking, self._silence = False, self._quiet
            self._speech = max(0.0, self._speech - self._quiet)
            self._tell(vad.VADEventType.END_OF_SPEECH, probability)
            self._speech = 0.0

    def _tell(self, kind: vad.VADEventType, probability: float) -> None:
        self._event_ch.send_nowait(
            vad.VADEvent(
                type=kind,
                samples_index=0,
                timestamp=self._now,
                speech_duration=self._speech,
                silence_duration=self._silence,
                probability=probability,
                speaking=self._speaking,
                raw_accumulated_silence=self._quiet,
                raw_accumulated_speech=self._run,
            )
        )
