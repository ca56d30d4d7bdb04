"""The line as a Pipecat transport: 20 ms frames in, paced sound out."""

from __future__ import annotations

import asyncio
import math
from typing import Final, Protocol

import numpy as np
from pipecat.frames.frames import (
    AggregatedTextFrame,
    CancelFrame,
    EndFrame,
    Frame,
    FunctionCallResultFrame,
    InputAudioRawFrame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    MetricsFrame,
    OutputAudioRawFrame,
    StartFrame,
    TTSTextFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
)
from pipecat.metrics.metrics import MetricsData
from pipecat.processors.frame_processor import FrameDirection
from pipecat.transports.base_input import BaseInputTransport
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams

from offhook.audio import LINE_RATE, Resampler, Samples
from offhook.clock import sleep_until

__all__ = ["IN_RATE", "LineEnd", "LineInput", "LineOutput", "line_params"]

IN_RATE: Final = 16_000
"""What Pipecat's pipelines take in unless told otherwise, and what its models hear."""

# Sound is handed over this many seconds before it is due, so that a busy machine tears no holes in it.
_LEAD: Final = 0.25


def line_params() -> TransportParams:
    """Pipecat's defaults for a phone-like transport. The silence it likes to add at a call's end is left out:
    the line has its own.
    """
    return TransportParams(
        audio_in_enabled=True,
        audio_in_sample_rate=IN_RATE,
        audio_out_enabled=True,
        audio_out_sample_rate=LINE_RATE,
        audio_out_end_silence_secs=0,
    )


class LineInput(BaseInputTransport):
    """Takes the caller's frames from the line."""

    def __init__(self, params: TransportParams) -> None:
        super().__init__(params)
        self._frames: asyncio.Queue[Samples] = asyncio.Queue()
        self._down = Resampler(LINE_RATE, IN_RATE)
        self._feeding: asyncio.Task[None] | None = None

    def push(self, frame: Samples) -> None:
        """One frame of the line. Never blocks."""
        self._frames.put_nowait(frame)

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)
        if self._feeding is None:
            self._feeding = self.create_task(self._feed())

    async def stop(self, frame: EndFrame) -> None:
        await self._stop_feeding()
        await super().stop(frame)

    async def cancel(self, frame: CancelFrame) -> None:
        await self._stop_feeding()
        await super().cancel(frame)

    async def cleanup(self) -> None:
        await self._stop_feeding()
        await super().cleanup()  # type: ignore[no-untyped-call]

    async def _feed(self) -> None:
        while True:
            sound = self._down.push(await self._frames.get())
            await self.push_audio_frame(InputAudioRawFrame(sound.tobytes(), IN_RATE, 1))

    async def _stop_feeding(self) -> None:
        feeding, self._feeding = self._feeding, None
        if feeding is not None:
            await self.cancel_task(feeding)


class LineEnd(Protocol):
    """Whom the output tells what comes by. All of the pipeline's frames do, in order."""

    def play(self, samples: Samples) -> None:
        """A piece of the agent's sound."""
        ...

    def clear(self) -> None:
        """An interruption found sound that was not heard yet."""
        ...

    def said(self, text: str) -> None:
        """A sentence that was spoken, or its words up to an interruption."""
        ...

    def user(self, speaking: bool) -> None:
        """Pipecat took the caller's turn to begin or end."""
        ...

    def tool_done(self, name: str, call_id: str) -> None:
        """A tool's result is on its way to the model."""
        ...

    def answer_began(self) -> None: ...

    async def answer_ended(self) -> None: ...

    def metered(self, data: MetricsData) -> None: ...


class LineOutput(BaseOutputTransport):
    """Hands the agent's sound to the line as fast as it is heard."""

    def __init__(self, params: TransportParams, end: LineEnd) -> None:
        super().__init__(params)
        self._end = end
        self._due = 0.0
        self._words: list[str] = []
        self._sentence: int | None = None
        self._lengths: dict[int | None, int] = {}

    async def start(self, frame: StartFrame) -> None:
        await super().start(frame)
        await self.set_transport_ready(frame)

    async def stop(self, frame: EndFrame) -> None:
        await super().stop(frame)
        self._tell_words()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        if direction is FrameDirection.DOWNSTREAM:
            self._look_at(frame)
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMFullResponseEndFrame):
            await self._end.answer_ended()

    async def push_frame(self, frame: Frame, direction: FrameDirection = FrameDirection.DOWNSTREAM) -> None:
        if isinstance(frame, TTSTextFrame) and direction is FrameDirection.DOWNSTREAM:
            self._heard_word(frame)
        await super().push_frame(frame, direction)

    async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
        """Takes one piece, and returns when it is time for the next."""
        now = asyncio.get_running_loop().time()
        samples = np.frombuffer(frame.audio, dtype=np.int16)
        self._end.play(samples)
        self._due = max(self._due, now) + len(samples) / frame.sample_rate
        await sleep_until(self._due - _LEAD)
        return True

    def _look_at(self, frame: Frame) -> None:
        match frame:
            case InterruptionFrame():
                self._interrupt()
            case TTSTextFrame():
                pass  # a word, seen once it is due
            case AggregatedTextFrame(will_be_spoken=True):
                self._lengths[frame.id] = len(frame.text.split())
            case UserStartedSpeakingFrame():
                self._end.user(True)
            case UserStoppedSpeakingFrame():
                self._end.user(False)
            case FunctionCallResultFrame():
                self._end.tool_done(frame.function_name, frame.tool_call_id)
            case LLMFullResponseStartFrame():
                self._end.answer_began()
            case MetricsFrame():
                for data in frame.data:
                    self._end.metered(data)
            case _:
                pass

    def _heard_word(self, frame: TTSTextFrame) -> None:
        if frame.segment_id != self._sentence:
            self._tell_words()
            self._sentence = frame.segment_id
        self._words.append(frame.text)
        if len(self._words) >= self._lengths.get(self._sentence, math.inf):
            self._tell_words()

    def _tell_words(self) -> None:
        self._lengths.pop(self._sentence, None)
        if self._words:
            self._end.said(" ".join(self._words))
            self._words.clear()

    def _interrupt(self) -> None:
        self._tell_words()
        now = asyncio.get_running_loop().time()
        if self._due > now:
            self._due = now
            self._end.clear()
