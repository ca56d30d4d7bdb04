"""Platforms that cost money: what they name beforehand, and what their calls report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from offhook.sessions import CallSetup, Capabilities, Cost, Deployment, ToolMode
from tests.core._routed import AcmeDialect
from tests.core._stand import BriefSession, RealTimePlatform, Stand

__all__ = ["PLUGIN", "Priced", "Unpriced"]


class _Charged(BriefSession):
    def __init__(self, cost: Cost) -> None:
        super().__init__()
        self._cost = cost

    async def fetch_cost(self) -> Cost:
        return self._cost


@attrs.frozen(kw_only=True)
class Unpriced(RealTimePlatform):
    """Names no price; each call reports ``costs`` USD."""

    costs: float | None = 0.5
    refusing: bool = False

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(virtual_time=self.virtual_time, concurrency=self.concurrency, cost=True)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        if self.refusing:
            raise ConnectionError("busy")
        return _Charged(Cost(self.costs, "reported" if self.costs is not None else "unknown"))


@attrs.frozen(kw_only=True)
class Priced(Unpriced):
    """Names ``a_minute`` beforehand, in USD."""

    a_minute: float | None = 0.1

    def estimate(self, seconds: float) -> Cost:
        if self.a_minute is None:
            raise ValueError("no price list")
        return Cost(self.a_minute * seconds / 60, "duration")


@attrs.frozen(kw_only=True)
class Bare(Priced):
    """Lacks something, takes options, and posts its tool calls from the internet."""

    lacking: str = "BARE_KEY is not set: set it to your key"

    webhook: Any = attrs.field(factory=AcmeDialect)

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            tool_mode=ToolMode.WEBHOOK, public_url=True, session_cap=900.0, concurrency=2, virtual_time=True
        )

    @property
    def options(self) -> Mapping[str, str]:
        return {"model": "Which model answers."}

    def check(self) -> str | None:
        return self.lacking or None

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        raise AssertionError("nothing is to be dialled")


@attrs.frozen(kw_only=True)
class Rude(Unpriced):
    """Exits instead of telling anything."""

    @property
    def options(self) -> Mapping[str, str]:
        raise ValueError("none\ntoday")

    def check(self) -> str | None:
        raise SystemExit("bye")

    def estimate(self, seconds: float) -> Cost:
        raise SystemExit(3)


PLUGIN: Final = Stand(
    adapters=(
        Priced(name="priced", virtual_time=True),
        Unpriced(name="unpriced", virtual_time=True),
        Unpriced(name="mute", costs=None, virtual_time=True),
        RealTimePlatform("mum"),
        Bare(name="bare"),
        Bare(name="outside", lacking=""),
        Rude(name="rude"),
    )
)
