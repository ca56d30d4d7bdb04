"""Checks of sound: both ways, at its rate and pace, and stopped when the caller talks over it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from offhook.audio import FRAME_SAMPLES, FRAME_SECONDS, LINE_RATE
from offhook.conformance._caller import OPENER, Live, words
from offhook.conformance._desk import Seat
from offhook.conformance._result import NotApplicable, expect
from offhook.conformance._sound import joined, likeness
from offhook.conformance._stage import Bench, HeldCall
from offhook.sessions import AgentAudio, AgentTranscript, Clear, TranscriptKind, UserTranscript
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice

__all__ = ["audio_in", "audio_out", "barge_in", "pacing", "silence", "transcripts"]

_ASKED: Final = "My grey bicycle squeaks when I brake downhill, quite loudly."
_SAID: Final = "The workshop opens early, and a mechanic looks at it."
_LONG: Final = (
    "We look at the brakes, then the chain, then the wheels, then the saddle, then the lights, and "
    "when all of that is done we wash it."
)
_BREAKS_IN: Final = "Sorry, one question please."
_AFTER: Final = "Certainly, go on."
_LAST: Final = "Still here, are you?"
_ALIKE: Final = 0.9
_LEVEL: Final = (0.5, 2.0)
_CLEAR_SECONDS: Final = 1.0
_SILENCE_SECONDS: Final = 20.0


def _after(call: HeldCall, since: float) -> list[AgentAudio]:
    return [
        told.event for told in call.session.told if told.at >= since and isinstance(told.event, AgentAudio)
    ]


def _said_at(call: HeldCall, text: str) -> float:
    return next((at for at, said in call.run.said if said == text), 0.0)


async def audio_in(bench: Bench) -> Mapping[str, Any]:
    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_AFTER)
        await seat.listen()
        await seat.say(_SAID)

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_AFTER)
        await live.say(_ASKED)
        await live.hears(_SAID)

    call = await bench.hold(plot, talk)
    heard = " ".join(call.run.heard[1:])
    expect(words(heard) == words(_ASKED), f"the platform to hear {_ASKED!r}", repr(heard))
    return {"heard": call.run.heard}


async def audio_out(bench: Bench) -> Mapping[str, Any]:
    times: dict[str, float] = {}

    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_SAID)
        await seat.listen()

    async def talk(live: Live) -> None:
        if bench.greets:  # by its sound: what arrives mangled is for the comparison below to tell
            await live.sounds("the greeting")
        await live.say(OPENER)
        times["spoke"] = asyncio.get_running_loop().time()
        await live.sounds("the agent's answer", live.stretches)

    call = await bench.hold(plot, talk)
    sounds = _after(call, times["spoke"])
    expect(bool(sounds), "the agent's sound after the caller's turn", "no AgentAudio")
    found = likeness(FakeVoice().speak(_SAID, SpeechStyle()).samples, joined(sounds))
    rates = sorted({sound.rate for sound in sounds})
    evidence = {
        "correlation": round(found.correlation, 4),
        "level": round(found.level, 3),
        "samples": found.arrived,
        "rates": rates,
    }
    expect(
        abs(found.arrived - found.expected) < FRAME_SAMPLES,
        f"{found.expected} samples at {LINE_RATE} Hz, give or take a frame",
        f"{found.arrived} samples (declared rates {rates})",
        **evidence,
    )
    expect(
        found.correlation >= _ALIKE and _LEVEL[0] <= found.level <= _LEVEL[1],
        "the sound as it was sent, without gap or repeat",
        f"a sound of correlation {found.correlation:.3f} and {found.level:.2f} times the level",
        **evidence,
    )
    first = next(told.at for told in call.session.told if told.event is sounds[0])
    expect(first >= _said_at(call, _SAID), "no sound before it was sent", "AgentAudio came first", **evidence)
    return evidence


async def pacing(bench: Bench) -> Mapping[str, Any]:
    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_LONG)
        await seat.listen()

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_LONG)

    call = await bench.hold(plot, talk)
    tapes = call.held.tapes
    assert tapes is not None
    received = len(joined(call.session.of(AgentAudio))) / LINE_RATE
    played = sum(span.end - span.start for span in tapes.played)
    evidence = {
        "received_seconds": round(received, 3),
        "played_seconds": round(played, 3),
        "underruns": len(tapes.underruns),
    }
    expect(not tapes.clears, "nothing to be dropped", f"{len(tapes.clears)} Clear", **evidence)
    # a platform that never stops sending has a little on its way when the caller hangs up
    expect(
        abs(received - played) <= 3 * FRAME_SECONDS,
        f"all {received:.2f} s of the agent's sound to be played",
        f"{played:.2f} s",
        **evidence,
    )
    expect(
        tapes.seconds >= played,
        "the sound to take as long as it is",
        f"{played:.2f} s of sound in a call of {tapes.seconds:.2f} s",
        **evidence,
    )
    return evidence


async def barge_in(bench: Bench) -> Mapping[str, Any]:
    if not bench.subject.capabilities.barge_in_signal:
        raise NotApplicable("the platform gives no sign of being interrupted (capabilities.barge_in_signal)")
    spoke: list[float] = []

    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_LONG)
        await seat.listen()
        await seat.say(_AFTER)
        await seat.listen()

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        before = len(joined(live.session.of(AgentAudio)))

        def talks() -> bool:
            return len(joined(live.session.of(AgentAudio))) > before

        await live.until("the agent's long sentence to begin", talks, 15)
        await live.quiet(1.5)
        spoke.append(live.line.now)
        await live.say(_BREAKS_IN)
        await live.hears(_AFTER)

    call = await bench.hold(plot, talk)
    tapes = call.held.tapes
    assert tapes is not None
    clears = [clear for clear in tapes.clears if clear.at >= spoke[0] - FRAME_SECONDS]
    expect(bool(clears) and bool(call.session.of(Clear)), "Clear once the caller talks", "none")
    first = clears[0]
    late = first.at - spoke[0]
    evidence = {
        "clear_after_seconds": round(late, 3),
        "dropped_seconds": round(first.dropped, 3),
        "played_told": call.session.played_told,
    }
    expect(late <= _CLEAR_SECONDS, f"Clear within {_CLEAR_SECONDS:g} s", f"after {late:.2f} s", **evidence)
    expect(
        first.dropped > 0.2, "the rest of the sentence to be dropped", f"{first.dropped:.2f} s", **evidence
    )
    talked_on = [
        span for span in tapes.played if span.start < first.at and span.end > first.at + 2 * FRAME_SECONDS
    ]
    expect(not talked_on, "silence after Clear", f"sound until {max_end(talked_on):.2f} s", **evidence)
    expect(bool(call.session.played_told), "played() to be told how much was heard", "never", **evidence)
    return evidence


def max_end(spans: list[Any]) -> float:
    """When the last of some spans ended; 0 for none."""
    return max((span.end for span in spans), default=0.0)


async def silence(bench: Bench) -> Mapping[str, Any]:
    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_AFTER)
        for _ in range(4):  # the platform may wonder several times whether anybody is there
            if await seat.listen():
                break
        await seat.say(_SAID)

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_AFTER)
        await live.quiet(_SILENCE_SECONDS)
        await live.say(_LAST)
        await live.hears(_SAID)

    call = await bench.hold(plot, talk)
    tapes = call.held.tapes
    assert tapes is not None
    sent = call.session.frames * FRAME_SECONDS
    expect(
        abs(sent - tapes.seconds) < 1.0,
        f"{tapes.seconds:.1f} s of frames to be sent, silent ones too",
        f"{sent:.1f} s",
    )
    expect(
        words(call.run.heard[-1]) == words(_LAST),
        f"the platform to hear {_LAST!r} after the silence",
        repr(call.run.heard[-1]),
    )
    return {"frames": call.session.frames, "seconds": round(tapes.seconds, 2)}


async def transcripts(bench: Bench) -> Mapping[str, Any]:
    async def plot(seat: Seat) -> None:
        await seat.listen()
        await seat.say(_SAID)
        await seat.listen()
        await seat.say(_AFTER)

    async def talk(live: Live) -> None:
        await live.opening(greets=bench.greets)
        await live.hears(_SAID)
        await live.say(_ASKED)
        await live.hears(_AFTER)

    call = await bench.hold(plot, talk)
    desk = call.held.desk
    agent = words(" ".join(final.text for final in desk.agent.finals))
    expect(words(_SAID) in agent, f"a transcript of the agent's words {_SAID!r}", repr(agent))
    user = words(" ".join(final.text for final in desk.user.finals))
    if bench.subject.capabilities.user_transcript:
        expect(words(_ASKED) in user, f"a transcript of the caller's words {_ASKED!r}", repr(user))
    else:
        told = [event.text for event in call.session.of(UserTranscript)]
        expect(not told, "no transcript of the caller (capabilities.user_transcript is false)", told)
    kinds = sorted({event.kind.value for event in call.session.of(AgentTranscript)})
    expect(all(kind in set(TranscriptKind) for kind in kinds), "known kinds of transcript", kinds)
    return {"agent": agent, "user": user, "agent_kinds": kinds}
