"""The pipeline of one call: input, ears, the caller's turns, model, voice, output."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import attrs
from openai import AsyncOpenAI
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.audio.vad.vad_analyzer import VADAnalyzer
from pipecat.frames.frames import ErrorFrame, TTSSpeakFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.services.llm_service import FunctionCallParams
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

from offhook.audio import LINE_RATE, Samples
from offhook.sessions import AgentConfig, Engines, RngSource
from offhook.speech import VoiceActivityDetector
from offhook_adapters._frameworks.ears import HINT
from offhook_adapters.pipecat._model import ExactSchema, ModelService, given_arguments
from offhook_adapters.pipecat._services import (
    EarsService,
    PipecatVad,
    RunVad,
    VoiceService,
)
from offhook_adapters.pipecat._transport import IN_RATE, LineInput, LineOutput, line_params
from offhook_adapters.pipecat.session import PipecatSession
from offhook_adapters.reference.session import Delays
from offhook_adapters.reference.speech import Mouth

__all__ = ["CallParts", "RunningPipeline", "TurnModels", "make_models"]

_STOP_SECONDS: Final = 5.0


@attrs.frozen(eq=False)
class TurnModels:
    """What tells whether the caller speaks, and when their turn is over."""

    vad: VADAnalyzer
    strategies: UserTurnStrategies


def make_models(vad: VoiceActivityDetector | None) -> TurnModels:
    """Pipecat's defaults; ``vad`` stands in for its own detector where it is given. Loading them takes a
    moment, which a busy loop can't spare.
    """
    return TurnModels(PipecatVad() if vad is None else RunVad(vad), UserTurnStrategies())


@attrs.frozen(eq=False)
class CallParts:
    """What a pipeline is made of."""

    agent: AgentConfig
    engines: Engines
    mouth: Mouth
    client: AsyncOpenAI
    model: str
    rng: RngSource
    delays: Delays
    models: TurnModels


class RunningPipeline:
    """A pipeline that tells ``session`` what happens."""

    def __init__(self, parts: CallParts, session: PipecatSession) -> None:
        self._session = session
        self._greeting = parts.agent.greeting
        self._input = LineInput(line_params())
        self._client = parts.client
        self._started = asyncio.Event()
        self._takes_sound = False
        self._worker = PipelineWorker(
            Pipeline(self._processors(parts)),
            params=PipelineParams(
                audio_in_sample_rate=IN_RATE,
                audio_out_sample_rate=LINE_RATE,
                enable_metrics=True,
                enable_usage_metrics=True,
            ),
            enable_rtvi=False,
            enable_turn_tracking=False,
            idle_timeout_secs=None,
            check_dangling_tasks=False,
        )
        self._worker.add_event_handler("on_pipeline_started", self._on_started)
        self._worker.add_event_handler("on_pipeline_finished", self._on_finished)
        self._worker.add_event_handler("on_pipeline_error", self._on_error)
        self._runner = WorkerRunner(handle_sigint=False, check_dangling_tasks=False)
        self._running: asyncio.Task[None] | None = None

    def _processors(self, parts: CallParts) -> list[Any]:
        session, delays = self._session, parts.delays
        tools = [ExactSchema(tool, self._call) for tool in parts.agent.tools]
        context = LLMContext(tools=ToolsSchema(standard_tools=tools))
        model = ModelService(parts.client, parts.model, parts.agent.prompt)
        # Tools the model made up go to the tool server, too, which refuses them.
        model.register_function(None, self._call)
        turns = LLMContextAggregatorPair(
            context,
            user_params=LLMUserAggregatorParams(
                vad_analyzer=parts.models.vad, user_turn_strategies=parts.models.strategies
            ),
        )
        return [
            self._input,
            EarsService(
                parts.engines.careful_ears,
                HINT,
                parts.rng,
                delays.careful_hearing,
                session.heard,
                session.broken,
            ),
            turns.user(),
            model,
            VoiceService(parts.mouth, parts.rng, delays.speaking, session.broken),
            LineOutput(line_params(), session),
            turns.assistant(),
        ]

    async def _call(self, params: FunctionCallParams) -> None:
        result = await self._session.call(
            params.tool_call_id, params.function_name, given_arguments(params.arguments)
        )
        # Pipecat takes an empty result for none, and would not let the model go on.
        await params.result_callback(dict(result.body) or {"status": result.status})

    async def start(self) -> None:
        """Returns once it takes sound; the greeting is then on its way."""
        await self._runner.add_workers(self._worker)
        self._running = asyncio.create_task(self._runner.run())
        self._running.add_done_callback(lambda _: self._started.set())
        await self._started.wait()
        if not self._takes_sound:
            raise RuntimeError("Pipecat's pipeline did not start")
        self._session.begin(self)
        if self._greeting.strip():
            await self._worker.queue_frame(TTSSpeakFrame(self._greeting))

    def push(self, frame: Samples) -> None:
        self._input.push(frame)

    async def finish(self) -> None:
        await self._worker.stop_when_done()  # type: ignore[no-untyped-call]

    async def stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            await self._runner.cancel()
            await asyncio.wait({running}, timeout=_STOP_SECONDS)
            running.cancel()
        await self._client.close()

    async def _on_started(self, *_: object) -> None:
        self._takes_sound = True
        self._started.set()

    async def _on_finished(self, *_: object) -> None:
        self._session.finished()

    async def _on_error(self, worker: object, frame: ErrorFrame) -> None:
        part = frame.processor
        permanent = part is not None and not part.is_usable
        code = frame.category.value if frame.category is not None else "pipeline_error"
        self._session.trouble(str(code), frame.error, permanent=permanent)
