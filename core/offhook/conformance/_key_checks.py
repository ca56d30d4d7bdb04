"""Checks of keys and reach: who is let in, what is said to whom, and that no secret is told anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from offhook.conformance._caller import Live
from offhook.conformance._desk import Seat
from offhook.conformance._fault_checks import is_one_line, says_what_to_do
from offhook.conformance._result import NotApplicable, Unmet, expect
from offhook.conformance._stage import Bench, Stage, of_environment
from offhook.conformance._watch import all_logs
from offhook.platforms import PlatformUnusable
from offhook.sessions import Checked
from offhook.storage import to_json
from offhook.twins import FAULTS, TwinFaults

__all__ = ["deploy_idempotent", "missing_key", "no_secret", "unreachable", "wrong_key"]

_ANSWER: Final = "Yes, of course."
# Within the greeting, so that it does not take long.
_BREAKS: Final[Mapping[str, TwinFaults]] = MappingProxyType(
    {
        "cut": TwinFaults(cut_after=2),
        "expire": TwinFaults(expire_after=2),
        "unknown": TwinFaults(unknown_event=True),
    }
)


async def _answers(seat: Seat) -> None:
    await seat.listen()
    await seat.call("get_service_price", {"service": "wheel"})
    await seat.say(_ANSWER)
    await seat.listen()


def _key_names(stage: Stage) -> list[str]:
    names = of_environment(stage.twin.environment, stage.twin.key)
    if not names:
        raise NotApplicable("the platform takes no key")
    return names


def _with_wrong_key(stage: Stage) -> dict[str, str]:
    """The environment with another key of the same shape."""
    key = stage.twin.key
    wrong = key[:-6] + "".join("b" if letter == "a" else "a" for letter in key[-6:])
    stage.bench.watch.guard("a wrong key", wrong)
    return {name: value.replace(key, wrong) for name, value in stage.twin.environment.items()}


async def wrong_key(bench: Bench) -> Mapping[str, Any]:
    async with bench.stage(_answers) as stage:
        names = _key_names(stage)
        adapter: Any = bench.subject.with_environment(_with_wrong_key(stage))
        error = await stage.refusal(adapter)
    return _unusable(error, names, "a wrong key")


async def missing_key(bench: Bench) -> Mapping[str, Any]:
    async with bench.stage(_answers) as stage:
        names = _key_names(stage)
        left = {name: value for name, value in stage.twin.environment.items() if name not in names}
        adapter: Any = bench.subject.with_environment(left)
        told = adapter.check() if isinstance(adapter, Checked) else None
        expect(
            bool(told) and "\n" not in str(told) and any(name in str(told) for name in names),
            f"check() to name {' or '.join(names)} in one line",
            repr(told),
        )
        before = len(stage.twin.received)
        error = await stage.refusal(adapter)
        expect(len(stage.twin.received) == before, "nobody to be dialled without a key", "the twin was")
    return {"check": told, **_unusable(error, names, "no key")}


def _unusable(error: Exception | None, names: list[str], met: str) -> dict[str, Any]:
    if error is None:
        raise Unmet(f"deploy() or connect() to raise PlatformUnusable with {met}", "they went well")
    told = f"{type(error).__name__}: {error}"
    expect(isinstance(error, PlatformUnusable), f"PlatformUnusable with {met}", told)
    expect(any(name in str(error) for name in names), f"a message that names {' or '.join(names)}", told)
    says_what_to_do(error)
    return {"error": told}


async def unreachable(bench: Bench) -> Mapping[str, Any]:
    async with bench.stage(_answers) as stage:
        environment = dict(stage.twin.environment)
        if not (stage.twin.key or any("://" in value for value in environment.values())):
            raise NotApplicable("the platform is not reached over a network")
    # the twin has gone, and left its port closed
    adapter: Any = bench.subject.with_environment(environment)
    error = await stage.refusal(adapter)
    if error is None:
        raise Unmet("deploy() or connect() to raise where nobody listens", "they went well")
    is_one_line(error)
    return {"error": f"{type(error).__name__}: {error}"}


async def deploy_idempotent(bench: Bench) -> Mapping[str, Any]:
    async with bench.stage(_answers) as stage:
        first, second = await stage.deploy(), await stage.deploy()
        evidence = {"references": [first.reference, second.reference], "sha256": first.config_sha256}
        expect(
            first.adapter == bench.subject.name, f"Deployment.adapter {bench.subject.name!r}", first.adapter
        )
        expect(first.config == stage.agent, "Deployment.config as it was given", "another")
        same = (first.reference, first.config_sha256) == (second.reference, second.config_sha256)
        expect(same, "equal configuration, one deployment", f"{first!r:.150} and {second!r:.150}", **evidence)
        expect(bool(first.reference and first.config_sha256), "a reference and a hash", repr(first)[:300])
        for _ in range(2):
            bench.waits_for("teardown() to return")
            await asyncio.wait_for(stage.adapter.teardown(first), 20)
    return evidence


async def no_secret(bench: Bench) -> Mapping[str, Any]:
    with all_logs(bench.watch):
        await _ordinary(bench, TwinFaults())
        for fault, shown in _BREAKS.items():
            if fault in bench.subject.can:
                with suppress(Unmet):  # whether the call is held is another check's to say
                    await _ordinary(bench, shown)
        async with bench.stage(_answers) as stage:
            if of_environment(stage.twin.environment, stage.twin.key):
                wrong: Any = bench.subject.with_environment(_with_wrong_key(stage))
                with suppress(Unmet):
                    await stage.refusal(wrong)
        for fault in ("refuse", "rate-limit", "quota"):
            if fault in bench.subject.can:
                async with bench.stage(_answers, faults=FAULTS[fault]) as stage:
                    with suppress(Unmet):
                        await stage.refusal()
    leaks = [f"{leak.what} in {leak.where}" for leak in bench.watch.leaks]
    expect(not leaks, "no secret in any event, error, record, repr or log", "; ".join(leaks), leaks=leaks)
    return {"looked_at": bench.watch.looks}


async def _ordinary(bench: Bench, faults: TwinFaults) -> None:
    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_ANSWER)

    call = await bench.hold(_answers, talk, faults=faults)
    if call.held.record is not None:
        bench.watch.look("the platform's record", to_json(call.held.record))
