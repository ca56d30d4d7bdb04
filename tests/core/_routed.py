"""Platforms that call tools by themselves, over real sockets: each runs a script against what it was told of
one call, and says a word so that the call is one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

import attrs
import httpx

from offhook.audio import Samples
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Capabilities,
    Cost,
    Deployment,
    Ended,
    PlatformRecord,
    ToolEndpoint,
    ToolMode,
    ToolResult,
)
from offhook.webhooks import BadWebhook, WebhookCall, json_object
from tests.core._stand import BriefSession

__all__ = ["SECRET_HEADER", "AcmeDialect", "Posting", "Routed", "body_of", "post"]

SECRET_HEADER: Final = "x-acme-secret"

Posting = Callable[[ToolEndpoint], Awaitable[None]]
"""What a platform does about the tools of one call."""


@attrs.frozen
class AcmeDialect:
    """``{"calls": [{"id", "name", "args"}]}``, answered by ``{"answers": [{"id", "ok", "said"}]}``."""

    secret_header: str = SECRET_HEADER

    def read(self, body: bytes, headers: Mapping[str, str]) -> Sequence[WebhookCall]:
        told = json_object(body)
        if told.get("about") == "status":
            return ()
        if "calls" not in told:
            raise BadWebhook("the body has no calls")
        return [WebhookCall(each["id"], each["name"], each["args"]) for each in told["calls"]]

    def write(self, results: Sequence[ToolResult]) -> bytes:
        answers = [{"id": one.id, "ok": one.status < 400, "said": dict(one.body)} for one in results]
        return json.dumps({"answers": answers}).encode()


def body_of(*calls: tuple[str, str, Any]) -> dict[str, Any]:
    """A body of calls, each an id, a tool and its arguments."""
    return {"calls": [{"id": id_, "name": name, "args": args} for id_, name, args in calls]}


async def post(
    tools: ToolEndpoint, body: Any, *, token: str | None = None, headers: Mapping[str, str] | None = None
) -> httpx.Response:
    """Posts a body (bytes as they are) as the platform would."""
    sent = headers if headers is not None else {"authorization": f"Bearer {token or tools.token}"}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.post(tools.webhook_url, content=content, headers=dict(sent))


class RoutedSession(BriefSession):
    """Greets the caller, runs its script, and leaves once that has run."""

    def __init__(self, call: CallSetup, script: Posting, log: Sequence[Mapping[str, Any]]) -> None:
        super().__init__()
        assert call.tools is not None
        self._log = log
        self._greeted = asyncio.Event()
        self._running = asyncio.create_task(self._run(script, call.tools))

    async def _run(self, script: Posting, tools: ToolEndpoint) -> None:
        await self._greeted.wait()
        await script(tools)

    def send_audio(self, frame: Samples) -> None:
        super().send_audio(frame)
        if self.frames == 30:
            self._greeted.set()

    async def hang_up(self) -> None:
        self._greeted.set()
        await self._running
        self._queue.put_nowait(Ended("caller"))

    async def fetch_record(self) -> PlatformRecord:
        return PlatformRecord(tool_log=tuple(self._log))

    async def fetch_cost(self) -> Cost:
        return Cost(0.5, "reported")


@attrs.frozen(eq=False)
class Routed:
    """``told`` collects what each call was told."""

    script: Posting
    mode: ToolMode = ToolMode.WEBHOOK
    name: str = "routed"
    concurrency: int = 8
    public_url: bool = False
    virtual_time: bool = False
    log: tuple[Mapping[str, Any], ...] = ()
    webhook: Any = attrs.field(factory=AcmeDialect)
    told: list[ToolEndpoint] = attrs.field(factory=list)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            tool_mode=self.mode,
            concurrency=self.concurrency,
            public_url=self.public_url,
            virtual_time=self.virtual_time,
            record=True,
            cost=True,
        )

    async def deploy(self, agent: AgentConfig) -> Deployment:
        return Deployment(self.name, f"{self.name}:1", agent, agent.sha256)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        assert call.tools is not None
        self.told.append(call.tools)
        return RoutedSession(call, self.script, self.log)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""
