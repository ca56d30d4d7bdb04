"""Vapi as an adapter. An assistant is kept there, found again by what it was made of; each call is opened by
REST and held over a WebSocket, and its tools are called at an address of its own.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Final

import attrs

from offhook.records import ModelLayer
from offhook.sessions import AgentConfig, CallSetup, Capabilities, Deployment, Greeting, ToolMode
from offhook.twins import FAULTS, Behind, RunningTwin
from offhook_adapters.vapi.catalogue import catalogue
from offhook_adapters.vapi.config import (
    OPTIONS,
    VAPI,
    assistant_body,
    call_body,
    fingerprint,
    settings_from,
)
from offhook_adapters.vapi.dialect import VapiDialect
from offhook_adapters.vapi.rest import Gone, OpenedCall, VapiRest, import_sdk
from offhook_adapters.vapi.session import VapiSession
from offhook_adapters.wires.sockets import LARGEST
from offhook_adapters.wires.trouble import failed_connect
from offhook_adapters.wires.vendor import VendorError, VendorUnusable, check_agent

__all__ = ["CAPABILITIES", "VapiAdapter"]

# session_cap and concurrency: see models.toml. The vendor's default maxDurationSeconds is left as it is.
# paced_output: not documented for this transport; a line that expects pacing is right for both.
CAPABILITIES: Final = Capabilities(
    tool_mode=ToolMode.WEBHOOK,
    call_id_source="wire",
    greeting=Greeting.VERBATIM,
    barge_in_signal=True,
    paced_output=True,
    user_transcript=True,
    record=True,
    cost=True,
    session_cap=600.0,
    concurrency=10,
    public_url=True,
)
_OPEN_SECONDS: Final = 15.0


@attrs.frozen
class VapiAdapter:
    """Environment: ``VAPI_API_KEY`` (the private one), and ``VAPI_BASE_URL`` unless the option ``base_url``
    is given; an agent is deployed to the environment's. ``patience`` is how many seconds the platform may
    owe an answer before that is noted.
    """

    name: str = "vapi"
    patience: float = 15.0
    environment: Mapping[str, str] = attrs.field(default=os.environ, repr=False)

    @property
    def capabilities(self) -> Capabilities:
        published = catalogue()
        layers = (
            ModelLayer("stt", published.default_transcriber, "bundled"),
            ModelLayer("llm", published.default_model, "bundled"),
            ModelLayer("tts", published.default_voice, "bundled"),
        )
        return attrs.evolve(CAPABILITIES, layers=layers)

    @property
    def options(self) -> Mapping[str, str]:
        """What ``--option`` may set, with a line of help each."""
        return OPTIONS

    @property
    def webhook(self) -> VapiDialect:
        """How the platform posts tool calls."""
        return VapiDialect()

    @property
    def can(self) -> frozenset[str]:
        """What its twin can do wrong; the platform takes no tool call back."""
        return frozenset(FAULTS) - {"cancel"}

    def missing(self) -> str | None:
        """What of the SDK is not installed, in one line, or None."""
        return VAPI.missing()

    def check(self) -> str | None:
        """What is missing on this machine, in one line, or None. Dials nothing."""
        return VAPI.check(self.environment)

    def with_environment(self, environment: Mapping[str, str]) -> VapiAdapter:
        return attrs.evolve(self, environment=environment)

    def twin(self, behind: Behind) -> AbstractAsyncContextManager[RunningTwin]:
        """Vapi's wires on loopback, with the reference platform behind them."""
        from offhook_adapters.twins.agent import agent_behind
        from offhook_adapters.vapi.twin import running_twin

        return running_twin(agent_behind(behind), behind.faults)

    async def warm_up(self) -> None:
        """Loads the SDK, which takes seconds the first time. Raises VendorUnusable where it is missing."""
        await asyncio.to_thread(import_sdk)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        """Creates the assistant, unless there is one made of the same.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, or an agent that the platform can't be told.
            VendorError: the platform did not answer.
        """
        usual = settings_from({}, self.environment)
        check_agent(agent)
        body = assistant_body(agent, usual)
        tag = fingerprint(body)
        rest = VapiRest(VAPI.api_key(self.environment), usual.base_url)
        await self.warm_up()
        found = await rest.assistants(tag)
        if not found:
            made = await rest.create_assistant(f"offhook-{tag[:24]}", tag, body)
            try:
                # another process may have done the same at the same moment: all take the oldest
                found = await rest.assistants(tag) or (made,)
            except BaseException:  # nobody learns of it, so nobody would take it down
                with suppress(VendorError):
                    await rest.delete_assistant(made)
                raise
            if found[0] != made:
                with suppress(Gone):
                    await rest.delete_assistant(made)
        return Deployment(self.name, found[0], agent, tag)

    async def connect(self, deployment: Deployment, call: CallSetup) -> VapiSession:
        """Opens a call and connects to it.

        Raises:
            VendorUnusable: no SDK, no key, a wrong one, a model or an option there is not, a call without a
                tool endpoint; one line says what to do.
            VendorError: the platform did not take this call.
        """
        settings = settings_from(call.options, self.environment)
        usual = settings_from({}, self.environment)
        key = VAPI.api_key(self.environment)
        if call.tools is None or not call.tools.webhook_url:
            raise VendorUnusable(f"{self.name} posts tool calls to a webhook: give the call a tool endpoint")
        rest = VapiRest(key, settings.base_url)
        body = call_body(deployment.config, settings, usual, call.tools)
        try:
            opened = await rest.create_call(deployment.reference, body)
        except Gone:  # another run on the same account has taken the assistant down with its own
            again = await self._deployed_at(rest.base_url, deployment.config)
            opened = await rest.create_call(again.reference, body)
        return await self._held(opened, rest, deployment, secrets=(key, call.tools.token))

    async def teardown(self, deployment: Deployment) -> None:
        """Deletes the assistant, and any other that was made of the same. Idempotent.

        Raises:
            VendorError: the platform did not answer.
        """
        rest = VapiRest(VAPI.api_key(self.environment), settings_from({}, self.environment).base_url)
        for assistant in await rest.assistants(deployment.config_sha256):
            with suppress(Gone):
                await rest.delete_assistant(assistant)

    async def _deployed_at(self, base_url: str | None, agent: AgentConfig) -> Deployment:
        there = self
        if base_url is not None:
            there = self.with_environment({**self.environment, VAPI.url: base_url})
        return await there.deploy(agent)

    async def _held(
        self, opened: OpenedCall, rest: VapiRest, deployment: Deployment, *, secrets: tuple[str, ...]
    ) -> VapiSession:
        from websockets.asyncio.client import connect

        try:
            connection = await connect(opened.url, open_timeout=_OPEN_SECONDS, max_size=LARGEST)
        except BaseException as error:
            # in a thread that goes on where this one, who has given up, does not wait
            ending = asyncio.get_running_loop().run_in_executor(None, rest.end_call, opened)
            if not isinstance(error, Exception):
                raise
            await asyncio.wait({ending})
            raise failed_connect(error, VAPI, rest.where, rest.key, check="base_url") from None
        return VapiSession(
            connection,
            opened,
            rest,
            secrets=secrets,
            greets=bool(deployment.config.greeting.strip()),
            patience=self.patience,
        )
