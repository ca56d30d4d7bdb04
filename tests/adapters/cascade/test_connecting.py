"""What it costs to connect a cascade, and what is left where that fails."""

from __future__ import annotations

import asyncio
import gc
import ssl
import warnings
from typing import Any

import attrs
import pytest
from aiohttp import web

from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentConfig
from offhook.testing import run_real, run_virtual
from offhook_adapters.cascade.dial import all_of
from offhook_adapters.gradium.adapter import GradiumAdapter
from offhook_adapters.huggingface.adapter import HuggingFaceAdapter
from offhook_adapters.mistral.adapter import MistralAdapter
from offhook_adapters.twins.server import serving
from offhook_adapters.twins.tls import loopback_tls
from offhook_adapters.wires.vendor import VendorError, VendorUnusable
from tests.adapters._calls import AGENT, call_setup, dialled, twinned

KEY = "a-key-of-no-known-shape"
CASCADES = (MistralAdapter, GradiumAdapter, HuggingFaceAdapter)
TOOL = AGENT.tools[0]


def pointed_at(cascade: type[Any], url: str) -> Any:
    """The adapter with a key, and all its parts on one server."""
    return cascade(
        environment={
            "MISTRAL_API_KEY": KEY,
            "MISTRAL_BASE_URL": url,
            "GRADIUM_API_KEY": KEY,
            "GRADIUM_BASE_URL": f"{url}/api",
            "GRADIUM_LLM_API_KEY": KEY,
            "GRADIUM_LLM_BASE_URL": f"{url}/v1",
            "HF_TOKEN": KEY,
            "HF_BASE_URL": url,
        }
    )


def test_what_is_under_way_may_end_when_another_part_has_failed() -> None:
    ends: list[float] = []

    async def fails() -> None:
        raise VendorError("busy")

    async def lasts(seconds: float, error: Exception | None = None) -> None:
        try:
            await asyncio.sleep(seconds)
            if error is not None:
                raise error
        finally:
            ends.append(asyncio.get_running_loop().time())

    async def work(*more: Any) -> None:
        await all_of(fails(), *more)

    with pytest.raises(VendorError, match="busy"):
        run_virtual(work(lasts(1.5), lasts(60.0)))
    assert ends == [1.5, 2.0]  # by itself, and cut off
    with pytest.raises(VendorUnusable, match="no key"):
        run_virtual(work(lasts(1.5, VendorUnusable("no key"))))


@pytest.mark.parametrize("cascade", CASCADES)
def test_a_certificate_that_is_not_trusted_leaves_nothing_open(cascade: type[Any]) -> None:
    async def lost(request: web.Request) -> web.StreamResponse:
        return web.Response(status=404)

    async def work() -> None:
        with loopback_tls() as tls:
            async with serving([web.route("*", "/{path:.*}", lost)], tls=tls.context) as port:
                with pytest.raises(PlatformUnusable, match="a certificate that is not trusted here"):
                    await dialled(pointed_at(cascade, f"https://127.0.0.1:{port}"))

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        run_real(work())
        gc.collect()
    assert [str(each.message) for each in told if each.category is ResourceWarning] == []


@pytest.mark.parametrize("cascade", CASCADES)
def test_the_trusted_certificates_are_read_once_for_all_calls(
    cascade: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    load = ssl.SSLContext.load_verify_locations

    def counted(context: ssl.SSLContext, *given: Any, **named: Any) -> None:
        read.append(given or named)
        load(context, *given, **named)

    async def work() -> None:
        async with twinned(cascade()) as (adapter, _):
            monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", counted)
            deployment = await adapter.deploy(AGENT)
            assert len(read) == 1
            sessions = [await adapter.connect(deployment, call_setup()) for _ in range(2)]
            for session in sessions:
                await session.hang_up()
            # the hub's own client takes no certificates and reads them itself
            assert len(read) == (3 if cascade is HuggingFaceAdapter else 1)

    run_real(work())


@pytest.mark.parametrize("cascade", CASCADES)
@pytest.mark.parametrize(
    ("agent", "place"),
    [
        (attrs.evolve(AGENT, prompt="Be kind\ud800."), "the prompt"),
        (attrs.evolve(AGENT, greeting="\udfffHello."), "the greeting"),
        (
            attrs.evolve(AGENT, tools=(attrs.evolve(TOOL, description="Tells\ud800."),)),
            f"the tool {TOOL.name!r}",
        ),
    ],
)
def test_half_a_character_is_told_before_anybody_is_called(
    cascade: type[Any], agent: AgentConfig, place: str
) -> None:
    with pytest.raises(PlatformUnusable) as refused:
        run_real(dialled(pointed_at(cascade, "http://127.0.0.1:9"), agent))
    assert str(refused.value).startswith(f"{place} holds half a character")
    assert str(refused.value).isascii()
    assert "\n" not in str(refused.value)
