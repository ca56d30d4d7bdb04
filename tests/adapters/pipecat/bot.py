"""A bot as a user of Pipecat writes it, on Pipecat's own runner and WebSocket transport: it greets with what
it is given, repeats what it hears, and leaves at a goodbye.
"""

from __future__ import annotations

from typing import Any

from pipecat.frames.frames import EndWorkerFrame, Frame, TranscriptionFrame, TTSSpeakFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.runner.utils import create_transport
from pipecat.serializers.protobuf import ProtobufFrameSerializer
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams
from pipecat.workers.runner import WorkerRunner

from offhook.speech import ListenerHint
from offhook.streams import stream
from offhook.testing import EnergyVad, FakeListener, FakeVoice
from offhook_adapters.pipecat._services import EarsService, RunVad, VoiceService
from offhook_adapters.reference.speech import Mouth


class Parrot(FrameProcessor):
    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if isinstance(frame, TranscriptionFrame):
            await self.push_frame(TTSSpeakFrame(f"You said {frame.text}"))
            if "goodbye" in frame.text.lower():
                await self.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)


def _params() -> FastAPIWebsocketParams:
    return FastAPIWebsocketParams(
        audio_in_enabled=True, audio_out_enabled=True, serializer=ProtobufFrameSerializer()
    )


def _ignore(*_: object) -> None:
    """Nobody asks."""


async def bot(runner_args: Any) -> None:
    transport = await create_transport(runner_args, {"websocket": _params})
    given = runner_args.body["agent"]
    assert runner_args.body["tools"]["mcp_url"].startswith("http")

    def rng(purpose: str) -> Any:
        return stream(1, "bot", purpose)

    turns = LLMContextAggregatorPair(
        LLMContext(), user_params=LLMUserAggregatorParams(vad_analyzer=RunVad(EnergyVad()))
    )
    ears = EarsService(FakeListener(), ListenerHint(), rng, (0.0, 0.0), _ignore, _ignore)
    voice = VoiceService(Mouth(FakeVoice()), rng, (0.0, 0.0), _ignore)
    pipeline = Pipeline(
        [transport.input(), ears, Parrot(), turns.user(), voice, transport.output(), turns.assistant()]
    )
    worker = PipelineWorker(pipeline, params=PipelineParams(audio_in_sample_rate=16_000))

    async def greet(rtvi: object) -> None:
        await worker.queue_frame(TTSSpeakFrame(given["greeting"]))

    worker.rtvi.add_event_handler("on_client_ready", greet)
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


if __name__ == "__main__":
    from pipecat.runner.run import main

    main()
