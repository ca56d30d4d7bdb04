"""What the reference plugin provides."""

from __future__ import annotations

from offhook.host import PluginHost
from offhook.sessions import Adapter
from offhook.textline import TextAdapter
from offhook_adapters.reference.plugin import offhook_adapters

NAMES = (
    "reference",
    "reference-openai",
    "saboteur-skips-verification",
    "saboteur-verifies-last",
    "saboteur-skips-lookup",
    "saboteur-stops-short",
    "saboteur-does-nothing",
    "saboteur-hands-over",
    "saboteur-alters-digit",
    "saboteur-alters-name",
    "saboteur-alters-date",
    "saboteur-alters-choice",
    "saboteur-alters-amount",
    "saboteur-takes-yes-for-no",
    "saboteur-picks-another",
    "saboteur-drops-argument",
    "saboteur-invents-token",
    "saboteur-alters-refund",
    "saboteur-claims-done",
    "saboteur-meddles",
    "saboteur-texts-unasked",
    "saboteur-breaks-down",
)


def test_every_reference_platform_takes_audio_and_text_and_says_what_it_is() -> None:
    adapters = offhook_adapters()
    assert tuple(adapter.name for adapter in adapters) == NAMES
    assert all(isinstance(adapter, Adapter) and isinstance(adapter, TextAdapter) for adapter in adapters)
    assert all(adapter.capabilities.harness_reference for adapter in adapters)
    networked = [adapter.name for adapter in adapters if not adapter.capabilities.virtual_time]
    assert networked == ["reference-openai"]


def test_the_host_finds_them() -> None:
    assert set(NAMES) <= set(PluginHost.discover().adapters())
