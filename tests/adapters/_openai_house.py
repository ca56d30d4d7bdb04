"""OpenAI's chat, ears and voice on one loopback address, for agents that know nothing of offhook: the policy
follower answers, and the run's own engines listen and talk.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import attrs
import soundfile
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from offhook.audio import LINE_RATE, Clip
from offhook.host import PluginHost
from offhook.packs import Pack, Task
from offhook.runner import EngineChoice
from offhook.runner.engines import choose_engines
from offhook.runner.kit import follower_plan
from offhook.sessions import CallSetup, Engines
from offhook.streams import stream
from offhook.toolserver import agent_config, serve_app
from offhook_adapters._frameworks.ears import HINT
from offhook_adapters.reference.completions import MindCompletions
from offhook_adapters.reference.speech import Mouth, chosen_voice

__all__ = ["House", "house_for"]


@attrs.frozen(eq=False)
class House:
    """``mind`` answers one call of one task."""

    mind: MindCompletions
    engines: Engines

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[str]:
        """The base URL, with ``/v1``."""
        speech = [
            Route("/v1/audio/transcriptions", self._hear, methods=["POST"]),
            Route("/v1/audio/speech", self._speak, methods=["POST"]),
        ]
        async with serve_app(Starlette(routes=[*self.mind.app.routes, *speech])) as base:
            yield f"{base}/v1"

    async def _hear(self, request: Request) -> Response:
        async with request.form() as form:
            file = form["file"]
            assert isinstance(file, UploadFile)
            samples, rate = soundfile.read(io.BytesIO(await file.read()), dtype="int16")
        heard = await asyncio.to_thread(self.engines.careful_ears.hear, Clip(samples, rate), HINT)
        return JSONResponse({"text": heard.text})

    async def _speak(self, request: Request) -> Response:
        """Sound in the format asked for: MP3, or bare samples at 24 kHz."""
        asked = await request.json()
        clip = (await Mouth(chosen_voice(self.engines, {})).speak(asked["input"])).at_rate(LINE_RATE)
        if asked["response_format"] == "pcm":
            return Response(clip.samples.tobytes(), media_type="audio/pcm")
        sound = io.BytesIO()
        soundfile.write(sound, clip.samples, clip.rate, format="MP3")
        return Response(sound.getvalue(), media_type="audio/mpeg")


def house_for(host: PluginHost, pack: Pack, task: Task) -> House:
    """A house whose mind knows which calls ``task`` needs, and no value of any."""
    engines = choose_engines(host, EngineChoice())
    call = CallSetup(
        "a-call",
        pack.now,
        lambda purpose: stream(1, "a-call", purpose),
        engines,
        follower_plan(pack, task),
    )
    return House(MindCompletions(call, greeting=agent_config(pack).greeting), engines)
