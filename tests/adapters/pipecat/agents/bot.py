from mcp.client.session_group import StreamableHttpParameters
from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import EndWorkerFrame, TTSSpeakFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.frame_processor import FrameDirection
from pipecat.runner.types import RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.serializers.protobuf import ProtobufFrameSerializer
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.mcp_service import MCPClient
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams
from pipecat.workers.runner import WorkerRunner

LAST = ("end_call", "transfer_to_human")


def line() -> FastAPIWebsocketParams:
    return FastAPIWebsocketParams(
        audio_in_enabled=True, audio_out_enabled=True, serializer=ProtobufFrameSerializer()
    )


async def bot(runner_args: RunnerArguments) -> None:
    agent, tools = runner_args.body["agent"], runner_args.body["tools"]
    headers = {"Authorization": f"Bearer {tools['token']}"}
    client = MCPClient(StreamableHttpParameters(url=tools["mcp_url"], headers=headers))
    declared = (await client.tools()).standard_tools
    handlers = {tool.name: tool.handler for tool in declared}

    async def leave(params: FunctionCallParams) -> None:
        """Calls one of the last tools; what was begun is said to its end."""
        await handlers[params.function_name](params)
        await params.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)

    leaving = [
        FunctionSchema(tool.name, tool.description, tool.properties, tool.required, handler=leave)
        for tool in declared
        if tool.name in LAST
    ]
    known = ToolsSchema(standard_tools=[*leaving, *(tool for tool in declared if tool.name not in LAST)])

    transport = await create_transport(runner_args, {"websocket": line})
    turns = LLMContextAggregatorPair(
        LLMContext(tools=known),
        user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer()),
    )
    worker = PipelineWorker(
        Pipeline(
            [
                transport.input(),
                OpenAISTTService(),
                turns.user(),
                OpenAILLMService(settings=OpenAILLMService.Settings(system_instruction=agent["prompt"])),
                OpenAITTSService(),
                transport.output(),
                turns.assistant(),
            ]
        )
    )

    @worker.rtvi.event_handler("on_client_ready")
    async def greet(rtvi: object) -> None:
        await worker.queue_frame(TTSSpeakFrame(agent["greeting"]))

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


if __name__ == "__main__":
    from pipecat.runner.run import main

    main()
