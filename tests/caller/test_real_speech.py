"""A call with the embedded engines: real voices both ways, Whisper ears, Silero, MiniLM."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from offhook.packs import Task
from offhook.sessions import Engines
from offhook_caller.speech import plugin

pytestmark = [pytest.mark.speech, pytest.mark.slow]

TURNS = (
    ("Which service would you like: a standard tune-up, a brake overhaul, or wheel truing?",),
    ("What is your full name, and the phone number we have on file?",),
    ("Sorry, I didn't catch the phone number. Could you say it again, one digit at a time?",),
    ("I have five four one, five five five, zero one four seven. Is that right?",),
    (
        "Let me look that up.",
        1.5,
        "Thank you, Nadia. What is your ZIP code, and the last four of the frame number?",
    ),
    ("A brake overhaul for your Larkspur is sixty-four dollars. Shall I book it?",),
    ("Your brake overhaul is booked for sixty-four dollars. Is there anything our mechanic should know?",),
    ("I've written that down for the workshop. Is there anything else I can do for you?",),
    ("Thanks for calling Fernhill. Goodbye.",),
)


@pytest.fixture(scope="module")
def engines() -> Engines:
    ears, careful = plugin.offhook_listeners()
    voices = {voice.name: voice for voice in plugin.offhook_voices()}
    (vad,), (embedder,) = plugin.offhook_vads(), plugin.offhook_embedders()
    return Engines(voices, ears, careful, vad, embedder)


def test_a_whole_booking_over_real_speech(booking: Task, call: Callable[..., Any], engines: Engines) -> None:
    left = iter(TURNS)
    agent_voice, caller_voice = sorted(engines.voices)[:2]

    def answer(_: str) -> Iterable[str | float] | None:
        return next(left, None)

    done = call(
        booking,
        ("Thanks for calling Fernhill bicycles. How can I help you?",),
        answer,
        engines=engines,
        voice=caller_voice,
        agent_voice=agent_voice,
    )
    assert [turn.source for turn in done.report.turns] == [
        "opening",
        "rule:service",
        "rule:identity",
        "repair:repeat",
        "repair:no",
        "rule:verify",
        "rule:accept",
        "rule:note",
        "rule:done",
    ]
    assert done.report.hung_up_because == "satisfied"
    assert done.report.off_script == ()
    assert "overhaul" in done.agent_heard[0].lower()
