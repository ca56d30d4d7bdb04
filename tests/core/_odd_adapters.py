"""Adapters that can't be asked what they are, each beside one that can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.sessions import Capabilities
from offhook.twins import FAULTS
from tests.core._stand import RealTimePlatform, Stand

__all__ = ["PLUGIN", "MisspeltCan", "RaisingCan", "RaisingWebhook"]


@attrs.frozen(kw_only=True)
class _RaisingCapabilities(RealTimePlatform):
    @property
    def capabilities(self) -> Capabilities:
        raise RuntimeError("the catalogue\nis not there")


@attrs.frozen(kw_only=True)
class _DictCapabilities(RealTimePlatform):
    @property
    def capabilities(self) -> Any:
        return {"tool_mode": "client"}


@attrs.frozen(kw_only=True)
class _RaisingOptions(RealTimePlatform):
    @property
    def options(self) -> Mapping[str, str]:
        raise KeyError("models")


@attrs.frozen(kw_only=True)
class _RaisingCheck(RealTimePlatform):
    @property
    def check(self) -> Any:
        raise ZeroDivisionError("by nothing")


@attrs.frozen(kw_only=True)
class RaisingWebhook(RealTimePlatform):
    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(tool_mode="webhook")

    @property
    def webhook(self) -> Any:
        raise OSError("no dialect")


@attrs.frozen(kw_only=True)
class _Twinned(RealTimePlatform):
    def twin(self, behind: Any) -> Any:
        raise AssertionError("nothing is to be run")

    def with_environment(self, environment: Mapping[str, str]) -> Any:
        return self


@attrs.frozen(kw_only=True)
class RaisingCan(_Twinned):
    @property
    def can(self) -> frozenset[str]:
        raise RuntimeError("cannot say")


@attrs.frozen(kw_only=True)
class MisspeltCan(_Twinned):
    can: frozenset[str] = frozenset(FAULTS) - {"cut"} | {"cutt", "Stall"}


class _Nameless:
    @property
    def name(self) -> str:
        raise RuntimeError("nobody")


PLUGIN: Final = Stand(
    adapters=(
        _RaisingCapabilities(name="no-capabilities"),
        _DictCapabilities(name="dict-capabilities"),
        _Nameless(),  # type: ignore[arg-type]
        _RaisingOptions(name="no-options"),
        _RaisingCheck(name="no-check"),
        RaisingWebhook(name="no-webhook"),
        RaisingCan(name="no-can"),
        MisspeltCan(name="misspelt-can"),
        RealTimePlatform("sound", virtual_time=True),
    )
)
