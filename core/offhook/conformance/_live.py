"""The kit against the real platform: one short call, of which nothing can be said but what any call shows."""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import attrs

from offhook._reach import reach_line
from offhook.audio import FRAME_SECONDS
from offhook.clock import run_real
from offhook.conformance._caller import KitCaller, Live
from offhook.conformance._desk import AgentRun
from offhook.conformance._end_checks import known_cost, nothing_follows
from offhook.conformance._pack import kit_pack
from offhook.conformance._result import CheckResult, NotApplicable, Unmet, Verdict, expect, shown
from offhook.conformance._run import Conformance
from offhook.conformance._stage import HeldCall, Placed, brief_of, streams_of_call
from offhook.conformance._tap import TappedAdapter, TappedSession
from offhook.conformance._watch import Watch, all_logs
from offhook.packs import Pack
from offhook.runner._desk import within
from offhook.runner._hold import CallFailed, LineClock, Parties, hold_audio
from offhook.runner.deployments import Deployments
from offhook.runner.plan import UnknownName
from offhook.sessions import Adapter, AgentAudio, CallSetup, Deployment, Greeting
from offhook.storage import one_line
from offhook.testing import fake_engines
from offhook.toolserver import SeedImages, ToolServer, agent_config

__all__ = ["LIVE_CHECKS", "LIVE_SECONDS", "conform_live"]

LIVE_SECONDS: Final = 30.0
"""About how long the one call lasts at most."""

LIVE_CHECKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "connects": "the agent is deployed and the call taken within a minute",
        "greeting-heard": "the agent is heard within 15 s",
        "audio-flows": "sound goes both ways for as long as the call lasts",
        "caller-hangup": "hang_up ends the stream, and may be called twice",
        "record": "transcript and tool log can be fetched",
        "cost": "the cost is known, with its basis",
        "teardown": "the agent can be taken down, twice",
        "no-secret": "no key in any event, error, record or log",
    }
)
"""What the real platform is checked for: name and line."""

_GREETING: Final = "Fernhill Cycle Works, repair desk. How can I help?"
_GREETING_SECONDS: Final = 15.0
_LISTENS_SECONDS: Final = 4.0
_CALL_SECONDS: Final = 90.0
_CLOSE_SECONDS: Final = 5.0
_SECRET_NAMES: Final = ("KEY", "PASSWORD", "SECRET", "TOKEN")


@attrs.define(eq=False)
class _Trial:
    """The one call, and what is left of it."""

    adapter: Adapter
    watch: Watch
    call: HeldCall | None = None
    deployment: Deployment | None = None
    problem: Unmet | None = None

    @property
    def held(self) -> HeldCall:
        if self.call is None:
            raise NotApplicable("there was no call")
        return self.call


def conform_live(
    adapter: Adapter, *, only: Iterable[str] = (), on_done: Callable[[CheckResult], object] = lambda _: None
) -> Conformance:
    """Places one short call to the real platform, with the keys of the environment. It costs what the
    platform charges for a call of half a minute. Call it where no event loop is running.

    Raises:
        UnknownName: there is no such check.
    """
    wanted = set(only)
    for name in sorted(wanted - set(LIVE_CHECKS)):
        raise UnknownName("live check", name, LIVE_CHECKS)
    names = [name for name in LIVE_CHECKS if not wanted or name in wanted]
    return run_real(_all(adapter, names, on_done))


async def _all(adapter: Adapter, names: list[str], on_done: Callable[[CheckResult], object]) -> Conformance:
    watch = Watch()
    for name, value in os.environ.items():
        if any(part in name.upper() for part in _SECRET_NAMES):
            watch.guard(name, value)
    trial = _Trial(adapter, watch)
    results: list[CheckResult] = []
    with tempfile.TemporaryDirectory(prefix="offhook-conformance-") as place, all_logs(watch):
        await _held(trial, Path(place))
        for name in LIVE_CHECKS:  # teardown last but one, whatever was asked for
            result = await _judged(name, _JUDGES[name], trial)
            if name in names:
                results.append(result)
                on_done(result)
    return Conformance(adapter.name, tuple(results))


async def _judged(
    name: str, judge: Callable[[_Trial], Awaitable[Mapping[str, Any]]], trial: _Trial
) -> CheckResult:
    try:
        evidence = await judge(trial)
    except NotApplicable as reason:
        return CheckResult(name, Verdict.NOT_APPLICABLE, reason=str(reason))
    except Unmet as unmet:
        return CheckResult(
            name, Verdict.FAILED, expected=unmet.expected, arrived=unmet.arrived, evidence=unmet.evidence
        )
    except Exception as error:
        trial.watch.look("an error", error)
        return CheckResult(name, Verdict.FAILED, expected="no exception", arrived=shown(one_line(error)))
    return CheckResult(name, Verdict.PASSED, evidence=evidence)


def _pack(trial: _Trial) -> Pack:
    """An agent without tools, so that a caller who says nothing sets nothing off."""
    greets = trial.adapter.capabilities.greeting is not Greeting.NONE
    pack = kit_pack(tools=False)
    return attrs.evolve(pack, agent=attrs.evolve(pack.agent, greeting=_GREETING if greets else ""))


async def _held(trial: _Trial, folder: Path) -> None:
    pack = _pack(trial)
    clock, token, opened = LineClock(), secrets.token_urlsafe(24), list[TappedSession]()
    engines = fake_engines()
    call_id = "live-1"
    setup = CallSetup(secrets.token_hex(8), pack.now, streams_of_call(call_id), engines)

    async def talk(live: Live) -> None:
        if pack.agent.greeting:
            await live.until(
                "to hear the agent", lambda: bool(live.session.of(AgentAudio)), _GREETING_SECONDS
            )
        await live.quiet(_LISTENS_SECONDS)

    caller = KitCaller(talk, lambda: opened[-1], lambda _: None)
    trial.watch.look("the repr of the adapter", trial.adapter)
    with ToolServer(pack, folder, clock=clock.now, images=SeedImages(folder / "images")) as server:
        server.open_call(call_id, token, folder=folder / call_id)
        place = Placed(call_id, setup, server, token, clock)
        parties = Parties(
            call_id=call_id,
            adapter=TappedAdapter(trial.adapter, trial.watch, opened.append, {}),
            caller=caller,
            setup=setup,
            brief=brief_of(pack, place),
            server=server,
            token=token,
            clock=clock,
            deployments=_Kept(trial),
        )
        try:
            held = await within(_CALL_SECONDS, lambda: hold_audio(parties))
        except TimeoutError:
            trial.problem = Unmet("the call to be over", f"it was not within {_CALL_SECONDS:.0f} s")
        except CallFailed as error:
            trial.watch.look("an error", error)
            trial.problem = Unmet("the platform to take the call", reach_line(error.__cause__ or error))
        except Exception as error:
            trial.watch.look("an error", error)
            trial.problem = Unmet("the platform to take the call", one_line(error))
        else:
            assert caller.live is not None
            caller.live.finish()
            log = server.freeze(call_id).log
            trial.call = HeldCall(held, caller.live, opened[-1], AgentRun(), log, None)
            trial.problem = caller.problem


class _Kept(Deployments):
    """Remembers the deployment, which the last check takes down."""

    def __init__(self, trial: _Trial) -> None:
        super().__init__()
        self._trial = trial

    async def deployed(self, adapter: Adapter, agent: Any) -> Deployment:
        self._trial.deployment = await super().deployed(adapter, agent)
        return self._trial.deployment


# --- what the call shows --------------------------------------------------------------------------


async def _connects(trial: _Trial) -> Mapping[str, Any]:
    if trial.call is None:
        raise trial.problem or Unmet("a call", "none")
    assert trial.deployment is not None
    expect(
        trial.deployment.config == agent_config(_pack(trial)), "Deployment.config as it was given", "another"
    )
    return {"reference": trial.deployment.reference}


async def _greeting_heard(trial: _Trial) -> Mapping[str, Any]:
    call = trial.held
    if trial.adapter.capabilities.greeting is Greeting.NONE:
        raise NotApplicable("the platform can't greet (capabilities.greeting is none)")
    if trial.problem is not None:
        raise trial.problem
    tapes = call.held.tapes
    assert tapes is not None
    first = min((span.start for span in tapes.played), default=_CALL_SECONDS)
    expect(first <= _GREETING_SECONDS, f"the agent within {_GREETING_SECONDS:g} s", f"after {first:.1f} s")
    return {"first_sound_at": round(first, 2), "said": [final.text for final in call.held.desk.agent.finals]}


async def _audio_flows(trial: _Trial) -> Mapping[str, Any]:
    call = trial.held
    tapes = call.held.tapes
    assert tapes is not None
    sent = call.session.frames * FRAME_SECONDS
    expect(abs(sent - tapes.seconds) < 1.0, f"{tapes.seconds:.1f} s of frames to be taken", f"{sent:.1f} s")
    expect(not call.errors, "no error while they flow", "; ".join(call.errors))
    return {"seconds": round(tapes.seconds, 2), "frames": call.session.frames}


async def _caller_hangup(trial: _Trial) -> Mapping[str, Any]:
    call = trial.held
    took = call.session.hang_ups[0] if call.session.hang_ups else _CALL_SECONDS
    expect(took <= _CLOSE_SECONDS, f"hang_up() within {_CLOSE_SECONDS:g} s", f"{took:.1f} s")
    expect(call.ended.by == "caller", "Ended by caller", f"{call.ended.by} ({call.ended.reason})")
    await within(_CLOSE_SECONDS, call.session.session.hang_up)
    await nothing_follows(call)
    return {"hang_up_seconds": round(took, 3)}


async def _record(trial: _Trial) -> Mapping[str, Any]:
    call = trial.held
    if not trial.adapter.capabilities.record:
        raise NotApplicable("the platform keeps no record (capabilities.record is false)")
    kept = call.held.record
    expect(kept is not None, "a record of the call", "; ".join(call.held.failures) or "none")
    return {"transcript": list(kept.transcript) if kept else []}


async def _cost(trial: _Trial) -> Mapping[str, Any]:
    call = trial.held
    if not trial.adapter.capabilities.cost:
        raise NotApplicable("the platform's cost can't be told (capabilities.cost is false)")
    return known_cost(call)


async def _teardown(trial: _Trial) -> Mapping[str, Any]:
    deployment = trial.deployment
    if deployment is None:
        raise NotApplicable("nothing was deployed")
    for _ in range(2):
        await asyncio.wait_for(trial.adapter.teardown(deployment), 60)
    return {"reference": deployment.reference}


async def _no_secret(trial: _Trial) -> Mapping[str, Any]:
    leaks = [f"{leak.what} in {leak.where}" for leak in trial.watch.leaks]
    expect(not leaks, "no secret in any event, error, record, repr or log", "; ".join(leaks), leaks=leaks)
    return {"looked_at": trial.watch.looks}


_JUDGES: Final[Mapping[str, Callable[[_Trial], Awaitable[Mapping[str, Any]]]]] = MappingProxyType(
    {
        "connects": _connects,
        "greeting-heard": _greeting_heard,
        "audio-flows": _audio_flows,
        "caller-hangup": _caller_hangup,
        "record": _record,
        "cost": _cost,
        "teardown": _teardown,
        "no-secret": _no_secret,
    }
)
