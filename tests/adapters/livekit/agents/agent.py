import os

from livekit.agents import Agent, AgentServer, AgentSession, JobContext, mcp
from livekit.plugins import openai

server = AgentServer()


class Desk(Agent):
    def __init__(self) -> None:
        tools = mcp.MCPServerHTTP(
            os.environ["OFFHOOK_MCP_URL"],
            headers={"Authorization": f"Bearer {os.environ['OFFHOOK_TOOL_TOKEN']}"},
            client_session_timeout_seconds=30,
        )
        super().__init__(
            instructions=os.environ["OFFHOOK_PROMPT"],
            tools=[mcp.MCPToolset(id="desk", mcp_server=tools)],
        )

    async def on_enter(self) -> None:
        self.session.say(os.environ["OFFHOOK_GREETING"])


@server.rtc_session()
async def entrypoint(ctx: JobContext) -> None:
    session: AgentSession[None] = AgentSession(
        stt=openai.STT(), llm=openai.LLM(model="gpt-4.1"), tts=openai.TTS()
    )
    await session.start(Desk(), room=ctx.room)
