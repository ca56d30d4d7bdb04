"""An agent as a user would write it, but for its engines: it hears and speaks sound that stands for words."""

from __future__ import annotations

import os

from livekit.agents import Agent, AgentServer, AgentSession, JobContext, function_tool
from livekit.plugins import openai

from offhook.testing import EnergyVad, FakeListener, FakeVoice
from offhook_adapters.livekit._speech import RunEars, RunVoice
from offhook_adapters.livekit._vad import LineVAD
from offhook_adapters.reference.speech import Mouth

server = AgentServer()


class Desk(Agent):
    def __init__(self) -> None:
        super().__init__(instructions=os.environ["OFFHOOK_PROMPT"])

    async def on_enter(self) -> None:
        self.session.say(os.environ["OFFHOOK_GREETING"])

    @function_tool
    async def end_call(self) -> None:
        """Ends the call."""


@server.rtc_session()
async def entrypoint(ctx: JobContext) -> None:
    session: AgentSession[None] = AgentSession(
        stt=RunEars(FakeListener(), EnergyVad(), lambda: 0.1, lambda error: None),
        tts=RunVoice(Mouth(FakeVoice()), lambda: 0.1, lambda error: None),
        llm=openai.LLM(model="any", base_url=os.environ["TEST_MIND_URL"], api_key="any"),
        vad=LineVAD(EnergyVad()),
        turn_handling={"turn_detection": "vad"},
    )
    await session.start(Desk(), room=ctx.room)
